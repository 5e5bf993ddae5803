// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/logmetrics.h"
#include "engine/client/metricpatterns.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstMetricPatterns : public QObject
{
    Q_OBJECT

    static MetricPatterns one(const QString &name, const QString &expression)
    {
        return MetricPatterns(QMap<QString, QString>{{name, expression}});
    }

private Q_SLOTS:
    void groups_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("line");
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("step"); // -1: none
        QTest::newRow("one group") << u"quality -> (\\S+)"_s << u"the quality -> 31.5 now"_s << 31.5 << -1.0;
        QTest::newRow("value, then step") << u"quality (\\S+) at (\\d+)"_s << u"quality 31.5 at 200"_s << 31.5 << 200.0;
        QTest::newRow("named") << u"(?<step>\\d+): (?<value>\\S+)"_s << u"200: 31.5"_s << 31.5 << 200.0;
        QTest::newRow("only the step is named") << u"(?<step>\\d+): (\\S+)"_s << u"200: 31.5"_s << 31.5 << 200.0;
        QTest::newRow("only the value is named") << u"(\\w+) (?<value>\\S+)"_s << u"is 31.5"_s << 31.5 << -1.0;
        QTest::newRow("exponent") << u"lr (\\S+)"_s << u"lr 1e-4"_s << 1e-4 << -1.0;
        QTest::newRow("infinite") << u"x (\\S+)"_s << u"x -inf"_s << -qInf() << -1.0;
    }
    void groups()
    {
        QFETCH(QString, expression);
        QFETCH(QString, line);
        const MetricPatterns patterns = one(u"m"_s, expression);
        QVERIFY(patterns.faults().isEmpty());
        const auto found = patterns.findIn(line);
        QCOMPARE(found.size(), std::size_t(1));
        QTEST(found.front().value, "value");
        QTEST(found.front().step.value_or(-1), "step");
    }
    void linesWithoutAValue()
    {
        QVERIFY(one(u"m"_s, u"x (\\S+)"_s).findIn(u"x apple"_s).empty());
        QVERIFY(one(u"m"_s, u"x (\\S+)"_s).findIn(u"y 3"_s).empty());
        QVERIFY(std::isnan(one(u"m"_s, u"x (\\S+)"_s).findIn(u"x NaN"_s).front().value));
    }
    // Every line of every job is matched: one of these must not take the thread from all others.
    void slowOnesGiveUp()
    {
        const MetricPatterns slow = one(u"m"_s, u"((?:a+)+)$"_s);
        QCOMPARE(slow.expressions().value(u"m"_s), u"((?:a+)+)$"_s);
        const QString line = QString(60, u'a') + u'!';
        QElapsedTimer took;
        took.start();
        for (int i = 0; i < 400; ++i) {
            QVERIFY(slow.findIn(line).empty());
        }
        QVERIFY2(took.elapsed() < 4000, qPrintable(QString::number(took.elapsed())));
    }
    void wrongOnesAreNamed()
    {
        const MetricPatterns patterns(
            {{u"a"_s, u"x (\\S+"_s}, {u"b"_s, u"x"_s}, {u"c"_s, u"x (.)"_s}, {u"d"_s, QString()}});
        QCOMPARE(patterns.expressions().keys(), QStringList{u"c"_s});
        QCOMPARE(patterns.faults().size(), 2);
        QCOMPARE(patterns.faults().at(0).code, u"metrics.pattern-invalid"_s);
        QCOMPARE(patterns.faults().at(1), (Error{u"metrics.pattern-groups"_s, {{u"name"_s, u"b"_s}}}));
    }
    void jobsHaveTheirOwn()
    {
        const QByteArray yaml = "protocolVersion: 2\nname: x\ntype: job\ntaskRoles:\n  w:\n    commands: ['true']\n"
                                "extras:\n  trainyard:\n    metricPatterns:\n      quality: 'quality -> (\\S+)'\n";
        QCOMPARE(MetricPatterns::ofJob(yaml).expressions().value(u"quality"_s), u"quality -> (\\S+)"_s);
        QVERIFY(MetricPatterns::ofJob("name: x\n").isEmpty());
        const MetricPatterns all = MetricPatterns({{u"quality"_s, u"old (.)"_s}, {u"other"_s, u"o (.)"_s}})
                                       .with(MetricPatterns::ofJob(yaml));
        QCOMPARE(all.expressions().size(), 2);
        QCOMPARE(all.expressions().value(u"quality"_s), u"quality -> (\\S+)"_s);
    }
    // In any pieces, with a bar that says the same again, and in the place of what is recognized.
    void outputsAreRead()
    {
        const std::string text = "step 1 loss: 0.5\nquality -> 30.5\n\rbar q=1\rbar q=1\rbar q=2\nstep 2 loss: 0.25\n";
        for (std::size_t size = 1; size < text.size(); size += 7) {
            PatternedOutput output(MetricPatterns({{u"quality"_s, u"quality -> (\\S+)"_s}, {u"q"_s, u"q=(\\d+)"_s},
                {u"loss"_s, u"step (?<step>\\d+) loss: (\\S+)"_s}}));
            std::vector<metrics::Point> points;
            for (std::size_t at = 0; at < text.size(); at += size) {
                output.feed(std::string_view(text).substr(at, size));
            }
            output.finish();
            points = output.takePoints();
            QStringList said;
            for (const metrics::Point &point : points) {
                said.append(u"%1 %2 %3 %4"_s.arg(QString::fromStdString(point.name))
                                .arg(point.step.value_or(-1))
                                .arg(point.value)
                                .arg(point.line));
            }
            QCOMPARE(said.join(u'|'), u"loss 1 0.5 1|quality -1 30.5 2|q -1 1 3|q -1 2 3|loss 2 0.25 4"_s);
        }
    }
    void logsOfTries()
    {
        WrittenLog log;
        log.write("quality -> 30.5\n");
        LogMetrics metrics(log.folder(), one(u"quality"_s, u"quality -> (\\S+)"_s));
        QVERIFY(!metrics.readMore());
        const auto points = metrics.takePoints();
        QCOMPARE(points.size(), std::size_t(1));
        QCOMPARE(points.front().point.value, 30.5);
        QCOMPARE(points.front().time, WrittenLog::start);
    }

    // A keeper that has much to write makes long records, which are read in pieces as anything else.
    void longRecords()
    {
        WrittenLog log;
        const QByteArray line = "step 1 quality -> 30.5\n";
        log.write(line.repeated(1000));
        log.write(line);
        LogMetrics metrics(log.folder(), one(u"quality"_s, u"quality -> (\\S+)"_s));
        std::size_t points = 0;
        int pieces = 0;
        for (bool more = true; more; ++pieces) {
            more = metrics.readMore(line.size() * 10 + 3); // lines are cut
            QCOMPARE(metrics.bytesRead(), std::min<qint64>(metrics.size(), (pieces + 1) * (line.size() * 10 + 3)));
            const std::size_t some = metrics.takePoints().size();
            QVERIFY(some <= 11);
            points += some;
        }
        QCOMPARE(points, std::size_t(1001));
        QVERIFY(pieces > 90);
    }

    // Hundreds of logs may be followed at once.
    void whatWasReadIsNotKept()
    {
        WrittenLog log;
        const QByteArray line = "step 1 quality -> 30.5\n";
        log.write(line.repeated(20000));
        LogMetrics metrics(log.folder(), one(u"quality"_s, u"quality -> (\\S+)"_s));
        QVERIFY(metrics.readMore(line.size() * 10));
        QVERIFY(metrics.heldBytes() > 0); // of the piece that is being read
        for (int i = 0; i < 2; ++i) {
            while (metrics.readMore()) { }
            QCOMPARE(metrics.heldBytes(), 0);
            QCOMPARE(metrics.takePoints().size(), std::size_t(i == 0 ? 20000 : 1));
            log.write(line);
        }
    }

    // Each has the time of its own record, however many of them are read at once, and what comes later is read too.
    void shortRecords()
    {
        WrittenLog log;
        LogMetrics metrics(log.folder(), one(u"quality"_s, u"quality -> (\\S+)"_s));
        constexpr int lines = 6000; // more than a block of the log
        const auto write = [&log](int from, int to) {
            for (int i = from; i < to; ++i) {
                log.writeAt((WrittenLog::start + i) * 1'000'000, "quality -> " + QByteArray::number(i) + ".5\n",
                    i % 3 == 0 ? LogReader::Stream::Err : LogReader::Stream::Out);
            }
        };
        std::vector<LogMetrics::TimedPoint> points;
        const auto read = [&](qint64 bytes) {
            for (bool more = true; more;) {
                more = metrics.readMore(bytes);
                for (LogMetrics::TimedPoint &point : metrics.takePoints()) {
                    points.push_back(std::move(point));
                }
            }
        };
        write(0, lines);
        read(1000);
        write(lines, lines + 2);
        read(1000);
        metrics.pause();
        write(lines + 2, lines + 4);
        read(1 << 20);
        QCOMPARE(points.size(), std::size_t(lines + 4));
        for (int i = 0; i < lines + 4; ++i) {
            QCOMPARE(points[std::size_t(i)].point.value, i + 0.5);
            QCOMPARE(points[std::size_t(i)].time, WrittenLog::start + i);
        }
    }

    // How a program prints is known by its values also where they all come within its first seconds.
    void rhythm()
    {
        WrittenLog log;
        QVERIFY(log.isOpen());
        constexpr qint64 ms = 1'000'000;
        for (int i = 1; i <= 10; ++i) {
            const QByteArray step = QByteArray::number(i);
            log.writeAt((WrittenLog::start + i * 300) * ms, "step " + step + " loss=0." + step + '\n');
        }
        for (int i = 0; i < 8; ++i) {
            log.writeAt((WrittenLog::start + 3000 + i) * ms, "still here\n");
        }
        LogMetrics reader(log.folder(), MetricPatterns());
        while (reader.readMore()) { }
        QCOMPARE(reader.rhythm().longestGapMs, 0); // none of a second
        QCOMPARE(reader.rhythm().gaps, 0);
        QCOMPARE_GE(reader.rhythm().tellings, 5);
        QCOMPARE_LE(reader.rhythm().tellings, 10);
    }
};

TRAINYARD_TEST(TstMetricPatterns)
#include "tst_metricpatterns.moc"
