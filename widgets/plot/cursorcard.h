// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveline.h"

#include <QList>
#include <QString>
#include <QWidget>

namespace trainyard
{

class CurvePlot;

// The values of several lines at a place of their axis, over the plots. The mouse goes through it.
class CursorCard : public QWidget
{
    Q_OBJECT
public:
    struct Row {
        int look = 0;
        QString label, detail, value;
        double at = 0; // where the line has that value
        double last = 0; // where the line ends
    };
    // `over`: it covers nothing of the parent but this part, where there is room; null: all of it is such a part.
    explicit CursorCard(QWidget *parent, const QWidget *over = nullptr);
    // The place of a value that is nearest to `place`; without rows that place itself.
    static double nearestPlace(double place, const QList<Row> &rows);
    // The values there: a line that has not reached this position has no value, and one whose value is elsewhere says
    // where.
    static QList<Row> rowsFor(CurveAlong along, double place, QList<Row> rows);
    // At the value nearest to `place`. `name` is of the metric. It takes the size for them.
    void setRows(CurveAlong along, double place, const QString &name, const QList<Row> &rows);
    // Inside of its parent beside a point of the plot, and over as few of the lines there as possible.
    void showBeside(const CurvePlot &plot, const QPoint &at);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const QWidget *m_over;
    QString m_heading, m_name;
    QList<Row> m_rows;
    int m_labels = 0, m_details = 0, m_values = 0; // widths of the columns
};

} // namespace trainyard
