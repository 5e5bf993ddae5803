// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/hosts/clusterlist.h"
#include "widgets/hosts/siderow.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace trainyard
{

// One cluster of the side: icon, name, what runs there or what is the matter.
class ClusterRow : public SideRow
{
    Q_OBJECT
public:
    explicit ClusterRow(QWidget *parent = nullptr);
    void setCluster(const ClusterInfo &cluster, const QString &title);
    const ClusterInfo &cluster() const { return m_cluster; }
    QString title() const { return m_title; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ClusterInfo m_cluster;
    QString m_title; // its name, with its kind where another cluster has the same name
};

// The clusters to which jobs may go, below the hosts at the side. Hidden while there are none: one is added on the page
// of hosts, or by the menu.
class ClustersPane : public QWidget
{
    Q_OBJECT
public:
    explicit ClustersPane(QWidget *parent = nullptr);
    void setClusters(const QList<ShownCluster> &clusters);
    QList<ClusterRow *> rows() const { return m_rows; }

Q_SIGNALS:
    void wanted(); // again and again while they are seen: clusters do not tell what happens to them
    void addRequested(const QPoint &at); // of the screen, below what was clicked
    void clusterRequested(const QString &id); // all that is known of it
    void checkRequested(const QString &id);
    void removeRequested(const QString &id);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showMenu(const ClusterRow *row, const QPoint &globalPosition);
    QList<ClusterRow *> m_rows;
    QVBoxLayout *m_list;
    QLabel *m_count;
};

} // namespace trainyard
