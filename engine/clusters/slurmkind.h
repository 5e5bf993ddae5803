// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmbackend.h"

#include <QPointer>

#include <map>

namespace trainyard
{

// The Slurm clusters of the settings. Those with the same login node have the same controller: they share its commands
// and its answers, and one query is for the jobs of all.
class SlurmKind : public ClusterKind
{
public:
    // How a host of the pool is reached that is the login node of a cluster.
    struct Host {
        AgentConnection *agent = nullptr; // null: there is no such host
        QString target;
    };
    struct Logins {
        std::function<Host(const QString &name)> hostOf;
        std::function<SiteCode(const QString &host)> codeOf;
        JobSupply supply;
        QString ownName; // of this engine, among those that keep runs in the same folder
    };
    SlurmKind(
        const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules, const Logins &logins);
    ~SlurmKind() override;
    QStringList targets(const Settings &of) const override;
    std::unique_ptr<ClusterBackend> make(const QString &target, const Settings &of) override;

    void hostChanged(const QString &name); // a host of the pool
    void launchHeld(); // something for which jobs wait may be there
    void describeHeld(); // what is said of it

private:
    struct Gate { // a way to the commands of clusters: on this computer, or on a login node
        explicit Gate(const Settings &settings) : queue(commands, settings) { }
        Gate(const Settings &settings, std::unique_ptr<LoginSite> login, const SlurmCommands::Helper &helper)
            : site(std::move(login)), commands(helper), queue(commands, settings)
        {
        }
        std::unique_ptr<LoginSite> site; // null: this computer
        SiteCode code; // of the login node
        SlurmCommands commands;
        SlurmQueue queue;
    };
    Gate &gateOf(const QString &login);

    SlurmBackend::Options m_options;
    const Settings &m_settings;
    ExitRulesFile &m_exitRules;
    Logins m_logins;
    std::map<QString, std::unique_ptr<Gate>> m_gates; // by login node; empty: this computer
    std::vector<QPointer<SlurmBackend>> m_made;
};

} // namespace trainyard
