// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/agentdriver.h"

#include <QCoreApplication>
#include <QDir>

#include <signal.h>

using namespace trainyard::contract;

QString builtProgram(const QString &name)
{
    const QString given = qEnvironmentVariable("TRAINYARD_BIN");
    return (given.isEmpty() ? QCoreApplication::applicationDirPath() : given) + QLatin1Char('/') + name;
}

AgentDriver::AgentDriver() : m_reader("nonce-of-a-test")
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
}

AgentDriver::~AgentDriver()
{
    if (isRunning()) {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(10000)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }
}

bool AgentDriver::start(bool login)
{
    m_process.setProcessEnvironment(environment);
    m_process.setChildProcessModifier(inChild);
    m_process.start(program.startsWith(QLatin1Char('/')) ? program : builtProgram(program),
        {mode, QStringLiteral("nonce-of-a-test")});
    if (!m_process.waitForStarted()) {
        return false;
    }
    HelloRequest request;
    request.loginEnvironment = login;
    const std::optional<HelloReply> reply = ask<HelloReply>(request);
    hello = reply.value_or(HelloReply{});
    return reply.has_value();
}

void AgentDriver::kill9()
{
    ::kill(static_cast<pid_t>(m_process.processId()), SIGKILL);
    m_process.waitForFinished();
}

std::int64_t AgentDriver::send(Message message, std::string payload)
{
    const std::int64_t id = m_nextId++;
    const std::optional<std::string> frame = encode({id, std::move(message), std::move(payload)});
    if (frame) {
        sendRaw(QByteArray::fromStdString(*frame));
    }
    return id;
}

void AgentDriver::sendRaw(const QByteArray &bytes)
{
    m_process.write(bytes);
    while (m_process.bytesToWrite() > 0 && m_process.waitForBytesWritten(5000)) { }
}

void AgentDriver::readSome()
{
    const QByteArray bytes = m_process.readAllStandardOutput();
    m_reader.feed(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    while (const std::optional<Frame> frame = m_reader.next()) {
        std::string problem;
        std::optional<Envelope> envelope = decode(*frame, true, &problem);
        if (envelope) {
            m_messages.push_back(std::move(*envelope));
        } else {
            qWarning("The agent sent something strange: %s", problem.c_str());
        }
    }
}

std::optional<Envelope> AgentDriver::wait(const Match &match, int ms)
{
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        readSome();
        for (auto it = m_messages.begin(); it != m_messages.end(); ++it) {
            if (match(*it)) {
                Envelope found = std::move(*it);
                m_messages.erase(it);
                return found;
            }
        }
        const qint64 left = ms - clock.elapsed();
        if (left <= 0 || !isRunning()) {
            return std::nullopt;
        }
        m_process.waitForReadyRead(static_cast<int>(left));
    }
}

std::optional<Exited> AgentDriver::exited(const std::string &dir, int ms)
{
    auto found = wait(
        [&dir](const Envelope &e) {
            const Exited *exited = std::get_if<Exited>(&e.message);
            return exited && exited->dir == dir;
        },
        ms);
    return found ? std::optional<Exited>(std::get<Exited>(found->message)) : std::nullopt;
}
