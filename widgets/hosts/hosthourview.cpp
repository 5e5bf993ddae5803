// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hosthourview.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/text/hostusetexts.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int sideBySide = 2; // uses in a row
constexpr int partsOfUse = 3; // name, curve, average
constexpr int widestHour = 2 * metrics::formMaximum, hourShare = 1000; // of the room, up to that
} // namespace

HostHourView::HostHourView(QWidget *parent) : QWidget(parent), m_cells(new QGridLayout)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, metrics::space3);
    layout->setSpacing(0);
    layout->addWidget(new Line(Qt::Horizontal));
    auto *head = semiboldLabel(tr("Last hour"));
    head->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space2);
    layout->addWidget(head);
    m_cells->setContentsMargins(metrics::space4, 0, metrics::space4, 0);
    m_cells->setHorizontalSpacing(metrics::space2);
    m_cells->setVerticalSpacing(metrics::space1);
    for (int side = 0; side < sideBySide; ++side) {
        const int first = side * (partsOfUse + 1);
        m_cells->setColumnStretch(first + 1, 1);
        if (side > 0) {
            m_cells->setColumnMinimumWidth(first - 1, metrics::space4);
        }
    }
    // A curve that is far from its name cannot be told from the others.
    auto *cells = new QWidget;
    cells->setLayout(m_cells);
    cells->setMaximumWidth(widestHour);
    auto *beside = new QHBoxLayout;
    beside->addWidget(cells, hourShare);
    beside->addStretch(1);
    layout->addLayout(beside);
    hide();
}

void HostHourView::clear()
{
    removeWidgets(m_cells);
    m_lines.clear();
    hide();
}

void HostHourView::setHistory(const api::HostHistory &history, const QList<GpuInfo> &gpus)
{
    removeWidgets(m_cells);
    m_lines.clear();
    const QList<HourOfUse> uses = hostUses(history, gpus);
    for (const HourOfUse &use : uses) {
        const int place = int(m_lines.size());
        const int row = place / sideBySide;
        const int column = place % sideBySide * (partsOfUse + 1); // with the gap behind it
        auto *curve = new Sparkline;
        curve->setValues(use.values);
        curve->setBase(true); // of an hour that is known only in part
        curve->setMinimumWidth(metrics::sparkWidth);
        curve->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // as wide as there is room: it is an hour
        QLabel *average = plainLabel(tr("%1 %").arg(qRound(use.average)));
        average->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const QString text = tr("%1: %2").arg(use.name, hostUseText(use));
        m_lines.append(text);
        int part = 0;
        for (QWidget *widget : {static_cast<QWidget *>(mutedLabel(use.name)), static_cast<QWidget *>(curve),
                 static_cast<QWidget *>(average)}) {
            widget->setToolTip(plainTip(text));
            m_cells->addWidget(widget, row, column + part++);
        }
    }
    setAccessibleName(m_lines.join(QLatin1Char('\n')));
    setVisible(!m_lines.isEmpty());
}

} // namespace trainyard
