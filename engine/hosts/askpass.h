// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLocalServer>
#include <QLocalSocket>
#include <QObject>

namespace trainyard
{

// Receives the questions of one ssh process: pass phrases, passwords, host keys. ssh starts the agent's binary as
// SSH_ASKPASS, which passes the question through a socket in the private runtime folder and prints the answer. No
// secret is in an argument, an environment or a file.
class AskPass : public QObject
{
    Q_OBJECT
public:
    explicit AskPass(const QString &runtimeFolder, QObject *parent = nullptr);
    ~AskPass() override;
    bool listen();
    QString path() const { return m_path; }
    void answer(int id, const QString &text);
    void refuse(int id);

    // password, passphrase, pin, hostKey, touch (needs no answer) or other; `hint` is ssh's SSH_ASKPASS_PROMPT.
    static QString kindOf(const QString &prompt, const QString &hint = {});
    // Whether another ssh that asks the same takes the same answer. A code that is meant for one time is of kind other.
    static bool isLasting(const QString &kind);

Q_SIGNALS:
    void asked(int id, const QString &prompt, const QString &kind);
    void gone(int id); // the process that asked no longer waits

private:
    void accept();
    void read(int id);
    QString m_path;
    QLocalServer m_server;
    struct Asker {
        QLocalSocket *socket = nullptr;
        QByteArray said; // the question and ssh's hint, each with a zero at its end
        bool asked = false;
    };
    QHash<int, Asker> m_askers;
    int m_lastId = 0;
};

} // namespace trainyard
