// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/approvals.h"
#include "engine/daemon/proposedcommands.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// The engine as the room of approvals sees it, and a clock that goes as the test wants.
struct ApprovalsWorld {
    AssistantRules rules{true, 2, 4};
    AssistantUse used;
    int gpus = 1; // of each job
    qint64 ms = 1'000'000;
    QStringList needed; // secrets of each job
    QList<SubmitRequest> submitted;
    QList<QJsonObject> origins;
    QStringList stopped;
    Error whyStopped; // the last one
    std::optional<Error> refusal; // of the next submission

    Approvals::Door door()
    {
        Approvals::Door door;
        door.rules = [this] { return rules; };
        door.used = [this] { return used; };
        door.look = [this](const SubmitRequest &request) -> Result<JobOutlook> {
            if (request.yaml == "broken") {
                return fail(u"job.invalid"_s);
            }
            JobOutlook outlook;
            outlook.summary.name = u"sweep"_s;
            outlook.summary.totalGpu = gpus;
            outlook.summary.totalTasks = 2;
            outlook.yaml = "masked " + request.yaml;
            outlook.target = u"pool"_s;
            outlook.work = request.work;
            outlook.hosts = QStringList{u"local"_s};
            outlook.commands = {{u"worker"_s, u"echo "_s + request.parameters.value(u"lr"_s), false}};
            return outlook;
        };
        door.check = [this](const SubmitRequest &request) -> Result<void> {
            for (const QString &name : needed) {
                if (!request.secrets.contains(name)) {
                    return fail(u"job.secrets-missing"_s);
                }
            }
            return {};
        };
        door.submit = [this](const SubmitRequest &request, const QJsonObject &origin) -> Result<SubmitReply> {
            if (const std::optional<Error> error = std::exchange(refusal, std::nullopt)) {
                return tl::unexpected<Error>(*error);
            }
            submitted.append(request);
            origins.append(origin);
            ++used.jobs;
            used.gpus += gpus;
            return SubmitReply{submitted.size(), u"uuid-%1"_s.arg(submitted.size()), {}};
        };
        door.job = [](const QString &uuid) -> Result<JobSummary> {
            JobSummary job;
            job.id = 1;
            job.uuid = uuid;
            job.name = u"sweep"_s;
            return job;
        };
        door.stop = [this](const QString &uuid, const Error &why) -> Result<bool> {
            stopped.append(uuid);
            whyStopped = why;
            return true;
        };
        door.utcMs = [this] { return ms; };
        door.steadyMs = [this] { return ms; };
        return door;
    }
};

const Assistant &editor()
{
    static const Assistant who{u"editor"_s, u"session-1"_s};
    return who;
}

SubmitRequest requestOf(const QByteArray &yaml)
{
    SubmitRequest request;
    request.yaml = yaml;
    return request;
}

template <typename T> QString codeOf(const Result<T> &result) { return result ? u"ok"_s : result.error().code; }

} // namespace

// Between an assistant and the engine stands a person: what gets past it, and what does not.
class TstApprovals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsWhatWasApprovedOnce()
    {
        ApprovalsWorld world;
        Approvals approvals(world.door());
        const QSignalSpy changed(&approvals, &Approvals::changed);
        SubmitRequest request = requestOf("a");
        request.parameters.insert(u"lr"_s, u"0.1"_s);
        request.priority = 100; // none of its business
        request.after = QStringList{u"1"_s};
        const auto proposed = approvals.propose(editor(), request);
        QCOMPARE(codeOf(proposed), u"ok"_s);
        QCOMPARE(proposed->state, u"open"_s);
        QCOMPARE(proposed->yaml, QByteArray("masked a"));
        QCOMPARE(proposed->commands, (QList<api::ProposedCommands>{{u"worker"_s, u"echo 0.1"_s, false}}));
        QCOMPARE(proposed->digest.size(), 64);
        QCOMPARE(changed.constLast().constFirst().toInt(), 1);
        const api::ApprovedPlan plan{proposed->id, proposed->digest};
        QCOMPARE(codeOf(approvals.submit(editor(), plan)), u"assistant.not-approved"_s);
        world.ms += 1000;
        QCOMPARE(codeOf(approvals.approve({plan.id, plan.digest, u"window"_s, {}})), u"ok"_s);
        QVERIFY(world.submitted.isEmpty()); // the assistant does that
        QVERIFY(approvals.isWaiting());
        const auto reply = approvals.submit(editor(), plan);
        QCOMPARE(codeOf(reply), u"ok"_s);
        QCOMPARE(world.submitted.size(), 1);
        const SubmitRequest &sent = world.submitted.constFirst();
        QCOMPARE(sent.yaml, QByteArray("a"));
        QCOMPARE(sent.parameters.value(u"lr"_s), u"0.1"_s);
        QVERIFY(!sent.priority && sent.after.isEmpty());
        QCOMPARE(sent.tags, QStringList{u"assistant"_s});
        QCOMPARE(world.origins.constFirst(),
            (QJsonObject{{u"name"_s, u"editor"_s}, {u"proposed"_s, 1'000'000}, {u"approved"_s, 1'001'000},
                {u"approvedBy"_s, u"window"_s}, {u"submitted"_s, 1'001'000}}));
        // A replay.
        QCOMPARE(codeOf(approvals.submit(editor(), plan)), u"assistant.used"_s);
        QCOMPARE(codeOf(approvals.approve({plan.id, plan.digest, u"window"_s, {}})), u"assistant.decided"_s);
        QCOMPARE(world.submitted.size(), 1);
        QVERIFY(!approvals.isWaiting());
        QCOMPARE(approvals.proposals().constFirst().job, reply->uuid);
    }

    void forgedPlansAreRefused_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("digest");
        QTest::addColumn<QString>("session");
        QTest::addColumn<QString>("code");
        QTest::newRow("right") << u"own"_s << u"own"_s << u"session-1"_s << u"ok"_s;
        QTest::newRow("no digest") << u"own"_s << u""_s << u"session-1"_s << u"assistant.wrong-digest"_s;
        QTest::newRow("part of it") << u"own"_s << u"part"_s << u"session-1"_s << u"assistant.wrong-digest"_s;
        QTest::newRow("of another text") << u"own"_s << u"other"_s << u"session-1"_s << u"assistant.wrong-digest"_s;
        QTest::newRow("of another proposal") << u"other"_s << u"own"_s << u"session-1"_s << u"assistant.wrong-digest"_s;
        QTest::newRow("the other one") << u"other"_s << u"other"_s << u"session-1"_s << u"assistant.not-approved"_s;
        QTest::newRow("of another assistant") << u"own"_s << u"own"_s << u"session-2"_s << u"assistant.unknown"_s;
        QTest::newRow("of none") << u"own"_s << u"own"_s << u""_s << u"assistant.unknown"_s;
        QTest::newRow("nothing") << u"99"_s << u"own"_s << u"session-1"_s << u"assistant.unknown"_s;
    }
    void forgedPlansAreRefused()
    {
        QFETCH(QString, id);
        QFETCH(QString, digest);
        QFETCH(QString, session);
        QFETCH(QString, code);
        ApprovalsWorld world;
        Approvals approvals(world.door());
        const auto own = approvals.propose(editor(), requestOf("a"));
        const auto other = approvals.propose(editor(), requestOf("a")); // the same text again has another digest
        QVERIFY(own && other && own->digest != other->digest);
        QCOMPARE(codeOf(approvals.approve({own->id, other->digest, u"window"_s, {}})), u"assistant.wrong-digest"_s);
        QCOMPARE(codeOf(approvals.approve({own->id, own->digest, u"terminal"_s, {}})), u"ok"_s);
        const QString givenId = id == "own"_L1 ? own->id : id == "other"_L1 ? other->id : id;
        const QString givenDigest = digest == "own"_L1 ? own->digest
            : digest == "other"_L1                     ? other->digest
            : digest == "part"_L1                      ? own->digest.left(32)
                                                       : digest;
        QCOMPARE(codeOf(approvals.submit({u"editor"_s, session}, {givenId, givenDigest})), code);
        QCOMPARE(world.submitted.size(), code == "ok"_L1 ? 1 : 0);
    }

    void budgetsHold()
    {
        ApprovalsWorld world;
        world.rules = {true, 2, 4};
        world.gpus = 3;
        Approvals approvals(world.door());
        const auto first = approvals.propose(editor(), requestOf("a"));
        const auto second = approvals.propose(editor(), requestOf("b")); // for want of an approval it counts nothing
        QVERIFY(first && second);
        QCOMPARE(codeOf(approvals.approve({first->id, first->digest, u"window"_s, {}})), u"ok"_s);
        QCOMPARE(codeOf(approvals.approve({second->id, second->digest, u"window"_s, {}})), u"assistant.over-gpus"_s);
        QCOMPARE(codeOf(approvals.submit(editor(), {first->id, first->digest})), u"ok"_s);
        QCOMPARE(codeOf(approvals.approve({second->id, second->digest, u"window"_s, {}})), u"assistant.over-gpus"_s);
        world.used = {}; // it has ended
        QCOMPARE(codeOf(approvals.approve({second->id, second->digest, u"window"_s, {}})), u"ok"_s);
        // What has changed between the approval and the submission counts.
        world.rules.maxJobs = 0;
        QCOMPARE(codeOf(approvals.submit(editor(), {second->id, second->digest})), u"assistant.over-jobs"_s);
        world.rules = {false, 2, 4};
        QCOMPARE(codeOf(approvals.submit(editor(), {second->id, second->digest})), u"assistant.off"_s);
        world.rules = {true, 2, 4};
        QCOMPARE(codeOf(approvals.submit(editor(), {second->id, second->digest})), u"ok"_s);
        world.used = {2, 0};
        world.gpus = 0;
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("c"))), u"assistant.over-jobs"_s);
        world.used = {0, 4};
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("c"))), u"ok"_s); // it wants none
        world.gpus = 5;
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("d"))), u"assistant.over-gpus"_s);
        world.used.gpus = 1;
        world.gpus = std::numeric_limits<int>::max(); // their sum must not turn round
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("e"))), u"assistant.over-gpus"_s);
    }

    // It counts, and no list of jobs shows it.
    void approvedProposalsAreNamed()
    {
        ApprovalsWorld world;
        world.rules = {true, 1, 4};
        Approvals approvals(world.door());
        const auto first = approvals.propose(editor(), requestOf("a"));
        QCOMPARE(codeOf(approvals.approve({first->id, first->digest, u"window"_s, {}})), u"ok"_s);
        const auto second = approvals.propose(editor(), requestOf("b"));
        QCOMPARE(codeOf(second), u"assistant.over-jobs-approved"_s);
        QCOMPARE(second.error().args, (QJsonObject{{u"most"_s, 1}, {u"used"_s, 0}, {u"approved"_s, 1}}));
        QCOMPARE(errorText(second.error()),
            u"Assistants may have 1 job at a time (assistants.maxJobs). They have 0 jobs, and 1 approved proposal "
            u"still "
            "to be submitted."_s);
    }

    // A person approves what would run, and not what stands in the file for it.
    void commandsHaveTheirValues()
    {
        const QByteArray text = "protocolVersion: 2\nname: train\ntype: job\nsecrets: {key: hunter2}\n"
                                "parameters: {lr: 0.1}\nprerequisites:\n  - {name: code, type: script, plugin: "
                                "com.microsoft.pai.runtimeplugin.cmd, callbacks: [{event: taskStarts, commands: [git "
                                "pull]}]}\ntaskRoles:\n  worker:\n    prerequisites: [code]\n    resourcePerInstance: "
                                "{cpu: 1, memoryMB: 16, gpu: 0}\n    commands: ['train <% $parameters.lr %> <% "
                                "$secrets.key %>', '"
            + QByteArray(20'000, 'x') + "']\n";
        const ParseOutcome outcome = parseJob(text);
        QVERIFY(outcome.canRun());
        const Result<QList<api::ProposedCommands>> commands = proposedCommands(*outcome.spec);
        QVERIFY(commands && commands->size() == 1);
        const api::ProposedCommands &worker = commands->constFirst();
        QVERIFY2(worker.text.contains(u"git pull\ntrain 0.1 <% $secrets.key %>\nxxx"_s), qPrintable(worker.text.left(200)));
        QVERIFY(worker.isCut && worker.text.size() == 16 * 1024 && !worker.text.contains(u"hunter2"_s));
    }

    void offByDefault()
    {
        ApprovalsWorld world;
        world.rules = {};
        Approvals approvals(world.door());
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("a"))), u"assistant.off"_s);
        QCOMPARE(codeOf(approvals.propose({u"editor"_s, {}}, requestOf("a"))), u"assistant.not-one"_s);
        QVERIFY(approvals.proposals().isEmpty());
    }

    void floodsAreRefused()
    {
        ApprovalsWorld world;
        Approvals approvals(world.door());
        for (int i = 0; i < Approvals::mostOpen; ++i) {
            QCOMPARE(codeOf(approvals.propose({u"x"_s, u"session-%1"_s.arg(i)}, requestOf("a"))), u"ok"_s);
        }
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("a"))), u"assistant.too-many"_s);
        for (int i = Approvals::mostOpen + 1; i < Approvals::mostAMinute; ++i) {
            QCOMPARE(codeOf(approvals.propose(editor(), requestOf("a"))), u"assistant.too-many"_s);
        }
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("a"))), u"assistant.too-fast"_s);
        world.ms += 60'000;
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("a"))), u"assistant.too-many"_s);
        const QList<api::Proposal> all = approvals.proposals();
        QCOMPARE(codeOf(approvals.refuse({all.constFirst().id, u"window"_s})), u"ok"_s);
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("broken"))), u"job.invalid"_s);
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf(QByteArray(Approvals::longestDocument + 1, 'x')))),
            u"assistant.too-long"_s);
        SubmitRequest wide = requestOf("a");
        wide.parameters.insert(u"lr"_s, QString(100'000, u'1'));
        QCOMPARE(codeOf(approvals.propose(editor(), wide)), u"assistant.too-long"_s);
        QCOMPARE(codeOf(approvals.propose(editor(), requestOf("a"))), u"ok"_s);
    }

    void thingsExpire()
    {
        ApprovalsWorld world;
        Approvals approvals(world.door());
        const auto first = approvals.propose(editor(), requestOf("a"));
        QVERIFY(first);
        world.ms += Approvals::openMs - 1;
        QCOMPARE(approvals.proposal(editor(), first->id)->state, u"open"_s);
        world.ms += 1;
        QCOMPARE(approvals.proposal(editor(), first->id)->state, u"expired"_s);
        QCOMPARE(codeOf(approvals.approve({first->id, first->digest, u"window"_s, {}})), u"assistant.decided"_s);
        QCOMPARE(codeOf(approvals.submit(editor(), {first->id, first->digest})), u"assistant.expired"_s);
        const auto second = approvals.propose(editor(), requestOf("b"));
        QVERIFY(second);
        QCOMPARE(codeOf(approvals.approve({second->id, second->digest, u"window"_s, {}})), u"ok"_s);
        world.ms += Approvals::approvedMs;
        QCOMPARE(codeOf(approvals.submit(editor(), {second->id, second->digest})), u"assistant.expired"_s);
        QVERIFY(world.submitted.isEmpty());
        // Old ones make room for new ones.
        for (int i = 0; i < 2 * Approvals::mostKept; ++i) {
            world.ms += Approvals::openMs;
            QCOMPARE(codeOf(approvals.propose(editor(), requestOf("c"))), u"ok"_s);
        }
        QCOMPARE(approvals.proposals().size(), Approvals::mostKept);
    }

    void refusalsHold()
    {
        ApprovalsWorld world;
        Approvals approvals(world.door());
        const auto first = approvals.propose(editor(), requestOf("a"));
        QVERIFY(first);
        QCOMPARE(codeOf(approvals.refuse({first->id, u"terminal"_s})), u"ok"_s);
        QCOMPARE(codeOf(approvals.approve({first->id, first->digest, u"window"_s, {}})), u"assistant.decided"_s);
        QCOMPARE(codeOf(approvals.submit(editor(), {first->id, first->digest})), u"assistant.refused"_s);
        const auto second = approvals.propose(editor(), requestOf("b"));
        QVERIFY(second);
        QCOMPARE(codeOf(approvals.approve({second->id, second->digest, u"window"_s, {}})), u"ok"_s);
        QCOMPARE(codeOf(approvals.refuse({second->id, u"window"_s})), u"ok"_s); // taken back
        QCOMPARE(codeOf(approvals.submit(editor(), {second->id, second->digest})), u"assistant.refused"_s);
        QCOMPARE(codeOf(approvals.refuse({second->id, u"window"_s})), u"assistant.decided"_s);
        QCOMPARE(codeOf(approvals.refuse({u"99"_s, u"window"_s})), u"assistant.unknown"_s);
    }

    // A person gives them with the approval, and nothing of them is told.
    void secretsComeFromPeople()
    {
        ApprovalsWorld world;
        world.needed = QStringList{u"token"_s};
        Approvals approvals(world.door());
        SubmitRequest smuggled = requestOf("a");
        smuggled.secrets.insert(u"token"_s, u"guess"_s);
        QCOMPARE(codeOf(approvals.propose(editor(), smuggled)), u"assistant.secrets-given"_s);
        const auto proposed = approvals.propose(editor(), requestOf("a"));
        QVERIFY(proposed);
        QCOMPARE(
            codeOf(approvals.approve({proposed->id, proposed->digest, u"window"_s, {}})), u"job.secrets-missing"_s);
        QCOMPARE(approvals.proposal(editor(), proposed->id)->state, u"open"_s);
        const QMap<QString, QString> given{{u"token"_s, u"correct-horse"_s}};
        QCOMPARE(codeOf(approvals.approve({proposed->id, proposed->digest, u"terminal"_s, given})), u"ok"_s);
        // A submission that fails can be made again.
        world.refusal = Error{u"store.full"_s, {}};
        QCOMPARE(codeOf(approvals.submit(editor(), {proposed->id, proposed->digest})), u"store.full"_s);
        QCOMPARE(codeOf(approvals.submit(editor(), {proposed->id, proposed->digest})), u"ok"_s);
        QCOMPARE(world.submitted.constFirst().secrets, given);
    }

    void stopsOnlyItsOwnJobs()
    {
        ApprovalsWorld world;
        Approvals approvals(world.door());
        QCOMPARE(codeOf(approvals.proposeStop(editor(), u"uuid-1"_s)), u"assistant.not-yours"_s);
        const auto proposed = approvals.propose(editor(), requestOf("a"));
        QVERIFY(proposed && approvals.approve({proposed->id, proposed->digest, u"window"_s, {}}));
        const auto reply = approvals.submit(editor(), {proposed->id, proposed->digest});
        QVERIFY(reply);
        QCOMPARE(codeOf(approvals.proposeStop({u"other"_s, u"session-2"_s}, reply->uuid)), u"assistant.not-yours"_s);
        const auto stop = approvals.proposeStop(editor(), reply->uuid);
        QCOMPARE(codeOf(stop), u"ok"_s);
        QVERIFY(world.stopped.isEmpty());
        QCOMPARE(codeOf(approvals.submit(editor(), {stop->id, stop->digest})), u"assistant.used"_s);
        QVERIFY(world.stopped.isEmpty());
        QCOMPARE(codeOf(approvals.approve({stop->id, stop->digest, u"window"_s, {}})), u"ok"_s);
        QCOMPARE(world.stopped, QStringList{reply->uuid});
        QCOMPARE(world.whyStopped.code, u"stop.assistant"_s);
        QCOMPARE(world.whyStopped.args, (QJsonObject{{u"name"_s, u"editor"_s}}));
        QCOMPARE(codeOf(approvals.approve({stop->id, stop->digest, u"window"_s, {}})), u"assistant.decided"_s);
        QCOMPARE(world.stopped.size(), 1);
    }

    void namesAreShort()
    {
        QCOMPARE(Approvals::shownName(u"claude-code 1.0"_s), u"claude-code 1.0"_s);
        QCOMPARE(Approvals::shownName(u"a\nb\x1b[2J\x202e"_s), u"a b[2J"_s);
        QCOMPARE(Approvals::shownName({}), u"?"_s);
        QCOMPARE(Approvals::shownName(QString(500, u'x')).size(), 60);
    }
};

TRAINYARD_TEST(TstApprovals)
#include "tst_approvals.moc"
