// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterspane.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/text/clustertexts.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int sideAsksEveryMs = 30 * 1000;
constexpr int sideEdge = 12;
} // namespace

ClusterRow::ClusterRow(QWidget *parent) : SideRow(parent) { }

void ClusterRow::setCluster(const ClusterInfo &cluster, const QString &title)
{
    m_cluster = cluster;
    m_title = title;
    const QString kind = clusterKindText(cluster.kind), trouble = clusterTroubleText(cluster);
    setToolTip(plainTip(cluster.name + u", " + kind + (trouble.isEmpty() ? QString() : QString(u'\n' + trouble))));
    setAccessibleName(tr("%1, %2, %3").arg(cluster.name, kind, clusterStateText(cluster)));
    update();
}

void ClusterRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintHead(&painter, QStringLiteral("network"));
    const std::optional<StateShape> shape = clusterShape(m_cluster);
    const QString state = clusterStateText(m_cluster);
    painter.setFont(fonts::small());
    painter.setPen(colour(shape == StateShape::Failed ? colourOf(StateShape::Failed) : Colour::Muted, this));
    painter.drawText(rect().adjusted(0, 0, -sideEdge, 0), Qt::AlignVCenter | Qt::AlignRight, state);
    int x = width() - sideEdge - painter.fontMetrics().horizontalAdvance(state) - 8;
    if (shape) {
        x -= 14;
        paintState(&painter, *shape, QRectF(x, 7, 14, 14), palette());
    }
    paintName(&painter, m_title, x);
}

ClustersPane::ClustersPane(QWidget *parent) : QWidget(parent), m_list(new QVBoxLayout), m_count(smallMutedLabel({}))
{
    auto *plus = new QToolButton;
    plus->setObjectName(QStringLiteral("sideClusterAdd"));
    plus->setIcon(icon(QStringLiteral("plus")));
    plus->setAutoRaise(true);
    plus->setIconSize({16, 16});
    plus->setToolTip(tr("Add a cluster"));
    plus->setAccessibleName(plus->toolTip());
    auto *head = new QWidget;
    head->setFixedHeight(metrics::sideHead);
    auto *headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 0);
    headLayout->setSpacing(metrics::space2);
    headLayout->addWidget(semiboldLabel(tr("Clusters")));
    headLayout->addWidget(m_count);
    headLayout->addStretch();
    headLayout->addWidget(plus);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    m_list->setSpacing(0);
    layout->addLayout(m_list);
    connect(plus, &QToolButton::clicked, this,
        [this, plus] { Q_EMIT addRequested(plus->mapToGlobal(QPoint(0, plus->height()))); });
    auto *again = new QTimer(this);
    again->setInterval(sideAsksEveryMs);
    connect(again, &QTimer::timeout, this, [this] {
        if (isVisible()) {
            Q_EMIT wanted();
        }
    });
    again->start();
    hide();
}

void ClustersPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT wanted();
}

// Rows stay while their clusters do: one of them may have the focus.
void ClustersPane::setClusters(const QList<ShownCluster> &clusters)
{
    m_rows.removeIf([this, &clusters](ClusterRow *row) {
        const bool isThere = std::any_of(clusters.cbegin(), clusters.cend(),
            [row](const ShownCluster &one) { return one.info.id == row->cluster().id; });
        if (!isThere) {
            m_list->removeWidget(row);
            row->hide();
            row->deleteLater();
        }
        return !isThere;
    });
    for (int i = 0; i < int(clusters.size()); ++i) {
        const ClusterInfo &cluster = clusters.at(i).info;
        const bool isAlone = std::none_of(clusters.cbegin(), clusters.cend(),
            [&cluster](const ShownCluster &one) { return one.info.name == cluster.name && one.info.id != cluster.id; });
        const QString title = isAlone ? cluster.name : clusterTitle(cluster.name, cluster.kind);
        const auto known = std::find_if(m_rows.cbegin(), m_rows.cend(),
            [&cluster](const ClusterRow *row) { return row->cluster().id == cluster.id; });
        if (known != m_rows.cend()) {
            (*known)->setCluster(cluster, title);
            m_rows.move(known - m_rows.cbegin(), i);
        } else {
            auto *row = new ClusterRow;
            row->setCluster(cluster, title);
            connect(row, &SideRow::activated, this, [this, row] { Q_EMIT clusterRequested(row->cluster().id); });
            connect(row, &SideRow::menuRequested, this, [this, row](const QPoint &at) { showMenu(row, at); });
            m_rows.insert(i, row);
        }
        if (const QLayoutItem *there = m_list->itemAt(i); !there || there->widget() != m_rows.at(i)) {
            m_list->insertWidget(i, m_rows.at(i)); // one that is there goes to its place
        }
    }
    m_count->setText(QLocale().toString(m_rows.size()));
    setVisible(!m_rows.isEmpty());
}

void ClustersPane::showMenu(const ClusterRow *row, const QPoint &globalPosition)
{
    const QString id = row->cluster().id;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("clusterMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(
        icon(QStringLiteral("restart")), tr("Check again"), this, [this, id] { Q_EMIT checkRequested(id); });
    if (row->cluster().isNamed) { // else it was removed, and its jobs have not ended
        menu->addAction(icon(QStringLiteral("remove")), plainCaption(tr("Remove %1").arg(row->cluster().name)), this,
            [this, id] { Q_EMIT removeRequested(id); });
    }
    menu->popup(globalPosition);
}

} // namespace trainyard
