// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/taskfolder.h"
#include "tests/backends/target.h"
#include "tests/helpers/faketransport.h"

#include <QMap>

#include <map>
#include <optional>

class PoolTarget;

// An agent that runs nothing, and keeps to its contract otherwise. What it knows of tries is its target's.
class FakeAgent : public FakeTransport
{
public:
    FakeAgent(PoolTarget &target, const QString &host, QList<FakeTransport *> *all)
        : FakeTransport(all), m_target(target), m_host(host)
    {
    }
    void start() override;
    void write(const char *bytes, qint64 length) override;
    void answerAll();
    const QString &host() const { return m_host; }
    bool wasToldSecretsBeforeStop() const; // of a try
    bool wasToldSecretsOfAnotherAgents() const; // of a try that it has not launched
    bool hasAnsweredAll() const { return m_answered == said.size(); }

private:
    void answer(const trainyard::contract::Envelope &asked);
    PoolTarget &m_target;
    QString m_host;
    std::size_t m_answered = 0;
    bool m_isToldOwnFolder = false;
};

// The pool with this computer, and with the hosts of hosts.json where a test has written one.
class PoolTarget : public Target
{
public:
    ~PoolTarget() override;
    std::unique_ptr<trainyard::Backend> makeBackend(const Neighbours &house, Cut &cut) override;
    int starts() const override { return m_starts; }
    int running() const override;
    void endAll(int status) override;
    void forgetAll() override { m_tries.clear(); }
    void setAnswering(bool on) override;
    bool isAsked() const override;
    bool isAskedToStop() const override;
    bool isAskedToBar() const; // a launch, by a stop: agents make the folder of the try for that
    int stops() const; // that the agents that are there now were asked for
    bool isQuiet() const override;
    void print(const QByteArray &text) override;
    // Whether the agents that stop something know what to hide in what it says until it has ended.
    bool knowsSecretsOfStopped() const;
    bool knowsSecretsOfAnotherAgents(const QString &host) const;

    // Tries begin, and the answers to their launches are lost, as with a link that is cut then.
    void loseAnswers(bool on) { m_losesAnswers = on; }
    bool hasAskedLoginShell(const QString &host) const; // when its agent was greeted
    qint64 loginMsOf(const QString &host) const; // that its newest agent was told at its greeting; -1: none was
    // Whether its newest agent was told that the folder of the engine there was made before; nothing: it was not asked.
    std::optional<bool> knowsFolderOf(const QString &host) const;
    // The way to its agent, or the attempt to make one, ends with this code.
    void cut(const QString &host, const QString &code = QStringLiteral("host.cut"));
    void setRefused(const QString &host, bool on); // the logins from now on
    // Whether the agents that are started from now on say anything: else connections to them are only being made.
    void setGreeting(bool on) { m_isGreeting = on; }
    void greet(const QString &host); // what its agent has held back
    // The agent of a host says that all that runs has ended, wherever it runs.
    void claimEnds(const QString &host, int status);
    // Nothing can be started on a host, for such a reason (code); empty: it can again.
    void breakHost(const QString &host, const std::string &code);
    // Whether agents list files, of which there are none; else they do not answer.
    void setListing(bool on) { m_isListing = on; }
    // So often none can, for such a reason (errno); with a folder, only what is in that one.
    void failLists(int times, int error, const std::string &folder = {})
    {
        m_listFailures = times;
        m_listError = error;
        m_unlistedFolder = folder;
    }
    // So often no agent can look for the copy of a work folder, for such a reason (code); then it is there.
    void loseCode(int times, const std::string &code)
    {
        m_codeFailures = times;
        m_codeFailure = code;
    }
    // So often no agent can read the data of a job, for such a reason (errno); then it is there.
    void loseData(int times, int error)
    {
        m_dataFailures = times;
        m_dataError = error;
    }
    // The agent of a host sends a byte more of what comes with the output of the try that was followed last.
    void sendMore(const QString &host);
    void setMounted(bool on) { m_isMounted = on; } // off: what hosts have of the engine is not to be seen
    bool isPaused() const { return m_isPaused; } // as the last request that could be met had it
    QString stateFolder = QStringLiteral("/nowhere"); // of agents of other hosts
    int gpus = 0; // of each host
    QMap<QString, std::string> machineIds; // of hosts: those of one are the same machine and account

private:
    friend class FakeAgent;
    struct Try {
        std::string uuid;
        trainyard::contract::StartedRecord started;
        std::optional<trainyard::contract::ExitRecord> exit;
    };
    const Try &launch(const trainyard::contract::Launch &launch);
    void end(const std::string &dir, Try &entry, trainyard::contract::ExitKind kind, int value);

    std::map<std::string, Try> m_tries; // by folder
    QList<FakeTransport *> m_agents;
    int m_starts = 0;
    std::uint64_t m_sent = 0; // bytes, by sendMore()
    bool m_isAnswering = true, m_losesAnswers = false, m_isGreeting = true, m_isMounted = true;
    bool m_isPaused = false, m_isListing = false;
    QMap<QString, std::string> m_broken;
    int m_codeFailures = 0, m_dataFailures = 0, m_dataError = 0, m_listFailures = 0, m_listError = 0;
    std::string m_codeFailure, m_unlistedFolder;
    QStringList m_refused;
};
