// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/jobs/pendingremovals.h"

namespace trainyard
{

class EngineClient;
class InfoBar;
class UndoBars;
class Workbench;

// Removes jobs, from whatever list of them, after some seconds in which the user can have them back. The bars of Undo
// say so, with the room on the disk that becomes free.
class JobRemoval : public QObject
{
    Q_OBJECT
public:
    JobRemoval(Workbench *workbench, EngineClient *client, UndoBars *undo, QObject *parent);

    void remove(const QStringList &uuids, int kept = 0); // `kept`: how many with a star were left out, which is said
    void finish(); // before the program ends: nobody can want them back any more
    QSet<QString> hidden() const { return m_pending.hidden(); }
    QList<JobSummary> listedJobs() const; // the client's, without those that are hidden: what lists offer

Q_SIGNALS:
    void hiddenChanged(const QSet<QString> &uuids); // these are in no list

private:
    void tell();
    void markPages();
    void sayDeleted(InfoBar *bar, const QString &uuid, bool canUndo);
    void undoOf(const QString &uuid);
    void measure(const QStringList &uuids);
    void send(const QStringList &uuids);

    Workbench *m_workbench;
    EngineClient *m_client;
    UndoBars *m_undo;
    PendingRemovals m_pending;
    qint64 m_bytes = 0; // of those that wait
    int m_kept = 0; // with a star, that were left out of those that wait
    int m_round = 0; // which ones these are
};

} // namespace trainyard
