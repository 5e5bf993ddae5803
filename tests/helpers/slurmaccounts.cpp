// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/slurmaccounts.h"

#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace
{

QString systemProgram(const QString &name)
{
    return QStandardPaths::findExecutable(name, {u"/usr/sbin"_s, u"/usr/bin"_s, u"/sbin"_s});
}

bool endDaemon(QProcess &daemon)
{
    daemon.terminate();
    if (daemon.waitForFinished(20'000)) {
        return true;
    }
    daemon.kill();
    daemon.waitForFinished();
    return false;
}

} // namespace

QString SlurmAccounts::missing()
{
    static const std::array programs{
        u"slurmdbd"_s, u"sacctmgr"_s, u"sacct"_s, u"mariadbd"_s, u"mariadb"_s, u"mariadb-install-db"_s};
    for (const QString &program : programs) {
        if (systemProgram(program).isEmpty()) {
            return program
                + u" is not installed: install the packages slurmdbd, mariadb-server-core and mariadb-client-core."_s;
        }
    }
    return {};
}

SlurmAccounts::SlurmAccounts(const QString &folder, const QProcessEnvironment &environment, quint16 port)
    : m_folder(folder), m_environment(environment), m_port(port)
{
    m_environment.insert(u"MYSQL_UNIX_PORT"_s, path(u"database.socket"_s)); // where slurmdbd looks for its database
}

SlurmAccounts::~SlurmAccounts()
{
    for (QProcess *daemon : {m_daemon.get(), m_database.get()}) {
        if (daemon) {
            endDaemon(*daemon);
        }
    }
}

QByteArray SlurmAccounts::settings() const
{
    return "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageHost=127.0.0.1\nAccountingStoragePort="
        + QByteArray::number(m_port) + "\nAccountingStoragePass=" + QFile::encodeName(path(u"munge/socket"_s))
        + "\nAccountingStorageEnforce=limits,qos\n";
}

std::unique_ptr<QProcess> SlurmAccounts::launch(const QString &program, const QStringList &arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setWorkingDirectory(m_folder);
    process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setStandardErrorFile(path(u"log/"_s + program + u".err"_s), QIODevice::Append);
    process->start(systemProgram(program), arguments);
    return process;
}

bool SlurmAccounts::run(const QString &program, const QStringList &arguments) const
{
    const std::unique_ptr<QProcess> process = launch(program, arguments);
    if (!process->waitForFinished(120'000)) {
        process->kill();
        process->waitForFinished();
        return false;
    }
    return process->exitStatus() == QProcess::NormalExit && process->exitCode() == 0;
}

// Anybody who reaches its socket may do anything in it. It need not survive this computer, so it waits for no disk.
bool SlurmAccounts::startDatabase()
{
    const QString data = u"--datadir="_s + path(u"database"_s), socket = path(u"database.socket"_s);
    if (!run(u"mariadb-install-db"_s,
            {u"--no-defaults"_s, u"--user=root"_s, data, u"--auth-root-authentication-method=normal"_s,
                u"--skip-test-db"_s, u"--skip-name-resolve"_s})) {
        return false;
    }
    m_database = launch(u"mariadbd"_s,
        {u"--no-defaults"_s, u"--user=root"_s, data, u"--socket="_s + socket, u"--skip-networking"_s,
            u"--skip-grant-tables"_s, u"--pid-file="_s + path(u"database.pid"_s), u"--innodb-buffer-pool-size=32M"_s,
            u"--innodb-log-file-size=16M"_s, u"--innodb-flush-log-at-trx-commit=0"_s});
    return QTest::qWaitFor([&] { return QFile::exists(socket) || m_database->state() == QProcess::NotRunning; }, 60'000)
        && QFile::exists(socket);
}

bool SlurmAccounts::start()
{
    QFile file(path(u"slurmdbd.conf"_s));
    const QByteArray at = QFile::encodeName(m_folder);
    const QByteArray host = QSysInfo::machineHostName().section(u'.', 0, 0).toUtf8();
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)) {
        return false; // slurmdbd takes no file that others can read
    }
    file.write("AuthType=auth/munge\nAuthInfo=socket=" + at + "/munge/socket\nDbdHost=" + host
        + "\nDbdAddr=127.0.0.1\nDbdPort=" + QByteArray::number(m_port) + "\nSlurmUser=root\nPidFile=" + at
        + "/dbd.pid\nLogFile=" + at
        + "/log/dbd\nStorageType=accounting_storage/mysql\nStorageHost=localhost\nStorageLoc=slurm\n"
          "StorageUser=root\n");
    file.close();
    return startDatabase() && startDaemon();
}

bool SlurmAccounts::manage(const QStringList &arguments) const
{
    return run(u"sacctmgr"_s, QStringList{u"--immediate"_s} + arguments);
}

bool SlurmAccounts::stopDaemon() { return m_daemon && endDaemon(*std::exchange(m_daemon, nullptr)); }

bool SlurmAccounts::startDaemon()
{
    if (m_daemon) {
        return true;
    }
    m_daemon = launch(u"slurmdbd"_s, {u"-D"_s});
    return QTest::qWaitFor(
               [this] {
                   return m_daemon->state() == QProcess::NotRunning
                       || run(u"sacctmgr"_s, {u"--noheader"_s, u"show"_s, u"cluster"_s});
               },
               60'000)
        && m_daemon->state() == QProcess::Running;
}

bool SlurmAccounts::write(const QByteArray &sql) const
{
    return run(u"mariadb"_s,
        {u"--no-defaults"_s, u"--socket="_s + path(u"database.socket"_s), u"--execute="_s + QString::fromUtf8(sql),
            u"slurm"_s});
}
