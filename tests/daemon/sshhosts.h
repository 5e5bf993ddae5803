// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTemporaryDir>

// Real ssh hosts on one machine: network namespaces with a private sshd each (needs root). Each host has its own home.
class SshHosts
{
public:
    // `hidden`: programs (full paths) that these hosts do not have.
    explicit SshHosts(int count, const QStringList &hidden = {});
    ~SshHosts();
    // Empty when they are there; otherwise why they cannot be.
    QString problem() const { return m_problem; }
    QString configFile() const { return m_folder.filePath(QStringLiteral("ssh_config")); }
    QString name(int index) const { return QStringLiteral("ty%1").arg(index); } // as ssh has it
    QString home(int index) const { return m_folder.filePath(QStringLiteral("home%1").arg(index)); }
    void setLink(int index, bool up);

private:
    bool run(const QString &program, const QStringList &arguments);
    QString space(int index) const;
    QString device(int index) const;
    int address(int index) const { return (m_first + index) % 250 + 1; }

    QTemporaryDir m_folder{QStringLiteral("/tmp/tysshXXXXXX")};
    QString m_problem;
    int m_count = 0;
    int m_first = 0;
    QList<qint64> m_servers;
};
