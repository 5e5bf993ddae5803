// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace trainyard
{

class ColourLabel;
class ShapeMark;
class StepText;

// One step as it is shown.
struct ShownStep {
    QString id; // its text is the child "step-" + id
    StepState state = StepState::Waiting;
    QString name, text, time;
    bool isOld = false; // the text is from the last check: this one has not reached the step
    friend bool operator==(const ShownStep &, const ShownStep &) = default;
};

int stepTextsLeft(); // where they begin, in the list

// The steps of the way to a host, or of another check, one below the other: the state of each, its findings or what is
// wrong and what to do, and how long it took.
class StepList : public QWidget
{
    Q_OBJECT
public:
    explicit StepList(QWidget *parent = nullptr);
    // Where the check that is under way, with the steps `now`, has no result yet, `steps` have the findings of the last
    // one. Such a step is shown as not known, unless it had failed: why there is no connection stays in sight.
    void setSteps(const QList<HostStep> &steps, const QList<HostStep> &now);
    QList<StepState> shownStates() const;
    void setShown(const QList<ShownStep> &steps);
    void setCause(QWidget *cause); // shown below the failed step, which is the last one that was tried
    void showCause(bool on); // while a step has failed

private:
    struct Row {
        ShapeMark *mark;
        ColourLabel *name;
        StepText *text;
        QLabel *time;
    };
    void makeRows(qsizetype count);
    void placeCause();

    QGridLayout *m_grid;
    QList<Row> m_rows;
    QList<ShownStep> m_steps;
    QWidget *m_cause = nullptr;
    qsizetype m_failed = -1; // place of the step; -1: none
    bool m_isCauseWanted = false;
};

} // namespace trainyard
