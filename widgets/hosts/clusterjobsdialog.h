// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"

#include <QDialog>

class QPushButton;
class QTreeWidget;

namespace trainyard
{

class EmptyState;
class InfoBar;
class SearchField;

// The jobs that a cluster has of its user, of which one is chosen to be opened as a new job. Knows no engine: values
// are set from outside, wishes come out as signals. It stays open until setOpened(), and goes by itself when closed.
class ClusterJobsDialog : public QDialog
{
    Q_OBJECT
public:
    ClusterJobsDialog(const QString &cluster, QWidget *parent);
    void setJobs(const ClusterJobs &jobs);
    void setListError(const QString &sentence); // there is no list
    void setOpenError(const QString &sentence); // the document of the chosen one did not come
    void setOpened(); // it did

Q_SIGNALS:
    void listWanted(); // answer with setJobs() or setListError()
    void openWanted(const QString &name); // answer with setOpened() or setOpenError()

private:
    void fill();
    void filter();
    void choose();
    void update();

    QString m_cluster;
    ClusterJobs m_jobs;
    bool m_isOpening = false;
    InfoBar *m_bar;
    SearchField *m_field;
    QTreeWidget *m_list;
    EmptyState *m_empty; // in the place of the list
    QPushButton *m_open;
};

} // namespace trainyard
