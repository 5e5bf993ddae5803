// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterlist.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/hosts/hostrow.h"
#include "widgets/text/clustertexts.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace trainyard
{
namespace
{

constexpr int askEveryMs = 10 * 1000;
constexpr int mostRowsSeen = 4; // the rest is scrolled to

enum ClusterRole { ClusterIdRole = Qt::UserRole, ClusterLinesRole };

// Name and kind, state; the options.
class ClusterRowDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {0, metrics::hostRow}; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        paintTwoLines(painter, option, index.data(ClusterLinesRole).value<TwoLines>());
    }
};

} // namespace

std::optional<StateShape> clusterShape(const ClusterInfo &cluster)
{
    if (isSilentCluster(cluster) || failsCheck(cluster) || !cluster.error.isEmpty()) {
        return StateShape::Failed;
    }
    if (!cluster.isNamed) {
        return StateShape::Stopping;
    }
    return cluster.allocations > 0 ? std::optional(StateShape::Running) : std::nullopt;
}

ClusterList::ClusterList(QWidget *parent)
    : QWidget(parent), m_count(smallMutedLabel({})), m_list(new QListWidget),
      m_empty(new EmptyState(EmptyState::Layout::Side)), m_again(new QTimer(this))
{
    auto *add = new QToolButton;
    add->setObjectName(QStringLiteral("clusterAdd"));
    add->setIcon(icon(QStringLiteral("plus")));
    add->setAutoRaise(true);
    add->setIconSize({metrics::rowIcon, metrics::rowIcon});
    add->setToolTip(tr("Add a cluster"));
    add->setAccessibleName(add->toolTip());
    auto *head = new QHBoxLayout;
    head->setContentsMargins(metrics::space4, metrics::space1, metrics::space2, metrics::space1);
    head->setSpacing(metrics::space2);
    head->addWidget(semiboldLabel(tr("Clusters")));
    head->addWidget(m_count);
    head->addStretch();
    head->addWidget(add);
    m_list->setObjectName(QStringLiteral("clusterList"));
    m_list->setAccessibleName(tr("Clusters"));
    m_list->setItemDelegate(new ClusterRowDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_empty->setObjectName(QStringLiteral("clustersEmpty"));
    m_empty->setText(tr("Clusters of Slurm, Kubernetes and OpenPAI can run jobs, too."));
    m_empty->setAction(tr("Add a cluster…"), QStringLiteral("plus"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_list);
    auto *empty = new QHBoxLayout; // its words begin where the title does
    empty->setContentsMargins(metrics::space4 - metrics::space3, 0, 0, 0);
    empty->addWidget(m_empty);
    layout->addLayout(empty);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    const auto askFrom
        = [this](const QWidget *clicked) { Q_EMIT addRequested(clicked->mapToGlobal(QPoint(0, clicked->height()))); };
    connect(add, &QToolButton::clicked, this, [askFrom, add] { askFrom(add); });
    connect(m_empty, &EmptyState::actionTriggered, this, [this, askFrom] { askFrom(m_empty->action()); });
    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
        const QList<QListWidgetItem *> selected = m_list->selectedItems();
        choose(selected.isEmpty() ? QString() : selected.constFirst()->data(ClusterIdRole).toString());
    });
    m_again->setInterval(askEveryMs);
    connect(m_again, &QTimer::timeout, this, [this] {
        if (isVisible()) {
            Q_EMIT wanted();
        }
    });
    m_again->start();
    fit();
}

void ClusterList::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT wanted();
}

void ClusterList::setClusters(const QList<ShownCluster> &clusters)
{
    if (clusters == m_clusters) {
        return;
    }
    const bool wasThere = !chosenCluster().info.id.isEmpty();
    m_clusters = clusters;
    if (wasThere && chosenCluster().info.id.isEmpty()) {
        m_chosen.clear(); // it was removed, not awaited
    }
    {
        const QSignalBlocker blocker(m_list);
        showRows();
    }
    showChosen();
    m_count->setText(clusters.isEmpty() ? QString() : QLocale().toString(clusters.size()));
    fit();
    if (wasThere || !m_chosen.isEmpty()) {
        Q_EMIT chosenChanged();
    }
}

// Rows stay while their clusters do: one of them may have the focus.
void ClusterList::showRows()
{
    for (int i = m_list->count() - 1; i >= 0; --i) {
        const QString id = m_list->item(i)->data(ClusterIdRole).toString();
        if (std::none_of(
                m_clusters.cbegin(), m_clusters.cend(), [&id](const ShownCluster &one) { return one.info.id == id; })) {
            delete m_list->takeItem(i);
        }
    }
    for (int i = 0; i < int(m_clusters.size()); ++i) {
        const ClusterInfo &cluster = m_clusters.at(i).info;
        QListWidgetItem *item = m_list->item(i);
        if (!item || item->data(ClusterIdRole).toString() != cluster.id) {
            item = new QListWidgetItem;
            m_list->insertItem(i, item);
        }
        const QString kind = clusterKindText(cluster.kind), state = clusterStateText(cluster);
        const QString options = cluster.options.isEmpty() ? tr("no options of its own") : cluster.options;
        const QString trouble = clusterTroubleText(cluster);
        item->setData(ClusterIdRole, cluster.id);
        item->setData(ClusterLinesRole,
            QVariant::fromValue(
                TwoLines{QStringLiteral("network"), cluster.name, kind, clusterShape(cluster), state, options, {}, 0}));
        item->setData(Qt::AccessibleTextRole, tr("%1, %2, %3").arg(cluster.name, kind, state));
        item->setToolTip(plainTip(cluster.id + QLatin1Char('\n') + (trouble.isEmpty() ? options : trouble)));
    }
    while (m_list->count() > int(m_clusters.size())) { // the order was another one
        delete m_list->takeItem(m_list->count() - 1);
    }
}

void ClusterList::showChosen()
{
    const QSignalBlocker blocker(m_list);
    for (int i = 0; i < m_list->count(); ++i) {
        if (m_list->item(i)->data(ClusterIdRole).toString() == m_chosen) {
            m_list->setCurrentRow(i, QItemSelectionModel::ClearAndSelect);
            return;
        }
    }
    m_list->clearSelection();
}

void ClusterList::fit()
{
    const int rows = int(m_clusters.size());
    m_list->setFixedHeight(std::min(rows, mostRowsSeen) * metrics::hostRow);
    m_list->setVisible(rows > 0);
    m_empty->setVisible(rows == 0);
}

void ClusterList::choose(const QString &id)
{
    if (id != m_chosen) {
        m_chosen = id;
        showChosen();
        Q_EMIT chosenChanged();
    }
}

ShownCluster ClusterList::chosenCluster() const
{
    const auto at = std::find_if(
        m_clusters.cbegin(), m_clusters.cend(), [this](const ShownCluster &one) { return one.info.id == m_chosen; });
    return at == m_clusters.cend() ? ShownCluster() : *at;
}

} // namespace trainyard
