// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/openpaierrors.h"
#include "engine/clusters/openpaitarget.h"

#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QObject>
#include <QUrl>

#include <functional>

namespace trainyard
{

// The calls of OpenPAI's REST API, version 2, that a back end needs. Each call has one answer, which comes later on
// this thread, and never after the client is gone. Nothing is repeated here: the caller decides when to try again. The
// token is in the header Authorization of requests to the cluster's own origin and nowhere else; redirections to
// another one are not followed. Certificates are checked, and the proxies of the system are used. Large because each
// call has a method of its own.
class OpenPaiClient : public QObject
{
    Q_OBJECT
public:
    struct Answer {
        int status = 0; // of HTTP; 0: there was none
        QByteArray body = {};
        openpai::Failure failure = {}; // or nothing: it is good
        qint64 retryAfterMs = -1; // for which it asks to pause requests; -1: it does not say
        qint64 from = 0; // of content(): the place of the first byte ...
        qint64 size = -1; // ... and how long all of it is; -1: it does not say
        bool isTooLong = false; // it was cut off here
        bool isGood() const { return failure.verdict == openpai::Verdict::Good; }
        QJsonObject object() const; // of a body in JSON
    };
    using Then = std::function<void(const Answer &)>;

    explicit OpenPaiClient(const OpenPaiTarget &target, QObject *parent = nullptr);
    ~OpenPaiClient() override;
    void setTarget(const OpenPaiTarget &target);
    void setToken(const QString &token);
    bool isOf(const OpenPaiTarget &target) const; // it asks this address for this user
    bool hasToken() const { return !m_token.isEmpty(); }
    void setTimeout(int ms) { m_timeoutMs = ms; } // without any byte of an answer

    void info(const Then &then); // version of the cluster; needs no token
    // {user, token}: makes a token for the user of the target. A request with a password is never redirected.
    void logIn(const QString &password, const Then &then);
    void user(const Then &then); // of the target: whether the token is theirs, and their virtual clusters
    void virtualClusters(const Then &then); // with what is used and free
    void storages(const Then &then);
    // The offers of a scheduler of SKUs in one of them: {name: {gpu, cpu, memory}}.
    void skuTypes(const QString &virtualCluster, const Then &then);

    void submit(const QByteArray &yaml, const Then &then);
    void job(const QString &name, const Then &then); // of its newest attempt
    // The newest `most` of the user: {totalCount, data: [...]}.
    void jobs(int most, const Then &then);
    void jobConfig(const QString &name, const Then &then); // the document of a job, in YAML
    void jobAttempt(const QString &name, int attempt, const Then &then); // a former one
    void stopJob(const QString &name, const Then &then);
    void setTag(const QString &name, const QString &tag, bool isThere, const Then &then);
    void events(const QString &name, const Then &then);
    // {locations: [{name, uri}]}; with `isTail` the addresses give the last 16 KiB.
    void logs(const QString &name, int attempt, const QString &role, int index, int taskAttempt, bool isTail,
        const Then &then);
    // The contents at an address that logs() has returned, from an offset on. A server that does not support offsets
    // answers with everything.
    void content(const QString &uri, qint64 from, const Then &then);

private:
    QUrl callUrl(const QString &path, const QString &query = {}) const;
    QString jobPath(const QString &name) const;
    QNetworkRequest requestOf(const QUrl &url, bool needsToken) const;
    void get(const QString &path, const Then &then, const QString &query = {}, bool needsToken = true);
    void follow(QNetworkReply *reply, const Then &then);
    Then ifTaken(const Then &then) const;
    Answer answerOf(QNetworkReply &reply) const;

    OpenPaiTarget m_target;
    QByteArray m_token;
    int m_timeoutMs = 30'000;
    QNetworkAccessManager m_network;
};

} // namespace trainyard
