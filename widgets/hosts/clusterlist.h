// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "widgets/common/statepainter.h"

#include <QWidget>

#include <optional>

class QLabel;
class QListWidget;
class QTimer;

namespace trainyard
{

class EmptyState;

// A cluster and what this window has found out about it.
struct ShownCluster {
    ClusterInfo info; // with the steps of the newest check
    bool isChecking = false;
    QString checkError; // why it could not be checked at all, as a sentence
    qint64 checkedAt = 0; // UTC ms, when the steps came; 0: there are none
    friend bool operator==(const ShownCluster &, const ShownCluster &) = default;
};

std::optional<StateShape> clusterShape(const ClusterInfo &cluster); // nothing: it is nothing to look at

// The clusters to which jobs may go, in a section of the page of hosts: one may be chosen, and one added.
class ClusterList : public QWidget
{
    Q_OBJECT
public:
    explicit ClusterList(QWidget *parent = nullptr);
    void setClusters(const QList<ShownCluster> &clusters);
    // Empty: none. One that is not there yet is shown as chosen as soon as it is.
    void choose(const QString &id);
    QString chosen() const { return m_chosen; }
    ShownCluster chosenCluster() const; // without an id: none, or awaited

Q_SIGNALS:
    void wanted(); // repeatedly while the list is visible: clusters do not report changes
    void addRequested(const QPoint &at); // of the screen, below what was clicked
    void chosenChanged(); // another one, or what is known of it

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showRows();
    void showChosen();
    void fit();

    QList<ShownCluster> m_clusters;
    QString m_chosen; // an id
    QLabel *m_count;
    QListWidget *m_list;
    EmptyState *m_empty;
    QTimer *m_again;
};

} // namespace trainyard
