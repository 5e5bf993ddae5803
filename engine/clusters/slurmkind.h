// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmbackend.h"

namespace trainyard
{

// The Slurm clusters of the settings. They share the commands and the queue: one question is for the jobs of all.
class SlurmKind : public ClusterKind
{
public:
    SlurmKind(const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules);
    QStringList targets() const override;
    std::unique_ptr<ClusterBackend> make(const QString &target) override;

private:
    SlurmBackend::Options m_options;
    const Settings &m_settings;
    ExitRulesFile &m_exitRules;
    SlurmCommands m_commands;
    SlurmQueue m_queue;
};

} // namespace trainyard
