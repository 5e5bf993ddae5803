// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/steplist.h"

#include "engine/api/hoststeps.h"
#include "widgets/common/labels.h"
#include "widgets/hosts/shapemark.h"
#include "widgets/text/hosttexts.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int stepNameWidth = 120;
constexpr int leastStepText = 120;

// The state of a step. Outstanding steps are muted; warnings have the colour of states that wait for the user. After a
// failed step, none is outstanding.
void markStep(ShapeMark *mark, StepState state, bool isCutOff)
{
    switch (state) {
    case StepState::Passed:
        mark->setShape(StateShape::Succeeded);
        break;
    case StepState::Failed:
        mark->setShape(StateShape::Failed);
        break;
    case StepState::Running:
        mark->setShape(StateShape::Running);
        break;
    case StepState::Warned:
        mark->setShape(StateShape::Waiting);
        break;
    case StepState::Waiting:
        mark->setShape(isCutOff ? std::nullopt : std::optional(StateShape::Waiting), Colour::Edge);
        break;
    }
}

} // namespace

// The findings of a step. A word that is wider than the column, such as the path of a folder, is broken so that the
// page need not scroll sideways. The menu copies it without the breaks, and it cannot be copied with them.
class StepText final : public ColourLabel
{
public:
    StepText() : ColourLabel({}, Colour::Text)
    {
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    void setWhole(const QString &text)
    {
        if (text != m_whole) {
            m_whole = text;
            fit();
        }
    }
    QSize minimumSizeHint() const override { return {leastStepText, ColourLabel::minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        ColourLabel::resizeEvent(event);
        fit();
    }
    void showEvent(QShowEvent *event) override
    {
        ColourLabel::showEvent(event);
        fit();
    }
    void contextMenuEvent(QContextMenuEvent *event) override
    {
        if (text() == m_whole) {
            ColourLabel::contextMenuEvent(event);
            return;
        }
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(StepList::tr("Copy"), this, [this] { QGuiApplication::clipboard()->setText(m_whole); });
        menu->popup(event->globalPos());
    }

private:
    void fit()
    {
        QString broken;
        constexpr int slack = 6; // fractions of pixels add up
        const QFontMetricsF letters(font());
        qreal part = 0; // the width of the word so far
        bool isBroken = false;
        for (const QChar c : std::as_const(m_whole)) {
            const qreal width = letters.horizontalAdvance(c);
            part = c.isSpace() ? 0 : part + width;
            if (isVisible() && part > contentsRect().width() - slack && !broken.isEmpty()) {
                // Not a place where it may be broken: on a screen with a scale the letters are drawn a little wider
                // than the height of the label is computed for, and one line more would be cut.
                broken += QLatin1Char('\n');
                part = width;
                isBroken = true;
            }
            broken += c;
            part = c == QLatin1Char('/') || c == QLatin1Char('-') ? 0 : part; // Qt breaks there by itself
        }
        const QString shown = isBroken ? broken : m_whole;
        if (text() != shown) {
            setText(shown);
            setTextInteractionFlags(isBroken ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
            setToolTip(plainTip(isBroken ? m_whole : QString()));
        }
    }
    QString m_whole;
};

StepList::StepList(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space3);
    m_grid->setHorizontalSpacing(metrics::space3);
    m_grid->setVerticalSpacing(metrics::space2);
    m_grid->setColumnMinimumWidth(1, stepNameWidth);
    m_grid->setColumnStretch(2, 1);
}

int stepTextsLeft() { return metrics::space4 + metrics::stateShape + stepNameWidth + 2 * metrics::space3; }

void StepList::setSteps(const QList<HostStep> &steps, const QList<HostStep> &now)
{
    QList<ShownStep> shown;
    for (const HostStep &step : steps) {
        const auto same
            = std::find_if(now.cbegin(), now.cend(), [&step](const HostStep &each) { return each.id == step.id; });
        const bool isOld = same != now.cend() && same->state != step.state && step.state != StepState::Failed
            && (same->state == StepState::Waiting || same->state == StepState::Running);
        // The text of a cluster names a command for terminals; here a button stands below.
        const bool isOffered = step.id == hoststep::cluster && step.state != StepState::Warned;
        const bool isAsked = isOffered && step.state == StepState::Running;
        const QString text = isAsked ? tr("the commands of Slurm are installed")
            : isOffered              ? tr("a Slurm cluster answers")
                                     : stepText(step);
        const StepState state = isAsked ? StepState::Waiting : isOld ? same->state : step.state;
        shown.append({step.id, state, stepName(step.id), text, isOld ? QString() : stepTime(step), isOld});
    }
    setShown(shown);
}

QList<StepState> StepList::shownStates() const
{
    QList<StepState> states;
    for (const ShownStep &step : m_steps) {
        states.append(step.state);
    }
    return states;
}

void StepList::setShown(const QList<ShownStep> &steps)
{
    if (steps == m_steps) {
        return;
    }
    if (steps.size() != m_steps.size()) {
        makeRows(steps.size());
    }
    m_steps = steps;
    qsizetype failed = -1;
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const ShownStep &step = steps.at(i);
        const Row &row = m_rows.at(i);
        markStep(row.mark, step.state, failed >= 0);
        failed = failed < 0 && step.state == StepState::Failed ? i : failed;
        row.name->setText(step.name);
        row.name->setColour(step.state == StepState::Waiting ? Colour::Muted : Colour::Text);
        row.text->setObjectName(QStringLiteral("step-") + step.id);
        row.text->setWhole(step.text);
        row.text->setColour(step.isOld            ? Colour::Muted
                : step.state == StepState::Failed ? Colour::Failed
                                                  : Colour::Text);
        row.time->setText(step.time);
        row.text->setAccessibleName(step.name + QStringLiteral(": ") + step.text);
    }
    m_failed = failed;
    placeCause();
}

void StepList::setCause(QWidget *cause)
{
    m_cause = cause;
    m_cause->setParent(this);
    placeCause();
}

void StepList::showCause(bool on)
{
    m_isCauseWanted = on;
    placeCause();
}

void StepList::placeCause()
{
    if (!m_cause) {
        return;
    }
    m_grid->removeWidget(m_cause);
    if (m_failed >= 0) {
        m_grid->addWidget(m_cause, 2 * int(m_failed) + 1, 2, 1, 2);
    }
    m_cause->setVisible(m_isCauseWanted && m_failed >= 0);
}

void StepList::makeRows(qsizetype count)
{
    for (const Row &row : std::as_const(m_rows)) {
        for (QWidget *widget : std::initializer_list<QWidget *>{row.mark, row.name, row.text, row.time}) {
            delete widget;
        }
    }
    m_rows.clear();
    for (int i = 0; i < int(count); ++i) {
        // Between the rows is room for the cause of a failure.
        const Row row{new ShapeMark, new ColourLabel({}, Colour::Text), new StepText, smallMutedLabel({})};
        row.name->setFont(fonts::semibold());
        m_grid->addWidget(row.mark, 2 * i, 0, Qt::AlignTop);
        m_grid->addWidget(row.name, 2 * i, 1, Qt::AlignTop);
        m_grid->addWidget(row.text, 2 * i, 2, Qt::AlignTop);
        m_grid->addWidget(row.time, 2 * i, 3, Qt::AlignTop | Qt::AlignRight);
        m_rows.append(row);
    }
}

} // namespace trainyard
