// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QStringList>
#include <QTemporaryDir>

// Real ssh hosts on one machine: network namespaces with a private sshd each (needs root). Each host has its own home.
class SshHosts
{
public:
    // Unlike: a host is like another computer of another user: a boot, processes and a user of its own, and in front of
    // its PATH a program "bash" that is none.
    enum class Kind { Like, Unlike };
    // `hidden`: programs (full paths) that these hosts do not have.
    explicit SshHosts(int count, const QStringList &hidden = {}, Kind kind = Kind::Like);
    ~SshHosts();
    // Empty when they are there; otherwise why they cannot be.
    QString problem() const { return m_problem; }
    QString configFile() const { return m_folder.filePath(QStringLiteral("ssh_config")); }
    QString name(int index) const { return QStringLiteral("ty%1").arg(index); } // as ssh has it
    QString home(int index) const { return m_folder.filePath(QStringLiteral("home%1").arg(index)); }
    QString address(int index) const { return network(index) + QStringLiteral(".2"); }
    bool addToServer(int index, const QByteArray &lines); // of sshd_config, before all others; of hosts that are Like
    void setLink(int index, bool up);
    // A line between each two of them, so that they reach each other as the hosts of one network do.
    bool join();
    // Of one direction nothing arrives, and nobody is told. heal() takes back this and setRate(). False: it cannot be
    // done here.
    enum class Direction { FromHost, ToHost };
    bool cutOneWay(int index, Direction direction);
    bool setRate(int index, const QString &rate); // of what the host sends, as tc has it: "4mbit"
    void heal(int index);
    // A network of two hosts alone: interface `name` of each, with the addresses BEGIN.1 and BEGIN.2 of a /24.
    bool join(int one, int other, const QString &name, const QString &begin);
    // An interface with this address of a /24 and nothing behind it.
    bool addDeadEnd(int index, const QString &name, const QString &address);
    // All its processes end without a word, and it comes back with another boot. Only of hosts that are Unlike.
    bool reboot(int index);
    static QString user() { return QStringLiteral("researcher"); } // of hosts that are Unlike

private:
    bool startUnlike(int index);
    void killAll(int index);
    bool waitForServer(int index);
    bool run(const QString &program, const QStringList &arguments);
    QString space(int index) const;
    QString device(int index) const;
    // Each test process has its own, also of two that start in the same moment and have consecutive ids.
    QString network(int index) const { return QStringLiteral("10.%1.%2").arg(m_net).arg(m_first + index); }

    QTemporaryDir m_folder{QStringLiteral("/tmp/tysshXXXXXX")};
    QString m_problem;
    int m_count = 0;
    int m_net = 0;
    int m_first = 0;
    Kind m_kind = Kind::Like;
    QList<std::pair<int, QStringList>> m_rules; // of iptables, by host
    QSet<int> m_slow;
};
