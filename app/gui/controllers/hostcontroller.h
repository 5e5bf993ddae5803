// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/baroffers.h"
#include "engine/api/calls.h"
#include "engine/client/sshlookup.h"

#include <QObject>
#include <QSet>

#include <functional>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class HostCleaning;
class HostsPage;
class HostsPane;
class Questions;
class TargetBox;
class Workbench;

// Hosts: the list at the side, where Run may put a job, what comes of adding and checking one, and what ssh asks.
class HostController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "addHost", which brings the pane into sight by `showPane`.
    HostController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, HostsPane *pane,
        TargetBox *target, const std::function<void()> &showPane);

    QList<HostInfo> hosts() const; // with labels that differ
    struct Added {
        QString id; // of the new host
        QString error; // why there is none
        bool mayBeAdded = false; // nevertheless
    };
    // A host whose name cannot be resolved is added only on request: `anyway`.
    void addHost(
        const QString &target, bool anyway, QObject *context, const std::function<void(const Added &added)> &then);
    void setLookup(const SshLookup &lookup) { m_lookup = lookup; } // for tests: what knows names
    void checkHost(const QString &id);
    // `then` gets why it cannot be so, or an empty text.
    void changeHost(
        const api::HostChange &change, QObject *context, const std::function<void(const QString &error)> &then);
    void releaseHost(const QString &id, int gpu); // from quarantine
    void askAndRemoveHost(const QString &id); // what is on it may go, too
    void serve(HostsPage *page); // what it asks for about the chosen host

Q_SIGNALS:
    void changed(const QList<trainyard::HostInfo> &hosts);
    void pageRequested(const QString &id); // with this host

private:
    void removeHost(const QString &id, bool force);
    void update();
    void sayDisksLow(const QList<HostInfo> &hosts);
    void sayAwaited(const HostInfo &host);
    void makeQuestions();
    void offerLogin(const Question &question);
    void offerFirst(const QString &topic, const QString &sentence, const QList<BarOffer::Action> &actions);

    Workbench *m_workbench;
    EngineClient *m_client;
    HostCleaning *m_cleaning;
    HostsPane *m_pane;
    TargetBox *m_target;
    SshLookup m_lookup = lookUpSshName;
    QSet<QString> m_saidDiskLow;
    Questions *m_questions = nullptr;
    QSet<QString> m_logins; // that the user has asked for and that are under way: their questions come at once
    QSet<QString> m_awaited; // that were added or are checked; what comes of it is said
};

} // namespace trainyard
