// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plotgrid.h"

#include "widgets/common/style.h"

#include <QEvent>
#include <QGridLayout>
#include <QScrollArea>

#include <algorithm>
#include <numeric>

namespace trainyard
{
namespace
{
constexpr QSize smallestPlot(340, 150); // with its title
} // namespace

int plotColumns(int plots, const QSize &room, const QSize &smallest)
{
    const int most = std::clamp(room.width() / smallest.width(), 1, std::max(1, plots));
    for (int columns = 1; columns < most; ++columns) {
        const int rows = (plots + columns - 1) / columns;
        if (rows * smallest.height() <= room.height()) {
            return columns;
        }
    }
    return most;
}

PlotGrid::PlotGrid() : Ground(Colour::Surface), m_area(new QScrollArea), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(metrics::space3, metrics::space2, metrics::space3, metrics::space2);
    m_grid->setHorizontalSpacing(metrics::space3);
    m_grid->setVerticalSpacing(metrics::space1);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidget(this);
    m_area->viewport()->installEventFilter(this);
}

void PlotGrid::setPlots(const QList<QWidget *> &plots)
{
    if (plots == m_plots) {
        return;
    }
    m_plots = plots;
    m_columns = 0;
    arrange();
}

bool PlotGrid::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize) {
        arrange();
    }
    return Ground::eventFilter(watched, event);
}

void PlotGrid::arrange()
{
    const QMargins around = m_grid->contentsMargins();
    const QSize room = m_area->viewport()->size().shrunkBy(around);
    const int columns = plotColumns(int(m_plots.size()), room, smallestPlot);
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    const int count = int(m_plots.size());
    const int rows = (count + columns - 1) / columns;
    // Those of a last row that is not full share its whole width.
    const int last = count - (rows - 1) * columns;
    const int units = last > 0 ? std::lcm(columns, last) : columns;
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item;
    }
    // Rows and columns that a grid had once keep their share.
    for (int i = 0; i < std::max(m_grid->columnCount(), units); ++i) {
        m_grid->setColumnStretch(i, i < units ? 1 : 0);
    }
    for (int i = 0; i < std::max(m_grid->rowCount(), rows); ++i) {
        m_grid->setRowStretch(i, i < rows ? 1 : 0);
    }
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        const int wide = units / (row + 1 < rows ? columns : last);
        m_plots.at(i)->setMinimumHeight(smallestPlot.height());
        m_grid->addWidget(m_plots.at(i), row, i % columns * wide, 1, wide);
    }
}

} // namespace trainyard
