// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QProcess>
#include <QTemporaryDir>

// What is odd about an account of an OddServer.
struct OddAccount {
    QString name;
    QString shell = QStringLiteral("/bin/bash");
    QMap<QString, QByteArray> files = {}; // in its home folder; those below bin/ are programs
    QByteArray match = {}; // lines of sshd_config
    QString mount = {}; // options of a tmpfs that is its home folder; "none": there is no home folder
    bool onlyBusyBox = false; // all that it sees is its home folder, /proc and BusyBox: no /etc, no libraries, no bash
};

// What is odd about the whole of an OddServer.
struct OddSystem {
    QByteArray temporary = "mode=1777"; // options of the tmpfs that are its /var/tmp and /dev/shm
    QByteArray processor = {}; // what its uname says; empty: what this computer's says
    QByteArray emulator = {}; // qemu-aarch64-static: programs for aarch64 run there
    QByteArray settings = {}; // of its sshd, before all others
    QMap<QString, QByteArray> etc = {}; // files in its /etc
};

// A private sshd on a port of this computer, with accounts, processes and temporary folders of its own (needs root).
// It offers nothing but one command per connection: no terminal, no sftp, no forwarding, no second session.
class OddServer
{
public:
    explicit OddServer(const QList<OddAccount> &accounts, const OddSystem &system = {});
    ~OddServer();
    QString problem() const { return m_problem; } // empty when it is there
    QString configFile() const { return path(QStringLiteral("ssh_config")); } // a host for each account, by its name
    // Before those: more lines of it. "Port" and the key are known for all hosts.
    void addToConfig(const QByteArray &lines) const;
    QString path(const QString &name) const { return m_folder.path() + u'/' + name; }
    QString home(const QString &account) const { return path(QStringLiteral("homes/") + account); }
    // The helper that people get: with sanitizers it is ten times as large, and starts slowly.
    static QString agentProgram();
    static int uidOf(int index) { return 47200 + index; }

private:
    bool start(const QList<OddAccount> &accounts, const OddSystem &system);
    QByteArray systemScript(const OddSystem &system) const;
    QTemporaryDir m_folder{QStringLiteral("/tmp/tyoddXXXXXX")};
    QString m_problem;
    QProcess m_server;
};
