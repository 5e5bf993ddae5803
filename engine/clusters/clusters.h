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
    Clusters(const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules);
    ~Clusters() override;
    // Makes what is new; of each `added` is told. To be called when the settings have changed.
    void sync(const std::function<void(const QString &target, Backend &backend)> &added);
    QList<ClusterInfo> list() const;
    // Asks the cluster itself: whether its commands are here and answer, what it offers, whether a small job could be
    // submitted, whether the folder can be written. `then` gets what list() has of it, with the steps.
    // Code: target.unknown {target}.
    void check(const QString &target, const std::function<void(const Result<ClusterInfo> &)> &then);

private:
    struct Check;
    void nextStep(const std::shared_ptr<Check> &check);
    ClusterInfo infoOf(const SlurmBackend &backend) const;

    SlurmBackend::Options m_options;
    const Settings &m_settings;
    ExitRulesFile &m_exitRules;
    SlurmCommands m_commands;
    SlurmQueue m_queue;
    std::map<QString, std::unique_ptr<SlurmBackend>> m_slurm; // by target
    std::set<QString> m_named; // in the settings
};

} // namespace trainyard
