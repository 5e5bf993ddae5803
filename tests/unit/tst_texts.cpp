// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/completiontexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/hostfilestexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/metricrank.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"

#include <QJsonDocument>
#include <QLocale>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Words for values: figures, owners, differences.
class TstTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Values of a job that runs may be those of a while ago, which is said once it matters.
    void valuesThatAreBehind()
    {
        constexpr qint64 now = 1'000'000'000;
        JobSummary job;
        job.state = State::Running;
        QCOMPARE(lagText(job, now), QString());
        job.resultsUpTo = now - 29'000;
        QCOMPARE(lagText(job, now), QString());
        job.resultsUpTo = now - 300'000;
        QCOMPARE(lagText(job, now), u"5 min behind: the output is still being read"_s);
        job.results = {{u"loss"_s, QJsonObject{{u"last"_s, 0.5}, {u"step"_s, 40}}},
            {u"acc"_s, QJsonObject{{u"last"_s, 0.5}, {u"step"_s, 38}}}};
        QCOMPARE(lagText(job, now), u"5 min behind: the output is still being read, up to step 40 so far"_s);
        job.state = State::Succeeded;
        QCOMPARE(lagText(job, now), QString());
    }

    void initTestCase();
    void whyTheHelperStays();
    void copiesOfOtherEngines();
    void filesOfClusters();
    void ownersOfGpus_data();
    void ownersOfGpus();
    void durations_data();
    void durations();
    void roughDurations();
    void oneOfAKind();
    void sizes();
    void states();
    void spreadAsText_data();
    void spreadAsText();
    void whatElseDiffers_data();
    void whatElseDiffers();
    void settingsComeLast();
    void reasonWithinASentence();
};

void TstTexts::initTestCase() { QLocale::setDefault(QLocale::c()); }

// What a program says has no full stop, and a sentence may follow.
void TstTexts::reasonWithinASentence()
{
    for (const QString &said : {u"ssh: connection refused"_s, u"ssh: connection refused."_s}) {
        const QJsonObject args{{u"host"_s, u"lab"_s}, {u"message"_s, said}};
        const Error away{u"host.away"_s,
            {{u"host"_s, u"lab"_s}, {u"error"_s, QJsonObject{{u"code"_s, u"host.unreachable"_s}, {u"args"_s, args}}}}};
        QVERIFY2(errorText(away).endsWith(u"lab cannot be reached: ssh: connection refused."_s),
            qPrintable(errorText(away)));
    }
}

void TstTexts::whyTheHelperStays()
{
    api::HostFiles after;
    after.processes = 3; // of programs that are not ours
    QCOMPARE(helperStaysText(after), QString());
    after.programs = 1;
    QVERIFY(helperStaysText(after).contains(u"because 2 other processes run it"_s));
    after.processes = 2;
    QVERIFY(helperStaysText(after).contains(u"because another process runs it"_s));
    after.sharedDataBytes = 1 << 20;
    QVERIFY(helperStaysText(after).contains(u"other engines use the copies"_s));
    after.otherJobs = 1;
    QVERIFY(helperStaysText(after).contains(u"other engines"_s));
    after.leftJobs = 1;
    QVERIFY(helperStaysText(after).contains(u"folders of jobs are still there"_s));
}

// What a removal leaves of the copies is said before it and after it.
void TstTexts::copiesOfOtherEngines()
{
    api::HostFiles files;
    files.codeBytes = files.dataBytes = 5 << 20;
    const auto rowOf = [&files](const QString &name) {
        const QList<QStringList> rows = hostFilesRows(files);
        const auto row = std::find_if(
            rows.cbegin(), rows.cend(), [&name](const QStringList &one) { return one.constFirst() == name; });
        return row == rows.cend() ? QString() : row->constLast();
    };
    QVERIFY(rowOf(u"Copied code"_s).endsWith(u"kept for the next job"_s));
    QVERIFY(!stayingText(files).contains(u"other engines"_s));
    files.sharedCodeBytes = 3 << 20;
    QVERIFY2(rowOf(u"Copied code"_s).contains(QString(formatBytes(3 << 20) + u" of it is used by other engines too"_s)),
        qPrintable(rowOf(u"Copied code"_s)));
    QVERIFY(!rowOf(u"Copied data"_s).contains(u"other engines"_s));
    QCOMPARE(stayingText(files).count(u"other engines use "_s), 1);
}

// Whoever removes a login node with all that is there is told of what a removal leaves.
void TstTexts::filesOfClusters()
{
    api::HostFiles files;
    QVERIFY(stayingText(files).isEmpty() && hostFilesRows(files).isEmpty());
    files.clusterFolder = u"/home/ada/.local/state/trainyard/clusters"_s;
    files.clusterBytes = 5 << 20;
    QCOMPARE(stayingText(files),
        QString(
            u"runs, data and helpers of Slurm clusters: "_s + formatBytes(5 << 20) + u", in "_s + files.clusterFolder));
    QCOMPARE(hostFilesRows(files).size(), 1);
    QVERIFY(hostFilesRows(files).constFirst().constLast().contains(files.clusterFolder));
}

void TstTexts::ownersOfGpus_data()
{
    QTest::addColumn<GpuInfo>("gpu");
    QTest::addColumn<GpuUse>("use");
    QTest::addColumn<QString>("owner");
    const auto row = [](const char *name, GpuUse use, const QString &owner, auto set) {
        GpuInfo gpu;
        set(gpu);
        QTest::newRow(name) << gpu << use << owner;
    };
    row("free", GpuUse::Free, u"free"_s, [](GpuInfo &) {});
    row("job", GpuUse::Ours, u"#7"_s, [](GpuInfo &g) { g.jobId = 7; });
    row("job on one that is kept", GpuUse::Ours, u"#7"_s, [](GpuInfo &g) {
        g.jobId = 7;
        g.kept = u"hours"_s;
        g.foreign = true;
    });
    row("shared", GpuUse::Ours, u"#7, #9"_s, [](GpuInfo &g) {
        g.jobId = 7;
        g.jobs = {7, 9};
    });
    row("foreign", GpuUse::Foreign, u"another program"_s, [](GpuInfo &g) { g.foreign = true; });
    row("held", GpuUse::Foreign, u"another engine"_s, [](GpuInfo &g) { g.kept = u"held"_s; });
    row("hours", GpuUse::Kept, u"kept for you"_s, [](GpuInfo &g) { g.kept = u"hours"_s; });
    row("excluded", GpuUse::Kept, u"kept for you"_s, [](GpuInfo &g) { g.kept = u"excluded"_s; });
    row("lost", GpuUse::Lost, u"lost"_s, [](GpuInfo &g) { g.kept = u"lost"_s; });
    row("missing, as a foreign program held it", GpuUse::Lost, u"lost"_s, [](GpuInfo &g) {
        g.kept = u"missing"_s;
        g.foreign = true;
    });
    row("quarantine", GpuUse::Lost, u"in quarantine"_s, [](GpuInfo &g) { g.kept = u"quarantine"_s; });
    row("mig", GpuUse::Lost, u"MIG without instances"_s, [](GpuInfo &g) { g.kept = u"mig"_s; });
}

void TstTexts::ownersOfGpus()
{
    QFETCH(const GpuInfo, gpu);
    QTEST(useOf(gpu), "use");
    QTEST(ownerText(gpu), "owner");
}

void TstTexts::durations_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("negative") << qint64(-5) << u"0.0 s"_s;
    QTest::newRow("tenths") << qint64(449) << u"0.4 s"_s;
    QTest::newRow("seconds") << qint64(12'900) << u"12 s"_s;
    QTest::newRow("minutes") << qint64(185'000) << u"3 min 05 s"_s;
    QTest::newRow("hours") << qint64(2 * 3'600'000 + 7 * 60'000) << u"2 h 07 min"_s;
    QTest::newRow("days") << qint64(4 * 86'400'000LL + 3 * 3'600'000) << u"4 d 3 h"_s;
}

void TstTexts::durations()
{
    QFETCH(qint64, milliseconds);
    QFETCH(QString, text);
    QCOMPARE(formatDuration(milliseconds), text);
    QCOMPARE(formatRoughDuration(milliseconds), milliseconds < 10'000 ? u"0 s"_s : text);
}

void TstTexts::oneOfAKind()
{
    QCOMPARE(formatCores(1), u"1 core"_s);
    QCOMPARE(formatCores(64), u"64 cores"_s);
    const QString system
        = stepText({hoststep::system, StepState::Passed, {}, {{u"os"_s, u"Debian 12"_s}, {u"cpus"_s, 1}}, -1});
    QVERIFY2(system.startsWith(u"Debian 12, 1 core, "_s), qPrintable(system));
    const Quarantine quarantine{{}, -1, u"launch.keeper-died"_s, 1000, {{7, u"w/0"_s, 1000}}};
    QVERIFY2(quarantineText(quarantine).contains(u": a try failed there. "_s), qPrintable(quarantineText(quarantine)));
    CompletionRule rule;
    rule.succeeded = 2;
    QCOMPARE(successRuleText(rule), u"2 successes are not possible: there is 1 task"_s);
    rule.instances = 2;
    rule.succeeded = 3;
    QCOMPARE(successRuleText(rule), u"3 successes are not possible: there are 2 tasks"_s);
}

// Nobody knows the seconds of what is about half an hour.
void TstTexts::roughDurations()
{
    constexpr qint64 minute = 60'000, hour = 60 * minute, day = 24 * hour;
    QCOMPARE(formatRoughDuration(5'000), u"5 s"_s);
    QCOMPARE(formatRoughDuration(30 * minute), u"30 min"_s);
    QCOMPARE(formatRoughDuration(90'000), u"1 min 30 s"_s);
    QCOMPARE(formatRoughDuration(2 * hour), u"2 h"_s);
    QCOMPARE(formatRoughDuration(2 * hour + 5 * minute), u"2 h 05 min"_s);
    QCOMPARE(formatRoughDuration(3 * day), u"3 d"_s);
    QCOMPARE(progressWords(0.45, 20 * minute, 0), u"45 %, about 20 min left"_s);
}

void TstTexts::sizes()
{
    QCOMPARE(formatMiB(512), u"512 MiB"_s);
    QCOMPARE(formatMiB(1536), u"1.5 GiB"_s);
    QCOMPARE(formatMiB(65536), u"64 GiB"_s);
    QCOMPARE(formatBytes(17), u"17 B"_s);
    QCOMPARE(formatBytes(4096), u"4 KiB"_s);
    QCOMPARE(formatBytes(qint64(1288490189)), u"1.2 GiB"_s);
}

void TstTexts::states()
{
    QCOMPARE(stateText(State::Waiting), u"Waiting"_s);
    QCOMPARE(stateText(State::Stopping), u"Stopping"_s);
}

void TstTexts::spreadAsText_data()
{
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("deviation");
    const auto row = [](const char *text, double mean, double deviation) { QTest::newRow(text) << mean << deviation; };
    row("0.0823 ± 0.0045", 0.082333, 0.0045);
    row("0.85 ± 0.071", 0.85, 0.0707);
    row("24.49 ± 0", 24.49, 0);
    row("0 ± 0", 0, 0);
    row("0 ± 0.5", 0, 0.5);
    row("123500 ± 1200", 123456, 1234);
    row("12 ± 30", 12.3, 30);
    row("-1.53 ± 0.11", -1.5285, 0.11);
    row("1.2342e-07 ± 1.2e-10", 1.2342e-7, 1.2e-10);
}

void TstTexts::spreadAsText()
{
    QFETCH(double, mean);
    QFETCH(double, deviation);
    CompareSpread spread{3, false, mean, mean, mean, deviation};
    QCOMPARE(spreadText(spread, true), QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(!spreadText(spread, false).contains(QStringLiteral("±")));
    spread.hasBroken = true;
    QCOMPARE(spreadText(spread, true), QStringLiteral("NaN"));
    QCOMPARE(factValue(QStringLiteral("")), QStringLiteral("''")); // an empty value is not the same as none
    QCOMPARE(factValue(QString()), QStringLiteral("–"));
    for (const auto &[path, heading] : {std::pair{u"taskRoles.worker.instances"_s, u"instances"_s},
             {u"prerequisites.pytorch.name"_s, u"pytorch.name"_s}, {u"taskRoles.a.commands.0"_s, u"commands.0"_s}}) {
        QCOMPARE(factHeading({CompareFact::Kind::Configuration, path, {}}), heading);
    }
    QCOMPARE(factHeading({CompareFact::Kind::Parameter, u"a.name"_s, {}}), u"a.name"_s);
    // Beside each other, they need what tells them apart.
    QList<CompareFact> facts;
    for (const QString &path : {u"taskRoles.a.instances"_s, u"taskRoles.b.instances"_s,
             u"taskRoles.a.resourcePerInstance.cpu"_s, u"extras.instances"_s}) {
        facts.append({CompareFact::Kind::Configuration, path, {}});
    }
    facts.append({CompareFact::Kind::Run, u"hosts"_s, {}});
    facts.append({CompareFact::Kind::Run, u"hosts"_s, {}}); // in no way
    QCOMPARE(factHeadings(facts),
        (QStringList{u"a.instances"_s, u"b.instances"_s, u"cpu"_s, u"extras.instances"_s, u"Hosts"_s, u"Hosts"_s}));
}

void TstTexts::whatElseDiffers_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *text, const QByteArray &first, const QByteArray &second) {
        QTest::addRow("%s %s", text, second.constData()) << first << second << QString::fromLatin1(text);
    };
    row("", R"({"git": {"commit": "aa", "dirty": false}})", R"({"git": {"commit": "aa", "dirty": false}})");
    row("", R"({"git": {"commit": "aa"}})", "{}"); // not known
    row("commit (01234567, 89abcdef)", R"({"git": {"commit": "0123456789abcdef"}})",
        R"({"git": {"commit": "89abcdef01234567"}})");
    row("commit (aa, none)", R"({"host": "a", "git": {"commit": "aa"}})", R"({"host": "a"})");
    row("uncommitted changes", R"({"git": {"commit": "aa", "diff": "+1"}})",
        R"({"git": {"commit": "aa", "diff": "+2"}})");
    row("packages (torch)", R"({"python": {"packages": {"torch": "2.1", "six": "1"}}})",
        R"({"python": {"packages": {"torch": "2.2", "six": "1"}}})");
    row("packages (a, b, c and 1 more)", R"({"python": {"packages": {"a": "1", "b": "1", "c": "1", "d": "1"}}})",
        R"({"python": {"packages": {"a": "2", "b": "2", "c": "2", "d": "2"}}})");
    row("Python (3.10, 3.12)", R"({"python": {"version": "3.10", "executable": "/a"}})",
        R"({"python": {"version": "3.12", "executable": "/b"}})");
    row("Python (3.11.2, version unknown)", R"({"python": {"version": "3.11.2", "executable": "/a"}})",
        R"({"python": {"executable": "/home/.pyenv/shims/python"}})");
    row("host (lab1, lab2), GPU (A, B), work folder", R"({"host": "lab1", "gpus": "A", "workFolder": "/a"})",
        R"({"host": "lab2", "gpus": "B", "workFolder": "/b"})");
    row("environment variables (LANG)", R"({"variables": {"LANG": "C", "CUDA_VISIBLE_DEVICES": "0"}})",
        R"({"variables": {"LANG": "de", "CUDA_VISIBLE_DEVICES": "1"}})");
    row("", R"({"variables": {"SLURM_ARRAY_TASK_ID": "1", "SLURM_JOBID": "5", "SLURM_JOB_ID": "5", "HOSTNAME": "n1"}})",
        R"({"variables": {"SLURM_ARRAY_TASK_ID": "2", "SLURM_JOBID": "6", "SLURM_JOB_ID": "6", "HOSTNAME": "n2"}})");
    row("environment variables (SLURM_CPUS_PER_TASK, SLURM_JOB_PARTITION)",
        R"({"variables": {"SLURM_CPUS_PER_TASK": "1", "SLURM_JOB_PARTITION": "a", "SLURM_STEP_NODELIST": "n1"}})",
        R"({"variables": {"SLURM_CPUS_PER_TASK": "2", "SLURM_JOB_PARTITION": "b", "SLURM_STEP_NODELIST": "n2"}})");
    row("environment variables (PATH)", R"({"variables": {"HOME": "/h/a", "PATH": "/h/a/bin:/usr/bin"}})",
        R"({"variables": {"HOME": "/h/b", "PATH": "/h/b/bin:/bin"}})");
    row("untracked files (new.py)", R"({"git": {"commit": "aa", "untracked": "runs/"}})",
        R"({"git": {"commit": "aa", "untracked": "new.py, runs/"}})");
    QTest::newRow("folders of two machines")
        << QByteArray(R"({"variables": {"HOME": "/h/a", "XDG_CACHE_HOME": "/x", "PATH": "/h/a/bin:/bin"}})")
        << QByteArray(R"({"variables": {"HOME": "/h/b", "XDG_CACHE_HOME": "/y", "PATH": "/h/b/bin:/bin"}})")
        << QString();
    QTest::newRow("outputs of the jobs") << QByteArray(R"({"git": {"commit": "aa", "untracked": ""}})")
                                         << QByteArray(R"({"git": {"commit": "aa", "untracked": "runs/"}})")
                                         << QString();
    QTest::newRow("outputs of other jobs beside tracked files")
        << QByteArray(R"({"git": {"commit": "aa", "untracked": "runs/uuid-0/"}})")
        << QByteArray(R"({"git": {"commit": "aa", "untracked": "runs/uuid-0/, runs/uuid-1/, log-uuid-1.txt"}})")
        << QString();
    QTest::newRow("a folder of its own") << QByteArray(R"({"workFolder": "/runs/uuid-1/work"})")
                                         << QByteArray(R"({"workFolder": "/runs/uuid-2/work"})") << QString();
}

void TstTexts::whatElseDiffers()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(QString, text);
    CompareRun one, other;
    one.job.uuid = u"uuid-1"_s;
    other.job.uuid = u"uuid-2"_s;
    one.environment = QJsonDocument::fromJson(first).object();
    other.environment = QJsonDocument::fromJson(second).object();
    one.yaml = other.yaml = "commands: ['python train.py --out=\"./runs/$TRAINYARD_JOB_ID\" --data /x/y']";
    const QList<CompareRun> runs{one, other};
    QCOMPARE(otherDifferences(compareRuns(runs).different, runs), text);
}

// What is set, such as a rate, tells less than what is measured.
void TstTexts::settingsComeLast()
{
    QStringList names{
        u"lr"_s, u"lr-Adam"_s, u"opt/learning_rate"_s, u"throughput"_s, u"clr"_s, u"val/acc"_s, u"loss"_s};
    std::stable_sort(
        names.begin(), names.end(), [](const QString &a, const QString &b) { return metricRank(a) < metricRank(b); });
    QCOMPARE(names,
        (QStringList{
            u"loss"_s, u"val/acc"_s, u"throughput"_s, u"clr"_s, u"lr"_s, u"lr-Adam"_s, u"opt/learning_rate"_s}));
}

TRAINYARD_TEST(TstTexts)
#include "tst_texts.moc"
