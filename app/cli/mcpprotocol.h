// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcpenvelope.h"
#include "app/cli/mcpsubscriptions.h"

#include <QByteArrayList>
#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QList>

#include <deque>
#include <functional>
#include <optional>

namespace trainyard::cli::mcp
{

inline constexpr qsizetype longestMessage = qsizetype(1) << 20; // bytes

// The lines of a stream of messages. A line that is too long is dropped.
class MessageLines
{
public:
    struct Line {
        QByteArray text;
        bool isTooLong = false;
    };
    QList<Line> take(QByteArrayView bytes);
    std::optional<Line> finish(); // the text after the last newline

private:
    void append(QByteArrayView bytes);
    Line ended();

    QByteArray m_begun;
    bool m_isTooLong = false;
};

// The offers of the server, and the error of a call; empty if there is none.
struct Offer {
    QString name, version; // of the server
    QString instructions;
    QJsonArray tools; // as tools/list gives them
    std::function<QString(const QString &tool, const QJsonObject &arguments)> complaint;
    QJsonArray templates = {}; // as resources/templates/list gives them
};

// A query of a client: by a tool, at an address, or for the list of addresses.
struct ToolCall {
    qint64 number = 0; // ours, by which it is finished
    QString tool; // empty: it is none
    QJsonObject arguments;
    QString client = {}; // as it calls itself
    std::optional<ResourceUri> resource = {}; // to be read
    qsizetype listFrom = -1; // the first row of the list of resources; -1: it is not asked for
};

// Addresses whose jobs have to be looked up because the client subscribes to their changes.
struct Subscribing {
    qint64 number = 0; // as above
    QList<ResourceUri> uris;
};

struct ToolAnswer {
    QString text;
    QJsonObject data; // the same for programs; may be empty
    bool isError = false;
    bool isUnknown = false; // the error is that there is no such job
};

// The results of a message.
struct Outcome {
    QByteArrayList messages; // to the client, each without its newline
    QList<ToolCall> calls = {}; // to be begun
    QList<qint64> cancelled = {}; // to be ended; their answers are no longer needed
    QList<Subscribing> subscribing = {}; // to be looked up
};

// The Model Context Protocol as a server speaks it: from one message to what comes of it, without any input or output.
// Both eras are spoken: the stateless one of 2026-07-28, in which each request carries its version, and the ones before
// it, which begin with 'initialize'.
class Protocol
{
public:
    struct Limits {
        int open = 16; // calls of tools that are not answered yet
        int callsAMinute = 120;
        int batch = 64; // messages in one array, which only 2025-03-26 knows
    };

    explicit Protocol(const Offer &offer) : Protocol(offer, Limits()) { }
    Protocol(const Offer &offer, const Limits &limits);

    // `now` is a time in ms that never goes back.
    Outcome take(const QByteArray &line, qint64 now);
    Outcome refuseTooLong() const;
    Outcome finish(qint64 number, const ToolAnswer &answer);
    Outcome subscribed(qint64 number, const LookedUp &found);
    qsizetype open() const { return m_open.size(); }
    Subscriptions &subscriptions() { return m_subscriptions; }

private:
    struct Request {
        QJsonValue id;
        QString method;
        QJsonObject params;
        qint64 batch = 0; // 0: none
        Era era = Era::Legacy;
        QString client = {};
        QList<ResourceUri> uris = {}; // that it subscribes to, or the one that it reads
    };
    struct Batch {
        qsizetype open = 0;
        QJsonArray answers;
    };

    void takeBatch(const QJsonArray &messages, qint64 now, Outcome &outcome);
    void takeOne(const QJsonValue &value, qint64 now, qint64 batch, Outcome &outcome);
    void takeNotification(const QString &method, const QJsonObject &params, Outcome &outcome);
    void takeRequest(Request &request, qint64 now, Outcome &outcome);
    void initialize(const Request &request, Outcome &outcome);
    void discover(const Request &request, Outcome &outcome);
    void replyList(const Request &request, const QString &key, const QJsonArray &list, Outcome &outcome);
    void callTool(const Request &request, qint64 now, Outcome &outcome);
    void listResources(const Request &request, qint64 now, Outcome &outcome);
    void readResource(Request &request, qint64 now, Outcome &outcome);
    void subscribe(Request &request, qint64 now, Outcome &outcome);
    void failUnknown(const Request &request, const QString &uri, const QString &message, Outcome &outcome);
    bool isLetIn(const Request &request, qint64 now, Outcome &outcome);
    qint64 hold(const Request &request);
    bool refuseFlood(const Request &request, qint64 now, Outcome &outcome);
    void reply(const Request &request, QJsonObject result, Outcome &outcome);
    void deliver(const QJsonObject &message, qint64 batch, Outcome &outcome);
    void closeBatch(qint64 batch, Outcome &outcome);
    void fail(const QJsonValue &id, qint64 batch, const Failure &failure, Outcome &outcome);

    Offer m_offer;
    Limits m_limits;
    QString m_client; // as it called itself in 'initialize'
    QString m_version; // that 'initialize' has agreed on; empty before
    qint64 m_lastNumber = 0, m_lastBatch = 0;
    QHash<qint64, Request> m_open;
    QHash<qint64, Batch> m_batches;
    std::deque<qint64> m_begun; // the times of the calls of the last minute
    Subscriptions m_subscriptions;
};

} // namespace trainyard::cli::mcp
