// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/clusters/slurmbackend.h"

namespace trainyard
{

// The clusters that the settings name, each with its back end. One that is taken out of the settings stays as long as
// jobs of it are active.
class Clusters : public QObject
{
    Q_OBJECT
public:
    // How a host of the pool is reached that is the login node of a cluster.
    struct Host {
        AgentConnection *agent = nullptr; // null: there is no such host
        QString target;
    };
    using HostOf = std::function<Host(const QString &name)>;
    using CodeOf = std::function<SiteCode(const QString &host)>;
    // `ownName`: of this engine, among those that keep runs in the same place.
    Clusters(const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules,
        const HostOf &hostOf, const CodeOf &codeOf, const QString &ownName);
    ~Clusters() override;
    // Makes what is new; of each `added` is told. To be called when the settings have changed.
    void sync(const std::function<void(const QString &target, Backend &backend)> &added);
    QList<ClusterInfo> list() const;
    void hostChanged(const QString &name); // a host of the pool
    void codeReady(); // copies of work folders, for which jobs wait
    void codeDescribed(); // what is said of them
    // Asks the cluster itself: whether its commands are here and answer, what it offers, whether a small job could be
    // submitted, whether the folder can be written. `then` gets what list() has of it, with the steps.
    // Code: target.unknown {target}.
    void check(const QString &target, const std::function<void(const Result<ClusterInfo> &)> &then);

private:
    struct Check;
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
    void checkLogin(const std::shared_ptr<Check> &check);
    void nextStep(const std::shared_ptr<Check> &check);
    ClusterInfo infoOf(const SlurmBackend &backend) const;

    SlurmBackend::Options m_options;
    const Settings &m_settings;
    ExitRulesFile &m_exitRules;
    HostOf m_hostOf;
    CodeOf m_codeOf;
    QString m_ownName;
    std::map<QString, std::unique_ptr<Gate>> m_gates; // by login node; empty: this computer
    std::map<QString, std::unique_ptr<SlurmBackend>> m_slurm; // by target
    std::vector<std::unique_ptr<SlurmBackend>> m_replaced; // whose login node has changed
    std::function<void(const QString &target, Backend &backend)> m_added;
    std::set<QString> m_named; // in the settings
};

} // namespace trainyard
