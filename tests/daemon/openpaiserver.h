// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QMutex>
#include <QString>
#include <QStringList>
#include <QThread>

#include <memory>
#include <optional>
#include <utility>

class OpenPaiConnections;

// An OpenPAI cluster of one user, made from the published description of its REST API: it takes jobs, says of them what
// the test wants, and does what networks do. It has a thread of its own, so that a test may wait for programs.
class OpenPaiServer
{
public:
    static constexpr char user[] = "ada";
    static constexpr char token[] = "good-token-of-ada";
    static constexpr char password[] = "p%41ss & w\xc3\xb6rd+="; // for which it makes that token

    OpenPaiServer();
    ~OpenPaiServer();
    OpenPaiServer(const OpenPaiServer &) = delete;
    OpenPaiServer &operator=(const OpenPaiServer &) = delete;
    QString address() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }

    struct Answer {
        int status = 200;
        QByteArray body = {};
        QList<std::pair<QByteArray, QByteArray>> headers = {};
        // Cut: the connection ends in the middle of it. Unsized: the same, and nothing has said how long it is.
        // Late: when sayLate() is called.
        enum class How { Whole, Cut, CutUnsized, Never, Late } how = How::Whole;
        bool isDone = false; // the call has its effect nevertheless
    };
    // Instead of its own answer to the next calls whose "METHOD path" begins so, below the path of the API.
    void answerNext(const QByteArray &call, const Answer &answer, int times = 1);
    void sayLate();
    static Answer error(int status, const QByteArray &code); // as the description has it

    QStringList jobs() const; // names, in the order of their submission
    QByteArray document(const QString &name) const; // as it was submitted
    QByteArrayList calls(const QByteArray &prefix) const; // "POST jobs", in order
    QByteArrayList authorizations() const; // that came with calls
    void setJob(const QString &name, const QJsonObject &detail);
    void forget(const QString &name); // as if it had never been there
    void setLog(const QByteArray &text, bool knowsPlaces = true);

    // A task as the description has it; codes of 1000 and more: it has none.
    static QJsonObject task(int index, const QString &state, int code = 1000, int retries = 0);
    static QJsonObject detail(const QString &state, const QMap<QString, QList<QJsonObject>> &roles, int code = 1000,
        const QJsonObject &more = {});

private:
    friend class OpenPaiConnections;
    struct Request {
        QByteArray method, path, authorization, range, body;
    };
    Answer answerTo(const Request &request); // of the API and of the log manager
    Answer own(const QByteArray &call, const Request &request);
    static Answer login(const QByteArray &form);
    Answer ofJob(const QByteArray &call, const QString &name, const QByteArray &rest, const QByteArray &body);
    Answer log(const Request &request) const;

    mutable QMutex m_mutex;
    struct Planned {
        QByteArray call;
        Answer answer;
        int times = 1;
    };
    QList<Planned> m_planned;
    QByteArrayList m_calls, m_authorizations;
    QStringList m_names;
    QMap<QString, QByteArray> m_documents;
    QMap<QString, QJsonObject> m_details;
    QByteArray m_log;
    bool m_knowsPlaces = true;
    int m_port = 0;
    OpenPaiConnections *m_connections = nullptr; // in the thread, with which it goes
    QThread m_thread;
};
