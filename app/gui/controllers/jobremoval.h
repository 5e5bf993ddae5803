// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/pendingremovals.h"

namespace trainyard
{

class EngineClient;
class InfoBar;
class Workbench;

// Removes jobs, from whatever list of them, after some seconds in which the user can have them back. Every list that
// follow() was called for says so in its own bar, with the disk space that is freed.
class JobRemoval : public QObject
{
    Q_OBJECT
public:
    JobRemoval(Workbench *workbench, EngineClient *client, QObject *parent);

    void remove(const QStringList &uuids);
    void follow(InfoBar *bar, QWidget *list); // the keys of Undo work in the list
    void finish(); // before the program ends: they cannot be restored any more
    QSet<QString> hidden() const { return m_pending.hidden(); }

Q_SIGNALS:
    void hiddenChanged(const QSet<QString> &uuids); // these are in no list

private:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showWhereSeen();
    void markPages();
    void sayDeleted(InfoBar *bar, const QString &uuid, bool canUndo);
    void undoOf(const QString &uuid);
    void show(InfoBar *bar);
    void measure(const QStringList &uuids);
    void send(const QStringList &uuids);

    Workbench *m_workbench;
    EngineClient *m_client;
    PendingRemovals m_pending;
    struct Place {
        InfoBar *bar;
        QWidget *list;
    };
    QList<Place> m_places;
    qint64 m_bytes = 0; // of those that wait
    int m_round = 0; // which ones these are
};

} // namespace trainyard
