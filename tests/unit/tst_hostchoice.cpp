// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/fit.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/asked.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace trainyard::core::asked;

// The rules of roles for their hosts: names, labels, all on one host or each on another, packed or spread.
class TstHostChoice : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void places_data();
    void places();
    void refusals_data();
    void refusals();
    void whyItWaits_data();
    void whyItWaits();
    void choosesOneHostAgain();
    void taskByTask();
    void afterARestart();
    void holdsUpNobody();
    void holdsUpNobodyElsewhere();
    void isNotDelayed();
    void awayAndExpectedHosts();
    void heldHosts();
    void quarantinedGpus();
    void policyIsKept();
    void rulesAreKept_data();
    void rulesAreKept();
};

static Needs on(
    Needs needs, const QStringList &names, const QStringList &labels = {}, Arrangement arrange = Arrangement::Any)
{
    needs.hosts = {names, labels, arrange};
    return needs;
}

static Needs laidOut(Arrangement arrange, int gpu = 1) { return on(needs(gpu), {}, {}, arrange); }

static HostCapacity labelled(HostCapacity host, const QStringList &labels)
{
    host.labels = labels;
    return host;
}

// h1 has four GPUs, h2 two and the labels big and new, h3 two and the label new.
static void setHosts(Scheduler &s)
{
    s.setHost(host(u"h1"_s, 4, 8000));
    s.setHost(labelled(host(u"h2"_s, 2, 8000), {u"big"_s, u"new"_s}));
    s.setHost(labelled(host(u"h3"_s, 2, 8000), {u"new"_s}));
}

void TstHostChoice::places_data()
{
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QStringList>("placed");
    const auto row
        = [](const char *name, const Ask &ask, const QStringList &placed) { QTest::newRow(name) << ask << placed; };
    using enum Arrangement;
    row("by name", {1, {on(needs(1), {u"h1"_s})}, {1}}, {u"1:h1[0]"_s});
    row("by one of several names", {1, {on(needs(4), {u"h3"_s, u"h1"_s})}, {1}}, {u"1:h1[0 1 2 3]"_s});
    row("by label", {1, {on(needs(1), {}, {u"big"_s})}, {1}}, {u"1:h2[0]"_s});
    row("by all labels", {1, {on(needs(1), {}, {u"new"_s, u"big"_s})}, {2}}, {u"1:h2[0] h2[1]"_s});
    row("by name and label", {1, {on(needs(1), {u"h1"_s, u"h3"_s}, {u"new"_s})}, {1}}, {u"1:h3[0]"_s});
    row("each role its own", {1, {on(needs(1), {u"h1"_s}), on(needs(1), {u"h3"_s})}, {1, 1}}, {u"1:h1[0] h3[0]"_s});
    row("a small task leaves room for one with a rule", {1, {needs(2), on(needs(2), {u"h2"_s})}, {1, 1}},
        {u"1:h1[0 1] h2[0 1]"_s});
    row("over several", {1, {on(needs(1), {}, {u"new"_s})}, {4}}, {u"1:h2[0] h2[1] h3[0] h3[1]"_s});
    row("not enough of them", {1, {on(needs(1), {}, {u"new"_s})}, {5}}, {});
    row("same host", {1, {laidOut(SameHost)}, {3}}, {u"1:h1[0] h1[1] h1[2]"_s});
    row("same host, beside others", {1, {needs(1), laidOut(SameHost)}, {4, 4}},
        {u"1:h2[0] h2[1] h3[0] h3[1] h1[0] h1[1] h1[2] h1[3]"_s});
    row("same host, no room", {1, {laidOut(SameHost)}, {5}}, {});
    row("two roles, each on one host", {1, {laidOut(SameHost), laidOut(SameHost)}, {2, 4}},
        {u"1:h2[0] h2[1] h1[0] h1[1] h1[2] h1[3]"_s});
    row("different hosts", {1, {laidOut(DifferentHosts)}, {3}}, {u"1:h1[0] h2[0] h3[0]"_s});
    row("different hosts, one too few", {1, {laidOut(DifferentHosts)}, {4}}, {});
    row("different hosts for each role", {1, {laidOut(DifferentHosts), laidOut(DifferentHosts)}, {3, 3}},
        {u"1:h1[0] h2[0] h3[0] h1[1] h2[1] h3[1]"_s});
    row("spread", {1, {laidOut(Spread)}, {4}}, {u"1:h1[0] h1[1] h2[0] h3[0]"_s});
    row("spread as far as there is room", {1, {laidOut(Spread)}, {8}},
        {u"1:h1[0] h1[1] h1[2] h1[3] h2[0] h2[1] h3[0] h3[1]"_s});
    row("spread only where it can be", {1, {laidOut(Spread), laidOut(Any, 4)}, {3, 1}},
        {u"1:h2[0] h2[1] h3[0] h1[0 1 2 3]"_s});
    row("packed", {1, {laidOut(Any), laidOut(Pack)}, {4, 2}}, {u"1:h1[0] h1[1] h1[2] h1[3] h2[0] h2[1]"_s});
    row("packed on several", {1, {laidOut(Pack)}, {6}}, {u"1:h1[0] h1[1] h1[2] h1[3] h2[0] h2[1]"_s});
    row("without GPUs", {1, {on(needs(0), {}, {}, DifferentHosts)}, {3}}, {u"1:h1 h2 h3"_s});
}

void TstHostChoice::places()
{
    QFETCH(Ask, ask);
    QFETCH(QStringList, placed);
    Scheduler s;
    setHosts(s);
    QVERIFY(placed.isEmpty() == s.impossible(request(ask)).has_value());
    s.request(request(ask));
    QCOMPARE(texts(s.schedule()), placed);
}

void TstHostChoice::refusals_data()
{
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QJsonObject>("args");
    const auto row = [](const char *name, const Ask &ask, const QString &code, const QJsonObject &args) {
        QTest::newRow(name) << ask << code << args;
    };
    using enum Arrangement;
    const auto hosts = [](const char *what, const QJsonArray &names, const QJsonArray &labels,
                           const QJsonArray &missing, const QString &host = {}) {
        return QJsonObject{{u"role"_s, u"a"_s}, {u"what"_s, QString::fromLatin1(what)}, {u"names"_s, names},
            {u"labels"_s, labels}, {u"missing"_s, missing}, {u"host"_s, host}};
    };
    row("no such host", {1, {on(needs(0), {u"h9"_s})}, {1}}, u"refuse.hosts"_s, hosts("names", {u"h9"_s}, {}, {}));
    row("no such label", {1, {on(needs(0), {}, {u"new"_s, u"tpu"_s})}, {1}}, u"refuse.hosts"_s,
        hosts("labels", {}, {u"new"_s, u"tpu"_s}, {u"tpu"_s}));
    row("not on these hosts", {1, {on(needs(0), {u"h1"_s}, {u"new"_s})}, {1}}, u"refuse.hosts"_s,
        hosts("labels", {u"h1"_s}, {u"new"_s}, {u"new"_s}));
    row("not both on one", {1, {on(needs(0), {}, {u"big"_s, u"old"_s})}, {1}}, u"refuse.hosts"_s,
        hosts("both", {}, {u"big"_s, u"old"_s}, {}));
    row("another host was chosen", {1, {on(needs(0), {}, {u"big"_s})}, {1}, true, 0, 0, u"h1"_s}, u"refuse.hosts"_s,
        hosts("target", {}, {u"big"_s}, {}, u"h1"_s));
    row("too many GPUs for these", {1, {on(needs(3), {}, {u"new"_s})}, {1}}, u"refuse.gpu"_s,
        {{u"role"_s, u"a"_s}, {u"wanted"_s, 3}, {u"most"_s, 2}, {u"host"_s, u"h2"_s}});
    row("not all on one host", {1, {laidOut(SameHost)}, {5}}, u"refuse.same-host"_s,
        {{u"role"_s, u"a"_s}, {u"tasks"_s, 5}, {u"most"_s, 4}, {u"host"_s, u"h1"_s}});
    row("not so many hosts", {1, {needs(0), laidOut(DifferentHosts, 2)}, {1, 5}}, u"refuse.different-hosts"_s,
        {{u"role"_s, u"b"_s}, {u"tasks"_s, 5}, {u"hosts"_s, 4}});
    row("not enough of these", {1, {on(needs(1), {}, {u"new"_s})}, {5}}, u"refuse.hosts-together"_s,
        {{u"role"_s, u"a"_s}});
    row("not enough for two roles", {1, {on(needs(1), {u"h2"_s}), on(needs(1), {u"h2"_s})}, {2, 1}},
        u"refuse.hosts-together"_s, {{u"role"_s, QString()}});
    row("not enough of all", {1, {on(needs(1), {}, {u"new"_s})}, {99}}, u"refuse.gang"_s,
        {{u"resource"_s, u"gpu"_s}, {u"wanted"_s, 99}, {u"most"_s, 10}});
    row("preferences refuse nothing", {1, {laidOut(Spread), laidOut(Pack)}, {5, 5}}, {}, {});
    row("one by one on few hosts", {1, {laidOut(DifferentHosts)}, {50}, false}, {}, {});
}

void TstHostChoice::refusals()
{
    QFETCH(Ask, ask);
    QFETCH(QString, code);
    QFETCH(QJsonObject, args);
    Scheduler s;
    setHosts(s);
    s.setHost(labelled(host(u"h4"_s, 2, 8000), {u"old"_s}));
    const std::optional<Error> never = s.impossible(request(ask));
    QCOMPARE(never ? never->code : QString(), code);
    QCOMPARE(never ? never->args : QJsonObject(), args);
    if (!code.isEmpty() && code.startsWith(u"refuse.hosts"_s)) {
        QVERIFY(!fitTo(s, request(ask), GangChange::Allowed)); // no smaller number of anything would help
    }
}

// Job 1 has h2, and job 9 whatever it asks for of the rest.
void TstHostChoice::whyItWaits_data()
{
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *name, const Ask &ask, const QString &what) { QTest::newRow(name) << ask << what; };
    using enum Arrangement;
    row("names", {2, {on(needs(1), {u"h2"_s})}, {1}}, u"a names"_s);
    row("labels", {2, {needs(1), on(needs(1), {}, {u"big"_s})}, {1, 1}}, u"b labels"_s);
    row("same host", {2, {laidOut(SameHost)}, {5}}, u"a same-host"_s);
    row("different hosts", {2, {laidOut(DifferentHosts)}, {3}}, u"a different-hosts"_s);
    row("different hosts of a label", {2, {on(needs(1), {}, {u"new"_s}, DifferentHosts)}, {2}}, u"a different-hosts"_s);
}

void TstHostChoice::whyItWaits()
{
    QFETCH(Ask, ask);
    QFETCH(QString, what);
    Scheduler s;
    setHosts(s);
    s.setHost(host(u"h1"_s, 6, 8000));
    s.request(request({1, {on(needs(2), {u"h2"_s}), on(needs(2), {u"h1"_s})}, {1, 1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0 1] h1[0 1]"_s});
    s.request(request(ask));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(2));
    QCOMPARE(why.code, u"wait.hosts"_s);
    QCOMPARE(QString(why.args[u"role"].toString() + u' ' + why.args[u"what"].toString()), what);
    QCOMPARE(why.args[u"ways"][0][u"ends"], QJsonValue(QJsonArray{1}));
    releaseAll(s, {1, {needs(2), needs(2)}, {1, 1}});
    QCOMPARE(s.schedule().size(), std::size_t(1));
}

// The first host with room for all of one role leaves none for the other.
void TstHostChoice::choosesOneHostAgain()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    s.setHost(labelled(host(u"h2"_s, 4, 8000), {u"big"_s}));
    s.request(
        request({1, {laidOut(Arrangement::SameHost), on(needs(1), {}, {u"big"_s}, Arrangement::SameHost)}, {4, 4}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0] h1[1] h1[2] h1[3] h2[0] h2[1] h2[2] h2[3]"_s});
}

// Without a gang it counts for the tasks that run at the same time.
void TstHostChoice::taskByTask()
{
    using enum Arrangement;
    const auto placed = [](Arrangement arrange, int count) {
        Scheduler s;
        setHosts(s);
        s.request(request({1, {laidOut(arrange)}, {count}, false}));
        QStringList hosts;
        for (const JobGrants &grants : s.schedule()) {
            for (const event::Grant &grant : grants.grants) {
                hosts.append(grant.place.host);
            }
        }
        hosts.sort();
        return hosts.join(u' ');
    };
    QCOMPARE(placed(DifferentHosts, 5), u"h1 h2 h3"_s);
    QCOMPARE(placed(Spread, 5), u"h1 h2 h2 h3 h3"_s);
    QCOMPARE(placed(Spread, 3), u"h1 h2 h3"_s);
    const QStringList same = placed(SameHost, 9).split(u' ');
    QVERIFY2(same.count(same.first()) == same.size(), qPrintable(same.join(u' ')));
    const QStringList packed = placed(Pack, 2).split(u' ');
    QCOMPARE(packed.at(0), packed.at(1));

    // When one ends, the next may have its host.
    Scheduler s;
    setHosts(s);
    const Ask ask{1, {laidOut(DifferentHosts)}, {4}, false};
    s.request(request(ask));
    QCOMPARE(s.schedule().front().grants.size(), std::size_t(3));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(1)).args[u"what"].toString(), u"different-hosts"_s);
    s.release(request(ask).tasks[1].tryUuid);
    QCOMPARE(s.schedule().front().grants.size(), std::size_t(1));
}

// What runs is known by its role after a restart, too.
void TstHostChoice::afterARestart()
{
    Scheduler s;
    setHosts(s);
    const PlacementRequest all = request({1, {needs(0), laidOut(Arrangement::SameHost)}, {1, 2}, false});
    Allocation place;
    place.host = u"h3"_s;
    place.gpus = {0};
    s.restoreAllocation(1, all.job, all.tasks[1].tryUuid, place, all.needs[1], {}, 1);
    s.request(all);
    QCOMPARE(s.schedule().front().grants.size(), std::size_t(2));
    QCOMPARE(s.gpuHolder(u"h3"_s, 1), 1);
}

// What waits for hosts that it cannot have soon keeps nothing of the others.
void TstHostChoice::holdsUpNobody()
{
    Scheduler s;
    setHosts(s);
    s.request(request({1, {on(needs(2), {u"h2"_s})}, {1}}));
    s.request(request({2, {on(needs(2), {u"h2"_s})}, {1}}));
    s.request(request({3, {needs(4)}, {1}}));
    s.request(request({4, {needs(2)}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h2[0 1]"_s, u"3:h1[0 1 2 3]"_s, u"4:h3[0 1]"_s}));
}

// What waits for the one host on which its other tasks are leaves the rest of the hosts to others.
void TstHostChoice::holdsUpNobodyElsewhere()
{
    Scheduler s;
    setHosts(s);
    s.request(request({1, {laidOut(Arrangement::SameHost)}, {9}, false}));
    s.request(request({2, {needs(2)}, {1}}));
    s.request(request({3, {on(needs(1), {u"h2"_s})}, {1}}));
    QCOMPARE(texts(s.schedule()), (QStringList{u"1:h2[0] h2[1]"_s, u"2:h3[0 1]"_s}));
    s.release(tryUuid(jobUuid(1), 0, u"a"_s, 0, 0));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0]"_s}); // before the third one
}

// Nobody behind it takes what it waits for.
void TstHostChoice::isNotDelayed()
{
    Scheduler s;
    setHosts(s);
    s.request(request({1, {on(needs(1), {u"h2"_s})}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0]"_s});
    s.request(request({2, {on(needs(2), {u"h2"_s})}, {1}}));
    s.request(request({3, {on(needs(1), {u"h2"_s})}, {1}}));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(3)).code, u"wait.queue"_s);
    releaseAll(s, {1, {needs(1)}, {1}});
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h2[0 1]"_s});
}

void TstHostChoice::awayAndExpectedHosts()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 4, 8000));
    HostCapacity away = labelled(host(u"h2"_s, 2, 8000), {u"big"_s});
    away.usable = false;
    s.setHost(away);
    const Ask ask{1, {on(needs(1), {}, {u"big"_s})}, {1}};
    QVERIFY(!s.impossible(request(ask)));
    s.request(request(ask));
    s.request(request({2, {needs(4)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[0 1 2 3]"_s}); // it holds up nobody
    const WaitReason why = s.waitReason(jobUuid(1));
    QCOMPARE(why.code, u"wait.hosts"_s);
    QCOMPARE(why.args[u"what"].toString(), u"away"_s);
    QCOMPARE(why.args[u"away"], QJsonValue(QJsonArray{u"h2"_s}));
    // Whether it is out of reach is not known before the first attempt has ended.
    const auto isConnecting = [&s] { return s.waitReason(jobUuid(1)).args[u"connecting"].toBool(); };
    QVERIFY(!isConnecting());
    s.setConnecting(u"h2"_s, true);
    QVERIFY(isConnecting());
    s.setConnecting(u"h2"_s, false);
    QVERIFY(!isConnecting());
    // One that was never reached: what it has is not known, but its labels are.
    const Ask unknown{3, {on(needs(9), {u"h3"_s})}, {1}};
    QCOMPARE(s.impossible(request(unknown))->code, u"refuse.hosts"_s);
    s.expectHost(u"h3"_s);
    QVERIFY(!s.impossible(request(unknown)));
    const Ask special{4, {on(needs(1), {}, {u"tpu"_s})}, {1}};
    QCOMPARE(s.impossible(request(special))->code, u"refuse.hosts"_s);
    s.expectHost(u"h3"_s, {u"tpu"_s});
    QVERIFY(!s.impossible(request(special)));
    s.request(request(special));
    QVERIFY(s.schedule().empty());
    QCOMPARE(s.waitReason(jobUuid(4)).args[u"away"], QJsonValue(QJsonArray{u"h3"_s}));
    // A label is taken away while it waits.
    s.setHost(labelled(host(u"h3"_s, 2, 8000), {}));
    QCOMPARE(s.waitReason(jobUuid(4)).code, u"refuse.hosts"_s);
}

void TstHostChoice::heldHosts()
{
    Scheduler s;
    s.setHost(host(u"h1"_s, 1, 8000));
    HostCapacity drained = labelled(host(u"h2"_s, 2, 8000), {u"big"_s});
    drained.hold = {u"wait.drained"_s, {{u"host"_s, u"h2"_s}}};
    s.setHost(drained);
    HostCapacity full = host(u"h3"_s, 2, 8000);
    full.hold = {u"wait.disk"_s, {{u"host"_s, u"h3"_s}}};
    s.setHost(full);
    const Ask ask{1, {on(needs(2), {}, {u"big"_s})}, {1}};
    QVERIFY(!s.impossible(request(ask))); // it is opened again some day
    s.request(request(ask));
    s.request(request({2, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[0]"_s});
    QCOMPARE(s.waitReason(jobUuid(1)).code, u"wait.drained"_s); // and not what is wrong with another one
    // Whoever waits for others as well sees it in what each host says.
    s.request(request({3, {needs(1)}, {1}}));
    QVERIFY(s.schedule().empty());
    const WaitReason why = s.waitReason(jobUuid(3));
    QCOMPARE(why.code, u"wait.gpu"_s);
    QCOMPARE(why.args[u"hosts"][1][u"hold"][u"code"].toString(), u"wait.drained"_s);
    drained.hold = {};
    s.setHost(drained);
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h2[0 1]"_s});
}

void TstHostChoice::quarantinedGpus()
{
    Scheduler s;
    HostCapacity h = host(u"h1"_s, 2, 8000);
    h.gpus[0].quarantined = true;
    s.setHost(h);
    QVERIFY(!s.impossible(request({1, {needs(2)}, {1}}))); // it is released some day
    s.request(request({1, {needs(2)}, {1}}));
    s.request(request({2, {needs(1)}, {1}}));
    QCOMPARE(texts(s.schedule()), QStringList{u"2:h1[1]"_s}); // and holds up nobody until then
    const WaitReason why = s.waitReason(jobUuid(1));
    QCOMPARE(why.code, u"wait.gpu"_s);
    QCOMPARE(why.args[u"hosts"][0][u"quarantined"], QJsonValue(QJsonArray{0}));
    h.gpus[0].quarantined = false;
    s.setHost(h);
    releaseAll(s, {2, {needs(1)}, {1}});
    QCOMPARE(texts(s.schedule()), QStringList{u"1:h1[0 1]"_s});
}

void TstHostChoice::policyIsKept()
{
    const ParseOutcome outcome = parseJob("protocolVersion: 2\nname: t\ntype: job\n"
                                          "prerequisites: [{name: i, type: dockerimage, uri: a}]\n"
                                          "taskRoles:\n"
                                          "  w: {instances: 2, dockerImage: i, commands: [a], "
                                          "resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}}\n"
                                          "  v: {dockerImage: i, commands: [a], "
                                          "resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}}\n"
                                          "extras: {trainyard: {hosts: {w: {labels: [big], arrange: spread}, "
                                          "'*': {names: [h1, h2]}}}}\n");
    QVERIFY(outcome.spec);
    const JobPolicy policy = policyOf(*outcome.spec);
    QCOMPARE(policy.roles[0].needs.hosts, (HostRule{{u"h1"_s, u"h2"_s}, {u"big"_s}, Arrangement::Spread}));
    QCOMPARE(policy.roles[1].needs.hosts, (HostRule{{u"h1"_s, u"h2"_s}, {}, Arrangement::Any}));
    QCOMPARE(JobPolicy::fromJson(policy.toJson()), policy);
    QVERIFY(!policy.toJson()[u"roles"][1].toObject().value(u"hosts"_s).toObject().contains(u"labels"_s));
}

// Whatever is placed, the rules hold.
void TstHostChoice::rulesAreKept_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 25; ++seed) {
        QTest::addRow("%u", seed) << seed;
    }
}

void TstHostChoice::rulesAreKept()
{
    QFETCH(quint32, seed);
    QRandomGenerator random(seed);
    Scheduler s;
    QHash<QString, QStringList> labels;
    for (int i = 1; i <= 4; ++i) {
        const QString id = u"h%1"_s.arg(i);
        if (random.bounded(2) == 0) {
            labels[id].append(u"big"_s);
        }
        s.setHost(labelled(host(id, random.bounded(5), 8000), labels.value(id)));
    }
    QList<Ask> asks;
    for (int job = 1; job <= 12; ++job) {
        Ask ask{job, {}, {}, random.bounded(3) > 0};
        for (int role = 0; role < 2; ++role) {
            ask.needs.push_back(on(needs(random.bounded(3)),
                random.bounded(3) == 0 ? QStringList{u"h1"_s, u"h%1"_s.arg(1 + random.bounded(4))} : QStringList(),
                random.bounded(3) == 0 ? QStringList{u"big"_s} : QStringList(), Arrangement(random.bounded(5))));
            ask.counts.push_back(random.bounded(4));
        }
        asks.append(ask);
        s.request(request(ask));
    }
    qsizetype placed = 0;
    QHash<int, QHash<int, QStringList>> held; // hosts of tasks that have places, by job and role
    for (int round = 0; round < 20; ++round) {
        for (const JobGrants &grants : s.schedule()) {
            const auto ask = std::find_if(
                asks.cbegin(), asks.cend(), [&](const Ask &each) { return jobUuid(each.number) == grants.job; });
            QHash<int, QStringList> &byRole = held[ask->number];
            placed += qsizetype(grants.grants.size());
            for (const event::Grant &grant : grants.grants) {
                const HostRule &rule = ask->needs[std::size_t(grant.task.role)].hosts;
                const QString &at = grant.place.host;
                QVERIFY(rule.names.isEmpty() || rule.names.contains(at));
                QVERIFY(rule.labels.isEmpty() || labels.value(at).contains(rule.labels.first()));
                byRole[int(grant.task.role)].append(at);
            }
            for (auto it = byRole.cbegin(); it != byRole.cend(); ++it) {
                const Arrangement arrange = ask->needs[std::size_t(it.key())].hosts.arrange;
                const QSet<QString> hosts(it->cbegin(), it->cend());
                QVERIFY(arrange != Arrangement::SameHost || hosts.size() == 1);
                QVERIFY(arrange != Arrangement::DifferentHosts || hosts.size() == it->size());
                if (ask->gang) {
                    QCOMPARE(int(it->size()), ask->counts[std::size_t(it.key())]);
                }
            }
        }
        for (const Ask &ask : std::as_const(asks)) {
            if (round == 0) {
                s.waitReason(jobUuid(ask.number)); // says something of each, or nothing
            }
            if (random.bounded(3) == 0) {
                releaseAll(s, ask);
                held.remove(ask.number);
            }
        }
    }
    QVERIFY(placed > 0);
}

TRAINYARD_TEST(TstHostChoice)
#include "tst_hostchoice.moc"
