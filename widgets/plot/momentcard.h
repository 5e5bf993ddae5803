// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

#include <QList>
#include <QPair>
#include <QPoint>

class QVBoxLayout;

namespace trainyard
{

class FlowLayout;

// A card over the curves with the data of a moment: the values of the curves, the task's use of its host, and the lines
// of the log.
class MomentCard : public Ground
{
    Q_OBJECT
public:
    struct Moment {
        QString when; // "8:32"
        QString where; // "step 2000, worker/0"
        QList<QPair<QString, QString>> values; // names with values
    };
    // It covers nothing of the parent but this part, where there is room.
    MomentCard(QWidget *parent, const QWidget *over);
    // Beside a point of the parent, over as little as possible of the curves.
    void showMoment(const Moment &moment, const QPoint &near, const QList<QPoint> &curves);
    void setLines(const QStringList &lines); // of the log
    void setRemark(const QString &sentence); // instead of them

private:
    void place();
    const QWidget *m_over;
    QLabel *m_when;
    QLabel *m_where;
    FlowLayout *m_values;
    QVBoxLayout *m_lines;
    Line *m_between;
    QPoint m_near;
    QList<QPoint> m_curves;
};

} // namespace trainyard
