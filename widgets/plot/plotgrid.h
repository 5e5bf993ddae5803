// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"

#include <QList>

class QGridLayout;
class QScrollArea;

namespace trainyard
{

// The number of plots side by side: as few as possible without scrolling, and no more than are readable.
int plotColumns(int plots, const QSize &room, const QSize &smallest);

// Plots in rows and columns that follow the room there is, in an area that scrolls when even that is too little.
class PlotGrid : public Ground
{
    Q_OBJECT
public:
    PlotGrid();
    QScrollArea *area() const { return m_area; } // this, with its scroll bar
    // In this order, row by row; those that are not named any more are only taken out.
    void setPlots(const QList<QWidget *> &plots);
    int columns() const { return m_columns; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void arrange();

    QScrollArea *m_area;
    QGridLayout *m_grid;
    QList<QWidget *> m_plots;
    int m_columns = 0;
};

} // namespace trainyard
