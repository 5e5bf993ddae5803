// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QProcessEnvironment>

#include <memory>

// The accounts of a SlurmCluster: slurmdbd, and a MariaDB of its own below the folder of the cluster, which listens at
// a socket there only. It needs root, and the packages slurmdbd, mariadb-server-core and mariadb-client-core.
class SlurmAccounts
{
public:
    static QString missing(); // why it cannot be had here; empty: it can
    // `folder`: of the cluster, with its folder "log". `environment`: of its commands.
    SlurmAccounts(const QString &folder, const QProcessEnvironment &environment, quint16 port);
    ~SlurmAccounts();
    SlurmAccounts(const SlurmAccounts &) = delete;
    SlurmAccounts &operator=(const SlurmAccounts &) = delete;

    QByteArray settings() const; // lines of slurm.conf
    bool start(); // when munged answers; and waits until slurmdbd does
    bool manage(const QStringList &arguments) const; // by sacctmgr

    bool stopDaemon(); // slurmdbd: sacct has no answer, and the controller keeps what it would tell it
    bool startDaemon(); // again, unless it is there, and waits until it answers
    // Into what slurmdbd reads: what another cluster would have told it.
    bool write(const QByteArray &sql) const;

private:
    QString path(const QString &name) const { return m_folder + u'/' + name; }
    bool startDatabase();
    std::unique_ptr<QProcess> launch(const QString &program, const QStringList &arguments) const;
    bool run(const QString &program, const QStringList &arguments) const;

    QString m_folder;
    QProcessEnvironment m_environment;
    quint16 m_port;
    std::unique_ptr<QProcess> m_database, m_daemon;
};
