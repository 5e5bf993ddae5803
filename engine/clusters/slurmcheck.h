// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/clusters/loginsite.h"
#include "engine/clusters/slurmcommands.h"
#include "engine/clusters/slurmtarget.h"

#include <QJsonArray>

#include <functional>
#include <memory>

namespace trainyard
{

// Checks a Slurm cluster: whether its login node can be reached, whether its commands are there and answer, what it
// offers, which jobs and limits the user has there, whether runs can be written to `folder`, whether its images and
// modules are there, whether a small job would be accepted. One step after the other: a failure makes the next ones
// pointless. `commands` and `site` outlive it; it keeps itself until it is done.
class SlurmCheck : public std::enable_shared_from_this<SlurmCheck>
{
public:
    using Then = std::function<void(const ClusterInfo &)>;
    // `site` is null when this computer has the commands; `whyNot` is then why runs are not kept in the folder, or
    // nothing.
    static void run(SlurmCommands &commands, LoginSite *site, const SlurmTarget &target, const QString &folder,
        const ClusterInfo &info, const Then &then, const Error &whyNot = {});

    // Only run() calls it.
    SlurmCheck(SlurmCommands &commands, LoginSite *site, const SlurmTarget &target, const QString &folder,
        const ClusterInfo &info, const Then &then, const Error &whyNot);

private:
    void checkLogin();
    void checkUse();
    void checkFreeGpus(const QJsonObject &own);
    void checkLimits();
    void checkQos(const QJsonArray &associations);
    void checkPyxis();
    void checkApptainer();
    void checkForJobs();
    void checkModules();
    void checkSubmission();
    bool notesUnasked(const SlurmCommands::Answer &answer); // of srun: it was not run at all, which is a step
    void refused(QJsonObject args);
    void nextStep();
    void add(const QString &id, bool isGood, const QString &code, const QJsonObject &args);
    void failed(const QString &id, const QString &program, const SlurmCommands::Answer &answer);

    SlurmCommands &m_commands;
    LoginSite *m_site;
    SlurmTarget m_target;
    QString m_folder;
    ClusterInfo m_info;
    QJsonArray m_partitions; // as partitionsIn() has them
    QString m_user; // as the cluster names the user; empty: not known
    Then m_then;
    Error m_whyNot;
};

} // namespace trainyard
