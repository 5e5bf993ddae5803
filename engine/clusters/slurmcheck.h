// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/clusters/slurmcommands.h"
#include "engine/clusters/slurmtarget.h"

#include <functional>
#include <memory>

namespace trainyard
{

// Looks at a Slurm cluster: whether its commands are here and answer, what it offers, whether runs can be written to
// `folder`, whether a small job would be taken. One step after the other: what fails makes the next ones pointless.
// `commands` outlives it; it keeps itself until it is done.
class SlurmCheck : public std::enable_shared_from_this<SlurmCheck>
{
public:
    using Then = std::function<void(const ClusterInfo &)>;
    static void run(SlurmCommands &commands, const SlurmTarget &target, const QString &folder, const ClusterInfo &info,
        const Then &then);

    // Not to be called: run() makes it.
    SlurmCheck(SlurmCommands &commands, const SlurmTarget &target, const QString &folder, const ClusterInfo &info,
        const Then &then);

private:
    void nextStep();
    void add(const QString &id, bool isGood, const QString &code, const QJsonObject &args);
    void failed(const QString &id, const QString &program, const SlurmCommands::Answer &answer);

    SlurmCommands &m_commands;
    SlurmTarget m_target;
    QString m_folder;
    ClusterInfo m_info;
    Then m_then;
};

} // namespace trainyard
