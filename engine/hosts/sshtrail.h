// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QStringList>

#include <optional>

namespace trainyard
{

// Reads what `ssh -v` (OpenSSH 7.6 to 10) writes to stderr on its way to a host. A host can write there too once a
// command runs, so that is only shown to people and nothing depends on it.
class SshTrail
{
public:
    struct Passed {
        QString step; // hoststep::resolve to hoststep::login
        QJsonObject facts;
    };
    // Which steps have passed with these bytes. With a jump host a step can pass more than once: the last one counts.
    QList<Passed> take(const QByteArray &bytes);
    // The output of ssh and the host without the lines that -v adds; the last 16 KiB.
    QByteArray complaints() const;
    // The part since the command was sent, without a banner of the server; empty before that.
    QByteArray saidByCommand() const;
    // Whether the login has begun: the server has said how one can log in. At which of several hosts is not known.
    bool hasLogin() const { return m_hasLogin; }
    // The output since then, without the banner of the server.
    QByteArray saidAtLogin() const;
    // The text that the server sent instead of starting the SSH protocol, for example when it accepts no more logins.
    QString saidInstead() const { return QString::fromUtf8(m_instead).trimmed(); }
    // The file of a key that the server would have taken, and that was not unlocked: its pass phrase was wrong, or was
    // not given. Empty: there is none.
    QString lockedKey() const { return QString::fromUtf8(m_lockedKey); }
    // The keys that the server has refused so far: their files, or their comments where only an agent has them. The
    // list is empty if the server would have accepted one.
    std::optional<QStringList> refusedKeys() const;
    // Whether ssh now speaks with the host itself, and not with a jump host on the way to it. False where that is not
    // known.
    bool isAtHost() const { return m_logins == m_proxies; }
    // Whether the host has accepted the login: what is said from now on may be the host's words.
    bool hasCommand() const { return m_hasCommand; }

private:
    void takeLine(const QByteArray &line, QList<Passed> &passed);
    void takeDebugLine(const QByteArray &text, QList<Passed> &passed);

    QByteArray m_rest; // a line that is not whole yet
    QByteArray m_complaints;
    QByteArray m_said; // the part since the command was sent
    QByteArray m_saidAtLogin, m_instead;
    QByteArray m_keyFile, m_lockedKey;
    QStringList m_offeredKeys;
    bool m_isKeyTaken = false; // the server would take one of them
    bool m_isKeyAwaited = false; // the server has accepted it, and ssh has not proved yet that it has it
    QJsonObject m_key, m_login; // the last ones
    int m_proxies = 0, m_loginsByProxy = 0, m_logins = 0;
    bool m_hasLogin = false, m_hasCommand = false;
};

} // namespace trainyard
