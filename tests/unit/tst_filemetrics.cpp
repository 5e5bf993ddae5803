// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/epochsteps.h"
#include "engine/client/filemetrics.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/rewriting.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenmetrics.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <utility>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What a client reads of the metrics that an agent has put into a try's folder.
class TstFileMetrics : public QObject
{
    Q_OBJECT

    using Folder = WrittenMetrics;
    static QStringList told(FileMetrics &metrics)
    {
        QStringList lines;
        for (const FileMetrics::Grown &grown : metrics.takeNew()) {
            QString line = grown.name + u" from "_s + grown.source + (grown.isNew ? u" anew"_s : QString());
            for (const series::Point &point : grown.points) {
                line += u' ' + QString::number(point.x) + u'=' + QString::number(point.value);
            }
            lines.append(line);
        }
        return lines;
    }

private Q_SLOTS:
    void bookIsReadBack()
    {
        const contract::MetricBook::Note note{0, "metricfile.bad-record", 17, "why\tnot"};
        const std::string text = contract::runLine("logs") + contract::fileLine({0, "events", "/a/b\nc"})
            + contract::noteLine(note) + contract::factLine("config/lr", "0.1") + contract::otherLine("/a/of\tanother")
            + "later\tversions\n" + contract::overLine();
        const contract::MetricBook book = contract::MetricBook::parse(text + "file\t0\ttable\t/not/whole");
        QCOMPARE(book.runs.size(), std::size_t(1));
        QCOMPARE(book.files.size(), std::size_t(1));
        QCOMPARE(book.files[0].path, std::string("/a/b c"));
        QCOMPARE(book.notes.size(), std::size_t(1));
        QCOMPARE(book.notes[0].offset, std::uint64_t(17));
        QCOMPARE(book.notes[0].text, std::string("why not"));
        QCOMPARE(book.facts.at("config/lr"), std::string("0.1"));
        QVERIFY(book.others == std::set<std::string>{"/a/of another"});
        QVERIFY(book.isOver);
        QVERIFY(!contract::MetricBook::parse(text.substr(0, text.size() - 1)).isOver);
        QVERIFY(!contract::parseMetricSeries(contract::takenSeries(3)));
        QVERIFY(!contract::parseMetricSeries(contract::epochSeries(3)));
        QCOMPARE(contract::parseMetricSeries("12 val loss")->run, 12);
    }

    void pointsComeAsTheyGrow()
    {
        Folder folder;
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), QStringList());
        folder.say(contract::runLine("logs"));
        folder.put(0, "loss", {{1, 3}, {2, 2}});
        QCOMPARE(told(metrics), QStringList{u"loss from logs anew 1=3 2=2"_s});
        folder.put(0, "loss", {{3, 1}});
        QCOMPARE(told(metrics), QStringList{u"loss from logs 3=1"_s});
        QCOMPARE(told(metrics), QStringList());
        folder.put(0, "loss", {{2, 9}}); // resumed
        QCOMPARE(told(metrics), QStringList{u"loss from logs anew 1=3 2=9"_s});
        QVERIFY(!metrics.isOver());
        folder.say(contract::overLine());
        QCOMPARE(told(metrics), QStringList());
        QVERIFY(metrics.isOver());
    }

    void epochsAreKnownAtTheirSteps()
    {
        Folder folder;
        folder.say(contract::runLine("a.csv") + contract::runLine("events") + contract::runLine("b.csv"));
        folder.put(0, "loss", {{9, 0.5}, {19, 0.25}});
        const auto rows = folder.writer->define({contract::epochSeries(0)});
        QVERIFY(rows);
        folder.writer->append(*rows, {9, 1, 0});
        folder.writer->append(*rows, {19, 2, 1});
        folder.put(1, "acc", {{10, 0.5}});
        folder.put(1, "epoch", {{10, 0.75}});
        folder.put(2, "top1", {{9, 0.5}});
        FileMetrics metrics(folder.dir.path());
        const QStringList all = told(metrics);
        QCOMPARE(all.size(), 4); // the epochs of rows are no metric
        QCOMPARE(metrics.epochAt(u"a.csv"_s, 9), std::optional(0.0));
        QCOMPARE(metrics.epochAt(u"a.csv"_s, 19), std::optional(1.0));
        QCOMPARE(metrics.epochAt(u"a.csv"_s, 12), std::optional<double>());
        QCOMPARE(metrics.epochAt(u"events"_s, 10), std::optional(0.75));
        QCOMPARE(metrics.epochAt(u"b.csv"_s, 9), std::optional<double>());
        QCOMPARE(metrics.epochAt(u"gone"_s, 9), std::optional<double>());
    }

    // A task ends while its metrics are looked at: the last row of its file is written, and then that nothing more
    // comes. Whoever has read that has the row as well.
    void theLastRowComesBeforeTheEnd()
    {
        struct Ending : FileMetrics {
            explicit Ending(Folder &folder) : FileMetrics(folder.dir.path()), m_folder(folder) { }
            std::optional<std::string> newBook(qint64 knownSize) override
            {
                if (std::exchange(ends, false)) {
                    m_folder.put(0, "loss", {{2, 2}});
                    m_folder.say(contract::overLine());
                }
                return FileMetrics::newBook(knownSize);
            }
            bool ends = false;

        private:
            Folder &m_folder;
        };
        Folder folder;
        folder.say(contract::runLine("logs"));
        folder.put(0, "loss", {{1, 3}});
        Ending metrics(folder);
        QCOMPARE(told(metrics), QStringList{u"loss from logs anew 1=3"_s});
        metrics.ends = true;
        QCOMPARE(told(metrics), QStringList{u"loss from logs 2=2"_s});
        QVERIFY(metrics.isOver());
    }

    // A table beside event files has the same values; those of validation are others.
    void sameCurvesAreOne()
    {
        Folder folder;
        folder.say(
            contract::runLine("train") + contract::runLine("train/metrics.csv") + contract::runLine("validation"));
        folder.put(0, "loss", {{1, 0.1f}, {2, 0.2f}});
        folder.put(1, "loss", {{1, 0.1}, {2, 0.2}});
        folder.put(2, "loss", {{1, 0.5}, {2, 0.4}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics),
            (QStringList{
                u"loss from train anew 1=0.1 2=0.2"_s, u"validation/loss from validation anew 1=0.5 2=0.4"_s}));
        // It was no copy after all.
        folder.put(0, "loss", {{3, 0.1}, {4, 0.1}});
        folder.put(1, "loss", {{3, 5}, {4, 5}});
        QCOMPARE(told(metrics),
            (QStringList{u"loss from train 3=0.1 4=0.1"_s,
                u"train/metrics.csv/loss from train/metrics.csv anew 1=0.1 2=0.2 3=5 4=5"_s}));
    }

    // What several jobs, or several tasks, wrote tells nothing, and another file of the metric takes the name.
    void sharedFilesAreNone_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("several jobs") << QByteArray("metricfile.shared-file");
        QTest::newRow("several tasks of a job") << QByteArray("metricfile.tasks-file");
    }
    void sharedFilesAreNone()
    {
        QFETCH(const QByteArray, code);
        Folder folder;
        folder.say(contract::runLine("a.csv") + contract::fileLine({0, "table", "/w/a.csv"})
            + contract::runLine("b.csv") + contract::fileLine({1, "table", "/w/b.csv"}));
        folder.put(0, "loss", {{1, 3}});
        folder.put(1, "loss", {{1, 9}, {2, 8}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), (QStringList{u"loss from a.csv anew 1=3"_s, u"b.csv/loss from b.csv anew 1=9 2=8"_s}));
        folder.say(contract::noteLine({0, code.toStdString(), 0, "of-another"}));
        QCOMPARE(told(metrics),
            (QStringList{
                u"loss from a.csv anew"_s, u"b.csv/loss from b.csv anew"_s, u"loss from b.csv anew 1=9 2=8"_s}));
        folder.put(0, "loss", {{2, 2}});
        QCOMPARE(told(metrics), QStringList());
        FileMetrics next(folder.dir.path());
        QCOMPARE(told(next), QStringList{u"loss from b.csv anew 1=9 2=8"_s});
    }

    // A curve of which nothing is left is told once, and one of which nothing was ever seen is not.
    void whatIsVoidIsTold()
    {
        Folder folder;
        folder.say(contract::runLine("a.csv"));
        folder.put(0, "loss", {{1, 3}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew 1=3"_s});
        folder.writer->voidFrom(0, 0);
        folder.writer->flush();
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew"_s});
        FileMetrics next(folder.dir.path());
        QCOMPARE(told(next), QStringList());
        folder.put(0, "loss", {{4, 1}});
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew 4=1"_s});
        QCOMPARE(told(next), QStringList{u"loss from a.csv anew 4=1"_s});
    }

    void remarksComeOnce()
    {
        Folder folder;
        FileMetrics metrics(folder.dir.path());
        QVERIFY(!metrics.takeRemarks());
        folder.say(contract::runLine("logs") + contract::fileLine({0, "events", "/logs/x.tfevents"})
            + contract::noteLine({0, "metricfile.bad-record", 17, {}})
            + contract::noteLine({-1, "metricfile.shared-folder", 0, "/logs"}));
        metrics.takeNew();
        const std::vector<Error> remarks = metrics.takeRemarks().value_or(std::vector<Error>());
        QCOMPARE(remarks.size(), std::size_t(2));
        QCOMPARE(remarks[0].args.value(u"file"_s).toString(), u"/logs/x.tfevents"_s);
        QCOMPARE(remarks[0].args.value(u"offset"_s).toInt(), 17);
        QCOMPARE(remarks[1].args.value(u"file"_s).toString(), u"/logs"_s);
        metrics.takeNew();
        QVERIFY(!metrics.takeRemarks());
    }

    void whatIsBackIsNotGone()
    {
        Folder folder;
        FileMetrics metrics(folder.dir.path());
        const auto codes = [&] {
            metrics.takeNew();
            const auto remarks = metrics.takeRemarks();
            QStringList all{remarks ? u"told"_s : u"the same"_s};
            for (const Error &remark : remarks.value_or(std::vector<Error>())) {
                all.append(remark.code + u' ' + remark.args.value(u"file"_s).toString());
            }
            return all.join(u", "_s);
        };
        folder.say(contract::runLine(".") + contract::fileLine({0, "table", "/a.csv"})
            + contract::fileLine({0, "table", "/b.csv"}) + contract::noteLine({0, "metricfile.gone", 0, {}})
            + contract::noteLine({0, "metricfile.bad-record", 17, {}})
            + contract::noteLine({1, "metricfile.gone", 0, {}}));
        const QString others = u"metricfile.bad-record /a.csv, metricfile.gone /b.csv"_s;
        QCOMPARE(codes(), u"told, metricfile.gone /a.csv, "_s + others);
        folder.say(contract::backLine(0));
        QCOMPARE(codes(), u"told, "_s + others);
        QCOMPARE(codes(), u"the same"_s);
        folder.say(contract::noteLine({0, "metricfile.gone", 0, {}}));
        QCOMPARE(codes(), u"told, "_s + others + u", metricfile.gone /a.csv"_s);
        folder.say(contract::backLine(0) + contract::backLine(1) + contract::backLine(7) + "back\tnothing\n");
        QCOMPARE(codes(), u"told, metricfile.bad-record /a.csv"_s);
    }

    void runsWithoutANameWait()
    {
        Folder folder;
        folder.put(0, "loss", {{1, 3}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), QStringList());
        folder.say(contract::runLine("late"));
        QCOMPARE(told(metrics), QStringList{u"loss from late anew 1=3"_s});
    }

    // Its agent merges small blocks now and then. To tell all again would show a program that begins again.
    void aRewrittenFileIsToldOn()
    {
        Folder folder;
        folder.say(contract::runLine("a.csv") + contract::runLine("b.csv"));
        folder.put(0, "loss", {{1, 3}, {2, 2}});
        folder.put(1, "loss", {{1, 9}, {2, 8}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics).size(), 2);
        QCOMPARE(series::rewrite(folder.writer).fault, series::Fault::None);
        QCOMPARE(told(metrics), QStringList());
        folder.put(0, "loss", {{3, 1}});
        QCOMPARE(series::rewrite(folder.writer).fault, series::Fault::None); // before anybody has looked
        folder.put(1, "loss", {{3, 7}});
        QCOMPARE(told(metrics), (QStringList{u"loss from a.csv 3=1"_s, u"b.csv/loss from b.csv 3=7"_s}));
        folder.writer->voidFrom(*folder.writer->define({contract::metricSeries(0, "loss")}), 2);
        QCOMPARE(series::rewrite(folder.writer).fault, series::Fault::None);
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew 1=3"_s});
        QCOMPARE(series::rewrite(folder.writer).fault, series::Fault::None);
        QCOMPARE(told(metrics), QStringList());
    }

    // As where all of it comes anew from another host: what was told is known also when a file was never read.
    void aFileMayBeRewrittenAgainBeforeItIsRead()
    {
        Folder folder;
        const std::string book = contract::runLine("a.csv");
        folder.say(book);
        folder.put(0, "loss", {{1, 3}, {2, 2}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew 1=3 2=2"_s});
        folder.book.clear();
        folder.say({}); // its run has no name yet
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(series::rewrite(folder.writer).fault, series::Fault::None);
            QCOMPARE(told(metrics), QStringList());
        }
        folder.say(book);
        QCOMPARE(told(metrics), QStringList());
        folder.put(0, "loss", {{3, 1}});
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv 3=1"_s});
    }

    // Less, as after a host has lost its power, or something else.
    void anotherFileIsToldAnew()
    {
        Folder folder;
        folder.say(contract::runLine("a.csv"));
        folder.put(0, "loss", {{1, 3}, {2, 2}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew 1=3 2=2"_s});
        for (const QList<QPair<double, double>> &points :
            {QList<QPair<double, double>>{{1, 3}}, {{1, 4}, {2, 2}}, {{1, 3}, {2, 2}, {3, 1}}}) {
            const QString path = folder.dir.filePath(QLatin1String(contract::file::metrics));
            folder.writer.reset();
            QVERIFY(QFile::remove(path));
            series::Error error;
            folder.writer = series::Writer::open(path.toStdString(), error);
            folder.put(0, "loss", points);
            const QStringList lines = told(metrics);
            QCOMPARE(lines.size(), 1);
            QVERIFY2(
                lines.at(0).contains(u" anew"_s) && lines.at(0).count(u'=') == points.size(), qPrintable(lines.at(0)));
        }
    }

    // Its values are void from the same moment on.
    void whatIsLeftOutIsToldBackThoughItWasRewritten()
    {
        Folder folder;
        folder.say(contract::runLine("a.csv") + contract::fileLine({0, "table", "/a.csv"}));
        folder.put(0, "loss", {{1, 3}});
        FileMetrics metrics(folder.dir.path());
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew 1=3"_s});
        QCOMPARE(series::rewrite(folder.writer).fault, series::Fault::None);
        folder.say(contract::noteLine({0, std::string(contract::sharedFileNote), 0, "2"}));
        QCOMPARE(told(metrics), QStringList{u"loss from a.csv anew"_s});
        QCOMPARE(told(metrics), QStringList());
    }

    void stepsAreCompared()
    {
        series::Series bySteps, byEpochs, later;
        for (int i = 1; i <= 100; ++i) {
            bySteps.append({i * 10.0, i, 1.0});
            later.append({i * 10.0 + 5000, i, 1.0});
        }
        for (int i = 1; i <= 5; ++i) {
            byEpochs.append({double(i), i, 1.0});
        }
        QVERIFY(hasSameSteps(bySteps, bySteps));
        QVERIFY(!hasSameSteps(byEpochs, bySteps));
        QVERIFY(hasSameSteps(later, bySteps)); // it cannot be told yet
    }

    void epochsStandAtTheirSteps_data()
    {
        QTest::addColumn<QList<double>>("printed");
        QTest::addColumn<QList<double>>("column"); // a row every 20 steps
        QTest::addColumn<QList<double>>("wanted"); // empty: nothing
        QTest::newRow("a row of each") << QList<double>{0, 1, 2} << QList<double>{0, 1, 2} << QList<double>{0, 20, 40};
        QTest::newRow("rows of each") << QList<double>{0, 1} << QList<double>{0, 0, 0, 1, 1} << QList<double>{40, 80};
        QTest::newRow("from one") << QList<double>{1, 2} << QList<double>{0, 0, 1, 1} << QList<double>{20, 60};
        QTest::newRow("every second one") << QList<double>{1, 3} << QList<double>{0, 1, 2, 3} << QList<double>{20, 60};
        QTest::newRow("resumed") << QList<double>{7, 8} << QList<double>{7, 7, 8} << QList<double>{20, 40};
        QTest::newRow("not written yet") << QList<double>{0, 1, 2} << QList<double>{0, 1} << QList<double>{0, 20};
        QTest::newRow("others") << QList<double>{10, 20, 30} << QList<double>{0, 1, 2} << QList<double>{};
        QTest::newRow("no rows") << QList<double>{0, 1} << QList<double>{} << QList<double>{};
    }

    void epochsStandAtTheirSteps()
    {
        QFETCH(QList<double>, printed);
        QFETCH(QList<double>, column);
        QFETCH(QList<double>, wanted);
        series::Series curve, epochs;
        for (const double epoch : std::as_const(printed)) {
            curve.append({epoch, 1, epoch / 10});
        }
        for (int row = 0; row < column.size(); ++row) {
            epochs.append({row * 20.0, 1, column.at(row)});
        }
        const std::optional<series::Series> placed = atStepsOfEpochs(curve, epochs);
        QCOMPARE(placed.has_value(), !wanted.isEmpty());
        QList<double> steps;
        for (std::size_t i = 0; placed && i < placed->size(); ++i) {
            steps.append(placed->at(i).x);
            QCOMPARE(placed->at(i).value, printed.at(qsizetype(i)) / 10);
        }
        QCOMPARE(steps, wanted);
    }
};
TRAINYARD_TEST(TstFileMetrics)

#include "tst_filemetrics.moc"
