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
    void setSteps(const QList<HostStep> &steps);
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
