// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/daemon/programsfixture.h"

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
            while (m_server->canReadLine()) {
                const QJsonObject message = QJsonDocument::fromJson(m_server->readLine()).object();
                m_answers.insert(message.value(QLatin1String("id")).toString(), message);
            }
        }
        return m_answers.value(id);
    }
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
    Era m_era;
    std::unique_ptr<QProcess> m_server;
    QHash<QString, QJsonObject> m_answers; // by id
    int m_last = 0;
    bool m_isGreeted = false;
};
