// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>

#include <functional>
#include <list>
#include <optional>

// Drives the real agent binary over its pipes, as the engine does.
class AgentDriver
{
public:
    AgentDriver();
    ~AgentDriver();

    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QString program = QStringLiteral("trainyard-agent");
    QString mode = QStringLiteral("--serve");
    std::function<void()> inChild; // done in its process before it is the agent
    bool start(bool login = false); // and says hello
    qint64 pid() const { return m_process.processId(); }
    void kill9(); // and waits for its end
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    trainyard::contract::HelloReply hello;

    std::int64_t send(trainyard::contract::Message message, std::string payload = {});
    void sendRaw(const QByteArray &bytes);

    using Match = std::function<bool(const trainyard::contract::Envelope &)>;
    // Takes the first message that fits, waiting for it; others stay for later.
    std::optional<trainyard::contract::Envelope> wait(const Match &match, int ms = 10000);
    template <typename T> std::optional<T> answer(std::int64_t id, int ms = 10000)
    {
        auto found = wait([id](const trainyard::contract::Envelope &e) { return e.id == id; }, ms);
        T *value = found ? std::get_if<T>(&found->message) : nullptr;
        return value ? std::optional<T>(std::move(*value)) : std::nullopt;
    }
    template <typename T> std::optional<T> ask(trainyard::contract::Message message, int ms = 10000)
    {
        return answer<T>(send(std::move(message)), ms);
    }
    std::optional<trainyard::contract::Exited> exited(const std::string &dir, int ms = 15000);

private:
    QProcess m_process;
    trainyard::contract::FrameReader m_reader;
    std::list<trainyard::contract::Envelope> m_messages;
    std::int64_t m_nextId = 1;

    void readSome();
};

// The path of a program that the build made.
QString builtProgram(const QString &name);
