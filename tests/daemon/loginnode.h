// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTemporaryDir>

// A login node of a cluster on this machine: an sshd of its own at a port of 127.0.0.1, where the cluster's controller
// is, with a home folder of its own. It needs root.
class LoginNode
{
public:
    explicit LoginNode(const QString &slurmConfiguration);
    ~LoginNode();
    LoginNode(const LoginNode &) = delete;
    LoginNode &operator=(const LoginNode &) = delete;

    QString problem() const { return m_problem; } // empty: it is there
    QString configFile() const { return m_folder.filePath(QStringLiteral("ssh_config")); }
    QString name() const { return QStringLiteral("tylogin"); } // as ssh has it
    QString home() const { return m_folder.filePath(QStringLiteral("home")); }
    void cut(); // the server and its connections are gone; other processes go on
    bool mend();

private:
    bool run(const QString &program, const QStringList &arguments);
    qint64 serverPid() const;

    QTemporaryDir m_folder{QStringLiteral("/tmp/tyloginXXXXXX")};
    QString m_problem;
};
