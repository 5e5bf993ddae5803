// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/rpc.h"
#include "engine/api/values.h"
#include "engine/client/rpcconnection.h"

#include <QJsonArray>
#include <QLocalServer>
#include <QTest>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace trainyard
{

// What a client sees of a daemon that is halted or hangs: it greets, tells of no jobs, and answers from then on what
// the test lets it.
class FakeEngine : public QObject
{
public:
    explicit FakeEngine(const QString &path)
    {
        QVERIFY2(m_server.listen(path), qPrintable(m_server.errorString()));
        connect(&m_server, &QLocalServer::newConnection, this, [this] {
            std::unique_ptr<QLocalSocket> socket(m_server.nextPendingConnection());
            socket->setParent(nullptr);
            m_connection = std::make_unique<LocalSocketConnection>(std::move(socket));
            connect(m_connection.get(), &RpcConnection::received, this, [this](const QByteArray &line) { take(line); });
        });
    }

    // Answers a submission by its arguments; without an answer the connection is lost.
    std::function<std::optional<SubmitReply>(const SubmitRequest &)> onSubmit;

    // Answers a question by its method and its arguments; without an answer it stays unanswered.
    std::function<std::optional<QJsonValue>(const QString &method, const QJsonObject &params)> onQuestion;

    void tell(const QString &event, QJsonObject params)
    {
        params.insert(QStringLiteral("serial"), QJsonArray{QStringLiteral("fake"), ++m_serial});
        m_connection->send(rpc::event(event, params));
    }

    int pings() const { return m_pings; }
    qsizetype unanswered() const { return m_open.size(); }
    bool isHalted = false;
    int losses = 0; // so many of the next questions get no answer, but end the connection
    int turnedAway = 0; // so many of the next clients get no greeting, but lastWord, if there is one, and the end
    QByteArray lastWord;
    int greetings() const { return m_greetings; } // that came

    void goOn()
    {
        isHalted = false;
        answerAll();
    }

    void refuseAll(const Error &error)
    {
        for (const QJsonValue &id : std::exchange(m_open, {})) {
            m_connection->send(rpc::failure(id, error));
        }
    }

    void answerAll()
    {
        for (const QJsonValue &id : std::exchange(m_open, {})) {
            m_connection->send(rpc::reply(id, true));
        }
    }

private:
    void take(const QByteArray &line)
    {
        const rpc::Message message = rpc::decode(line);
        const bool isGreeting = message.method == QLatin1StringView("hello");
        m_greetings += isGreeting ? 1 : 0;
        if (isGreeting && turnedAway > 0) {
            --turnedAway;
            if (lastWord.isEmpty()) {
                m_connection->close();
            } else {
                m_connection->closeWith(lastWord);
            }
        } else if (isGreeting) {
            m_connection->send(rpc::reply(message.id,
                QJsonObject{
                    {QStringLiteral("protocol"), rpc::protocolMax}, {QStringLiteral("build"), rpc::buildVersion()}}));
        } else if (message.method == QLatin1StringView("subscribe")) {
            m_connection->send(rpc::reply(message.id, QJsonObject{{QStringLiteral("replayed"), false}}));
            m_connection->send(rpc::event(QStringLiteral("snapshot"),
                {{QStringLiteral("serial"), QJsonArray{QStringLiteral("fake"), m_serial}}}));
        } else if (message.method == QLatin1StringView("ping") && !isHalted) {
            ++m_pings;
            m_connection->send(rpc::reply(message.id, true));
        } else if (message.method == QLatin1StringView("submit") && onSubmit) {
            if (const std::optional<SubmitReply> reply = onSubmit(SubmitRequest::fromJson(message.params))) {
                m_connection->send(rpc::reply(message.id, reply->toJson()));
            } else {
                m_connection->close();
            }
        } else if (losses > 0) {
            --losses;
            m_connection->close();
        } else if (const auto answer = onQuestion ? onQuestion(message.method, message.params) : std::nullopt) {
            m_connection->send(rpc::reply(message.id, *answer));
        } else {
            m_open.append(message.id);
        }
    }

    QLocalServer m_server;
    std::unique_ptr<RpcConnection> m_connection;
    QList<QJsonValue> m_open;
    int m_pings = 0;
    int m_greetings = 0;
    int m_serial = 1;
};

} // namespace trainyard
