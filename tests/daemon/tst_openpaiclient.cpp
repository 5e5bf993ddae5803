// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaicheck.h"
#include "engine/clusters/openpaiclient.h"
#include "engine/clusters/openpailog.h"
#include "engine/clusters/openpailogin.h"
#include "engine/clusters/openpaitags.h"
#include "tests/daemon/openpaiserver.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QNetworkProxy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <memory>
#include <vector>

using namespace Qt::StringLiterals;
using namespace trainyard;
using openpai::Verdict;

// The calls of OpenPAI's REST API, against a server that does what servers and networks do.
class TstOpenPaiClient : public QObject
{
    Q_OBJECT

    static OpenPaiTarget target(const OpenPaiServer &server)
    {
        return {u"lab"_s, server.address(), u"ada"_s, u"default"_s};
    }
    using Answer = OpenPaiClient::Answer;
    using How = OpenPaiServer::Answer::How;
    template <typename Ask> static Answer answerTo(const Ask &ask)
    {
        std::optional<Answer> answer;
        ask([&answer](const Answer &its) { answer = its; });
        return QTest::qWaitFor([&answer] { return answer.has_value(); }, 15'000)
            ? *answer
            : Answer{-1, {}, {Verdict::Silent, {}}};
    }
    static ClusterInfo checked(OpenPaiClient &client, const OpenPaiTarget &target)
    {
        std::optional<ClusterInfo> info;
        OpenPaiCheck::run(client, target, {}, [&info](const ClusterInfo &its) { info = its; });
        return QTest::qWaitFor([&info] { return info.has_value(); }, 15'000) ? *info : ClusterInfo();
    }

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<OpenPaiServer>();
        m_client = std::make_unique<OpenPaiClient>(target(*m_server));
        m_client->setToken(QString::fromLatin1(OpenPaiServer::token) + u'\n');
    }
    void cleanup()
    {
        m_client.reset();
        m_server.reset();
    }

    void allCalls()
    {
        const auto good = [](const Answer &answer) { return answer.isGood(); };
        const QByteArray yaml = "protocolVersion: 2\nname: a-1\ntype: job\n";
        QVERIFY(good(answerTo([&](const auto &then) { m_client->info(then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->user(then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->virtualClusters(then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->storages(then); })));
        QCOMPARE(answerTo([&](const auto &then) { m_client->submit(yaml, then); }).status, 202);
        QCOMPARE(m_server->document(u"a-1"_s), yaml);
        QVERIFY(good(answerTo([&](const auto &then) { m_client->job(u"a-1"_s, then); })));
        const Answer list = answerTo([&](const auto &then) { m_client->jobs(10, then); });
        QVERIFY(list.isGood() && list.body.contains(R"("name":"a-1")"));
        QVERIFY(!m_server->calls("GET jobs?username=ada&limit=10&").isEmpty());
        QCOMPARE(answerTo([&](const auto &then) { m_client->jobConfig(u"a-1"_s, then); }).body, yaml);
        QVERIFY(good(answerTo([&](const auto &then) { m_client->jobAttempt(u"a-1"_s, 2, then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->events(u"a-1"_s, then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->skuTypes(u"default"_s, then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->setTag(u"a-1"_s, u"x y"_s, true, then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->setTag(u"a-1"_s, u"x y"_s, false, then); })));
        QCOMPARE(m_server->calls("PUT jobs/ada~a-1/tag").size(), 1);
        QCOMPARE(m_server->calls("DELETE jobs/ada~a-1/tag").size(), 1);
        QVERIFY(good(answerTo([&](const auto &then) { m_client->stopJob(u"a-1"_s, then); })));
        QVERIFY(good(answerTo([&](const auto &then) { m_client->logs(u"a-1"_s, 2, u"w"_s, 1, 3, true, then); })));
        QVERIFY(!m_server->calls("GET jobs/ada~a-1/attempts/2/taskRoles/w/taskIndex/1/attempts/3/logs?tail-mode=true")
                     .isEmpty());
        const QByteArrayList all = m_server->authorizations();
        QVERIFY(!all.isEmpty());
        for (const QByteArray &each : all) {
            QCOMPARE(each, "Bearer " + QByteArray(OpenPaiServer::token));
        }
    }

    void placesInFiles()
    {
        m_server->setLog("0123456789");
        const QString uri = u"/log-manager/10.0.0.1:9103/all?token=x"_s;
        const Answer rest = answerTo([&](const auto &then) { m_client->content(uri, 4, then); });
        QCOMPARE(rest.status, 206);
        QCOMPARE(rest.from, 4);
        QCOMPARE(rest.size, 10);
        QCOMPARE(rest.body, QByteArray("456789"));
        const Answer none = answerTo([&](const auto &then) { m_client->content(uri, 10, then); });
        QCOMPARE(none.status, 416);
        QCOMPARE(none.size, 10);
        QCOMPARE(answerTo([&](const auto &then) { m_client->content(u"ftp://x/y"_s, 0, then); }).failure.verdict,
            Verdict::Refused);
    }

    // A log without end must not fill this disk. What was read is kept, and nothing is asked for until there is room.
    void logsLeaveRoomOnTheDisk()
    {
        const QTemporaryDir folder;
        qint64 reserve = std::numeric_limits<qint64>::max() / 4;
        OpenPaiLog log(*m_client, folder.path(), {}, [&reserve](qint64) { return reserve; });
        const auto look = [&] {
            bool isDone = false;
            log.look({u"a-1"_s, 0, u"w"_s, 0, 0}, [&isDone] { isDone = true; });
            return QTest::qWaitFor([&isDone] { return isDone; }, 15'000);
        };
        const auto copied = [&folder] {
            QFile file(folder.filePath(u"output.log"_s));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        m_server->setLog("one\ntwo\n");
        QCOMPARE(answerTo([&](const auto &then) {
            m_client->submit("protocolVersion: 2\nname: a-1\ntype: job\n", then);
        }).status,
            202);
        QVERIFY(look());
        QVERIFY(log.lacksRoom());
        QVERIFY(!log.wasHad());
        QCOMPARE(copied(), QByteArray());
        const qsizetype asked = m_server->calls("GET /log-manager").size();
        m_server->setLog("one\ntwo\nthree\n");
        QVERIFY(look());
        QCOMPARE(m_server->calls("GET /log-manager").size(), asked);
        reserve = 0;
        QVERIFY(look());
        QVERIFY(!log.lacksRoom());
        log.end();
        QCOMPARE(copied(), QByteArray("one\ntwo\nthree\n"));
    }

    void whatIsSilent()
    {
        const auto job = [this](const auto &then) { m_client->job(u"a"_s, then); };
        m_server->answerNext("GET jobs", {200, "{\"jobStatus\": {}}", {}, How::Cut});
        QCOMPARE(answerTo(job).failure.verdict, Verdict::Silent);
        // Qt notices the end of a connection now before the last bytes and now after them.
        for (int i = 0; i < 50; ++i) {
            m_server->answerNext("POST jobs", {404, "{\"code\": \"NoUserError\"}", {}, How::Cut});
            QCOMPARE(answerTo([&](const auto &then) { m_client->submit("name: a\n", then); }).failure.verdict,
                Verdict::Silent);
        }
        m_server->answerNext("POST jobs", {202, "{\"message\": \"done\"}", {}, How::CutUnsized});
        QCOMPARE(
            answerTo([&](const auto &then) { m_client->submit("name: a\n", then); }).failure.verdict, Verdict::Silent);
        m_server->answerNext("GET jobs", {200, {}, {}, How::Never});
        m_client->setTimeout(300);
        QCOMPARE(answerTo(job).failure.verdict, Verdict::Silent);
        m_client->setTimeout(30'000);
        m_server->answerNext("GET jobs", OpenPaiServer::error(500, "UnknownError"));
        QCOMPARE(answerTo(job).failure.verdict, Verdict::Silent);
        const OpenPaiTarget gone = target(*m_server);
        m_server.reset();
        QCOMPARE(answerTo(job).failure.error.code, u"openpai.silent"_s);
        m_client->setTarget({gone.name, u"https://no-such-host.invalid"_s, gone.user, gone.virtualCluster});
        const QString code = answerTo(job).failure.error.code;
        QVERIFY2(code == "openpai.no-host"_L1 || code == "openpai.proxy"_L1, qPrintable(code));
    }

    // A computer that takes no more connections, and one that takes the call and does not answer.
    void whatWasNotSentIsCertain()
    {
        const auto submit = [this](const auto &then) { m_client->submit("name: a\n", then); };
        m_client->setTimeout(500);
        m_server->answerNext("POST jobs", {200, {}, {}, How::Never});
        const Answer unanswered = answerTo(submit);
        QCOMPARE(unanswered.failure.verdict, Verdict::Silent);
        QVERIFY(!unanswered.failure.isBeforeCall);

        QTcpServer full;
        full.setListenBacklogSize(0);
        QVERIFY(full.listen(QHostAddress::LocalHost));
        full.pauseAccepting();
        std::vector<std::unique_ptr<QTcpSocket>> others;
        for (int i = 0; i < 4; ++i) {
            others.push_back(std::make_unique<QTcpSocket>());
            others.back()->setProxy(QNetworkProxy::NoProxy);
            others.back()->connectToHost(QHostAddress(QHostAddress::LocalHost), full.serverPort());
        }
        QVERIFY(others.front()->waitForConnected(5000));
        OpenPaiTarget its = target(*m_server);
        its.address = u"http://127.0.0.1:%1"_s.arg(full.serverPort());
        m_client->setTarget(its);
        const Answer unsent = answerTo(submit);
        QCOMPARE(unsent.failure.verdict, Verdict::Silent);
        QVERIFY(unsent.failure.isBeforeCall);
    }

    void wantsToBeLeftAlone()
    {
        m_server->answerNext("GET jobs", {429, {}, {{"Retry-After", "12"}}});
        const Answer answer = answerTo([&](const auto &then) { m_client->job(u"a"_s, then); });
        QCOMPARE(answer.failure.verdict, Verdict::Busy);
        QCOMPARE(answer.retryAfterMs, 12'000);
    }

    // The token goes to no other place, whoever says so.
    void redirections()
    {
        OpenPaiServer other;
        m_server->answerNext(
            "GET users", {302, {}, {{"Location", other.address().toLatin1() + "/rest-server/api/v2/users/ada"}}});
        const Answer away = answerTo([&](const auto &then) { m_client->user(then); });
        QCOMPARE(away.failure.error.code, u"openpai.redirected"_s);
        QVERIFY(other.calls({}).isEmpty());
        m_server->answerNext("GET users", {302, {}, {{"Location", "/rest-server/api/v2/info"}}});
        QVERIFY(answerTo([&](const auto &then) { m_client->user(then); }).isGood());
        // A log may lie elsewhere; it is asked for without it.
        other.setLog("there");
        const Answer log
            = answerTo([&](const auto &then) { m_client->content(other.address() + u"/log-manager/x"_s, 0, then); });
        QCOMPARE(log.body, QByteArray("there"));
        QVERIFY(other.authorizations().isEmpty());
    }

    void anotherUserHasAnotherToken()
    {
        OpenPaiTarget its = target(*m_server);
        m_client->setTarget(its);
        QVERIFY(m_client->hasToken());
        its.virtualCluster = u"vision"_s;
        m_client->setTarget(its);
        QVERIFY(m_client->hasToken());
        its.user = u"bob"_s;
        m_client->setTarget(its);
        QVERIFY(!m_client->hasToken());
    }

    void checks()
    {
        const ClusterInfo good = checked(*m_client, target(*m_server));
        QCOMPARE(good.steps.size(), 5);
        const QJsonArray skus = good.steps.at(3).args.value("skus"_L1).toArray();
        QCOMPARE(skus.size(), 2);
        QCOMPARE(skus.at(1).toObject().value("name"_L1).toString(), u"K80"_s);
        for (const ClusterStep &step : good.steps) {
            QVERIFY2(step.isGood, qPrintable(step.id));
        }
        QCOMPARE(good.steps.at(0).args.value("version"_L1).toString(), u"v1.8.0"_s);
        const QJsonObject first = good.steps.at(2).args.value("clusters"_L1).toArray().first().toObject();
        QCOMPARE(first.value("freeGpus"_L1).toInt(), 5);

        const auto lastOf
            = [](const ClusterInfo &info) { return info.steps.isEmpty() ? QString() : info.steps.last().code; };
        OpenPaiTarget other = target(*m_server);
        other.virtualCluster = u"nowhere"_s;
        QCOMPARE(lastOf(checked(*m_client, other)), u"openpai.no-virtual-cluster"_s);
        other.virtualCluster = u"others"_s;
        QCOMPARE(lastOf(checked(*m_client, other)), u"openpai.cluster-forbidden"_s);
        m_client->setToken(u"wrong"_s);
        QCOMPARE(lastOf(checked(*m_client, target(*m_server))), u"openpai.unauthorized"_s);
        m_client->setToken({});
        QCOMPARE(lastOf(checked(*m_client, target(*m_server))), u"openpai.no-token"_s);
        // Without a scheduler of SKUs there are none, and the check goes on.
        m_client->setToken(QString::fromLatin1(OpenPaiServer::token));
        for (const OpenPaiServer::Answer &none : {OpenPaiServer::error(404, "NoApiError"),
                 OpenPaiServer::Answer{404, "<html>Cannot GET</html>"}, OpenPaiServer::Answer{200, "{}"}}) {
            m_server->answerNext("GET cluster/sku-types", none);
            const ClusterInfo without = checked(*m_client, target(*m_server));
            QCOMPARE(without.steps.size(), 5);
            QVERIFY(without.steps.at(3).isGood && without.steps.at(3).args.value("skus"_L1).toArray().isEmpty());
        }
        m_server->answerNext("GET cluster/sku-types", OpenPaiServer::error(404, "NoVirtualClusterError"));
        QCOMPARE(lastOf(checked(*m_client, target(*m_server))), u"openpai.no-virtual-cluster"_s);
        m_server->answerNext("GET info", {200, "<html>Welcome</html>"});
        QCOMPARE(lastOf(checked(*m_client, target(*m_server))), u"openpai.no-api"_s);
    }

    void tags()
    {
        answerTo([&](const auto &then) { m_client->submit("protocolVersion: 2\nname: a-1\ntype: job\n", then); });
        const auto changed = [this](const TagChange &change) {
            std::optional<Result<ClusterTags>> result;
            openpai::changeTags(
                *m_client, u"openpai:lab"_s, change, [&](const Result<ClusterTags> &found) { result = found; });
            return QTest::qWaitFor([&] { return result.has_value(); }, 20'000)
                ? *result
                : Result<ClusterTags>(fail(u"no-answer"_s));
        };
        QCOMPARE(changed({{}, u"a-1"_s})->tags, QStringList());
        QCOMPARE(changed({{}, u"a-1"_s, {u"paper"_s, u"a \"b\" / ~"_s, u"paper"_s}})->tags,
            (QStringList{u"a \"b\" / ~"_s, u"paper"_s}));
        QCOMPARE(changed({{}, u"a-1"_s, {u"new"_s}, {u"paper"_s, u"not there"_s}})->tags,
            (QStringList{u"a \"b\" / ~"_s, u"new"_s}));
        // Refused here, before anything is changed.
        const qsizetype before = m_server->calls("PUT").size();
        for (const QString &bad : {u""_s, u" "_s, u" x"_s, u"a\nb"_s, QString(256, u'x')}) {
            QCOMPARE(changed({{}, u"a-1"_s, {u"good"_s, bad}}).error().code, u"openpai.bad-tag"_s);
        }
        QCOMPARE(m_server->calls("PUT").size(), before);
        // What the server may answer.
        QCOMPARE(changed({{}, u"nowhere"_s}).error().code, u"openpai.no-job"_s);
        QCOMPARE(changed({{}, u"nowhere"_s, {u"x"_s}}).error().code, u"openpai.no-job"_s);
        const QList<std::pair<OpenPaiServer::Answer, QString>> errors{
            {OpenPaiServer::error(401, "UnauthorizedUserError"), u"openpai.unauthorized"_s},
            {OpenPaiServer::error(403, "ForbiddenUserError"), u"openpai.forbidden"_s},
            {OpenPaiServer::error(404, "NoJobError"), u"openpai.no-job"_s},
            {OpenPaiServer::error(500, "UnknownError"), u"openpai.silent"_s},
            {OpenPaiServer::Answer{404, "<html></html>"}, u"openpai.no-api"_s}, // a server without tags
            {OpenPaiServer::Answer{503, {}}, u"openpai.busy"_s}};
        for (const auto &[answer, code] : errors) {
            m_server->answerNext("PUT jobs/ada~a-1/tag", answer);
            QCOMPARE(changed({{}, u"a-1"_s, {u"x"_s}}).error().code, code);
            m_server->answerNext("DELETE jobs/ada~a-1/tag", answer);
            QCOMPARE(changed({{}, u"a-1"_s, {}, {u"new"_s}}).error().code, code);
        }
        QVERIFY(changed({{}, u"a-1"_s})->tags.contains(u"new"_s)); // none of them had an effect
    }

    void logsInByPassword()
    {
        const QString password = QString::fromUtf8(OpenPaiServer::password);
        std::optional<Result<QString>> token;
        const auto begin = [&](const QString &typed) {
            token.reset();
            openpai::logIn(*m_client, target(*m_server), typed, [&token](const Result<QString> &its) { token = its; });
        };
        const auto end = [&token] {
            return QTest::qWaitFor([&token] { return token.has_value(); }, 20'000)
                ? *token
                : Result<QString>(fail(u"no-answer"_s));
        };
        const auto logIn = [&](const QString &typed) {
            begin(typed);
            return end();
        };
        const auto posts = [this] { return m_server->calls("POST authn").size(); };

        QCOMPARE(logIn(password).value_or(QString()), QString::fromLatin1(OpenPaiServer::token));
        QVERIFY(m_server->authorizations().isEmpty()); // a former token has nothing to do with it
        for (const QByteArray &call : m_server->calls({})) {
            QVERIFY2(!call.contains("w\xc3\xb6rd"), call.constData()); // proxies and servers log addresses
        }
        QCOMPARE(logIn(u"another"_s).error().code, u"openpai.bad-password"_s);

        // What the server may answer instead.
        const QByteArray repeated = R"({"code":"IncorrectPasswordError","message":"sesame is wrong"})";
        const QList<std::pair<OpenPaiServer::Answer, QString>> errors{
            {OpenPaiServer::error(404, "NoUserError"), u"openpai.no-user"_s},
            {OpenPaiServer::Answer{400, repeated}, u"openpai.bad-password"_s},
            {OpenPaiServer::error(404, "NoApiError"), u"openpai.no-password"_s},
            {OpenPaiServer::Answer{404, "<html></html>"}, u"openpai.no-password"_s},
            {OpenPaiServer::Answer{503, {}}, u"openpai.busy"_s},
            {OpenPaiServer::Answer{200, R"({"user":"ada"})"}, u"openpai.no-login-token"_s},
            {OpenPaiServer::Answer{200, R"({"token":"two words"})"}, u"openpai.no-login-token"_s},
            {OpenPaiServer::Answer{200, "<html>Welcome</html>"}, u"openpai.no-login-token"_s}};
        for (const auto &[answer, code] : errors) {
            m_server->answerNext("POST authn/basic/login", answer);
            const Result<QString> refused = logIn(u"sesame"_s);
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, code);
            QVERIFY(!refused.error().args.value("detail"_L1).toString().contains(u"sesame"_s));
        }

        // No address gets the password before it has said that it makes tokens by one, and none that it points to.
        qsizetype before = posts();
        const QByteArray byWebsite = R"({"version":"v1.8.0","authnMethod":"OIDC"})";
        const QList<std::pair<OpenPaiServer::Answer, QString>> others{
            {OpenPaiServer::Answer{200, byWebsite}, u"openpai.no-password"_s},
            {OpenPaiServer::Answer{200, "<html>Welcome</html>"}, u"openpai.no-api"_s},
            {OpenPaiServer::Answer{502, {}}, u"openpai.silent"_s}};
        for (const auto &[answer, code] : others) {
            m_server->answerNext("GET info", answer);
            QCOMPARE(logIn(password).error().code, code);
        }
        QCOMPARE(posts(), before);
        const QByteArray elsewhere = m_server->address().toLatin1() + "/rest-server/api/v2/authn/other";
        m_server->answerNext("POST authn/basic/login", {307, {}, {{"Location", elsewhere}}});
        QCOMPARE(logIn(password).error().code, u"openpai.redirected"_s);
        QCOMPARE(posts(), before + 1);

        // A target that is changed meanwhile gets neither the password nor the token of the former one.
        OpenPaiTarget other = target(*m_server);
        other.user = u"grace"_s;
        before = posts();
        m_server->answerNext("GET info", {200, R"({"version":"v1.8.0"})", {}, How::Late});
        const qsizetype asked = m_server->calls("GET info").size();
        begin(password);
        QTRY_COMPARE(m_server->calls("GET info").size(), asked + 1);
        m_client->setTarget(other);
        m_server->sayLate();
        QCOMPARE(end().error().code, u"openpai.login-changed"_s);
        QCOMPARE(posts(), before);
        m_client->setTarget(target(*m_server));
        m_server->answerNext("POST authn/basic/login", {200, R"({"token":"late"})", {}, How::Late});
        begin(password);
        QTRY_COMPARE(posts(), before + 1);
        m_client->setTarget(other);
        m_server->sayLate();
        QCOMPARE(end().error().code, u"openpai.login-changed"_s);
    }

private:
    std::unique_ptr<OpenPaiServer> m_server;
    std::unique_ptr<OpenPaiClient> m_client;
};

TRAINYARD_TEST(TstOpenPaiClient)
#include "tst_openpaiclient.moc"
