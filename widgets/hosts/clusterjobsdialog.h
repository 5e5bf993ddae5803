// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"

#include <QDialog>
#include <QTimer>

class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace trainyard
{

class EmptyState;
class InfoBar;
class SearchField;

// The user's jobs on a cluster, of which one is chosen to be opened as a new job. Knows no engine: values are set from
// outside, and requests are signals. It stays open until setOpened(), and is deleted when closed.
class ClusterJobsDialog : public QDialog
{
    Q_OBJECT
public:
    ClusterJobsDialog(const QString &cluster, QWidget *parent);
    void setJobs(const ClusterJobs &jobs);
    void setListError(const QString &sentence); // there is no list
    void setOpenError(const QString &sentence); // the document of the chosen one did not come
    void setOpened(); // it did
    // The tags of a job there, also after a change; or why they are not known.
    void setTags(const QString &name, const QStringList &tags);
    void setTagsError(const QString &name, const QString &sentence);

Q_SIGNALS:
    void listWanted(); // answer with setJobs() or setListError()
    void openWanted(const QString &name); // answer with setOpened() or setOpenError()
    void tagsWanted(const QString &name); // answer with setTags() or setTagsError()
    void tagsChangeWanted(const QString &name, const QStringList &add, const QStringList &remove); // likewise

private:
    void fill();
    void filter();
    void choose();
    void update();
    QString chosen() const; // empty: none
    void forgetTags();
    void saveTags();

    QString m_cluster;
    ClusterJobs m_jobs;
    bool m_isOpening = false;
    InfoBar *m_bar;
    SearchField *m_field;
    QTreeWidget *m_list;
    EmptyState *m_empty; // in the place of the list
    QPushButton *m_open;
    QTimer m_look; // so that moving through the list asks for the tags of the last one only
    QString m_tagsOf; // the job whose tags are known; empty: they are not
    QStringList m_tags;
    QLineEdit *m_tagsField; // with commas between them
    QPushButton *m_saveTags;
};

} // namespace trainyard
