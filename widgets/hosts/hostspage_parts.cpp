// SPDX-License-Identifier: GPL-3.0-or-later
// The two sides of the page of hosts.
#include "engine/api/hoststeps.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/style.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/environmentsview.h"
#include "widgets/hosts/gpusnow.h"
#include "widgets/hosts/hostadding.h"
#include "widgets/hosts/hostcause.h"
#include "widgets/hosts/hostfilesview.h"
#include "widgets/hosts/hosthourview.h"
#include "widgets/hosts/hostjobsview.h"
#include "widgets/hosts/hostrow.h"
#include "widgets/hosts/hostspage.h"
#include "widgets/hosts/hostuseview.h"
#include "widgets/hosts/shapemark.h"
#include "widgets/hosts/steplist.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>

namespace trainyard
{
namespace
{

constexpr int listLeast = 240;

// Where the texts of the steps begin.
QLayout *belowTexts(QWidget *widget)
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(stepTextsLeft(), 0, metrics::space4, 0);
    row->addWidget(widget);
    row->addStretch();
    return row;
}

} // namespace

QWidget *HostsPage::makeSide()
{
    auto *side = new Ground(Colour::Surface);
    side->setMinimumWidth(listLeast);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *head = new PageHead(tr("Hosts"));
    layout->addWidget(head);
    m_list->setObjectName(QStringLiteral("hostList"));
    m_list->setAccessibleName(tr("Hosts"));
    m_list->setItemDelegate(new HostRowDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    constexpr int beforeTheRest = 1000; // the rows get their room first
    layout->addWidget(m_list, beforeTheRest);
    layout->addWidget(new Line(Qt::Horizontal));
    layout->addWidget(m_clusters);
    layout->addStretch(1);
    layout->addWidget(new Line(Qt::Horizontal));
    layout->addWidget(m_adding);
    return side;
}

QWidget *HostsPage::makeDetail()
{
    auto *detail = new Ground(Colour::Surface);
    detail->setMinimumWidth(detailLeast);
    auto *layout = new QVBoxLayout(detail);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_head->row()->addWidget(m_mark);
    m_head->addMinor(m_state);
    m_head->row()->addStretch(1);
    m_head->addPrimary(m_check);
    m_head->addButton(m_copy);
    m_head->addButton(m_remove);
    layout->addWidget(m_head);

    auto *body = new Ground(Colour::Surface);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (QLabel *label : {static_cast<QLabel *>(m_trouble), m_banner}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContentsMargins(metrics::space4, metrics::space3, metrics::space4, 0);
    }
    column->addWidget(m_trouble);
    m_steps->setCause(m_cause);
    connect(m_cause, &HostCause::shellRequested, this, &HostsPage::shellRequested);
    column->addWidget(m_steps);
    m_addCluster->hide();
    setButtonKind(m_addCluster, ButtonKind::Link);
    m_addCluster->setToolTip(tr("Asks for the options that its jobs need, and makes it a target of Run"));
    column->addLayout(belowTexts(m_addCluster));
    column->addWidget(m_banner);
    column->addSpacing(metrics::space2);
    column->addWidget(new Line(Qt::Horizontal));
    column->addWidget(m_jobs);
    column->addWidget(m_use);
    column->addWidget(m_hour);
    m_filesLine = new Line(Qt::Horizontal);
    column->addWidget(m_filesLine);
    column->addWidget(m_files);
    column->addWidget(new Line(Qt::Horizontal));
    column->addWidget(m_gpus);
    column->addWidget(m_environments);
    column->addStretch();
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(body);
    layout->addWidget(scroll, 1);
    return detail;
}

} // namespace trainyard
