// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTcpServer>
#include <QTemporaryDir>

#include <functional>

// Repositories behind a login, served as files by HTTP on this computer: code.git, and outer.git that has it as its
// submodule "inner". Below /bytoken the token is the name of the user, and below /odd the password is oddToken().
class GitServer
{
public:
    GitServer(const QString &user, const QString &token);
    Q_DISABLE_COPY_MOVE(GitServer)
    QString problem() const { return m_problem; } // why there is none
    QString address() const; // 127.0.0.1:4711
    static QString oddToken(); // with signs that mean something in an address
    std::function<void()> onRequest; // while a client waits for the answer

private:
    QTcpServer m_server;
    QTemporaryDir m_folder;
    QString m_user, m_token, m_problem;

    void makeRepositories();
    QByteArray answerTo(const QByteArray &request) const;
};
