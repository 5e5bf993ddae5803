// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace trainyard
{

class ColourLabel;
class StepMark;
class StepText;

// The steps of the way to a host, one below the other: how each stands, what it has found or what is wrong and what to
// do, and how long it took.
class StepList : public QWidget
{
    Q_OBJECT
public:
    explicit StepList(QWidget *parent = nullptr);
    void setSteps(const QList<HostStep> &steps);

private:
    struct Row {
        StepMark *mark;
        ColourLabel *name;
        StepText *text;
        QLabel *time;
    };
    void makeRows(const QList<HostStep> &steps);

    QGridLayout *m_grid;
    QList<Row> m_rows;
    QList<HostStep> m_steps;
};

} // namespace trainyard
