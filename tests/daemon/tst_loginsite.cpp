// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/settings.h"
#include "engine/clusters/loginsite.h"
#include "engine/clusters/slurmcheck.h"
#include "engine/clusters/slurmcommands.h"
#include "engine/clusters/slurmtarget.h"
#include "engine/series/seriesset.h"
#include "engine/series/writer.h"
#include "tests/helpers/faketransport.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <limits>

using namespace trainyard;
using namespace Qt::StringLiterals;

// A login node that says what a test wants: what is written there and in which order, what comes from there, and what
// is done when the line is cut.
class TstLoginSite : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void settingsNameIt();
    void commandsGoThere();
    void commandsSayThatItIsAway();
    void checksTellWhatIsNotKnown_data();
    void checksTellWhatIsNotKnown();
    void theLastFileIsLast();
    void refusalsAndCutsEndADelivery();
    void changesComeHere();
    void whatIsNotSeenThereIsNotMissing();
    void changesWithoutRoom();
    void theLogComesBeforeTheEnd();
    void figuresOfAStepComeWhileItRuns();
    void aFolderThatIsSeenAgainHasItsEnd();
    void aLogWithoutRoomIsTold();
    void removalsAreNotForgotten();
    void removalsWithoutRoom();

private:
    FakeTransport *helper() const { return m_transports.value(0); }
    void reach(); // it comes online
    template <typename T> std::int64_t idOf() const { return helper()->asked<T>()->first; }
    QString here(const QString &name) const { return m_folder->filePath(name); }
    static contract::ChangedFiles changed(const std::string &path, const std::string &text, std::int64_t at)
    {
        contract::ChangedFiles files;
        files.files.push_back({path, text.size(), at, false});
        files.contents.push_back(text);
        return files;
    }

    qint64 m_reserve = 0; // bytes of this disk
    QList<FakeTransport *> m_transports;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<AgentConnection> m_agent;
    std::unique_ptr<LoginSite> m_site;
};

void TstLoginSite::init()
{
    m_reserve = 0;
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(here(u"engine.json"_s));
    QVERIFY(m_settings->set(u"clusters.pollSeconds"_s, 1));
    AgentConnection::Options options;
    options.makeTransport = [this] { return std::make_unique<FakeTransport>(&m_transports); };
    options.firstPauseMs = 1;
    options.lastPauseMs = 20;
    options.sampleIntervalMs = 0;
    m_agent = std::make_unique<AgentConnection>(options);
    m_site = std::make_unique<LoginSite>(
        LoginSite::Options{u"lab1"_s, [this] { return m_agent.get(); }, [] { return u"me@lab1"_s; }, u"own"_s,
            here(u"book"_s), [this](qint64) { return m_reserve; }},
        *m_settings);
    connect(m_agent.get(), &AgentConnection::stateChanged, m_site.get(), [this] { m_site->hostChanged(); });
    m_agent->start();
}

void TstLoginSite::cleanup()
{
    m_site.reset();
    m_agent.reset();
}

void TstLoginSite::reach()
{
    QTRY_VERIFY(helper() && helper()->isStarted);
    helper()->banner();
    contract::HelloReply hello;
    hello.stateFolder = "/home/me/.local/state/trainyard/4711";
    hello.home = "/home/me";
    hello.user = "ada"; // by which a home folder need not be called
    hello.build = "abc";
    helper()->say(idOf<contract::HelloRequest>(), hello);
    helper()->say(idOf<contract::InventoryRequest>(), contract::Inventory());
    QVERIFY(m_site->isOnline());
}

// The home folder is that of the login node, which is not known yet.
void TstLoginSite::settingsNameIt()
{
    QVERIFY(m_settings->set(u"slurm.lab"_s, u"default"_s));
    QVERIFY(m_settings->set(u"slurmFolder.lab"_s, u"~/runs"_s));
    QCOMPARE(slurmTargetsOf(*m_settings).front().folder, QString(QDir::homePath() + u"/runs"_s));
    QVERIFY(m_settings->set(u"slurmLogin.lab"_s, u"lab1"_s));
    const SlurmTarget target = slurmTargetsOf(*m_settings).front();
    QCOMPARE(target.login, u"lab1"_s);
    QCOMPARE(target.folder, u"~/runs"_s);
    QVERIFY(target.problem.code.isEmpty());
    QVERIFY(m_settings->set(u"slurmFolder.lab"_s, u"runs"_s));
    QCOMPARE(slurmTargetsOf(*m_settings).front().problem.code, u"slurm.folder-relative"_s);
}

void TstLoginSite::commandsGoThere()
{
    SlurmCommands commands([this] { return m_agent.get(); });
    reach();
    std::optional<SlurmCommands::Answer> answer;
    commands.run(u"squeue"_s, {u"--me"_s}, [&answer](const SlurmCommands::Answer &given) { answer = given; });
    const auto asked = helper()->asked<contract::RunProgram>();
    QVERIFY(asked && asked->second.program == "squeue" && asked->second.arguments == std::vector<std::string>{"--me"});
    contract::ProgramSaid said;
    said.state = "done";
    said.out = "rows";
    helper()->say(asked->first, said);
    QVERIFY(answer && answer->isGood());
    QCOMPARE(answer->out, QByteArray("rows"));
    for (const auto &[state, kind] : {std::pair("missing", SlurmCommands::Answer::Kind::Missing),
             std::pair("late", SlurmCommands::Answer::Kind::TimedOut),
             std::pair("long", SlurmCommands::Answer::Kind::Done)}) {
        commands.run(u"sacct"_s, {}, [&answer](const SlurmCommands::Answer &given) { answer = given; });
        said.state = state;
        helper()->say(idOf<contract::RunProgram>(), said);
        QVERIFY(answer && answer->kind == kind && !answer->isGood());
    }
}

void TstLoginSite::commandsSayThatItIsAway()
{
    SlurmCommands commands([this] { return m_agent.get(); });
    std::optional<SlurmCommands::Answer> answer;
    const auto take = [&answer](const SlurmCommands::Answer &given) { answer = given; };
    commands.run(u"squeue"_s, {}, take);
    QVERIFY(!answer); // never before run() has returned
    QTRY_VERIFY(answer && answer->kind == SlurmCommands::Answer::Kind::Away);
    QCOMPARE(m_site->absence().code, u"slurm.login-away"_s);
    reach();
    answer.reset();
    commands.run(u"sbatch"_s, {}, take);
    QVERIFY(helper()->asked<contract::RunProgram>());
    helper()->end(u"host.cut"_s);
    QTRY_VERIFY(answer && answer->kind == SlurmCommands::Answer::Kind::Away);
}

void TstLoginSite::checksTellWhatIsNotKnown_data()
{
    QTest::addColumn<QString>("images");
    QTest::addColumn<QString>("state"); // of srun
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("code");
    QTest::addColumn<bool>("isGood");
    const QString pyxis = u"pyxis"_s, done = u"done"_s;
    QTest::newRow("its option is there") << pyxis << done << 0 << u"  --container-image=IMAGE"_s << QString() << true;
    QTest::newRow("its option is not there") << pyxis << done << 0 << u"Usage: srun"_s << u"slurm.no-pyxis"_s << false;
    QTest::newRow("a helper that does not know srun")
        << pyxis << u"missing"_s << -1 << QString() << u"slurm.images-helper"_s << true;
    QTest::newRow("srun fails") << pyxis << done << 1 << u"srun: error: no"_s << u"slurm.pyxis-unknown"_s << true;
    QTest::newRow("srun is silent") << pyxis << u"late"_s << -1 << QString() << u"slurm.pyxis-unknown"_s << true;
    QTest::newRow("a helper that does not know srun, for apptainer")
        << u"apptainer"_s << u"missing"_s << -1 << QString() << u"slurm.images-helper"_s << true;
}

// What could not be asked is not missing.
void TstLoginSite::checksTellWhatIsNotKnown()
{
    QFETCH(const QString, images);
    QFETCH(const QString, state);
    QFETCH(const int, status);
    QFETCH(const QString, says);
    QFETCH(const QString, code);
    QFETCH(const bool, isGood);
    SlurmCommands commands([this] { return m_agent.get(); });
    reach();
    SlurmTarget target;
    target.name = u"lab"_s;
    target.login = u"lab1"_s;
    target.images = images;
    std::optional<ClusterInfo> checked;
    SlurmCheck::run(commands, m_site.get(), target, {}, {}, [&checked](const ClusterInfo &info) { checked = info; });
    const auto answer = [this](const std::string &program, contract::ProgramSaid said) {
        const auto asked = helper()->asked<contract::RunProgram>();
        if (!asked || asked->second.program != program) {
            return false;
        }
        helper()->say(asked->first, std::move(said));
        return true;
    };
    contract::ProgramSaid good;
    good.state = "done";
    QVERIFY(answer("sbatch", good));
    QVERIFY(answer("sinfo", good));
    QVERIFY(answer("squeue", good)); // own jobs: none
    QVERIFY(answer("sinfo", good)); // free GPUs: none
    QVERIFY(answer("sacctmgr", good)); // limits: no account
    helper()->say(idOf<contract::CopyHelper>(), contract::Done{});
    helper()->say(idOf<contract::Put>(), contract::Done{});
    contract::ProgramSaid said;
    said.state = state.toStdString();
    said.status = status;
    said.out = says.toStdString();
    QVERIFY(answer("srun", said));
    QVERIFY(answer("sbatch", good)); // of the others nothing is lost
    QVERIFY(checked);
    QCOMPARE(checked->steps.size(), 8);
    QCOMPARE(checked->steps.at(4).code, u"slurm.limits-no-account"_s);
    QCOMPARE(checked->steps.at(4).args.value("user"_L1).toString(), u"ada"_s);
    QCOMPARE(checked->steps.at(6).id, u"images"_s);
    QCOMPARE(checked->steps.at(6).code, code);
    QCOMPARE(checked->steps.at(6).isGood, isGood);
    QVERIFY(checked->steps.at(7).isGood);
}

void TstLoginSite::theLastFileIsLast()
{
    reach();
    const QString root = m_site->rootFor({});
    QCOMPARE(root, u"/home/me/.local/state/trainyard/clusters/own"_s); // not of this one login node
    QCOMPARE(m_site->rootFor(u"~/scratch"_s), u"/home/me/scratch/trainyard-own"_s);
    std::optional<Result<void>> done;
    m_site->deliver(root, {{root + u"/launch-0"_s, QByteArray(600 * 1024, 's')}, {root + u"/plan.json"_s, "{}"}},
        [&done](const Result<void> &answer) { done = answer; });
    QCOMPARE(helper()->asked<contract::CopyHelper>()->second.path, m_site->helperIn(root).toStdString());
    QVERIFY(!helper()->asked<contract::CopyHelper>()->second.trustsOwners);
    QCOMPARE(helper()->count<contract::Put>(), 0); // it has still to say that nobody else can change the folder
    helper()->say(idOf<contract::CopyHelper>(), contract::Done{});
    QCOMPARE(helper()->count<contract::Put>(), 3); // the mark, and a file of two pieces
    std::vector<std::int64_t> open;
    for (const contract::Envelope &envelope : helper()->said) {
        if (const auto *put = std::get_if<contract::Put>(&envelope.message)) {
            open.push_back(envelope.id);
            QVERIFY(!put->path.ends_with("plan.json"));
            QCOMPARE(put->mode, 0600);
        }
    }
    for (const std::int64_t id : open) {
        QVERIFY(!done);
        helper()->say(id, contract::Done{});
    }
    QCOMPARE(helper()->asked<contract::Put>()->second.path, QString(root + u"/plan.json"_s).toStdString());
    QVERIFY(!done);
    helper()->say(idOf<contract::Put>(), contract::Done{});
    QVERIFY(done && done->has_value());
}

void TstLoginSite::refusalsAndCutsEndADelivery()
{
    std::optional<Result<void>> done;
    const auto take = [&done](const Result<void> &answer) { done = answer; };
    m_site->deliver(u"/r"_s, {}, take);
    QTRY_VERIFY(done && !done->has_value());
    QCOMPARE(done->error().code, u"host.gone"_s);
    reach();
    done.reset();
    m_site->deliver(u"/r"_s, {{u"/r/plan.json"_s, "{}"}}, take);
    helper()->say(idOf<contract::CopyHelper>(), contract::Done{});
    helper()->say(idOf<contract::Put>(), contract::Failure{"put.failed", "/r", EROFS});
    QVERIFY(done && !done->has_value());
    QCOMPARE(done->error().code, u"slurm.login-folder"_s);
    QCOMPARE(done->error().args.value(u"host"_s).toString(), u"lab1"_s);
    done.reset();
    const int puts = helper()->count<contract::Put>();
    m_site->deliver(u"/data/prof/r"_s, {{u"/data/prof/r/launch-0"_s, "secret"}}, take);
    helper()->say(idOf<contract::CopyHelper>(), contract::Failure{"folder.swappable", "/data/prof", EPERM});
    QVERIFY(done && !done->has_value());
    QCOMPARE(done->error().code, u"slurm.login-swappable"_s);
    QCOMPARE(done->error().args.value(u"part"_s).toString(), u"/data/prof"_s);
    QCOMPARE(done->error().args.value(u"folder"_s).toString(), u"/data/prof/r"_s);
    QCOMPARE(helper()->count<contract::Put>(), puts); // nothing was written there
    done.reset();
    m_site->deliver(u"/r"_s, {{u"/r/plan.json"_s, "{}"}}, take);
    helper()->end(u"host.cut"_s);
    QTRY_VERIFY(done && !done->has_value());
    QCOMPARE(done->error().code, u"host.gone"_s);
}

void TstLoginSite::changesComeHere()
{
    QSignalSpy looked(m_site.get(), &LoginSite::looked);
    m_site->watch(u"/r"_s, u"/r/runs/j/allocations/a"_s, here(u"a"_s), {u"placed"_s, u"end"_s});
    reach();
    QTRY_VERIFY(helper()->asked<contract::ReadChanged>());
    const auto asked = helper()->asked<contract::ReadChanged>();
    QCOMPARE(asked->second.dir, std::string("/r"));
    QCOMPARE(asked->second.known.size(), std::size_t(2)); // one question for all
    QCOMPARE(asked->second.known.back(), (contract::FileEntry{"runs/j/allocations/a/placed", 0, 0, false}));
    helper()->say(asked->first, changed("runs/j/allocations/a/placed", "here", 77));
    QCOMPARE(looked.size(), 1);
    QVERIFY(m_site->lookedAt() > 0);
    QCOMPARE(contract::readWhole(here(u"a/placed"_s).toStdString()).value_or(""), std::string("here"));
    // The next question says what is known.
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 2);
    QCOMPARE(helper()->asked<contract::ReadChanged>()->second.known.back(),
        (contract::FileEntry{"runs/j/allocations/a/placed", 4, 77, false}));
    // What was not looked at is not known.
    const qint64 before = m_site->lookedAt();
    contract::ChangedFiles none;
    none.systemError = ETIMEDOUT;
    helper()->say(idOf<contract::ReadChanged>(), none);
    QCOMPARE(m_site->lookedAt(), before);
    QCOMPARE(looked.size(), 1);
}

// A file system that is not mounted there, and a file server that does not answer.
void TstLoginSite::whatIsNotSeenThereIsNotMissing()
{
    QSignalSpy looked(m_site.get(), &LoginSite::looked);
    m_site->watch(u"/r"_s, u"/r/runs/j/allocations/a"_s, here(u"a"_s), {u"end"_s});
    m_site->watch(u"/s"_s, u"/s/runs/k/allocations/a"_s, here(u"b"_s), {u"placed"_s});
    reach();
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 1);
    contract::ChangedFiles away;
    away.systemError = ENOENT;
    helper()->say(idOf<contract::ReadChanged>(), away);
    QCOMPARE(helper()->count<contract::ReadChanged>(), 2); // what is on another one comes all the same
    QCOMPARE(helper()->asked<contract::ReadChanged>()->second.dir, std::string("/s"));
    contract::ChangedFiles some = changed("runs/k/allocations/a/placed", "here", 77);
    some.isUnread = true;
    helper()->say(idOf<contract::ReadChanged>(), some);
    QVERIFY(QFile::exists(here(u"b/placed"_s)));
    QCOMPARE(looked.size(), 1);
    QCOMPARE(m_site->lookedAt(), 0);
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 3);
    helper()->say(idOf<contract::ReadChanged>(), contract::ChangedFiles());
    QCOMPARE(helper()->count<contract::ReadChanged>(), 4);
    contract::ChangedFiles unread;
    unread.isUnread = true;
    helper()->say(idOf<contract::ReadChanged>(), unread);
    QCOMPARE(m_site->lookedAt(), 0);
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 5);
    helper()->say(idOf<contract::ReadChanged>(), contract::ChangedFiles());
    helper()->say(idOf<contract::ReadChanged>(), contract::ChangedFiles());
    QVERIFY(m_site->lookedAt() > 0);
}

// A full disk, as a file in the way is here: nothing is asked for at once again, and nothing counts as seen.
void TstLoginSite::changesWithoutRoom()
{
    QFile inTheWay(here(u"a"_s));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    QSignalSpy looked(m_site.get(), &LoginSite::looked);
    m_site->watch(u"/r"_s, u"/r/runs/j/allocations/a"_s, here(u"a"_s), {u"placed"_s});
    reach();
    QTRY_VERIFY(helper()->asked<contract::ReadChanged>());
    contract::ChangedFiles files = changed("runs/j/allocations/a/placed", "here", 77);
    files.isCut = true;
    helper()->say(idOf<contract::ReadChanged>(), files);
    QCOMPARE(helper()->count<contract::ReadChanged>(), 1);
    QCOMPARE(looked.size(), 1);
    QCOMPARE(m_site->lookedAt(), 0);
    QVERIFY(inTheWay.remove());
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 2); // after a while
    helper()->say(idOf<contract::ReadChanged>(), files);
    QCOMPARE(contract::readWhole(here(u"a/placed"_s).toStdString()).value_or(""), std::string("here"));
    QCOMPARE(helper()->count<contract::ReadChanged>(), 3); // for what was cut off
    helper()->say(idOf<contract::ReadChanged>(), contract::ChangedFiles());
    QVERIFY(m_site->lookedAt() > 0);
}

void TstLoginSite::theLogComesBeforeTheEnd()
{
    const QUuid uuid = QUuid::createUuid();
    const QString folder = here(u"try"_s);
    QVERIFY(QDir().mkpath(folder));
    m_site->watchTry(uuid, u"/r"_s, u"/r/runs/j/0/worker-0/0"_s, folder);
    reach();
    QTRY_VERIFY(helper()->asked<contract::ReadChanged>());
    contract::ExitRecord record;
    record.kind = contract::ExitKind::Exited;
    helper()->say(idOf<contract::ReadChanged>(), changed("runs/j/0/worker-0/0/exit", record.format(), 5));
    QVERIFY(m_site->isEndOnItsWay(folder));
    QVERIFY(!contract::readExitRecord(folder.toStdString()));
    const auto follow = helper()->asked<contract::Follow>();
    QVERIFY(follow && follow->second.dir == "/r/runs/j/0/worker-0/0" && follow->second.isShared);
    contract::Chunk chunk;
    chunk.file = contract::file::output;
    chunk.bytes = "all of it";
    helper()->say(follow->first, chunk);
    contract::Chunk last;
    last.end = true;
    helper()->say(follow->first, last);
    contract::Observed observed;
    observed.state = "ended";
    observed.exit = record;
    QVERIFY(helper()->asked<contract::Observe>());
    helper()->say(idOf<contract::Observe>(), observed);
    QVERIFY(contract::readExitRecord(folder.toStdString()));
    QCOMPARE(
        contract::readWhole(QString(folder + u"/output.log"_s).toStdString()).value_or(""), std::string("all of it"));
}

// What its helper measures on the node, and writes into the folder that the nodes share.
void TstLoginSite::figuresOfAStepComeWhileItRuns()
{
    const QString folder = here(u"try"_s), onNode = here(u"of-node.series"_s);
    constexpr std::int64_t began = 1'700'000'000'000;
    const auto measure = [&onNode](std::int64_t at, double cores) {
        series::Error error;
        const auto writer = series::Writer::open(onNode.toStdString(), error);
        if (writer) {
            writer->append(
                *writer->define({"cpu", series::Axis::Time, series::StepBack::Mixed}), {double(at), at, cores});
        }
        return writer != nullptr;
    };
    const auto measured = [&onNode] { return contract::readWhole(onNode.toStdString()).value_or(""); };
    QVERIFY(measure(began, 1.5));
    m_site->watchTry(QUuid::createUuid(), u"/r"_s, u"/r/runs/j/0/worker-0/0"_s, folder);
    reach();
    QTRY_VERIFY(helper()->asked<contract::ReadChanged>());
    contract::StartedRecord started;
    started.at = began;
    started.gpus = {1};
    helper()->say(idOf<contract::ReadChanged>(), changed("runs/j/0/worker-0/0/started", started.format(), 5));
    const auto follow = helper()->asked<contract::Follow>();
    QVERIFY(follow && follow->second.isShared);
    QCOMPARE(follow->second.figures, std::uint64_t(0));
    contract::Chunk chunk;
    chunk.file = contract::file::figures;
    chunk.bytes = measured();
    helper()->say(follow->first, chunk);
    series::SeriesSet set(folder.toStdString() + '/' + contract::file::figures);
    set.poll();
    const auto cpu = set.find("cpu");
    QVERIFY(cpu && set.series(*cpu).largest());
    QCOMPARE(set.series(*cpu).largest()->value, 1.5);
    QVERIFY(measure(began + 2000, 3.0));
    chunk.offset = chunk.bytes.size();
    chunk.bytes = measured().substr(chunk.offset);
    QVERIFY(!chunk.bytes.empty());
    helper()->say(follow->first, chunk);
    set.poll();
    QCOMPARE(set.series(*cpu).largest()->value, 3.0);
    QVERIFY(!QFile::exists(folder + u"/exit"_s));
}

// Its end was seen, and then its file system was not mounted while the log was to come.
void TstLoginSite::aFolderThatIsSeenAgainHasItsEnd()
{
    const QString folder = here(u"try"_s);
    QVERIFY(QDir().mkpath(folder));
    m_site->watchTry(QUuid::createUuid(), u"/r"_s, u"/r/runs/j/0/worker-0/0"_s, folder);
    reach();
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 1);
    contract::ExitRecord record;
    record.kind = contract::ExitKind::Exited;
    const contract::ChangedFiles end = changed("runs/j/0/worker-0/0/exit", record.format(), 5);
    helper()->say(idOf<contract::ReadChanged>(), end);
    QVERIFY(m_site->isEndOnItsWay(folder) && m_site->lookedAt() > 0);
    contract::Chunk last;
    last.end = true;
    QVERIFY(helper()->asked<contract::Follow>());
    helper()->say(idOf<contract::Follow>(), last);
    contract::Observed absent;
    absent.state = "absent";
    QVERIFY(helper()->asked<contract::Observe>());
    helper()->say(idOf<contract::Observe>(), absent);
    QVERIFY(!m_site->isEndOnItsWay(folder));
    QCOMPARE(m_site->lookedAt(), 0); // so nobody says that there is no record
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 2);
    contract::ChangedFiles away;
    away.systemError = ENOENT;
    helper()->say(idOf<contract::ReadChanged>(), away);
    QCOMPARE(m_site->lookedAt(), 0);
    QTRY_COMPARE(helper()->count<contract::ReadChanged>(), 3);
    for (const contract::FileEntry &known : helper()->asked<contract::ReadChanged>()->second.known) {
        QCOMPARE(known.bytes, std::uint64_t(0));
    }
    helper()->say(idOf<contract::ReadChanged>(), end);
    QVERIFY(m_site->isEndOnItsWay(folder));
    QCOMPARE(helper()->count<contract::Follow>(), 2);
}

// This disk is nearly full.
void TstLoginSite::aLogWithoutRoomIsTold()
{
    const QUuid uuid = QUuid::createUuid();
    const QString folder = here(u"try"_s);
    QVERIFY(QDir().mkpath(folder));
    m_site->watchTry(uuid, u"/r"_s, u"/r/runs/j/0/worker-0/0"_s, folder);
    QSignalSpy room(m_site.get(), &LoginSite::roomChanged);
    reach();
    QTRY_VERIFY(helper()->asked<contract::ReadChanged>());
    contract::ExitRecord record;
    record.kind = contract::ExitKind::Exited;
    helper()->say(idOf<contract::ReadChanged>(), changed("runs/j/0/worker-0/0/exit", record.format(), 5));
    QVERIFY(helper()->asked<contract::Follow>());
    contract::Chunk chunk;
    chunk.file = contract::file::output;
    chunk.bytes = "all of it";
    m_reserve = std::numeric_limits<qint64>::max() / 4;
    helper()->say(idOf<contract::Follow>(), chunk);
    QVERIFY(m_site->lacksRoom(uuid));
    QCOMPARE(room.size(), 1);
    QCOMPARE(room.constFirst().constFirst().toUuid(), uuid);
    QVERIFY(!QFile::exists(folder + u"/output.log"_s));
}

void TstLoginSite::removalsAreNotForgotten()
{
    m_site->removeRun(u"/r"_s, u"job"_s);
    m_site->removeLaunches(u"/r"_s, u"job"_s, u"a"_s);
    reach();
    QCOMPARE(helper()->count<contract::RemoveRun>(), 2);
    std::set<std::string> launches;
    std::vector<std::int64_t> ids;
    for (const contract::Envelope &envelope : helper()->said) {
        if (const auto *gone = std::get_if<contract::RemoveRun>(&envelope.message)) {
            QVERIFY(gone->root == "/r" && gone->job == "job");
            launches.insert(gone->launches);
            ids.push_back(envelope.id);
        }
    }
    QCOMPARE(launches, (std::set<std::string>{"", "a"}));
    const auto kept = [this] { return QDir(here(u"book/removals"_s)).entryList(QDir::Files).size(); };
    m_site->removeRun(u"/r"_s, u"other"_s); // those that have no answer yet are not asked for once more
    QCOMPARE(helper()->count<contract::RemoveRun>(), 3);
    helper()->say(idOf<contract::RemoveRun>(), contract::Done{});
    helper()->say(ids.at(0), contract::Failure{"cluster.failed", "/r", EIO});
    QCOMPARE(kept(), 2); // it is asked for again
    helper()->say(ids.at(1), contract::Done{});
    QCOMPARE(kept(), 1);
    m_site->removeRun(u"/r"_s, u"third"_s);
    QCOMPARE(helper()->count<contract::RemoveRun>(), 5);
}

// A full disk, as something in the way is here: what may hold secrets is removed all the same, and noted later.
void TstLoginSite::removalsWithoutRoom()
{
    const QString removals = here(u"book/removals"_s);
    const auto kept = [&removals] { return QDir(removals).entryList(QDir::Files).size(); };
    QVERIFY(QDir().rmdir(removals));
    QFile inTheWay(removals);
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    m_site->removeLaunches(u"/r"_s, u"job"_s, u"a"_s);
    m_site->removeLaunches(u"/r"_s, u"job"_s, u"b"_s);
    reach();
    QCOMPARE(helper()->count<contract::RemoveRun>(), 2);
    helper()->say(idOf<contract::RemoveRun>(), contract::Done{}); // of the newest
    QVERIFY(inTheWay.remove() && QDir().mkpath(removals));
    QTRY_COMPARE(kept(), 1);
}

TRAINYARD_TEST(TstLoginSite)
#include "tst_loginsite.moc"
