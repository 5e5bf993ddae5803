// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runpanes.h"

#include "widgets/common/stillpointer.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/taskspane.h"

#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr int rowsBeforeCurves = 6; // in sight below their heads, where half of the room is enough for them
constexpr int lowWindow = 600; // pixels of both panes: what is left of the smallest windows that people work in
constexpr int lowPage = 720; // of a run, with its head and with why it failed
constexpr int rowsInSight = 2;
constexpr int leastUpper = metrics::paneHead + 9 * metrics::logLine; // above an open pane: what it takes is missed
constexpr int leastOpen = metrics::innerTab + 10 * metrics::logLine; // curves below that are read
constexpr qint64 answerMs = 1000; // what comes so soon after a click is its answer
} // namespace

RunPanes::RunPanes(TasksPane *tasks, LogPane *log, RunHistory *history)
    : QSplitter(Qt::Vertical), m_across(new QSplitter(Qt::Horizontal)), m_history(history),
      m_pointer(new StillPointer(history))
{
    m_across->addWidget(tasks);
    m_across->addWidget(log);
    m_across->setSizes({540, 640}); // in this proportion, whatever the room
    m_across->setChildrenCollapsible(false);
    auto *upper = new Ground(Colour::Surface);
    upper->setBorders(Qt::TopEdge);
    m_upper = new QVBoxLayout(upper);
    m_upper->setContentsMargins(0, 1, 0, 0);
    m_upper->setSpacing(0);
    m_upper->addWidget(m_across, 1);
    addWidget(upper);
    addWidget(history);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    setSizes({600, m_unfoldedHeight});
    setChildrenCollapsible(false);
    setFolded(true);
    connect(history, &RunHistory::foldChosen, this, [this](bool on) {
        const bool isOther = m_history->isFolded() != on; // another tab of an open pane is not a choice about the pane
        setFoldChosen(on);
        if (isOther) {
            Q_EMIT foldChangedByHand(on);
        }
    });
    connect(history, &RunHistory::grew, this, &RunPanes::unfold);
    connect(m_pointer, &StillPointer::rested, this, &RunPanes::doWanted);
    connect(this, &QSplitter::splitterMoved, this, [this] {
        if (!m_history->isFolded()) {
            m_isSizedByHand = true;
            m_unfoldedHeight = sizes().value(1) + m_lent;
        }
    });
}

// And so it stays: nothing jumps when another task is chosen.
void RunPanes::unfold()
{
    if (!m_foldChosen && !m_hasFailed && m_history->isFolded()) {
        m_wantsUnfolding = true;
        m_pointer->wait();
    }
}

void RunPanes::suggestCurves(bool isOpening)
{
    if (isOpening) { // nothing has been in sight yet
        m_sinceAsked.start();
        m_history->suggestCurves();
        m_wantsUnfolding = true;
        doWanted();
    } else if (m_history->isFolded()) {
        m_wantsCurves = m_wantsUnfolding = true;
        m_pointer->wait();
    }
}

void RunPanes::foldForFailure()
{
    const QList<int> now = sizes();
    if (now.value(0) + now.value(1) < lowWindow && !m_foldChosen && !m_isSizedByHand && !m_history->isFolded()) {
        m_wantsFolding = true;
        m_pointer->wait();
    }
}

void RunPanes::giveRoom()
{
    m_wantsRoom = true;
    if (m_sinceAsked.isValid() && m_sinceAsked.elapsed() < answerMs) {
        doWanted();
    } else {
        m_pointer->wait();
    }
}

void RunPanes::doWanted()
{
    if (std::exchange(m_wantsFolding, false) && !m_foldChosen && !m_isSizedByHand) {
        m_wantsCurves = m_wantsUnfolding = false;
        setFolded(true);
    }
    if (std::exchange(m_wantsCurves, false) && m_history->isFolded()) {
        m_history->suggestCurves();
    }
    if (std::exchange(m_wantsUnfolding, false) && !m_foldChosen && !m_hasFailed) { // it may have failed meanwhile
        setFolded(false);
    }
    if (!std::exchange(m_wantsRoom, false)) {
        return;
    }
    m_givesRoom = true;
    // Half of the available room; a larger choice of the user is kept.
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
    m_sinceAsked.start();
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
    m_history->setFolded(on);
    if (!on && m_givesRoom && !m_isSizedByHand) { // it was wanted while the curves were hidden, or of a lower window
        const QList<int> now = sizes();
        m_unfoldedHeight = std::max(m_unfoldedHeight, (now.value(0) + now.value(1)) / 2);
    }
    sizeLower();
    Q_EMIT folded(on);
}

// A splitter gives a pane the height it had, also where that is more than it may have.
void RunPanes::sizeLower()
{
    const QList<int> now = sizes();
    const int whole = now.value(0) + now.value(1);
    const int lower = lowerOf(whole);
    setSizes({std::max(1, whole - lower), lower});
}

int RunPanes::lowerOf(int whole) const
{
    return m_history->isFolded() ? m_history->maximumHeight() : chosenLowerOf(whole + m_lent) - m_lent;
}

int RunPanes::chosenLowerOf(int whole) const
{
    if (m_isSizedByHand) {
        return m_unfoldedHeight;
    }
    // A small window shows a few tasks and lines of the log before it shows more of the curves.
    const int forTasks = metrics::paneHead + (1 + rowsBeforeCurves) * metrics::row;
    return std::min(m_unfoldedHeight, std::max(whole / 2, whole - forTasks));
}

// Bars of the window come and go below the page: the row of tabs stays where it is then, too.
bool RunPanes::isOfBarBelow(const QResizeEvent &event)
{
    const QSize ofWindow = window()->size();
    const int top = mapTo(window(), QPoint()).y();
    const bool isSame = isVisible() && event.oldSize().isValid() && ofWindow == m_windowSize && top == m_topInWindow;
    m_windowSize = ofWindow;
    m_topInWindow = top;
    return isSame;
}

// The upper part gets all gained or lost height until it is too low. Of gained height, such as that of a closed failure
// panel, curves get half when the pointer rests.
void RunPanes::resizeEvent(QResizeEvent *event)
{
    if (isOfBarBelow(*event)) {
        m_lent = std::max(0, m_lent + event->oldSize().height() - event->size().height());
    }
    QSplitter::resizeEvent(event);
    const QList<int> now = sizes();
    const int whole = now.value(0) + now.value(1);
    if (!m_history->isFolded() && whole > 0 && now.value(1) != lowerOf(whole)) {
        sizeLower();
    }
    if (m_givesRoom && !m_isSizedByHand && !m_history->isFolded() && sizes().value(1) < whole / 2) {
        giveRoom();
    }
}

int RunPanes::leastHeight() const
{
    const int lower = std::max(m_history->minimumSizeHint().height(), sizes().value(1));
    return m_upper->contentsMargins().top() + m_across->minimumSizeHint().height() + handleWidth() + lower;
}

void RunPanes::setPageHeight(int height)
{
    if (const bool isLow = height < lowPage; isLow != m_isPageLow) {
        m_isPageLow = isLow;
        updateGeometry();
    }
}

QSize RunPanes::minimumSizeHint() const
{
    if (!m_isPageLow) {
        return QSplitter::minimumSizeHint();
    }
    const int panes = m_across->minimumSizeHint().height();
    const int bars = m_upper->minimumSize().height() - panes; // and the line above
    const bool isOpen = !m_history->isFolded();
    const int upper = std::max(panes + rowsInSight * metrics::row, isOpen ? leastUpper : 0);
    const int lower = isOpen ? std::max(m_history->minimumSizeHint().height(), leastOpen) : m_history->maximumHeight();
    return {QSplitter::minimumSizeHint().width(), bars + upper + handleWidth() + lower};
}

bool RunPanes::event(QEvent *event)
{
    const bool isDone = QSplitter::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry(); // a bar takes its height from no pane that has none to give
    }
    return isDone;
}

RunPanes::Sizes RunPanes::savedSizes() const
{
    const QList<int> now = sizes();
    // A pane that is as low as it may be has not lent all of that.
    const int chosen = chosenLowerOf(now.value(0) + now.value(1) + m_lent);
    const bool hasLent = m_lent > 0 && !m_history->isFolded();
    return {m_across->saveState(), saveState(), hasLent ? std::max(0, chosen - now.value(1)) : 0};
}

void RunPanes::restoreSizes(const Sizes &saved)
{
    m_across->restoreState(saved.across);
    restoreState(saved.down);
    const int lower = sizes().value(1) + saved.lent;
    m_unfoldedHeight = m_history->isFolded() ? std::max(m_unfoldedHeight, lower) : lower;
    sizeLower();
}

} // namespace trainyard
