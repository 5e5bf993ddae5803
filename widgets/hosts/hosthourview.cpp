// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hosthourview.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/text/hostusetexts.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace trainyard
{

HostHourView::HostHourView(QWidget *parent) : QWidget(parent), m_cells(new FlowLayout(metrics::space5))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, metrics::space3);
    layout->setSpacing(0);
    layout->addWidget(new Line(Qt::Horizontal));
    auto *head = semiboldLabel(tr("Last hour"));
    head->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, metrics::space2);
    layout->addWidget(head);
    m_cells->setContentsMargins(metrics::space4, 0, metrics::space4, 0);
    layout->addLayout(m_cells);
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
        auto *cell = new QWidget;
        auto *row = new QHBoxLayout(cell);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(metrics::space2);
        row->addWidget(mutedLabel(use.name));
        auto *curve = new Sparkline;
        curve->setValues(use.values);
        row->addWidget(curve);
        row->addWidget(plainLabel(tr("%1 %").arg(qRound(use.average))));
        const QString text = tr("%1: %2").arg(use.name, hostUseText(use));
        cell->setToolTip(plainTip(text));
        m_lines.append(text);
        m_cells->addWidget(cell);
    }
    setAccessibleName(m_lines.join(QLatin1Char('\n')));
    setVisible(!m_lines.isEmpty());
}

} // namespace trainyard
