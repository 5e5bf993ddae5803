// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/losses.h"
#include "engine/health/tryhealth.h"
#include "engine/metrics/outputreader.h"
#include "model/sweep/lowerwords.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr double notNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr qint64 second = 1000, minute = 60 * second, hour = 60 * minute;
constexpr qint64 began = 1'700'000'000'000;

// A run that prints one metric a step, each taking so long. Noise is the same in each test run.
struct Run {
    explicit Run(const health::Limits &limits = {}) : watch(limits) { }
    health::TryHealth watch;
    std::mt19937 random{7};
    qint64 now = began;
    double step = 0;
    std::uint64_t line = 0;

    double noise(double spread) { return std::normal_distribution<double>(0, spread)(random); }
    void print(const char *name, double value, qint64 tookMs = second)
    {
        now += tookMs;
        metrics::Point point;
        point.name = name;
        point.axis = metrics::Axis::Step;
        point.step = ++step;
        point.value = value;
        point.line = ++line;
        watch.addPoint(point, now);
    }
    void loss(double value, qint64 tookMs = second) { print("loss", value, tookMs); }
    std::vector<health::Finding> found(bool isOver = false) { return watch.findings(now, isOver, {}); }
    QStringList codes(bool isOver = false)
    {
        QStringList codes;
        for (const health::Finding &finding : found(isOver)) {
            codes.append(QString::fromStdString(finding.code));
        }
        return codes;
    }
};

using Curve = std::function<double(Run &, int step)>;

} // namespace

Q_DECLARE_METATYPE(Curve)

// What is taken for a fault of a run, and above all what is not.
class TstHealth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A curve over epochs is not told in steps.
    void countsEpochs()
    {
        for (const bool isEpoch : {false, true}) {
            Run run;
            for (const double value : {0.9, 0.8, 0.7, std::nan(""), std::nan("")}) {
                metrics::Point point;
                point.name = "loss";
                point.axis = isEpoch ? metrics::Axis::Epoch : metrics::Axis::Step;
                point.step = ++run.step;
                point.value = value;
                run.watch.addPoint(point, run.now += second);
            }
            const std::vector<health::Finding> found = run.found();
            QCOMPARE(found.size(), std::size_t(1));
            QCOMPARE(found.front().step, std::optional(4.0));
            const auto counts = std::find_if(found.front().args.cbegin(), found.front().args.cend(),
                [](const auto &each) { return each.first == "counts"; });
            QCOMPARE(counts != found.front().args.cend(), isEpoch);
        }
    }

    void names_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("expected");
        for (const char *name :
            {"loss", "train/loss", "ValLoss", "val_loss", "lm loss", "eval perplexity", "RMSE", "loss_ce"}) {
            QTest::newRow(name) << QByteArray(name) << true;
        }
        for (const char *name : {"accuracy", "policy_loss", "loss_G", "actor/loss", "best loss", "discriminator_loss",
                 "lossless", "closs", "loss_scale", "kl loss", "min loss"}) {
            QTest::newRow(name) << QByteArray(name) << false;
        }
    }
    void names()
    {
        QFETCH(const QByteArray, name);
        QTEST(health::isLoss(name.constData()), "expected");
    }

    // Whether a lower value is better and whether training lowers it are decided in one list.
    void wordsOfTheModel()
    {
        for (const LowerWord &each : lowerWords) {
            QVERIFY2(health::isLoss(each.word) == each.isTrained, std::string(each.word).c_str());
        }
    }

    // Curves of a loss, and what is said of them at the end.
    void curves_data()
    {
        QTest::addColumn<Curve>("curve");
        QTest::addColumn<int>("steps");
        QTest::addColumn<qint64>("tookMs");
        QTest::addColumn<QStringList>("expected");
        const QStringList nothing;
        const auto row = [](const char *name, int steps, qint64 tookMs, const QStringList &expected,
                             const Curve &curve) { QTest::newRow(name) << curve << steps << tookMs << expected; };
        const auto falling = [](int step) { return 2.5 * std::exp(-step / 300.0) + 0.4; };
        row("smooth", 2000, second, nothing, [=](Run &, int step) { return falling(step); });
        row("noisy", 2000, second, nothing, [=](Run &r, int step) { return falling(step) * (1 + r.noise(0.15)); });
        row("very noisy", 2000, second, nothing,
            [=](Run &r, int step) { return falling(step) * std::exp(r.noise(0.6)); });
        row("warm-up", 500, second, nothing, [](Run &r, int step) {
            return step < 40 ? 2.3 + step * 0.05 + r.noise(0.02)
                             : 4.3 * std::exp(-(step - 40) / 200.0) + 0.3 + r.noise(0.02);
        });
        row("single outliers", 2000, second, nothing,
            [=](Run &r, int step) { return falling(step) * (step % 97 == 50 ? 6 : 1) + r.noise(0.01); });
        row("two in a row", 400, second, nothing,
            [=](Run &r, int step) { return (step == 300 || step == 301 ? 9 : falling(step)) + r.noise(0.01); });
        row("curriculum", 2000, second, nothing,
            [=](Run &r, int step) { return falling(step % 500) * (1 + 0.2 * (step >= 1000)) + r.noise(0.02); });
        row("slow rise, as of an overfit", 1500, second, nothing,
            [](Run &r, int step) { return 0.5 + step * 0.0002 + r.noise(0.01); });
        row("constant", 1000, second, nothing, [](Run &, int) { return 0.5; });
        row("below zero", 1000, second, nothing, [](Run &r, int step) { return -step * 0.01 + r.noise(0.2); });
        row("a short run of nothing new", 200, second, nothing, [](Run &r, int) { return 0.69 + r.noise(0.01); });
        row("jump", 400, second, {u"health.jump"_s},
            [=](Run &r, int step) { return (step >= 300 ? 8 : falling(step)) + r.noise(0.02); });
        row("jump and back", 600, second, nothing,
            [=](Run &r, int step) { return (step >= 300 && step < 320 ? 8 : falling(step)) + r.noise(0.02); });
        row("divergence", 340, second, {u"health.jump"_s}, [=](Run &r, int step) {
            return falling(std::min(step, 300)) * std::exp(std::max(0, step - 300) / 8.0) + r.noise(0.01);
        });
        row("NaN", 400, second, {u"health.not-finite"_s},
            [=](Run &, int step) { return step >= 300 ? notNumber : falling(step); });
        row("one NaN", 400, second, nothing, [=](Run &, int step) { return step == 300 ? notNumber : falling(step); });
        row("NaN, and back", 400, second, nothing,
            [=](Run &, int step) { return step >= 300 && step < 304 ? notNumber : falling(step); });
        row("NaN from the start", 10, second, {u"health.not-finite"_s}, [](Run &, int) { return notNumber; });
        row("infinite at the start", 100, second, nothing,
            [=](Run &, int step) { return step < 2 ? infinity : falling(step); });
        row("infinite", 100, second, {u"health.not-finite"_s},
            [=](Run &, int step) { return step > 50 ? infinity : falling(step); });
        row("plateau", 6000, 5 * second, {u"health.plateau"_s},
            [=](Run &r, int step) { return falling(step) + r.noise(0.02); });
        row("never learns", 1000, 5 * second, {u"health.plateau"_s},
            [](Run &r, int) { return 0.6931 + r.noise(0.005); });
        row("slow, and still better", 2000, 5 * second, nothing,
            [](Run &r, int step) { return 3.0 - 0.3 * std::log(1 + step / 50.0) + r.noise(0.02); });
        row("overfits", 100, 60 * second, {u"health.plateau"_s},
            [](Run &, int step) { return step < 20 ? 1.0 - step * 0.02 : 0.62 + (step - 20) * 0.002; });
    }
    void curves()
    {
        QFETCH(const Curve, curve);
        QFETCH(const int, steps);
        QFETCH(const qint64, tookMs);
        Run run;
        for (int step = 0; step < steps; ++step) {
            run.loss(curve(run, step), tookMs);
        }
        QTEST(run.codes(), "expected");
    }

    // The place of a mark is where it began, not where it was sure.
    void places()
    {
        Run run;
        for (int i = 1; i <= 40; ++i) {
            run.loss(1);
        }
        for (int i = 0; i < 20; ++i) {
            run.loss(20);
        }
        const std::vector<health::Finding> jump = run.found();
        QCOMPARE(jump.size(), 1U);
        QCOMPARE(*jump[0].step, 41.0);
        QCOMPARE(*jump[0].line, 41U);
        QCOMPARE(jump[0].at, began + 41 * second);
        QCOMPARE(std::get<double>(jump[0].args[0].second), 1.0);
        QCOMPARE(std::get<double>(jump[0].args[1].second), 20.0);
        run.loss(notNumber);
        QCOMPARE(run.codes(true), QStringList(u"health.not-finite"_s)); // it ends so
        QCOMPARE(run.codes(), QStringList(u"health.jump"_s)); // it may be one alone
        run.loss(notNumber);
        QCOMPARE(*run.found().at(0).step, 61.0);
    }

    // Continued from a checkpoint: what was wrong with the steps that are done again is void.
    void resumed()
    {
        Run run;
        for (int i = 1; i <= 80; ++i) {
            run.loss(i <= 60 ? 1 : 30);
        }
        QCOMPARE(run.codes(), QStringList(u"health.jump"_s));
        run.step = 50;
        for (int i = 0; i < 40; ++i) {
            run.loss(1);
        }
        QVERIFY(run.codes().isEmpty());
    }

    // A loss of batches is often the mean since the epoch began: the first of an epoch are further off.
    void batches()
    {
        Run run;
        for (int epoch = 1; epoch <= 5; ++epoch) {
            for (int batch = 1; batch <= 100; ++batch) {
                metrics::Point point;
                point.name = "loss";
                point.axis = metrics::Axis::Batch;
                point.step = batch;
                point.epoch = epoch;
                point.value = 0.3 + 0.6 / batch;
                run.watch.addPoint(point, run.now += second);
            }
        }
        QVERIFY(run.codes().isEmpty());
    }

    void otherMetrics()
    {
        Run run;
        for (int i = 0; i < 200; ++i) {
            run.print("grad_norm", i % 7 == 0 ? infinity : i % 50 == 0 ? 900 : 1.0);
            run.print("policy_loss", i < 100 ? 0.1 : 80);
            run.print("val/precision", notNumber);
        }
        QVERIFY(run.codes().isEmpty());
        for (int i = 0; i < 10; ++i) {
            run.print("grad_norm", notNumber);
        }
        QCOMPARE(run.codes(), QStringList(u"health.not-finite"_s));
    }

    void silence_data()
    {
        QTest::addColumn<int>("gaps");
        QTest::addColumn<int>("tellings");
        QTest::addColumn<qint64>("longest");
        QTest::addColumn<qint64>("silent");
        QTest::addColumn<qint64>("seenAgo");
        QTest::addColumn<qint64>("allowed");
        QTest::addColumn<bool>("expected");
        QTest::newRow("long") << 20 << 0 << 10 * second << 31 * minute << 2 * second << 30 * minute << true;
        QTest::newRow("not long enough") << 20 << 0 << 10 * second << 29 * minute << 2 * second << 30 * minute << false;
        QTest::newRow("as usual") << 20 << 0 << 20 * minute << 50 * minute << 2 * second << 30 * minute << false;
        QTest::newRow("longer than usual")
            << 20 << 0 << 20 * minute << 81 * minute << 2 * second << 30 * minute << true;
        QTest::newRow("nobody knows its rhythm")
            << 4 << 4 << 10 * second << 5 * hour << 2 * second << 30 * minute << false;
        QTest::newRow("it told values in its first seconds")
            << 0 << 10 << second / 3 << 31 * minute << 2 * second << 30 * minute << true;
        QTest::newRow("its host is away") << 20 << 0 << 10 * second << 5 * hour << 5 * hour << 30 * minute << false;
        QTest::newRow("turned off") << 20 << 0 << 10 * second << 5 * hour << 2 * second << qint64(0) << false;
    }
    void silence()
    {
        QFETCH(const int, gaps);
        QFETCH(const int, tellings);
        QFETCH(const qint64, longest);
        QFETCH(const qint64, silent);
        QFETCH(const qint64, seenAgo);
        QFETCH(const qint64, allowed);
        Run run({.silentMs = allowed});
        run.watch.setRhythm({began, longest, gaps, tellings});
        run.now = began + silent;
        run.watch.addFigure("cpu", run.now - seenAgo, 3);
        QTEST(!run.codes().isEmpty(), "expected");
        QVERIFY(run.codes(true).isEmpty());
    }

    void gpus_data()
    {
        QTest::addColumn<double>("before"); // percent
        QTest::addColumn<double>("later");
        QTest::addColumn<double>("cpu");
        QTest::addColumn<bool>("prints");
        QTest::addColumn<bool>("alternates");
        QTest::addColumn<QStringList>("expected");
        const QStringList nothing;
        QTest::newRow("works") << 80.0 << 80.0 << 100.0 << true << false << nothing;
        QTest::newRow("stands still") << 80.0 << 0.0 << 100.0 << true << false << QStringList{u"health.gpu-idle"_s};
        QTest::newRow("never worked") << 0.0 << 0.0 << 400.0 << true << false << QStringList{u"health.gpu-never"_s};
        QTest::newRow("prints nothing") << 80.0 << 0.0 << 100.0 << false << false << nothing;
        QTest::newRow("waits for data") << 80.0 << 90.0 << 395.0 << true << true << QStringList{u"health.data-bound"_s};
        QTest::newRow("bursts with processors to spare") << 80.0 << 90.0 << 200.0 << true << true << nothing;
        QTest::newRow("busy processors") << 80.0 << 90.0 << 395.0 << true << false << nothing;
    }
    void gpus()
    {
        QFETCH(const double, before);
        QFETCH(const double, later);
        QFETCH(const double, cpu);
        QFETCH(const bool, prints);
        QFETCH(const bool, alternates);
        Run run({.cores = 4, .gpuIdleMs = 15 * minute});
        for (int i = 0; i < 60 * 60; ++i) {
            const bool isLater = i > 40 * 60;
            run.now += second;
            run.watch.addFigure("cpu", run.now, cpu);
            run.watch.addFigure("gpu/0/use", run.now, !isLater ? before : alternates && i % 8 < 4 ? 0 : later);
            run.watch.addFigure("gpu/0/memory", run.now, 9000);
            if (prints && i % 30 == 0) {
                run.print("accuracy", i, 0);
            }
        }
        QTEST(run.codes(), "expected");
    }

    void memory_data()
    {
        QTest::addColumn<Curve>("curve");
        QTest::addColumn<bool>("expected");
        const auto row
            = [](const char *name, bool expected, const Curve &curve) { QTest::newRow(name) << curve << expected; };
        row("steady", false, [](Run &r, int) { return 4000 + r.noise(50); });
        row("creeps", true, [](Run &r, int at) { return 4000 + at * 0.5 + r.noise(20); });
        row("becomes slower", false, [](Run &, int at) { return 4000 + 6000 * (1 - std::exp(-at / 1500.0)); });
        row("saw-tooth of epochs", false, [](Run &, int at) { return 4000 + (at % 600) * 8; });
        row("far away", false, [](Run &, int at) { return 2000 + at * 0.01; });
        row("grew at the beginning", false, [](Run &, int at) { return at < 2000 ? 1000 + at * 2 : 5000; });
    }
    void memory()
    {
        QFETCH(const Curve, curve);
        Run run({.memoryMiB = 16384});
        for (int at = 0; at < 2 * 3600; at += 5) {
            run.now += 5 * second;
            run.watch.addFigure("memory", run.now, curve(run, at));
            if (at % 10 == 0) {
                run.print("accuracy", at, 0);
            }
        }
        QTEST(run.codes() == QStringList(u"health.memory"_s), "expected");
        const std::vector<health::Finding> found = run.found();
        if (!found.empty()) {
            // 16384 = 4000 + t / 2: after 24,768 s, at step 2,477 of one each 10 s.
            const qint64 at = std::get<std::int64_t>(found[0].args[0].second) - began;
            QVERIFY2(std::abs(double(at) / second - 24768) < 1800, qPrintable(QString::number(at / second)));
            const double step = std::get<double>(found[0].args.back().second);
            QVERIFY2(std::abs(step - 2477) < 180, qPrintable(QString::number(step)));
            // It ends before.
            QVERIFY(run.watch.findings(run.now, false, run.now + hour).empty());
        }
    }

    // Outputs of real programs, with which all was well or nobody knew. Each line takes ten seconds here, so that
    // there is time for everything.
    void realOutputs()
    {
        const QString folder = shareddata::folder() + u"/metrics"_s;
        const QStringList files = QDir(folder).entryList({u"*.log"_s}, QDir::Files);
        if (files.isEmpty()) {
            QSKIP("There is no reference data of recorded outputs: set TRAINYARD_SHARED to its folder.");
        }
        QStringList marks;
        for (const QString &file : files) {
            metrics::OutputReader reader;
            const QByteArray output = shareddata::read(folder + u'/' + file);
            reader.feed({output.constData(), std::size_t(output.size())});
            reader.finish();
            health::TryHealth watch({});
            qint64 now = began;
            for (const metrics::Point &point : reader.takePoints()) {
                now = began + qint64(point.line) * 10 * second;
                watch.addPoint(point, now);
            }
            for (const health::Finding &finding : watch.findings(now, true, {})) {
                marks.append(file + u": "_s + QString::fromStdString(finding.code) + u' '
                    + QString::fromStdString(finding.metric) + u" at "_s + QString::number(finding.step.value_or(-1)));
            }
        }
        qInfo("%d outputs, %d marks%s", int(files.size()), int(marks.size()), qPrintable(u'\n' + marks.join(u'\n')));
        QVERIFY2(marks.size() * 20 <= files.size(), qPrintable(marks.join(u'\n')));
    }
};

TRAINYARD_TEST(TstHealth)
#include "tst_health.moc"
