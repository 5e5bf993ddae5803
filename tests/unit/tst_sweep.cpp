// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/sweeproom.h"
#include "engine/client/settings.h"
#include "engine/client/slurmoptions.h"
#include "model/protocol/jobdocument.h"
#include "model/sweep/sweepjobs.h"
#include "model/sweep/worserule.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstSweep : public QObject
{
    Q_OBJECT

    static QString textOf(const SweepPoint &values)
    {
        QStringList texts;
        for (const Value &value : values) {
            texts.append(value.asString() ? u'\'' + value.toText() + u'\'' : value.toText());
        }
        return texts.join(u' ');
    }
    static SweepAxis axis(const QString &name, const QString &text, const Value &known = {})
    {
        return sweepAxis(name, known, text).value_or(SweepAxis());
    }
    static QStringList pointsOf(const SweepPlan &plan)
    {
        const Result<QList<SweepPoint>> points = sweepPoints(plan);
        if (!points) {
            return {points.error().code};
        }
        QStringList lines;
        for (const SweepPoint &point : *points) {
            lines.append(textOf(point));
        }
        return lines;
    }

    static JobSpec jobOf(const JobDemand &demand)
    {
        JobSpec job;
        TaskRole role;
        role.name = u"worker"_s;
        role.resources.gpu = demand.gpus;
        role.resources.cpu = demand.cpus;
        role.resources.memoryMiB = demand.memoryMiB;
        job.taskRoles.append(role);
        return job;
    }

private Q_SLOTS:
    void values_data()
    {
        QTest::addColumn<Value>("known");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected"); // or a code
        const auto row = [](const char *name, const Value &known, const char *text, const char *expected) {
            QTest::newRow(name) << known << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        const Value whole = qint64(32), real = 0.1, truth = true, word = u"adam"_s, unknown;
        row("whole numbers", whole, "16, 32,64", "16 32 64");
        row("whole in the job, not here", whole, "1,0.5", "1 0.5");
        row("numbers", real, "0.1,1e-3,.5,2", "0.1 0.001 0.5 2");
        row("texts", word, "adam, sgd ,\" a, b \",\"\"", "'adam' 'sgd' ' a, b ' ''");
        row("numbers as texts", word, "1e-3,010", "'1e-3' '010'");
        row("truth values", truth, "true,false", "true false");
        row("of no known type", unknown, "1,x,true,0.50", "1 'x' true 0.5");
        row("one value", whole, "8", "8");
        row("step", real, "0..1:0.25", "0 0.25 0.5 0.75 1");
        row("step that misses the end", real, "0..1:0.3", "0 0.3 0.6 0.9");
        row("step of tenths", real, "0.1..0.7:0.1", "0.1 0.2 0.3 0.4 0.5 0.6 0.7");
        row("whole step", whole, "16..64:16", "16 32 48 64");
        row("whole without a step", whole, "1..4", "1 2 3 4");
        row("whole with a dash", whole, " 1-4", "1 2 3 4");
        row("dash of a text", word, "1-3", "'1-3'");
        row("dash of fractions", real, "1-3", "sweep.not-number");
        row("dash in the wrong order", whole, "4-1", "sweep.range-order");
        row("step with a fraction of whole ends", whole, "0..1:0.5", "0 0.5 1");
        row("below zero", real, "-1..1:1", "-1 0 1");
        row("linear", real, "0..1:lin:5", "0 0.25 0.5 0.75 1");
        row("linear in tenths", real, "0.1..0.5:lin:5", "0.1 0.2 0.3 0.4 0.5");
        row("linear, whole", whole, "10..20:lin:3", "10 15 20");
        row("linear, with fractions by wish", whole, "0.0..1.0:lin:3", "0 0.5 1");
        row("powers of ten", real, "1e-4..1e-1:log:4", "0.0001 0.001 0.01 0.1");
        row("between powers of ten", real, "1e-4..1e-1:log:5", "0.0001 0.000562341 0.00316228 0.0177828 0.1");
        row("small", real, "1e-9..1e-7:log:3", "1e-9 1e-8 1e-7");
        row("powers of two", whole, "8..128:log:5", "8 16 32 64 128");
        row("log of one decade", real, "0.1..1:log:3", "0.1 0.316228 1");
        row("the ends of a log range stay", real, "0.12345678..98.7654321:log:3", "0.12345678 3.49189 98.7654321");
        row("log of values that six digits do not tell apart", real, "1..1.000002:log:3", "1 1.0000009999995 1.000002");
        row("between powers of two", whole, "16..128:log:5", "16 27 45 76 128");
        row("whole numbers close together", whole, "1..8:log:8", "1 2 3 4 5 6 7 8");
        row("some of the close ones", whole, "1..8:log:6", "1 2 3 4 5 8");
        row("whole numbers as text", Value(u"32"_s), "16..128:log:5", "'16' '27' '45' '76' '128'");
        row("whole numbers as text without a step", Value(u"32"_s), "1..3", "'1' '2' '3'");
        row("fractions by wish, of a whole number", whole, "16.0..128:log:3", "16 45.2548 128");
        row("a range of texts", word, "1..3:1", "'1' '2' '3'");
        row("two dots in a text", word, "../data,a..b", "'../data' 'a..b'");
        row("nothing", whole, "  ", "sweep.no-values");
        row("comma at the end", whole, "1,2,", "sweep.empty-value");
        row("comma at the start", word, ",a", "sweep.empty-value");
        row("no number", whole, "1,two", "sweep.not-number");
        row("no number: nan", real, "nan", "sweep.not-number");
        row("semicolons and blanks between numbers", real, "0.003; 0.01 0.03", "sweep.not-commas");
        row("blanks between numbers", whole, "1, 2 3", "sweep.not-commas");
        row("a number and a word", real, "0.1 two", "sweep.not-number");
        row("no truth value", truth, "true,yes", "sweep.not-boolean");
        row("range of truth values", truth, "0..1", "sweep.bad-range");
        row("twice", whole, "1,2,1", "sweep.twice");
        row("twice, spelled otherwise", real, "0.1,1e-1", "sweep.twice");
        row("range without an end", real, "1..", "sweep.bad-range");
        row("range without a beginning", real, "..1", "sweep.bad-range");
        row("two ranges", real, "1..2:1,3..4:1", "sweep.bad-step");
        row("nothing behind the colon", real, "1..2:", "sweep.bad-range");
        row("wrong order", real, "1..0:0.1", "sweep.range-order");
        row("no width", real, "1..1:1", "sweep.range-order");
        row("no step", real, "0..1:0", "sweep.bad-step");
        row("unknown spacing", real, "0..1:exp:5", "sweep.bad-step");
        row("count of one", real, "0..1:lin:1", "sweep.bad-count");
        row("count with a fraction", real, "0..1:lin:2.5", "sweep.bad-count");
        row("count too large for any number", real, "0..1:lin:99999999999999999999", "sweep.bad-count");
        row("log of zero", real, "0..1:log:5", "sweep.log-sign");
        row("fewer whole numbers than wanted", whole, "0..1:lin:5", "sweep.whole-too-few");
        row("ends that are too close", real, "1..1.000000000000001:lin:9", "sweep.too-close");
        row("too many steps", real, "0..1:1e-9", "sweep.too-many-values");
        row("too many", real, "0..1:lin:10001", "sweep.too-many-values");
        row("quote without an end", word, "\"a,b", "sweep.open-quote");
        row("text behind a quote", word, "\"a\"b", "sweep.open-quote");
        row("list", Value(Value::List{}), "1,2", "sweep.not-scalar");
    }
    void values()
    {
        QFETCH(Value, known);
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Result<SweepAxis> read = sweepAxis(u"p"_s, known, text);
        QCOMPARE(read ? textOf(read->values) : read.error().code, expected);
        if (!read) {
            QCOMPARE(read.error().args.value("name"_L1).toString(), u"p"_s);
            const int at = read.error().args.value("at"_L1).toInt(-1);
            const int length = read.error().args.value("length"_L1).toInt(-1);
            QVERIFY(at >= 0 && length >= 0 && at + length <= text.size());
        }
    }

    // What the preview says, and what is drawn of texts.
    void roundedValues()
    {
        const Value whole = qint64(32);
        QVERIFY(axis(u"p"_s, u"16..128:log:5"_s, whole).isRounded);
        QVERIFY(!axis(u"p"_s, u"8..128:log:5"_s, whole).isRounded);
        QVERIFY(!axis(u"p"_s, u"10..20:lin:3"_s, whole).isRounded);
        QVERIFY(!axis(u"p"_s, u"16.0..128:log:5"_s, whole).isRounded);
        QVERIFY(!axis(u"p"_s, u"16..128:log:5"_s, 0.5).isRounded);
        const Result<QList<SweepPoint>> drawn
            = sweepPoints({SweepKind::Random, 3, 1, {axis(u"p"_s, u"1..4:lin:3"_s, Value(u"2"_s))}});
        QVERIFY(drawn);
        for (const SweepPoint &point : *drawn) {
            QVERIFY2(point.constFirst().asString(), qPrintable(textOf(point)));
            QVERIFY(QStringList({u"1"_s, u"2"_s, u"3"_s, u"4"_s}).contains(point.constFirst().toText()));
        }
    }

    void typesOfSingleValues_data()
    {
        QTest::addColumn<Value>("known");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        const auto row = [](const char *name, const Value &known, const char *text, const char *code) {
            QTest::newRow(name) << known << QString::fromUtf8(text) << QString::fromLatin1(code);
        };
        row("number", Value(0.1), "1e-3", "");
        row("spelling of YAML", Value(0.1), ".inf", "");
        row("number without a digit before its point", Value(0.1), ".5", "");
        row("whole number", Value(qint64(1)), "2", "");
        row("fraction instead of a whole number", Value(qint64(1)), "0.5", "");
        row("no number", Value(0.1), "banana", "sweep.not-number");
        row("several numbers", Value(0.1), "1,2", "sweep.not-number");
        row("truth value", Value(true), "false", "");
        row("no truth value", Value(true), "maybe", "sweep.not-boolean");
        row("any text", Value(u"adam"_s), "1", "");
        row("a number for a list", Value(Value::List{Value(qint64(64))}), "3", "sweep.not-one-value");
        row("a list for a list", Value(Value::List{Value(qint64(64))}), "[7,8]", "sweep.not-one-value");
        row("a list for a map", Value(Value::Map{}), "{a: 1}", "sweep.not-one-value");
        row("not in the job", Value(), "banana", "");
    }
    void typesOfSingleValues()
    {
        QFETCH(Value, known);
        QFETCH(QString, text);
        const std::optional<Error> other = otherType(u"p"_s, known, text);
        QTEST(other ? other->code : QString(), "code");
        if (other) {
            QCOMPARE(other->args.value("value"_L1).toString(), text);
        }
    }
    void placesOfErrors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("second value") << u"1, two ,3"_s << u"two"_s;
        QTest::newRow("end of a range") << u"5..1:1"_s << u"1"_s;
        QTest::newRow("count") << u"0..1:lin: x"_s << u" "_s;
        QTest::newRow("repeated value") << u"1,2,1"_s << u"1"_s;
    }
    void placesOfErrors()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const QJsonObject args = sweepAxis(u"p"_s, 0.5, text).error().args;
        QCOMPARE(text.mid(args.value("at"_L1).toInt(), args.value("length"_L1).toInt()), part);
    }

    void grid()
    {
        const QList<SweepAxis> axes{axis(u"lr"_s, u"0.1,0.2"_s), axis(u"opt"_s, u"a,b"_s), axis(u"seed"_s, u"7"_s)};
        QCOMPARE(pointsOf({SweepKind::Grid, 0, 0, axes}),
            (QStringList{u"0.1 'a' 7"_s, u"0.1 'b' 7"_s, u"0.2 'a' 7"_s, u"0.2 'b' 7"_s}));
        QCOMPARE(pointsOf({SweepKind::Grid, 0, 0, {}}), QStringList{u"sweep.no-parameters"_s});
        QCOMPARE(
            pointsOf({SweepKind::Grid, 0, 0, {axis(u"lr"_s, u"0.1..0.2"_s, 0.1)}}), QStringList{u"sweep.no-count"_s});
    }

    void roomForJobs_data()
    {
        QTest::addColumn<JobDemand>("job");
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("jobs");
        QTest::addColumn<int>("placed"); // the cores of a host are shared by as many as its memory is enough for
        QTest::newRow("a GPU each") << JobDemand{1, 4, 100} << QString() << 3 << 3;
        QTest::newRow("two GPUs each") << JobDemand{2, 4, 100} << QString() << 1 << 1;
        QTest::newRow("more than there are") << JobDemand{9, 4, 100} << QString() << 1 << 1;
        QTest::newRow("CPU cores") << JobDemand{0, 3, 100} << QString() << 3 << 40; // two of one host, one of the other
        QTest::newRow("CPU cores alone") << JobDemand{0, 3, 0} << QString() << 3 << 0;
        QTest::newRow("more cores than there are") << JobDemand{0, 16, 1000} << QString() << 1 << 4;
        QTest::newRow("memory") << JobDemand{0, 1, 1500} << QString() << 2 << 2;
        QTest::newRow("memory of one host each") << JobDemand{0, 1, 1200} << QString() << 2 << 2; // 3 of both together
        QTest::newRow("one host") << JobDemand{1, 1, 100} << u"b"_s << 1 << 1;
        QTest::newRow("any host") << JobDemand{1, 1, 100} << u"any"_s << 3 << 3;
    }
    void roomForJobs()
    {
        QFETCH(JobDemand, job);
        QFETCH(QString, target);
        HostInfo a;
        a.id = u"a"_s;
        a.state = HostState::Online;
        a.cpus = 8;
        a.memoryMiB = 2000;
        a.gpus = {GpuInfo{}, GpuInfo{}, GpuInfo{}};
        a.gpus[2].kept = u"excluded"_s;
        HostInfo b = a;
        b.id = u"b"_s;
        b.cpus = 4;
        b.gpus = {GpuInfo{}};
        HostInfo away = a;
        away.id = u"away"_s;
        away.state = HostState::Offline;
        const JobSpec spec = jobOf(job);
        QTEST(sweepRoom(spec, {a, b, away}, {target, false}).jobs, "jobs");
        QTEST(sweepRoom(spec, {a, b, away}, {target, false}).placed, "placed");
        QCOMPARE(sweepRoom(spec, {away}, {target, false}).jobs, 0);
        QCOMPARE(sweepRoom(spec, {a, b}, {u"slurm:lab"_s, true}), SweepRoom()); // its queue holds them back
        b.drained = true;
        QCOMPARE(sweepRoom(spec, {a, b}, {}), sweepRoom(spec, {a}, {}));
    }

    // A task is on one host, the tasks of a job may be on several.
    void roomForTasks_data()
    {
        QTest::addColumn<qint64>("gpus"); // of each task
        QTest::addColumn<qint64>("tasks");
        QTest::addColumn<Arrangement>("arrange");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<int>("placed");
        const QStringList any;
        QTest::newRow("one task of two") << qint64(2) << qint64(1) << Arrangement::Any << any << 2;
        QTest::newRow("two tasks of one") << qint64(1) << qint64(2) << Arrangement::Any << any << 3;
        QTest::newRow("two tasks of one together") << qint64(1) << qint64(2) << Arrangement::SameHost << any << 2;
        QTest::newRow("two tasks apart") << qint64(1) << qint64(2) << Arrangement::DifferentHosts << any << 3;
        QTest::newRow("three tasks apart") << qint64(1) << qint64(3) << Arrangement::DifferentHosts << any << 1;
        QTest::newRow("one of two hosts") << qint64(1) << qint64(1) << Arrangement::Any << QStringList{u"a"_s} << 3;
    }
    void roomForTasks()
    {
        QFETCH(const qint64, gpus);
        QFETCH(const qint64, tasks);
        QFETCH(const Arrangement, arrange);
        QFETCH(const QStringList, names);
        HostInfo a;
        a.id = u"a"_s;
        a.state = HostState::Online;
        a.cpus = 8;
        a.gpus = {GpuInfo{}, GpuInfo{}, GpuInfo{}};
        HostInfo b = a;
        b.id = u"b"_s;
        JobSpec spec = jobOf({gpus, 1, 0});
        spec.taskRoles.first().instances = tasks;
        spec.trainyard.hosts.insert(u"*"_s, HostRule{names, {}, arrange});
        QTEST(sweepRoom(spec, {a, b}, {}).placed, "placed");
    }
    void jobsUnderALimit()
    {
        QCOMPARE(jobsAtOnce(9, 0, 0), 9);
        QCOMPARE(jobsAtOnce(9, 4, 0), 4);
        QCOMPARE(jobsAtOnce(9, 4, 2), 2); // no limit makes room
        QCOMPARE(jobsAtOnce(9, 2, 4), 2);
        QCOMPARE(jobsAtOnce(1, 2, 4), 1);
    }

    // What the engine keeps of a host's memory is no room.
    void roomWithoutTheReserve()
    {
        HostInfo host;
        host.id = u"local"_s;
        host.state = HostState::Online;
        host.cpus = 2;
        host.memoryMiB = 24'000;
        const JobSpec spec = jobOf({0, 2, 8'000});
        QCOMPARE(sweepRoom(spec, {host}, {}).placed, 3);
        const SweepRoom room = sweepRoom(spec, {host}, {{}, false, 2'048});
        QCOMPARE(room.placed, 2);
        QCOMPARE(room.jobs, 1);
    }

    // What works in a folder of this computer stays here, unless a host is chosen or it could never run here.
    void roomWhereTheyStay_data()
    {
        QTest::addColumn<JobDemand>("job");
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("works");
        QTest::addColumn<int>("jobs");
        QTest::addColumn<QStringList>("unused");
        const QStringList both{u"lab1"_s, u"lab2"_s};
        QTest::newRow("CPU cores") << JobDemand{0, 1, 0} << QString() << true << 2 << both;
        QTest::newRow("memory") << JobDemand{0, 1, 9000} << QString() << true << 2 << both;
        QTest::newRow("only one other has room") << JobDemand{1, 1, 0} << QString() << true << 1 << both.mid(1);
        QTest::newRow("the pool") << JobDemand{0, 1, 0} << u"pool"_s << true << 2 << both;
        QTest::newRow("no folder here") << JobDemand{0, 1, 0} << QString() << false << 6 << QStringList();
        QTest::newRow("any") << JobDemand{0, 1, 0} << u"any"_s << true << 6 << QStringList();
        QTest::newRow("this computer") << JobDemand{0, 1, 0} << u"local"_s << true << 2 << QStringList();
        QTest::newRow("one host") << JobDemand{0, 1, 0} << u"lab1"_s << true << 2 << QStringList();
        QTest::newRow("more GPUs than here") << JobDemand{2, 1, 0} << QString() << true << 1 << QStringList();
    }
    void roomWhereTheyStay()
    {
        QFETCH(const JobDemand, job);
        QFETCH(const QString, target);
        QFETCH(const bool, works);
        QFETCH(const QStringList, unused);
        HostInfo here;
        here.id = u"local"_s;
        here.state = HostState::Online;
        here.cpus = 2;
        here.memoryMiB = 22000;
        here.gpus = {GpuInfo{}};
        HostInfo lab1 = here, lab2 = here;
        lab1.id = u"lab1"_s;
        lab1.gpus.clear();
        lab2.id = u"lab2"_s;
        lab2.gpus = {GpuInfo{}, GpuInfo{}};
        const SweepRoom room = sweepRoom(jobOf(job), {here, lab1, lab2}, {target, works});
        QTEST(room.jobs, "jobs");
        QCOMPARE(room.unused, unused);
        JobSpec ruled = jobOf(job);
        ruled.trainyard.hosts.insert(u"*"_s, HostRule{{u"lab2"_s}, {}, Arrangement::Any});
        QVERIFY(sweepRoom(ruled, {here, lab1, lab2}, {target, works}).unused.isEmpty());
    }

    void whereAJobWorks()
    {
        JobSpec job = jobOf({});
        QVERIFY(!worksHere(job, {}, {}));
        QVERIFY(worksHere(job, {}, u"/home/ada/train.yaml"_s) && worksHere(job, u"/data"_s, {}));
        job.trainyard.work = u"runs"_s; // beside the file
        QVERIFY(worksHere(job, {}, u"/home/ada/train.yaml"_s) && !worksHere(job, {}, {}));
        job.trainyard.work = u"~/runs"_s; // of each host's own
        QVERIFY(!worksHere(job, {}, u"/home/ada/train.yaml"_s) && worksHere(job, u"/data"_s, {}));
    }

    void sharedFolder_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("work");
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("isShared");
        const QString plain = u"python train.py --out out"_s, file = u"/home/ada/job.pai.yaml"_s;
        QTest::newRow("beside the file") << plain << file << QString() << QString() << true;
        QTest::newRow("any host") << plain << file << QString() << u"any"_s << true;
        QTest::newRow("a folder of its own") << plain << QString() << QString() << QString() << false;
        QTest::newRow("a named folder") << plain << QString() << u"/data/work"_s << u"local"_s << true;
        QTest::newRow("another host") << plain << file << QString() << u"lab3"_s << false;
        QTest::newRow("a cluster with these folders") << plain << file << QString() << u"slurm:lab"_s << true;
        QTest::newRow("a cluster, kept apart")
            << u"python train.py --out $TRAINYARD_JOB_ID"_s << file << QString() << u"slurm:lab"_s << false;
        QTest::newRow("a cluster by way of a login node") << plain << file << QString() << u"slurm:far"_s << false;
        QTest::newRow("a cluster of containers") << plain << file << QString() << u"kubernetes:lab"_s << false;
        QTest::newRow("kept apart") << u"python train.py --out runs/$TRAINYARD_JOB_ID"_s << file << QString()
                                    << QString() << false;
        QTest::newRow("by name") << u"python train.py --out runs/${TRAINYARD_JOB_NAME}"_s << file << QString()
                                 << QString() << false;
    }
    void sharedFolder()
    {
        QFETCH(const QString, command);
        QFETCH(const QString, file);
        QFETCH(const QString, work);
        QFETCH(const QString, target);
        JobSpec job;
        job.taskRoles.append(TaskRole());
        job.taskRoles.last().commands = {u"cd src"_s, command};
        QTemporaryDir folder;
        QFile written(folder.filePath(u"engine.json"_s));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(R"({"slurm.lab": "default", "slurm.far": "default", "slurmLogin.far": "login1"})");
        written.close();
        const bool isCluster = sharesSlurmFolders(target, Settings(written.fileName()));
        QTEST(sweepSharesFolder(job, {target, worksHere(job, work, file), 0, isCluster}), "isShared");
    }

    void samePath_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<bool>("isSame");
        const auto row = [](const QByteArray &command, bool isSame) {
            QTest::newRow(command.constData()) << QString::fromLatin1(command) << isSame;
        };
        row("python train.py", false);
        row("python train.py --out out", true);
        row("python train.py --output-dir=\"runs\" --lr 1", true);
        row("python train.py --run_log_dir logs", true);
        row("python train.py -o model.pt", true);
        row("python train.py --dropout 0.1 --log-interval 10 --save-every 5", false);
        row("python train.py --out 5", false);
        row("python train.py --out runs/$SEED", false);
        row("python train.py --out runs/<% $parameters.lr %>", false);
        row("./train > log.txt", true);
        row("./train >>log.txt 2>&1", true);
        row("./train 2>/dev/null", false);
        row("./train 2>&1 | tee out.log", true);
        row("echo loss=<% $parameters.lr %>5", false);
        row("echo 'a -> b'", false);
        row("touch done", true);
        // A long name of an option is taken apart in one way only.
        row("python train.py --" + QByteArray("a_").repeated(60) + "x 1 --out out", true);
    }
    void samePath()
    {
        QFETCH(const QString, command);
        JobSpec job;
        job.taskRoles.append(TaskRole());
        job.taskRoles.last().commands = {u"cd src"_s, command};
        QTEST(writesSamePath(job), "isSame");
    }

    void limit()
    {
        const SweepAxis hundred = axis(u"a"_s, u"1..100:1"_s, qint64(1));
        QCOMPARE(sweepPoints({SweepKind::Grid, 0, 0, {hundred, hundred}})->size(), 10'000);
        const Result<QList<SweepPoint>> more
            = sweepPoints({SweepKind::Grid, 0, 0, {hundred, hundred, axis(u"b"_s, u"1,2"_s)}});
        QCOMPARE(more.error().code, u"sweep.too-many"_s);
        QCOMPARE(more.error().args.value("jobs"_L1).toInt(), 20'000);
        const SweepAxis most = axis(u"c"_s, u"0..1:lin:10000"_s, 0.5);
        const auto huge = sweepPoints({SweepKind::Grid, 0, 0, QList<SweepAxis>(100, most)});
        QCOMPARE(huge.error().code, u"sweep.too-many"_s);
        QCOMPARE(pointsOf({SweepKind::Random, 10'001, 0, {most}}), QStringList{u"sweep.too-many"_s});
    }

    void zip()
    {
        QCOMPARE(pointsOf({SweepKind::Zip, 0, 0,
                     {axis(u"a"_s, u"1,2,3"_s), axis(u"b"_s, u"x,y,z"_s), axis(u"c"_s, u"5"_s)}}),
            (QStringList{u"1 'x' 5"_s, u"2 'y' 5"_s, u"3 'z' 5"_s}));
        const auto uneven = sweepPoints({SweepKind::Zip, 0, 0, {axis(u"a"_s, u"1,2,3"_s), axis(u"b"_s, u"x,y"_s)}});
        QCOMPARE(uneven.error(),
            (Error{u"sweep.zip-lengths"_s,
                {{u"name"_s, u"b"_s}, {u"count"_s, 2}, {u"other"_s, u"a"_s}, {u"otherCount"_s, 3}}}));
    }

    // Each pair is another run.
    void zipOfRepeatedValues()
    {
        const auto repeated = [](const QString &name, const QString &text) {
            return sweepAxis(name, 1.0, text, SweepRepeats::Allowed).value_or(SweepAxis());
        };
        const SweepAxis lr = repeated(u"lr"_s, u"0.1,0.1,0.01"_s);
        QCOMPARE(pointsOf({SweepKind::Zip, 0, 0, {lr, repeated(u"batch"_s, u"16,32,16"_s)}}),
            (QStringList{u"0.1 16"_s, u"0.1 32"_s, u"0.01 16"_s}));
        const auto same = sweepPoints({SweepKind::Zip, 0, 0, {lr, repeated(u"batch"_s, u"16,16,32"_s)}});
        QCOMPARE(same.error(), (Error{u"sweep.same-values"_s, {{u"values"_s, u"0.1, 16"_s}}}));
    }

    void drawn()
    {
        const QList<SweepAxis> axes{axis(u"lr"_s, u"1e-4..1e-1:log:5"_s, 0.1), axis(u"batch"_s, u"16,32"_s, qint64(16)),
            axis(u"depth"_s, u"2..5"_s, qint64(2)), axis(u"drop"_s, u"0..1:0.25"_s, 0.1)};
        const SweepPlan plan{SweepKind::Random, 200, 42, axes};
        const QStringList points = pointsOf(plan);
        QCOMPARE(points.size(), 200);
        QCOMPARE(QSet<QString>(points.cbegin(), points.cend()).size(), 200);
        QCOMPARE(pointsOf(plan), points);
        // The same on any machine, for ever.
        QCOMPARE(points.first(), u"0.0167762 16 3 0.25"_s);
        SweepPlan other = plan;
        other.seed = 43;
        QVERIFY(pointsOf(other) != points);
        int small = 0;
        QSet<QString> batches, depths, drops;
        const QList<SweepPoint> all = *sweepPoints(plan);
        for (const SweepPoint &point : all) {
            const double lr = *point.at(0).asDouble();
            QVERIFY(lr >= 1e-4 && lr <= 1e-1);
            small += lr < 0.00316 ? 1 : 0;
            batches.insert(point.at(1).toText());
            QVERIFY(point.at(2).asInt());
            depths.insert(point.at(2).toText());
            drops.insert(point.at(3).toText());
        }
        QVERIFY(small > 70 && small < 130); // half of them are below the middle of the magnitudes
        QCOMPARE(batches, (QSet<QString>{u"16"_s, u"32"_s}));
        QCOMPARE(depths, (QSet<QString>{u"2"_s, u"3"_s, u"4"_s, u"5"_s}));
        QCOMPARE(drops, (QSet<QString>{u"0"_s, u"0.25"_s, u"0.5"_s, u"0.75"_s, u"1"_s}));
    }

    // Where there are few, all are drawn, and one more cannot be.
    void drawnOfFew()
    {
        SweepPlan plan{SweepKind::Random, 6, 1, {axis(u"a"_s, u"1,2,3"_s), axis(u"b"_s, u"x,y"_s)}};
        QStringList points = pointsOf(plan);
        points.sort();
        QCOMPARE(points, (QStringList{u"1 'x'"_s, u"1 'y'"_s, u"2 'x'"_s, u"2 'y'"_s, u"3 'x'"_s, u"3 'y'"_s}));
        plan.count = 7;
        QCOMPARE(
            sweepPoints(plan).error(), (Error{u"sweep.random-too-many"_s, {{u"wanted"_s, 7}, {u"possible"_s, 6}}}));
        plan.count = 0;
        QCOMPARE(pointsOf(plan), QStringList{u"sweep.random-count"_s});
    }

    void textsOfJobs()
    {
        const QByteArray yaml = "protocolVersion: 2\n"
                                "name: train # mine\n"
                                "type: job\n"
                                "parameters:\n"
                                "  lr: 0.1 # start high\n"
                                "  opt: 'adam'\n"
                                "taskRoles:\n"
                                "  main:\n"
                                "    instances: 2\n"
                                "    commands: [echo <% $parameters.lr %>]\n"
                                "    resourcePerInstance: {gpu: 1, cpu: 2, memoryMB: 100}\n";
        const YamlDocument document = YamlDocument::parse(yaml);
        const Result<QByteArray> text
            = sweepJobText(document, u"lr-3"_s, {u"lr"_s, u"opt"_s, u"seed"_s}, {1e-7, u"010"_s, qint64(5)});
        QVERIFY(text);
        QByteArray expected = yaml;
        expected.replace("name: train", "name: lr-3").replace("lr: 0.1", "lr: 1.0e-7").replace("'adam'", "'010'");
        expected.replace("'010'\n", "'010'\n  seed: 5\n");
        QCOMPARE(*text, expected);
        const Result<QByteArray> truth = sweepJobText(document, u"lr-4"_s, {u"seed"_s}, {Value(true)});
        QVERIFY(truth && truth->contains("  seed: true\n"));
        const ParseOutcome outcome = parseJob(*text);
        QVERIFY(outcome.spec);
        QCOMPARE(*outcome.spec->parameters.find(u"lr"_s), Value(1e-7));
        QCOMPARE(*outcome.spec->parameters.find(u"opt"_s), Value(u"010"_s));
        QCOMPARE(demandOf(*outcome.spec), (JobDemand{2, 4, 200}));
        QCOMPARE(demandOf(*outcome.spec).times(3), (JobDemand{6, 12, 600}));
        QCOMPARE(sweepableParameters(*outcome.spec), (QStringList{u"lr"_s, u"opt"_s, u"seed"_s}));
    }

    void names()
    {
        QCOMPARE(sweepJobName(u"train"_s, 0, 9), u"train-1"_s);
        QCOMPARE(sweepJobName(u"train"_s, 0, 10), u"train-01"_s);
        QCOMPARE(sweepJobName(u"train"_s, 9999, 10000), u"train-10000"_s);
        QCOMPARE(sweepJobName(QString(255, u'x'), 7, 24).size(), 255);
        QCOMPARE(sweepJobKey(u"train"_s, 3), u"sweep/train/4"_s);
    }

    void rules_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected"); // or a code
        QTest::newRow("sign") << u"-score@100"_s << u"-score@100"_s;
        QTest::newRow("loss") << u"val/loss@100"_s << u"-val/loss@100"_s;
        QTest::newRow("loss where more is better") << u"+loss@1"_s << u"+loss@1"_s;
        QTest::newRow("accuracy") << u" acc @ 1e3"_s << u"+acc@1000"_s;
        QTest::newRow("error") << u"val_error@5"_s << u"-val_error@5"_s;
        QTest::newRow("short for error") << u"rmse@5"_s << u"-rmse@5"_s;
        QTest::newRow("only looks like it") << u"ferrite@5"_s << u"+ferrite@5"_s;
        QTest::newRow("at in the name") << u"hits@10@5"_s << u"+hits@10@5"_s;
        QTest::newRow("blank in the name") << u"val loss@0.5"_s << u"-val loss@0.5"_s;
        QTest::newRow("no step") << u"loss"_s << u"stop-worse.bad-rule"_s;
        QTest::newRow("no number") << u"loss@x"_s << u"stop-worse.bad-rule"_s;
        QTest::newRow("no metric") << u"-@5"_s << u"stop-worse.bad-rule"_s;
        QTest::newRow("nothing") << QString() << u"stop-worse.bad-rule"_s;
        QTest::newRow("endless") << u"loss@inf"_s << u"stop-worse.bad-rule"_s;
    }
    void rules()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Result<WorseRule> rule = worseRule(text);
        QCOMPARE(rule ? rule->toText() : rule.error().code, expected);
        if (rule) {
            QCOMPARE(*worseRule(rule->toText()), *rule);
        }
    }

    void verdicts()
    {
        const auto at = [](double value) { return ValueAtStep{value, value}; };
        const QList<ValueAtStep> others{at(0.1), at(0.5), at(0.3), at(0.4), at(0.2), ValueAtStep()};
        const WorseRule less = *worseRule(u"-loss@10"_s);
        const WorseRule more = *worseRule(u"+acc@10"_s);
        QCOMPARE(worseThanMedian(less, at(0.9), others), std::optional(WorseVerdict{0.9, 0.3, 5}));
        QCOMPARE(worseThanMedian(less, at(0.3), others), std::nullopt); // as good as the median
        QCOMPARE(worseThanMedian(less, ValueAtStep{0.9, 0.2}, others), std::nullopt); // it was better before
        QCOMPARE(worseThanMedian(more, at(0.2), others), std::optional(WorseVerdict{0.2, 0.3, 5}));
        QCOMPARE(worseThanMedian(more, at(0.9), others), std::nullopt);
        QCOMPARE(worseThanMedian(less, ValueAtStep(), others), std::optional(WorseVerdict{{}, 0.3, 5}));
        QCOMPARE(worseThanMedian(less, at(9), others.first(4)), std::nullopt); // too few to tell
        QCOMPARE(worseThanMedian(less, at(9), others + QList{at(0.6)}), std::optional(WorseVerdict{9, 0.35, 6}));
    }
};

TRAINYARD_TEST(TstSweep)
#include "tst_sweep.moc"
