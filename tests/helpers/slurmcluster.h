// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/slurmaccounts.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <vector>

// A real Slurm of three nodes on this computer: n1 and n2 have two GPUs each (devices without a driver), n3 has none;
// each has four cores and 4,000 MB. It has a folder of its own, and is gone with the object. It needs root, and the
// packages slurm-wlm and munge.
class SlurmCluster
{
public:
    struct Options {
        QByteArray settings, partitions; // further lines of slurm.conf
        int killWait = 2; // seconds that tasks have after scancel
        // With accounts, which have the account "lab" for this user: the commands of sacctmgr for what else they have.
        std::optional<QList<QStringList>> accounts;
    };
    explicit SlurmCluster(Options options = {{}, {}, 2, {}});
    ~SlurmCluster();
    SlurmCluster(const SlurmCluster &) = delete;
    SlurmCluster &operator=(const SlurmCluster &) = delete;

    QString problem() const { return m_problem; } // empty: it runs
    QString folder() const { return m_folder.path(); } // that all nodes share
    QProcessEnvironment environment() const; // for its commands

    struct Output {
        int status = -1;
        QByteArray out, err;
    };
    Output run(const QString &program, const QStringList &arguments, int ms = 60'000) const; // in folder()

    bool stopController(); // slurmctld; what runs goes on
    bool startController(); // again, and waits until it answers
    // The daemon of n1, n2 or n3 and all that runs there are gone, as when its power fails; the cluster is told so.
    // What runs on other nodes at that time may be hit too.
    bool loseNode(int number);
    bool startNode(int number); // again, and waits until jobs can run there
    SlurmAccounts *accounts() { return m_accounts.get(); } // null: it has none

private:
    bool start(const QString &program, const QStringList &arguments);
    bool startAccounts();
    bool writeConfiguration();
    bool writeUsers();
    void write(const QString &name, const QByteArray &bytes);

    bool isOnNode(const QString &process, const QByteArray &node) const;

    Options m_options;
    QTemporaryDir m_folder;
    QString m_problem;
    std::unique_ptr<SlurmAccounts> m_accounts;
    std::vector<std::unique_ptr<QProcess>> m_daemons;
};
