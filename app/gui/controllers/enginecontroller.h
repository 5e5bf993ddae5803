// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class StatusLine;
class Workbench;

// How the engine is: in the status line, and in the window's bar when something is the matter.
class EngineController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "stopEngine".
    EngineController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, StatusLine *status);

    int activeJobs() const; // not over yet
    int waitingJobs() const; // of these, those of which nothing runs
    int retryingJobs() const; // of those, the ones that wait for the end of the pause before their next attempt
    QString trouble() const; // why there is no engine; empty: there is one, or it is on its way
    std::optional<HostInfo> computer() const { return m_computer; } // this one, as the engine knows it

Q_SIGNALS:
    void changed(); // the engine, a job or a host

private:
    void update();
    void sayTrouble(const QString &error);

    Workbench *m_workbench;
    EngineClient *m_client;
    StatusLine *m_status;
    QTimer m_soon;
    QString m_saidTrouble;
    std::optional<HostInfo> m_computer;
};

} // namespace trainyard
