// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runpanes.h"

#include "widgets/log/logpane.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/taskspane.h"

#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{

RunPanes::RunPanes(TasksPane *tasks, LogPane *log, RunHistory *history)
    : QSplitter(Qt::Vertical), m_across(new QSplitter(Qt::Horizontal)), m_history(history)
{
    m_across->addWidget(tasks);
    m_across->addWidget(log);
    m_across->setSizes({540, 640}); // in this proportion, whatever the room
    m_across->setChildrenCollapsible(false);
    auto *upper = new Ground(Colour::Surface);
    upper->setBorders(Qt::TopEdge);
    auto *upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 1, 0, 0);
    upperLayout->addWidget(m_across);
    addWidget(upper);
    addWidget(history);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    setSizes({600, m_unfoldedHeight});
    setChildrenCollapsible(false);
    setFolded(true);
    connect(history, &RunHistory::foldChosen, this, &RunPanes::setFoldChosen);
    connect(history, &RunHistory::grew, this, &RunPanes::unfold);
}

// And so it stays: nothing jumps when another task is chosen.
void RunPanes::unfold()
{
    if (!m_foldChosen) {
        setFolded(false);
    }
}

void RunPanes::suggestCurves(bool isOpening)
{
    if (isOpening || m_history->isFolded()) {
        m_history->suggestCurves();
    }
    if (isOpening) {
        unfold();
    }
}

// Half of what there is; somebody who has chosen more keeps it.
void RunPanes::giveRoom()
{
    const QList<int> now = sizes();
    const int half = (now.value(0) + now.value(1)) / 2;
    if (!m_history->isFolded() && now.value(1) < half) {
        m_unfoldedHeight = half;
        sizeLower();
    }
}

void RunPanes::setFoldChosen(bool on)
{
    m_foldChosen = true;
    setFolded(on);
}

std::optional<bool> RunPanes::foldChosen() const
{
    return m_foldChosen ? std::optional(m_history->isFolded()) : std::nullopt;
}

void RunPanes::setFolded(bool on)
{
    if (m_history->isFolded() == on) {
        return;
    }
    if (const int height = sizes().value(1); on && height > 0) {
        m_unfoldedHeight = height;
    }
    m_history->setFolded(on);
    sizeLower();
    Q_EMIT folded(on);
}

// A splitter gives a pane the height it had, also where that is more than it may have.
void RunPanes::sizeLower()
{
    const QList<int> now = sizes();
    const int whole = now.value(0) + now.value(1);
    const int lower = m_history->isFolded() ? m_history->maximumHeight() : m_unfoldedHeight;
    setSizes({std::max(1, whole - lower), lower});
}

int RunPanes::leastHeight() const
{
    const int lower = handleWidth() + sizes().value(1);
    return std::max(minimumSizeHint().height(), widget(0)->minimumSizeHint().height() + lower);
}

RunPanes::Sizes RunPanes::savedSizes() const { return {m_across->saveState(), saveState()}; }

void RunPanes::restoreSizes(const Sizes &saved)
{
    m_across->restoreState(saved.across);
    restoreState(saved.down);
    if (m_history->isFolded()) {
        m_unfoldedHeight = std::max(m_unfoldedHeight, sizes().value(1));
        sizeLower();
    }
}

} // namespace trainyard
