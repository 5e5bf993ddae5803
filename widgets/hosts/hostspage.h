// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "model/base/result.h"
#include "widgets/hosts/lastchecks.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace trainyard
{

class ClusterList;
class ClusterView;
class ColourLabel;
class EnvironmentsView;
class GpusNow;
class HostAdding;
class HostCause;
class HostFilesView;
class HostHourView;
class HostJobsView;
class HostUseView;
class PageHead;
class ShapeMark;
class StepList;

// All hosts at the left, and of the chosen one what the way to it has shown, step by step; below it the GPUs of all.
// Clusters have a section of their own there, and the same place for the chosen one.
// Knows no engine: what is wanted goes out by signals.
// Large because hosts and clusters have their rows and their place at the right alike.
class HostsPage : public QWidget
{
    Q_OBJECT
public:
    explicit HostsPage(QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts); // with labels that differ
    void choose(const QString &id); // of a host or a cluster
    QString chosen() const;
    ClusterList *clusters() { return m_clusters; }
    ClusterView *cluster() { return m_cluster; } // the chosen one
    // The error of the last address; empty: it worked. `mayBeAdded`: it may be added nevertheless.
    void setAddError(const QString &text, bool mayBeAdded = false);
    HostFilesView *files() { return m_files; } // of the chosen host
    void askForFiles(); // again
    // The answers about the chosen host, as filesWanted(), hourWanted() and environmentsWanted() asked; those of
    // another host are dropped. A cluster that is chosen meanwhile changes nothing: the host is the one to come back
    // to.
    void setFiles(const QString &id, const Result<api::HostFiles> &files);
    void setHour(const api::HostHistory &history);
    void setEnvironments(const api::HostEnvironments &found);
    void setUseError(const QString &id, const QString &text); // of the last change of that host's use
    void setKnownNames(const QStringList &names); // of the ssh configuration: offered for a new host

Q_SIGNALS:
    void namesWanted(); // the ssh configuration may have changed: answer with setKnownNames()
    void chosenChanged();
    void addRequested(const QString &target, bool anyway);
    void checkRequested(const QString &id);
    void shellRequested(const HostInfo &host);
    void clusterOffered(const QString &host); // which has the commands of one that is to be added; empty: this computer
    void removeRequested(const QString &id);
    void filesWanted(const trainyard::HostInfo &host); // files() is to be filled
    void hourWanted(const QString &id); // again and again while the page is seen
    void environmentsWanted(const QString &id);
    void changeRequested(const trainyard::api::HostChange &change);
    void releaseRequested(const QString &id, int gpu); // -1: all of the host
    void cleanRequested(const QString &id);
    void emptyRequested(const trainyard::HostInfo &host);
    void jobRequested(qint64 number);

protected:
    void showEvent(QShowEvent *event) override;

private:
    static constexpr int detailLeast = 360;
    QWidget *makeSide();
    QWidget *makeDetail();
    void showRows(const QList<HostInfo> &hosts, const QString &chosenId);
    void chooseRow(const QString &id);
    void showChosen();
    void showCluster();
    void showInsight(const HostInfo &host);
    void askForHour();
    void showFiles(const HostInfo &host);
    HostInfo chosenHost() const;

    LastChecks m_checks;
    QListWidget *m_list;
    ClusterList *m_clusters;
    ClusterView *m_cluster;
    QStackedWidget *m_detail; // of a host, of a cluster
    HostAdding *m_adding;
    PageHead *m_head; // of the chosen one
    ShapeMark *m_mark;
    ColourLabel *m_state;
    QPushButton *m_check, *m_copy, *m_remove;
    StepList *m_steps;
    HostCause *m_cause;
    QPushButton *m_addCluster; // whose commands the host has
    ColourLabel *m_trouble;
    QLabel *m_banner;
    HostHourView *m_hour;
    EnvironmentsView *m_environments;
    QString m_insightOf; // the host that was asked while it was online
    HostJobsView *m_jobs;
    HostUseView *m_use;
    QWidget *m_filesLine = nullptr; // above them
    HostFilesView *m_files;
    QString m_filesOf; // the host whose files were asked for while it was online
    GpusNow *m_gpus;
};

} // namespace trainyard
