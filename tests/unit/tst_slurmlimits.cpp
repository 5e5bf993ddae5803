// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmpause.h"
#include "engine/clusters/slurmrefusal.h"
#include "engine/clusters/slurmscript.h"
#include "engine/clusters/slurmtext.h"
#include "engine/contract/slurmtime.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a cluster refuses, for how long, and what becomes of the time that it gives.
class TstSlurmLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTimeIsRemembered();
    void refusals_data();
    void refusals();
    void refusalsOfNobody();
    void unconfigured();
    void whyThereIsNoAnswer_data();
    void whyThereIsNoAnswer();
    void refusalsBecomeFinal();
    void othersWaitForOne();
    void times_data();
    void times();
    void notices_data();
    void notices();
    void noticeIsAskedFor_data();
    void noticeIsAskedFor();
    void preparationHasItsOwnTime();
    void theTimeGoesOn();

private:
    static constexpr const char *policy
        = "Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time "
          "limits)";
};

void TstSlurmLimits::refusals_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *name, const QByteArray &said, const QString &words, slurm::Refusal kind) {
        QTest::newRow(name) << said << words << int(kind);
    };
    row("plugin's own words",
        "sbatch: error: Use an account of your project.\nsbatch: error: Batch job submission failed: Unspecified "
        "error\n",
        u"Use an account of your project."_s, slurm::Refusal::Final);
    row("partition",
        "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid "
        "partition name specified\n",
        u"Batch job submission failed: Invalid partition name specified"_s, slurm::Refusal::Final);
    row("key of the login node",
        "sbatch: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\": No such file or "
        "directory\nsbatch: error: Batch job submission failed: Protocol authentication error\n",
        u"Batch job submission failed: Protocol authentication error"_s, slurm::Refusal::Silent);
    row("no configuration", "sbatch: fatal: Could not establish a configuration source\n",
        u"Could not establish a configuration source"_s, slurm::Refusal::Silent);
    row("half a configuration",
        "sbatch: error: ClusterName needs to be specified\nsbatch: fatal: Unable to process configuration file\n",
        u"Unable to process configuration file"_s, slurm::Refusal::Silent);
    row("no name of the controller",
        "sbatch: error: get_addr_info: getaddrinfo() fAiled: Name or service not known\nsbatch: error: slurm_set_addr: "
        "Unable to resolve \"ctl\"\nsbatch: error: Unable to establish control machine address\nsbatch: error: Batch "
        "job submission failed: No error\n",
        u"Unable to establish control machine address"_s, slurm::Refusal::Silent);
    row("no error and nothing else", "sbatch: error: Batch job submission failed: No error\n",
        u"Batch job submission failed: No error"_s, slurm::Refusal::Final);
    const auto simple = [&row](const char *sentence, slurm::Refusal kind) {
        row(sentence, QByteArray("sbatch: error: Batch job submission failed: ") + sentence + '\n',
            u"Batch job submission failed: "_s + QString::fromLatin1(sentence), kind);
    };
    simple("Unable to contact slurm controller (connect failure)", slurm::Refusal::Silent);
    simple("Connection refused", slurm::Refusal::Silent);
    simple("Connection reset by peer", slurm::Refusal::Silent);
    simple("No route to host", slurm::Refusal::Silent);
    simple("Network is unreachable", slurm::Refusal::Silent);
    simple("Temporary failure in name resolution", slurm::Refusal::Silent);
    simple("Socket timed out on send/recv operation", slurm::Refusal::Silent);
    simple("Resource temporarily unavailable", slurm::Refusal::Silent);
    simple("Slurm temporarily unable to accept job, sleeping and retrying", slurm::Refusal::Silent);
    simple("Zero Bytes were transmitted or received", slurm::Refusal::Silent);
    simple("Slurm backup controller in standby mode", slurm::Refusal::Silent);
    simple("Required partition not available (inactive or drain)", slurm::Refusal::Limit);
    simple("I/O error writing script/environment to file", slurm::Refusal::Silent);
    simple("Invalid user id", slurm::Refusal::Silent);
    row("no memory here", "sbatch: error: fork: Cannot allocate memory\n", u"fork: Cannot allocate memory"_s,
        slurm::Refusal::Silent);
    simple("Requested nodes are busy", slurm::Refusal::Limit);
    simple("Required node not available (down, drained or reserved)", slurm::Refusal::Limit);
    simple("Invalid job array specification", slurm::Refusal::Array);
    simple("Job arrays are not permitted in this partition", slurm::Refusal::Array);
    simple("Please submit no arrays here", slurm::Refusal::Array);
    simple("Invalid account or account/partition combination specified", slurm::Refusal::Final);
    simple("Invalid qos specification", slurm::Refusal::Final);
    simple("Requested QOS is not permitted", slurm::Refusal::Final);
    simple("Requested time limit is invalid (missing or exceeds some limit)", slurm::Refusal::Final);
    simple("Requested node configuration is not available", slurm::Refusal::Final);
    simple("Access/permission denied", slurm::Refusal::Final);
    simple("Invalid job array specification", slurm::Refusal::Array);
    simple("User's group not permitted to use this partition", slurm::Refusal::Final);
    const auto limit = [&row](const char *word, slurm::Refusal kind) {
        row(word, QByteArray("sbatch: error: ") + word + "\nsbatch: error: " + policy + '\n',
            QString::fromLatin1(word) + u": "_s + QString::fromLatin1(policy), kind);
    };
    for (const char *word : {"QOSMaxSubmitJobPerUserLimit", "QOSMaxSubmitJobPerAccountLimit", "QOSGrpSubmitJobsLimit",
             "AssocMaxSubmitJobLimit", "AssocGrpSubmitJobsLimit", "QOSMaxJobsPerUserLimit", "AssocMaxJobsLimit",
             "AssocGrpJobsLimit"}) {
        limit(word, slurm::Refusal::Limit);
    }
    for (const char *word : {"QOSMaxWallDurationPerJobLimit", "AssocMaxWallDurationPerJobLimit", "MaxTimePerLimit",
             "QOSMaxCpuPerJobLimit", "QOSMaxNodePerJobLimit", "QOSMaxGRESPerJob", "QOSMinGRES", "QOSMaxMemoryPerNode",
             "AssocMaxGRESPerJob", "QOSGrpCpuLimit", "AssocGrpGRES", "QOSMaxCpuPerUserLimit"}) {
        limit(word, slurm::Refusal::Final);
    }
    row("without a word", QByteArray("sbatch: error: ") + policy + '\n', QString::fromLatin1(policy),
        slurm::Refusal::Unclear);
    row("behind a sentence", QByteArray("sbatch: error: Think of the others.\nsbatch: error: ") + policy + '\n',
        QString::fromLatin1(policy), slurm::Refusal::Unclear);
    row("an option that there is not",
        "sbatch: unrecognized option '--acount=x'\nTry \"sbatch --help\" for more information\n",
        u"unrecognized option '--acount=x'"_s, slurm::Refusal::Final);
    row("nothing", {}, QString(), slurm::Refusal::Final);
}

void TstSlurmLimits::refusals()
{
    QFETCH(QByteArray, said);
    const QString words = slurm::refusal(said);
    QTEST(words, "words");
    QTEST(int(slurm::refusalKind(words)), "kind");
}

// Who does not hear the cluster, or cannot be run, does not refuse in its name.
void TstSlurmLimits::refusalsOfNobody()
{
    const QString refused = u"Invalid qos specification"_s;
    QVERIFY(slurm::refusalOf(1, refused) == slurm::Refusal::Final);
    QVERIFY(slurm::refusalOf(1, {}) == slurm::Refusal::Silent);
    for (const int status : {-1, 0, 126, 127, 137}) {
        QVERIFY(slurm::refusalOf(status, refused) == slurm::Refusal::Silent);
    }
}

// Without a configuration the cluster cannot be found from this computer, which its user can put right.
void TstSlurmLimits::unconfigured()
{
    const QByteArray none = "sbatch: fatal: Could not establish a configuration source\n";
    const QByteArray silent = "sbatch: error: Unable to contact slurm controller (connect failure)\n";
    QVERIFY(slurm::isUnconfigured(none) && !slurm::isUnconfigured(silent));
    QCOMPARE(slurm::waitAfter(slurm::Refusal::Silent, none, false), u"wait.slurm-unconfigured"_s);
    QCOMPARE(slurm::waitAfter(slurm::Refusal::Silent, none, true), u"wait.slurm-silent"_s);
    QCOMPARE(slurm::waitAfter(slurm::Refusal::Silent, silent, false), u"wait.slurm-silent"_s);
    QCOMPARE(slurm::waitAfter(slurm::Refusal::Limit, none, false), u"wait.slurm-submit-limit"_s);
}

void TstSlurmLimits::refusalsBecomeFinal()
{
    QVERIFY(slurm::isFinal(slurm::Refusal::Final, 1, true));
    QVERIFY(slurm::isFinal(slurm::Refusal::Array, 1, true)); // of a job that is no array of several
    QVERIFY(!slurm::isFinal(slurm::Refusal::Limit, 1000, false));
    QVERIFY(!slurm::isFinal(slurm::Refusal::Silent, 1000, false));
    QVERIFY(!slurm::isFinal(slurm::Refusal::Unclear, 5, false));
    QVERIFY(slurm::isFinal(slurm::Refusal::Unclear, 6, false));
    QVERIFY(!slurm::isFinal(slurm::Refusal::Unclear, 1000, true)); // the others may be the reason
}

// A hundred jobs are not refused one by one.
void TstSlurmLimits::othersWaitForOne()
{
    SlurmPause pause;
    qint64 now = 1'000'000;
    for (int i = 0; i < 3; ++i) {
        QVERIFY(pause.mayTry(now)); // any of them may be the only one that is refused
        pause.refused(now);
    }
    for (int i = 0; i < 100; ++i) {
        QVERIFY(!pause.mayTry(now));
    }
    QCOMPARE(pause.until(), now + 20'000);
    now = pause.until();
    QVERIFY(pause.mayTry(now));
    QVERIFY(!pause.mayTry(now)); // the other one's answer counts for it, too
    pause.refused(now);
    QCOMPARE(pause.until(), now + 40'000);
    for (int i = 0; i < 20; ++i) {
        now = pause.until();
        QVERIFY(pause.mayTry(now));
        pause.refused(now);
    }
    QCOMPARE(pause.until(), now + 300'000);
    pause.taken();
    QVERIFY(pause.mayTry(now));
    QVERIFY(pause.mayTry(now));
    pause.refused(now);
    pause.refused(now);
    pause.refused(now);
    QVERIFY(!pause.mayTry(now));
    pause.tryNow();
    QVERIFY(pause.mayTry(now));
    QVERIFY(!pause.mayTry(now)); // the others wait for its answer
    QCOMPARE(SlurmPause::msAfter(1), 5000);
    QCOMPARE(SlurmPause::msAfter(1000), 300'000);
}

void TstSlurmLimits::times_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("seconds"); // -1: it is none
    QTest::newRow("minutes") << QByteArray("90") << qint64(5400);
    QTest::newRow("minutes, seconds") << QByteArray("1:30") << qint64(90);
    QTest::newRow("hours") << QByteArray("8:00:00") << qint64(28'800);
    QTest::newRow("days, hours") << QByteArray("2-12") << qint64(216'000);
    QTest::newRow("days, minutes") << QByteArray("1-00:05") << qint64(86'700);
    QTest::newRow("days, seconds") << QByteArray("1-02:03:04") << qint64(93'784);
    QTest::newRow("none") << QByteArray("0:00") << qint64(0);
    for (const char *wrong : {"", "UNLIMITED", "INVALID", "NOT_SET", "1:", ":1", "-1", "1-", "1:2:3:4", "1 ", "1-2-3",
             "1:1-1", "99999999999999999999"}) {
        QTest::addRow("\"%s\"", wrong) << QByteArray(wrong) << qint64(-1);
    }
}

void TstSlurmLimits::times()
{
    QFETCH(QByteArray, text);
    QTEST(qint64(contract::slurmSeconds(text.toStdString()).value_or(-1)), "seconds");
}

void TstSlurmLimits::notices_data()
{
    QTest::addColumn<int>("left"); // seconds; -1: not known
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("grace");
    QTest::addColumn<bool>("isNotice");
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("seconds");
    using What = contract::EndOfTime::What;
    const auto row = [](const char *name, int left, int limit, int grace, bool isNotice, What what, int seconds) {
        QTest::newRow(name) << left << limit << grace << isNotice << int(what) << seconds;
    };
    row("in time", 90, 3600, 30, true, What::Time, 30);
    row("early", 140, 3600, 30, true, What::Wait, 50);
    row("at the begin of a minute", 60, 60, 30, true, What::Wait, 30);
    row("half of a minute", 30, 60, 30, false, What::Time, 25);
    row("half of two minutes", 61, 120, 300, false, What::Wait, 1);
    row("grace longer than the time", 60, 120, 300, false, What::Time, 55);
    row("late", 3, 3600, 30, true, What::Time, 5);
    row("no time left", 0, 3600, 30, true, What::Time, 5);
    row("no grace", 60, 3600, 0, true, What::Time, 0);
    row("not known", -1, -1, 30, true, What::Time, 30);
    row("only what is left", 60, -1, 30, true, What::Time, 30);
    row("not about the time", 3000, 3600, 30, true, What::Room, 30);
    row("more was given", 3000, 3600, 30, false, What::Wait, 600);
    row("some more was given", 400, 3600, 30, false, What::Wait, 310);
}

void TstSlurmLimits::notices()
{
    QFETCH(int, left);
    QFETCH(int, limit);
    QFETCH(int, grace);
    QFETCH(bool, isNotice);
    const auto known = [](int seconds) { return seconds < 0 ? std::nullopt : std::optional<std::int64_t>(seconds); };
    const contract::EndOfTime end = contract::endOfTime(known(left), known(limit), grace * 1000, isNotice);
    QTEST(int(end.what), "what");
    QTEST(int(end.ms / 1000), "seconds");
}

void TstSlurmLimits::noticeIsAskedFor_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<qint64>("limitMs");
    QTest::addColumn<qint64>("graceMs");
    QTest::addColumn<int>("seconds");
    QTest::newRow("nothing is known") << QStringList{u"--partition=gpu"_s} << qint64(0) << qint64(30'000) << 90;
    QTest::newRow("hours") << QStringList{u"--time=8:00:00"_s} << qint64(0) << qint64(30'000) << 90;
    QTest::newRow("a minute") << QStringList{u"--time=1"_s} << qint64(0) << qint64(30'000) << 30;
    QTest::newRow("the last one counts") << QStringList{u"--time=1"_s, u"--time=0:40"_s} << qint64(0) << qint64(30'000)
                                         << 20;
    QTest::newRow("no limit") << QStringList{u"--time=UNLIMITED"_s} << qint64(0) << qint64(30'000) << 90;
    QTest::newRow("the job's") << QStringList{u"--time=1"_s} << qint64(3'600'000) << qint64(30'000) << 90;
    QTest::newRow("a short job's") << QStringList() << qint64(1000) << qint64(30'000) << 90; // of seven minutes
    QTest::newRow("no grace") << QStringList() << qint64(0) << qint64(0) << 60;
    QTest::newRow("more than is taken") << QStringList() << qint64(0) << qint64(100'000'000) << 65'535;
}

void TstSlurmLimits::noticeIsAskedFor()
{
    QFETCH(QStringList, options);
    QFETCH(qint64, limitMs);
    QFETCH(qint64, graceMs);
    QFETCH(int, seconds);
    slurm::ScriptInput input;
    input.options = options;
    input.limitMs = limitMs;
    input.graceMs = graceMs;
    const QStringList arguments = slurm::submitArguments(input, u"ty-a"_s, u"trainyard:b"_s);
    QVERIFY2(arguments.contains(u"--signal=B:USR1@"_s + QString::number(seconds)), qPrintable(arguments.join(u' ')));
}

// However slow the nodes are in the minutes that are meant for that, the notice comes behind the limit of the job.
void TstSlurmLimits::preparationHasItsOwnTime()
{
    for (const qint64 limit : {1, 59, 60, 61, 3600, 86'400}) {
        for (const qint64 grace : {0, 5, 30, 300, 7200}) {
            const qint64 asked = contract::minutesToAsk(limit * 1000, grace * 1000) * 60;
            const qint64 untilNotice = asked - contract::noticeSeconds(grace * 1000, asked);
            QVERIFY2(untilNotice - contract::preparationSeconds >= limit,
                qPrintable(u"%1 s of %2 s with a grace period of %3 s"_s.arg(untilNotice).arg(limit).arg(grace)));
            QVERIFY(asked < limit + contract::preparationSeconds + grace + 120);
        }
    }
    QCOMPARE(contract::leadLimitMs(0), 0);
    QVERIFY(contract::leadLimitMs(1000) > 1000);
}

// However often Slurm is asked and whatever the time is, the tasks are asked to end once the time comes, and not before
// half of it.
void TstSlurmLimits::theTimeGoesOn()
{
    for (const int limit : {10, 60, 61, 90, 120, 200, 3600, 86'400}) {
        for (const int grace : {0, 5, 30, 300, 7200}) {
            qint64 left = limit;
            contract::EndOfTime end = contract::endOfTime(left, limit, grace * 1000, false);
            for (int asked = 0; end.what == contract::EndOfTime::What::Wait && asked < 1000; ++asked) {
                QVERIFY(end.ms > 0);
                left -= (end.ms + 999) / 1000;
                end = contract::endOfTime(left, limit, grace * 1000, false);
            }
            QVERIFY(end.what == contract::EndOfTime::What::Time);
            QVERIFY(left >= 0 && left <= limit - limit / 2);
            QVERIFY(end.ms <= qint64(grace) * 1000);
        }
    }
}

// A controller that does not answer once, while the limit was made longer, ends nothing.
void TstSlurmLimits::theTimeIsRemembered()
{
    using Known = contract::LeftOfTime::Known;
    contract::LeftOfTime time;
    QVERIFY(!time.know({}, 1000).left);
    const Known said = time.know({7200, 86'400}, 1000);
    QCOMPARE(said.left.value_or(-1), 7200);
    QCOMPARE(said.limit.value_or(-1), 86'400);
    const Known later = time.know({}, 1600);
    QCOMPARE(later.left.value_or(-1), 6600);
    QCOMPARE(later.limit.value_or(-1), 86'400);
    QVERIFY(contract::endOfTime(later.left, later.limit, 30'000, false).what == contract::EndOfTime::What::Wait);
    QCOMPARE(time.know({}, 100'000).left.value_or(-1), 0);
    const Known without = time.know({100, std::nullopt}, 100'001); // a limit that was taken away is not that of before
    QCOMPARE(without.left.value_or(-1), 100);
    QVERIFY(!without.limit);
}

void TstSlurmLimits::whyThereIsNoAnswer_data()
{
    using Kind = SlurmCommands::Answer::Kind;
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("detail");
    const auto row
        = [](const char *name, Kind kind, int status, const QByteArray &errors, const QString &code,
              const QString &detail) { QTest::newRow(name) << int(kind) << status << errors << code << detail; };
    row("login node away", Kind::Away, -1, {}, u"slurm.login-away"_s, {});
    row("not there", Kind::Missing, -1, {}, u"slurm.no-commands"_s, {});
    row("library", Kind::Done, 127,
        "note\nsqueue: error while loading shared libraries: libslurmfull.so: cannot open shared object file\n",
        u"slurm.not-runnable"_s,
        u"squeue: error while loading shared libraries: libslurmfull.so: cannot open shared object file"_s);
    row("not executable", Kind::Done, 126, "/opt/bin/squeue: line 2: /opt/real/squeue: Permission denied\n",
        u"slurm.not-runnable"_s, u"/opt/bin/squeue: line 2: /opt/real/squeue: Permission denied"_s);
    row("without words", Kind::Done, 127, {}, u"slurm.not-runnable"_s, u"status 127"_s);
    row("controller", Kind::Done, 1, "squeue: error: Unable to contact slurm controller (connect failure)\n",
        u"slurm.silent"_s, u"squeue: error: Unable to contact slurm controller (connect failure)"_s);
    row("late", Kind::TimedOut, 127, {}, u"slurm.silent"_s, {});
}

void TstSlurmLimits::whyThereIsNoAnswer()
{
    QFETCH(const int, kind);
    QFETCH(const int, status);
    QFETCH(const QByteArray, errors);
    const Error why = slurm::whyNoAnswer(u"squeue"_s, {SlurmCommands::Answer::Kind(kind), status, {}, errors});
    QTEST(why.code, "code");
    QCOMPARE(why.args.value(u"program"_s).toString(), u"squeue"_s);
    QTEST(why.args.value(u"detail"_s).toString(), "detail");
}

TRAINYARD_TEST(TstSlurmLimits)
#include "tst_slurmlimits.moc"
