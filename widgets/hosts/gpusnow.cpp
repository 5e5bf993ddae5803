// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/gpusnow.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/hosts/gputable.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{

GpusNow::GpusNow(QWidget *parent)
    : QWidget(parent), m_count(smallMutedLabel({})),
      m_which(new SegmentedControl({tr("All"), tr("Free"), tr("Of others")})), m_table(new GpuTable),
      m_none(new EmptyState(EmptyState::Layout::Side))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(metrics::space4, metrics::space2, metrics::space4, metrics::space2);
    head->setSpacing(metrics::space2);
    head->addWidget(semiboldLabel(tr("GPUs now")));
    head->addWidget(m_count);
    head->addStretch();
    head->addWidget(m_which);
    column->addLayout(head);
    column->addWidget(m_table);
    m_none->setContentsMargins(metrics::space1, 0, 0, 0);
    column->addWidget(m_none);
    connect(m_which, &SegmentedControl::currentChanged, this, [this](int which) {
        m_table->setWhich(static_cast<GpuTable::Which>(which));
        showTable();
    });
    connect(m_table, &GpuTable::jobRequested, this, &GpusNow::jobRequested);
}

void GpusNow::setHosts(const QList<HostInfo> &hosts)
{
    m_table->setHosts(hosts);
    m_hosts = std::count_if(hosts.cbegin(), hosts.cend(),
        [](const HostInfo &host) { return host.state == HostState::Online && !host.gpus.isEmpty(); });
    showTable();
}

void GpusNow::showTable()
{
    const int shown = m_table->gpuCount();
    m_count->setText(shown == 0
            ? QString()
            : tr("%1 on %2").arg(shown).arg(m_hosts == 1 ? tr("one host") : tr("%1 hosts").arg(m_hosts)));
    m_which->setVisible(m_hosts > 0);
    m_table->setVisible(shown > 0);
    m_none->setVisible(shown == 0);
    m_none->setText(m_hosts == 0           ? tr("No host that is online has a GPU.")
            : m_which->currentIndex() == 1 ? tr("No GPU is free.")
                                           : tr("No GPU is used by programs of others."));
}

} // namespace trainyard
