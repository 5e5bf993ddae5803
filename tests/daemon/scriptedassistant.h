// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/programsfixture.h"

#include <QHash>
#include <QJsonArray>

#include <memory>

// An assistant that follows a script: it speaks to the real program as those of editors do.
class ScriptedAssistant
{
public:
    enum class Era { Legacy, Modern };

    ScriptedAssistant(const ProgramsFixture &f, Era era, const QStringList &options = {})
        : m_era(era), m_server(f.startCtl(QStringList{QStringLiteral("mcp")} + options))
    {
        if (era == Era::Legacy) {
            const QJsonObject hello = ask(QStringLiteral("initialize"),
                {{QStringLiteral("protocolVersion"), QStringLiteral("2025-06-18")},
                    {QStringLiteral("capabilities"), QJsonObject()},
                    {QStringLiteral("clientInfo"),
                        QJsonObject{{QStringLiteral("name"), QStringLiteral("script")},
                            {QStringLiteral("version"), QStringLiteral("1")}}}});
            m_isGreeted = hello.value(QLatin1String("result")).toObject().value(QLatin1String("protocolVersion"))
                == QStringLiteral("2025-06-18");
            write(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        } else {
            const QJsonObject found = ask(QStringLiteral("server/discover")).value(QLatin1String("result")).toObject();
            m_isGreeted
                = found.value(QLatin1String("supportedVersions")).toArray().contains(QStringLiteral("2026-07-28"));
        }
    }

    bool isGreeted() const { return m_isGreeted; }
    QProcess &server() { return *m_server; }
    void write(const QByteArray &line) { m_server->write(line + '\n'); }

    QByteArray request(const QString &id, const QString &method, QJsonObject params = {}) const
    {
        if (m_era == Era::Modern) {
            params.insert(QStringLiteral("_meta"),
                QJsonObject{{QStringLiteral("io.modelcontextprotocol/protocolVersion"), QStringLiteral("2026-07-28")},
                    {QStringLiteral("io.modelcontextprotocol/clientCapabilities"), QJsonObject()}});
        }
        return QJsonDocument(QJsonObject{{QStringLiteral("jsonrpc"), QStringLiteral("2.0")}, {QStringLiteral("id"), id},
                                 {QStringLiteral("method"), method}, {QStringLiteral("params"), params}})
            .toJson(QJsonDocument::Compact);
    }

    QJsonObject ask(const QString &method, const QJsonObject &params = {})
    {
        const QString id = QStringLiteral("ask-%1").arg(++m_last);
        write(request(id, method, params));
        return answerTo(id);
    }
    // The answer with this id; those that come before it are kept. Empty when none comes.
    QJsonObject answerTo(const QString &id)
    {
        while (!m_answers.contains(id)) {
            if (!m_server->canReadLine() && !m_server->waitForReadyRead(60000)) {
                return {};
            }
            takeLines();
        }
        return m_answers.value(id);
    }
    // The next notification that the server has sent, in their order; empty when none comes in time.
    QJsonObject nextNotification(int ms = 60000)
    {
        while (m_notifications.isEmpty()) {
            if (!m_server->canReadLine() && !m_server->waitForReadyRead(ms)) {
                return {};
            }
            takeLines();
        }
        return m_notifications.takeFirst();
    }
    // Waits until one of them tells that this resource has changed.
    bool isToldOf(const QString &uri)
    {
        for (QJsonObject each = nextNotification(); !each.isEmpty(); each = nextNotification()) {
            if (each.value(QLatin1String("method")).toString() == QLatin1String("notifications/resources/updated")
                && each.value(QLatin1String("params")).toObject().value(QLatin1String("uri")).toString() == uri) {
                return true;
            }
        }
        return false;
    }
    // The text at an address, or the error.
    QJsonObject read(const QString &uri)
    {
        const QJsonObject answer = ask(QStringLiteral("resources/read"), {{QStringLiteral("uri"), uri}});
        return answer.contains(QLatin1String("error")) ? answer.value(QLatin1String("error")).toObject()
                                                       : answer.value(QLatin1String("result"))
                                                             .toObject()
                                                             .value(QLatin1String("contents"))
                                                             .toArray()
                                                             .at(0)
                                                             .toObject();
    }
    // In the way of its era. Empty when it is accepted, else the error.
    QJsonObject subscribe(const QString &uri)
    {
        if (m_era == Era::Legacy) {
            return ask(QStringLiteral("resources/subscribe"), {{QStringLiteral("uri"), uri}})
                .value(QLatin1String("error"))
                .toObject();
        }
        const QString id = QStringLiteral("stream-%1").arg(++m_last);
        write(request(id, QStringLiteral("subscriptions/listen"),
            {{QStringLiteral("notifications"),
                QJsonObject{{QStringLiteral("resourceSubscriptions"), QJsonArray{uri}}}}}));
        for (;;) {
            if (m_answers.contains(id)) {
                return m_answers.value(id).value(QLatin1String("error")).toObject();
            }
            for (qsizetype i = 0; i < m_notifications.size(); ++i) {
                const QJsonObject &each = m_notifications.at(i);
                if (each.value(QLatin1String("method")) == QLatin1String("notifications/subscriptions/acknowledged")
                    && streamOf(each) == id) {
                    m_notifications.removeAt(i);
                    m_stream = id;
                    return {};
                }
            }
            if (!m_server->canReadLine() && !m_server->waitForReadyRead(60000)) {
                return {{QStringLiteral("message"), QStringLiteral("no answer came")}};
            }
            takeLines();
        }
    }
    static QString streamOf(const QJsonObject &notification)
    {
        return notification.value(QLatin1String("params"))
            .toObject()
            .value(QLatin1String("_meta"))
            .toObject()
            .value(QLatin1String("io.modelcontextprotocol/subscriptionId"))
            .toString();
    }
    QString lastStream() const { return m_stream; } // of the modern era
    QJsonObject call(const QString &tool, const QJsonObject &arguments = {})
    {
        const QJsonObject answer = ask(
            QStringLiteral("tools/call"), {{QStringLiteral("name"), tool}, {QStringLiteral("arguments"), arguments}});
        return answer.contains(QLatin1String("error")) ? answer : answer.value(QLatin1String("result")).toObject();
    }
    static QString textOf(const QJsonObject &result)
    {
        return result.value(QLatin1String("content"))
            .toArray()
            .at(0)
            .toObject()
            .value(QLatin1String("text"))
            .toString();
    }
    // What stands between the marks.
    static QJsonObject outputOf(const QJsonObject &result)
    {
        return result.value(QLatin1String("structuredContent")).toObject().value(QLatin1String("output")).toObject();
    }
    bool hasAnswer(const QString &id) const { return m_answers.contains(id); }

    int end()
    {
        m_server->closeWriteChannel();
        const bool hasEnded = m_server->state() == QProcess::NotRunning || m_server->waitForFinished(30000);
        return hasEnded && m_server->exitStatus() == QProcess::NormalExit ? m_server->exitCode() : -1;
    }

private:
    void takeLines()
    {
        while (m_server->canReadLine()) {
            const QJsonObject message = QJsonDocument::fromJson(m_server->readLine()).object();
            if (message.contains(QLatin1String("method"))) {
                m_notifications.append(message);
            } else {
                m_answers.insert(message.value(QLatin1String("id")).toString(), message);
            }
        }
    }

    Era m_era;
    std::unique_ptr<QProcess> m_server;
    QHash<QString, QJsonObject> m_answers; // by id
    QList<QJsonObject> m_notifications;
    QString m_stream;
    int m_last = 0;
    bool m_isGreeted = false;
};
