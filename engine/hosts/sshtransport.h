// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/sshsettings.h"
#include "engine/hosts/agentprograms.h"
#include "engine/hosts/askpass.h"
#include "engine/hosts/sshtrail.h"
#include "engine/hosts/transport.h"

#include <QElapsedTimer>
#include <QHash>
#include <QMap>
#include <QProcess>
#include <QSet>
#include <QTimer>

namespace trainyard
{

struct SshOptions {
    QString target; // as the user's ssh has it
    QString agentProgram; // the binary that is pushed; those for other processors lie beside it
    int connectTimeoutSeconds = 15;
    int aliveIntervalSeconds = 10; // cut after three unanswered ones
    QString configFile; // -F; empty: the user's
    QMap<QString, QString> environment; // such as SSH_AUTH_SOCK, of the newest client
    QString askFolder; // private; questions are answered. Empty: ssh must not ask
};

// Runs the agent on another host through the user's own OpenSSH client: finds it there under the hash of its content,
// pushes it when it is missing, and starts it. There is one channel per connection, since a host allows few sessions.
// Large because a connection goes through many steps, which share the process, its clocks and what was learned before.
class SshTransport : public Transport
{
    Q_OBJECT
public:
    explicit SshTransport(const SshOptions &options, QObject *parent = nullptr);
    ~SshTransport() override;
    void start() override;
    void write(const char *bytes, qint64 length) override;
    qint64 bytesWaiting() const override;

    // Answers a question of asked(). It takes up to three connections to start an agent on a host: the answer is used
    // again for the same question while this transport lives, unless it was for one time.
    void answer(int id, const QString &text);
    void refuse(int id);

    static constexpr int sshFailed = 255; // the status when ssh itself has failed, and not a command
    // The meaning of ssh's exit status and messages, when the host runs commands. Codes: host.needs-login (with
    // .password or .key when user, computer and methods are known), host.key-unknown, host.key-changed,
    // host.name-unknown, host.unreachable, host.ssh-config, host.closed-early (or, from a connection,
    // host.closed-at-login), host.cut, host.ssh-missing, host.ssh-failed, and of security keys
    // host.security-key-absent, -pin, -agent and -failed.
    static Error meaningOf(int exitStatus, const QByteArray &complaints, const QString &target);
    // The question that was asked during the login about a key that the server accepts, or would have to accept.
    struct Phrase {
        QString key; // its file
        bool isGiven = false; // a person has answered, or an answer of before was used again
    };
    // A refusal for want of the pass phrase of a key: host.needs-login.locked or .locked-wrong {key}.
    static Error lackingPhrase(const Error &refused, const Phrase &phrase);
    // A refusal, host.needs-login.key of a server that takes only keys or host.needs-login.password, with the keys that
    // it refused: {keys}, and {publicKeys}, the files of their public halves as far as they have any.
    static Error withRefusedKeys(const Error &refused, const QStringList &keys);

Q_SIGNALS:
    // The addresses by which the two hosts reach each other, as sshd sees the connection. Sent before the agent's first
    // frame.
    void addressesKnown(const QString &ofHost, const QString &ofThisComputer);

    // `kind`: as AskPass names it. `lockedKey`: the file of a key that was not unlocked before, so that something else
    // is asked for; empty: there is none.
    void asked(int id, const QString &prompt, const QString &kind, const QString &lockedKey = {});
    void askedNoMore(int id);

private:
    enum class Phase { Serving, Pushing };
    // The event that it waits for. A host may never run the command, because it shows a menu or waits for input that
    // never comes. The end of its input makes such a program end, and does not disturb a shell that is only slow, which
    // is then started again.
    enum class Wait { ForShell, SinceEndOfInput };
    void run(Phase phase);
    void readOutput();
    void readComplaints();
    void lookForShell();
    void lookForVerdict();
    void lookForProgress();
    void waitForShell();
    void shellIsLate();
    void finished(int exitStatus);
    void takeQuestion(int id, const QString &prompt, const QString &kind);
    bool asksAnew(int exitStatus);
    void close(const Error &why);
    Error meaningOfRefusal() const;
    Error meaningOfEnd() const; // of ssh itself
    bool chooseProgram();
    Error meaningOfShell(const QString &code, const QString &silentCode, int exitStatus = 0) const;

    SshOptions m_options;
    SshSettings m_settings; // that this ssh has not refused
    AgentPrograms m_programs;
    AgentPrograms::Program m_program; // the one for the host's machine
    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<AskPass> m_askPass;
    QHash<QString, QString> m_answers; // by question
    struct Asked {
        QString prompt, kind;
        bool isLasting = false;
    };
    QHash<int, Asked> m_open; // questions that wait
    bool m_usedAgain = false; // the last question of this process got an answer of an earlier one
    void noteAnswer(const QString &kind);
    Phrase m_phrase; // of this process, as it was asked for
    bool m_isPasswordGiven = false; // likewise: what was refused is that
    QSet<QString> m_askedBefore; // of this process: the same question again means that the answer was wrong
    Phase m_phase = Phase::Serving;
    QByteArray m_verdict; // what the remote shell said before there was an agent
    SshTrail m_trail; // of this process
    QString m_machine; // uname of the host, when it has no agent
    bool m_serving = false; // frames flow: output is no longer searched for a verdict
    qint64 m_noise = 0; // bytes before its first own word
    QTimer m_late; // the shell has not begun
    QElapsedTimer m_sinceLogin; // of this process
    Wait m_wait = Wait::ForShell;
    bool m_isHeard = false; // the script has begun: what follows is its own
    bool m_isSlow = false; // the shell is slow, which is known from the attempt before
    bool m_hasShell = false; // the host runs commands
    bool m_pushed = false;
    qint64 m_arrived = 0; // bytes of the agent that the host has
    bool m_closed = false;
};

} // namespace trainyard
