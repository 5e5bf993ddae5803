// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmallocation.h"
#include "engine/clusters/slurmledbook.h"
#include "engine/clusters/slurmretries.h"
#include "engine/contract/leadretry.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/exitclassifier.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/played.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using contract::LeadNext;

// What a lead tries again by itself is what the core tries again, and it says so where it cannot tell.
class TstSlurmRetries : public QObject
{
    Q_OBJECT

    struct Case {
        qint64 budget = 0;
        int charged = 0, consecutiveFreeRetries = 0;
        int status = 1;
        qint64 ranMs = 100;
        QByteArray output = {};
        bool isStrict = false;
    };
    static core::RetryLimits guards()
    {
        core::RetryLimits rails;
        rails.freeRetryCap = 3;
        return rails;
    }
    static contract::LeadDecision byLead(const Case &one, const ExitRules &rules)
    {
        core::RolePolicy role;
        role.taskRetry = one.budget;
        return contract::decideLeadRetry(slurm::leadRetriesOf(rules, role, guards(), one.isStrict),
            {one.charged, one.consecutiveFreeRetries}, one.status, one.ranMs,
            contract::withoutEscapes({one.output.constData(), std::size_t(one.output.size())}));
    }
    // The same end, of a job that the core has.
    static contract::LeadDecision byCore(const Case &one, const ExitRules &rules)
    {
        core::RawExit exit;
        exit.value = one.status;
        exit.upstreamOrder = one.isStrict;
        core::JobPolicy policy = core::played::workers(1, false);
        policy.guards = guards();
        policy.roles[0].taskRetry = one.budget;
        core::played::Player player(policy);
        player.rules = &rules;
        player.say(core::event::Submitted{});
        player.run({core::played::w0});
        core::Task &task = player.job.tasks[0];
        task.tryIndex = task.chargedRetries = one.charged;
        task.consecutiveFreeRetries = one.consecutiveFreeRetries;
        player.now = 1'000'000'000;
        const int code = core::classifyExit(rules, exit, one.output).code;
        player.say(core::event::TryEnded{core::played::w0, player.uuid(core::played::w0), {code, one.status, {}, {}},
            player.now - one.ranMs, player.now, true});
        contract::LeadDecision decision;
        const auto *waiting = std::get_if<core::Waiting>(&player.job.tasks[0].state);
        decision.next = waiting ? LeadNext::Again : LeadNext::Over;
        decision.isCharged = waiting && player.job.tasks[0].chargedRetries > one.charged;
        decision.pauseMs = waiting && waiting->notBefore > 0 ? waiting->notBefore - player.now : 0;
        decision.consecutiveFreeRetries = waiting ? player.job.tasks[0].consecutiveFreeRetries : 0;
        return decision;
    }
    static void compare(const Case &one, const ExitRules &rules, const contract::LeadDecision &lead)
    {
        if (lead.next == LeadNext::Unsure) {
            return;
        }
        const contract::LeadDecision engine = byCore(one, rules);
        QCOMPARE(int(lead.next), int(engine.next));
        QCOMPARE(lead.isCharged, engine.isCharged);
        if (lead.next == LeadNext::Again) {
            QCOMPARE(lead.pauseMs, engine.pauseMs);
            QCOMPARE(lead.consecutiveFreeRetries, engine.consecutiveFreeRetries);
        }
    }

private Q_SLOTS:
    void decisions_data();
    void decisions();
    void agreesWithTheCore();
    void ownRules();
    void triesAreKnown();
    void isFoundAfterARestart();
    void notesOutliveTheEngine();
};

void TstSlurmRetries::decisions_data()
{
    QTest::addColumn<qint64>("budget");
    QTest::addColumn<int>("charged");
    QTest::addColumn<int>("consecutiveFreeRetries");
    QTest::addColumn<int>("status");
    QTest::addColumn<qint64>("ranMs");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<int>("next");
    QTest::addColumn<bool>("isCharged");
    QTest::addColumn<qint64>("pauseMs");
    const auto row = [](const char *name, const Case &one, LeadNext next, bool isCharged = false, qint64 pauseMs = 0) {
        QTest::newRow(name) << one.budget << one.charged << one.consecutiveFreeRetries << one.status << one.ranMs
                            << one.output << int(next) << isCharged << pauseMs;
    };
    row("no budget", {0, 0, 0, 1}, LeadNext::Over);
    row("in the budget", {2, 1, 0, 1}, LeadNext::Again, true);
    row("budget used up", {2, 2, 0, 1}, LeadNext::Over);
    row("without a limit", {-1, 1, 0, 1}, LeadNext::Again, true, 6000);
    row("without a limit, after a long run", {-1, 1, 0, 1, 3'600'000}, LeadNext::Again, true);
    row("success", {5, 0, 0, 0}, LeadNext::Over);
    row("success that is repeated", {-2, 0, 0, 0}, LeadNext::Again, true, 3000);
    row("killed", {0, 0, 0, 137}, LeadNext::Again, false, 3000);
    row("killed again", {0, 0, 2, 137}, LeadNext::Again, false, 12'000);
    row("killed too often", {0, 0, 3, 137}, LeadNext::Over);
    row("killed after a long run", {0, 0, 3, 137, 3'600'000}, LeadNext::Again, false, 3000);
    row("permanent", {5, 0, 0, 136}, LeadNext::Over);
    row("unknown signal", {5, 0, 0, 134}, LeadNext::Again, true);
    row("words that may say more", {5, 0, 0, 1, 100, "x\nNameError: y\n"}, LeadNext::Unsure);
    row("words in colour", {5, 0, 0, 1, 100, "Name\x1b[1mError: y\n"}, LeadNext::Unsure);
    row("words that make no difference", {0, 0, 0, 1, 100, "x\nNameError: y\n"}, LeadNext::Over);
    row("words of another status", {5, 0, 0, 1, 100, "sh: x: command not found\n"}, LeadNext::Again, true);
    row("words behind a signal", {0, 0, 0, 143, 100, "NameError: y\n"}, LeadNext::Again, false, 3000);
}

void TstSlurmRetries::decisions()
{
    QFETCH(qint64, budget);
    QFETCH(int, charged);
    QFETCH(int, consecutiveFreeRetries);
    QFETCH(int, status);
    QFETCH(qint64, ranMs);
    QFETCH(QByteArray, output);
    const Case one{budget, charged, consecutiveFreeRetries, status, ranMs, output, false};
    const contract::LeadDecision decision = byLead(one, ExitRules::bundled());
    QTEST(int(decision.next), "next");
    QTEST(decision.isCharged, "isCharged");
    QTEST(qint64(decision.pauseMs), "pauseMs");
    compare(one, ExitRules::bundled(), decision);
}

void TstSlurmRetries::agreesWithTheCore()
{
    int sure = 0, all = 0;
    for (const bool isStrict : {false, true}) {
        for (const QByteArray &output : {QByteArray(), QByteArray("a\nCUDA out of memory. Tried to allocate\nb\n"),
                 QByteArray("GPU has fallen off the bus\n"), QByteArray("sh: line 1: x: command not found\n"),
                 QByteArray("Segmentation fault (core dumped)\n")}) {
            for (const int status : {0, 1, 2, 126, 127, 128, 130, 131, 132, 134, 135, 136, 137, 139, 141, 143, 159}) {
                for (const qint64 budget : {-2, 0, 3}) {
                    const Case one{budget, 1, 2, status, status % 2 == 0 ? 100 : 700'000, output, isStrict};
                    const contract::LeadDecision lead = byLead(one, ExitRules::bundled());
                    compare(one, ExitRules::bundled(), lead);
                    if (QTest::currentTestFailed()) {
                        qWarning(
                            "status %d, budget %d, strict %d: %s", status, int(budget), isStrict, output.constData());
                        return;
                    }
                    sure += lead.next == LeadNext::Unsure ? 0 : 1;
                    ++all;
                }
            }
        }
    }
    QVERIFY(sure > all / 3);
}

void TstSlurmRetries::ownRules()
{
    const Result<ExitRules> own = ExitRules::bundled().withOwn(R"({
        "entries": [{"code": 241, "phrase": "LicenceBusy", "behavior": "TRANSIENT_NORMAL", "reason": "No licence."},
                    {"code": 242, "phrase": "Wrong", "behavior": "PERMANENT", "reason": "It is wrong."}],
        "rules": [{"code": 241, "exits": [42]}, {"code": 242, "hint": "is wrong"},
                  {"code": 241, "hint": "licence", "pattern": "^E: licence"}]})");
    QVERIFY2(own, own ? "" : qPrintable(own.error().code));
    const auto nextOf = [&](const Case &one) {
        const contract::LeadDecision lead = byLead(one, *own);
        compare(one, *own, lead);
        return lead.next;
    };
    QCOMPARE(nextOf({0, 0, 0, 42}), LeadNext::Again);
    QCOMPARE(nextOf({3, 0, 0, 137, 100, "is wrong\n"}), LeadNext::Over); // before those of the table
    QCOMPARE(nextOf({0, 0, 0, 1, 100, "no licence\n"}), LeadNext::Unsure);
    QCOMPARE(nextOf({0, 0, 0, 1}), LeadNext::Over);
}

// The files of an allocation say which try is the newest, also to an engine that begins.
void TstSlurmRetries::triesAreKnown()
{
    QTemporaryDir state;
    const QString job = state.filePath(u"runs/job"_s);
    core::played::Player player(core::played::workers(1, false));
    player.say(core::event::Submitted{});
    const core::TaskRef w0 = core::played::w0;
    contract::LeadPlan plan;
    plan.allocation = "a";
    plan.retries = contract::LeadRetries();
    contract::LeadTask task;
    task.role = "w";
    task.folder = job.toStdString() + "/0/w-0/0";
    task.tryUuid = player.uuid(w0).toString(QUuid::WithoutBraces).toStdString();
    task.furtherTries = slurm::furtherTriesOf(player.job, w0);
    plan.tasks.push_back(task);
    const QString folder = SlurmAllocation::allocationsOf(job) + u"/a"_s;
    SlurmAllocation allocation(folder, plan);
    QVERIFY(allocation.write("#!/bin/sh\n", {contract::Launch()}));
    QVERIFY(allocation.isUndecided(0) && !allocation.isFollowed(0));
    QVERIFY(contract::writeAtomically(folder.toStdString() + "/again", contract::LeadAgain{1, 5}.toText(), false) == 0);
    QVERIFY(!allocation.isUndecided(0) && allocation.isFollowed(0));
    const std::optional<QUuid> next = allocation.linkNext(0);
    player.job.tasks[0].tryIndex = 1;
    QCOMPARE(next.value_or(QUuid()), player.uuid(w0));
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(job + u"/0/w-0/1"_s);
    QVERIFY(link && link->position == 0);
    std::optional<SlurmAllocation> later = SlurmAllocation::load(link->folder);
    QVERIFY(later && later->takeUp(0, *next));
    QCOMPARE(later->tryAt(0), *next);
    QCOMPARE(later->tryFolder(0), QString(job + u"/0/w-0/1"_s));
    QVERIFY(!later->isFollowed(0) && later->isUndecided(0));
    QVERIFY(contract::writeAtomically(folder.toStdString() + "/end", contract::LeadEnd{"done", {}, 6}.toText(), false)
        == 0);
    QVERIFY(!later->isFollowed(0) && !later->isUndecided(0));
    QVERIFY(!later->takeUp(0, QUuid::createUuid()));
}

// By what has been written, and by nothing else: also when the link to the later try is not there.
void TstSlurmRetries::isFoundAfterARestart()
{
    QTemporaryDir folder;
    const QString job = folder.filePath(u"runs/x"_s), at = SlurmAllocation::allocationsOf(job) + u"/a"_s;
    const QUuid first = QUuid::createUuid(), second = QUuid::createUuid(), third = QUuid::createUuid();
    contract::LeadPlan plan;
    plan.allocation = "a";
    plan.retries = contract::LeadRetries();
    contract::LeadTask task;
    task.role = "w";
    task.folder = job.toStdString() + "/0/w-0/0";
    task.tryUuid = first.toString(QUuid::WithoutBraces).toStdString();
    for (const QUuid &later : {second, third}) {
        task.furtherTries.push_back(later.toString(QUuid::WithoutBraces).toStdString());
    }
    task.ports = {{"aux", {20001}}, {"web", {20007, 20008}}};
    plan.tasks.push_back(task);
    QVERIFY(SlurmAllocation(at, plan).write("#!/bin/sh\n", {contract::Launch()}));
    std::optional<SlurmAllocation> allocation = SlurmAllocation::load(at);
    QVERIFY(allocation);
    QCOMPARE(allocation->triesOf(0), (std::vector<QUuid>{first, second, third}));
    QVERIFY(!allocation->followerOf(0, first)); // its lead has said nothing yet
    const auto again = [&at](int count) {
        return contract::writeAtomically(at.toStdString() + "/again", contract::LeadAgain{count, 5}.toText(), false);
    };
    QCOMPARE(again(1), 0);
    const std::optional<SlurmAllocation::Follower> follower = allocation->followerOf(0, first);
    QVERIFY(follower);
    QCOMPARE(follower->tryUuid, second);
    QCOMPARE(follower->ports, (core::PortTable{{u"aux"_s, {20001}}, {u"web"_s, {20007, 20008}}}));
    QVERIFY(SlurmAllocation::linkOf(job + u"/0/w-0/1"_s));
    QVERIFY(!allocation->followerOf(0, second));
    QVERIFY(!allocation->followerOf(0, QUuid::createUuid()));
    QVERIFY(!allocation->followerOf(1, first));
    QVERIFY(!allocation->followerOf(-1, first));
    QCOMPARE(again(2), 0);
    QCOMPARE(allocation->followerOf(0, first)->tryUuid, second); // one after the other
    QCOMPARE(allocation->followerOf(0, second)->tryUuid, third);
}

// Another engine reads what this one has noted, and nothing else that lies there.
void TstSlurmRetries::notesOutliveTheEngine()
{
    QTemporaryDir folder;
    const QString at = folder.filePath(u"state/leads/lab"_s);
    const auto listed = [&at] {
        QStringList all;
        for (const SlurmLedBook::Note &note : SlurmLedBook(at).notes()) {
            all.append(u"%1 %2 %3"_s.arg(note.allocation).arg(note.position).arg(note.id));
            all.last() += u" %1 %2"_s.arg(note.mark.names.join(u','), note.mark.comments.join(u','));
        }
        return all;
    };
    QCOMPARE(listed(), QStringList());
    SlurmLedBook book(at);
    const slurm::JobMark mark{{u"ty-n"_s}, {u"trainyard:b"_s, u"trainyard:c"_s}};
    book.add({u"/runs/x/a"_s, 3, u"41_3"_s, {}}); // as an older version has it, without a mark
    book.add({u"/runs/x/a"_s, 3, u"41_3"_s, {}});
    book.add({u"/runs/y/b"_s, 0, u"42"_s, mark});
    QCOMPARE(
        listed(), (QStringList{u"/runs/x/a 3 41_3  trainyard:a"_s, u"/runs/y/b 0 42 ty-n trainyard:b,trainyard:c"_s}));
    book.add({u"/runs/y/b"_s, 0, u"43"_s, mark}); // it was there twice, and the other one leads it
    book.remove(u"/runs/x/a"_s, 3);
    book.remove(u"/runs/x/a"_s, 4);
    QCOMPARE(listed(), QStringList{u"/runs/y/b 0 43 ty-n trainyard:b,trainyard:c"_s});
    QFile strange(at + u"/strange"_s);
    QVERIFY(strange.open(QIODevice::WriteOnly) && strange.write("no note\n1\n2\n") > 0);
    strange.close();
    QCOMPARE(listed(), QStringList{u"/runs/y/b 0 43 ty-n trainyard:b,trainyard:c"_s});
    SlurmLedBook(at).remove(u"/runs/y/b"_s, 0);
    QCOMPARE(listed(), QStringList());
}

TRAINYARD_TEST(TstSlurmRetries)
#include "tst_slurmretries.moc"
