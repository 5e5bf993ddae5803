// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/foreigncontroller.h"
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/pages/comparetab.h"
#include "app/gui/seedsdialog.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/taskfigures.h"
#include "engine/series/writer.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/comparedetails.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/comparetable.h"
#include "widgets/compare/parallelview.h"
#include "widgets/compare/scatterview.h"
#include "widgets/compare/valuescale.h"
#include "widgets/diff/diffview.h"
#include "widgets/plot/besidepoint.h"
#include "widgets/plot/curveband.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// A run with an accuracy that is best at a rate of 0.1.
JobSummary comparedJob(qint64 id, double lr, int seed, double acc)
{
    JobSummary job;
    job.id = id;
    job.uuid = u"uuid-%1"_s.arg(id);
    job.name = u"net"_s;
    job.state = State::Succeeded;
    job.submitted = job.launched.emplace(WrittenLog::start);
    job.completed = WrittenLog::start + 60'000;
    job.parameters = {{u"lr"_s, lr}, {u"seed"_s, seed}, {u"model"_s, u"small"_s}};
    if (!std::isnan(acc)) {
        job.results = {{u"acc"_s, QJsonObject{{u"last"_s, acc}, {u"most"_s, acc}, {u"least"_s, 0}, {u"step"_s, 9}}},
            {u"loss"_s, QJsonObject{{u"last"_s, 1 - acc}, {u"most"_s, 2}, {u"least"_s, 1 - acc}, {u"step"_s, 9}}}};
    }
    return job;
}

QList<JobSummary> comparedJobs()
{
    return {comparedJob(1, 0.01, 1, 0.7), comparedJob(2, 0.1, 1, 0.9), comparedJob(3, 0.1, 2, 0.8),
        comparedJob(4, 1, 1, qQNaN())};
}

QStringList headsOf(const ComparePage &page)
{
    const QAbstractItemModel *model = page.table()->filter();
    QStringList heads;
    for (int column = int(CompareModel::Part::Run); column < model->columnCount(); ++column) {
        heads.append(model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    }
    return heads;
}

QStringList columnOf(const ComparePage &page, const QString &head)
{
    const QAbstractItemModel *model = page.table()->filter();
    QStringList texts;
    for (int column = 0; column < model->columnCount(); ++column) {
        for (int row = 0; row < model->rowCount() && model->headerData(column, Qt::Horizontal, Qt::DisplayRole) == head;
             ++row) {
            texts.append(model->index(row, column).data().toString());
        }
    }
    return texts;
}

int sectionOf(const ComparePage &page, const QString &head)
{
    return int(headsOf(page).indexOf(head)) + int(CompareModel::Part::Run);
}

} // namespace

// Several runs beside each other in the window.
class TstComparePage : public QObject
{
    Q_OBJECT

    WindowFixture m_fixture;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    void scaleOfValues_data()
    {
        QTest::addColumn<QStringList>("values");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QList<double>>("positions"); // NaN: none
        const auto kind = [](ValueScale::Kind one) { return int(one); };
        QTest::newRow("even") << QStringList{u"1"_s, u"2"_s, u"3"_s} << kind(ValueScale::Kind::Linear)
                              << QList<double>{0, 0.5, 1};
        QTest::newRow("decades") << QStringList{u"1e-4"_s, u"0.01"_s, u"1"_s} << kind(ValueScale::Kind::Log)
                                 << QList<double>{0, 0.5, 1};
        QTest::newRow("words in the order of their numbers")
            << QStringList{u"b10"_s, u"b9"_s, u"a"_s} << kind(ValueScale::Kind::Words) << QList<double>{1, 0.5, 0};
        QTest::newRow("one value") << QStringList{u"5"_s, u"5"_s} << kind(ValueScale::Kind::Linear)
                                   << QList<double>{0.5, 0.5};
        QTest::newRow("what is none has no place")
            << QStringList{u"1"_s, QString(), u"nan"_s, u"3"_s} << kind(ValueScale::Kind::Linear)
            << QList<double>{0, qQNaN(), qQNaN(), 1};
        QTest::newRow("an empty text is a value") << QStringList{u""_s, u"cosine"_s, QString()}
                                                  << kind(ValueScale::Kind::Words) << QList<double>{0, 1, qQNaN()};
        QTest::newRow("one far outside does not squeeze the others")
            << QStringList{u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s, u"2"_s, u"3"_s, u"4"_s, u"-900"_s}
            << kind(ValueScale::Kind::Linear)
            << QList<double>{0, 0.25, 0.5, 0.75, 1, 0.25, 0.5, 0.75, -ValueScale::beyond};
    }
    void scaleOfValues()
    {
        QFETCH(QStringList, values);
        QFETCH(int, kind);
        QFETCH(QList<double>, positions);
        const ValueScale scale(values);
        QCOMPARE(int(scale.kind()), kind);
        for (qsizetype i = 0; i < values.size(); ++i) {
            const auto place = scale.position(values.at(i));
            QCOMPARE(place.has_value(), !std::isnan(positions.at(i)));
            QVERIFY2(!place || std::abs(*place - positions.at(i)) < 1e-9, qPrintable(values.at(i)));
        }
        const auto ticks = scale.ticks(5);
        QVERIFY(!ticks.isEmpty());
        QVERIFY(std::all_of(ticks.cbegin(), ticks.cend(), [](const auto &tick) { return !tick.second.isEmpty(); }));
    }

    void bandOfSeveralSeries()
    {
        series::Series first, second, third;
        for (int x = 0; x <= 10; x += 2) {
            first.append({double(x), 1000 + x * 1000, double(x)});
        }
        for (int x = 0; x <= 10; ++x) {
            second.append({double(x), 5000 + x * 1000, double(x) + 2});
        }
        third.append({0, 0, 100});
        const CurveBand band = bandOf({{&first, 1000}, {&second, 5000}, {&third, 0}}, false);
        QCOMPARE(band.mean.size(), std::size_t(11));
        QCOMPARE(band.high.at(0).value, 100.0); // all three
        QCOMPARE(band.mean.at(3).value, 4.0); // of 3, between two points, and 5
        QCOMPARE(band.low.at(3).value, 3.0);
        QCOMPARE(band.high.at(3).value, 5.0);
        const CurveBand byTime = bandOf({{&first, 1000}, {&second, 5000}}, true);
        QCOMPARE(byTime.mean.at(10).time, std::int64_t(10'000));
        QCOMPARE(byTime.mean.at(10).value, 11.0);
        QCOMPARE(bandOf({{&second, 0}}, false, 4).mean.size(), std::size_t(4));
        QVERIFY(bandOf({}, false).mean.isEmpty());
    }

    void seeds_data()
    {
        QTest::addColumn<QList<qint64>>("wanted"); // empty: refused
        QTest::newRow("3") << QList<qint64>{3};
        QTest::newRow("3, 5-7") << QList<qint64>{3, 5, 6, 7};
        QTest::newRow("1 1 2") << QList<qint64>{1, 2};
        QTest::newRow("") << QList<qint64>();
        QTest::newRow("x") << QList<qint64>();
        QTest::newRow("7-5") << QList<qint64>();
        QTest::newRow("1-101") << QList<qint64>();
        QTest::newRow("1.5") << QList<qint64>();
    }
    void seeds()
    {
        QFETCH(QList<qint64>, wanted);
        QCOMPARE(SeedsDialog::seedsOf(QString::fromLatin1(QTest::currentDataTag())).value_or(QList<qint64>()), wanted);
    }

    void tableOfRuns()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        QCOMPARE(headsOf(page),
            (QStringList{u"Run"_s, u"lr"_s, u"seed"_s, u"acc best"_s, u"loss"_s, u"Step"_s, u"State"_s, u"Time"_s}));
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s})); // the best first
        QList<JobSummary> logged = comparedJobs();
        for (JobSummary &job : logged) {
            if (!job.results.isEmpty()) // the accuracy ranks
                job.results.insert(u"lr"_s, QJsonObject{{u"last"_s, 0.5}, {u"most"_s, 0.5}, {u"least"_s, 0.5}});
        }
        ComparePage both;
        both.runs()->setJobs(logged);
        QVERIFY(headsOf(both).contains(u"lr (setting)"_s) && headsOf(both).contains(u"lr (result)"_s));
        QVERIFY(!headsOf(both).contains(u"lr"_s));
        QCOMPARE(page.findChild<ElidedLabel *>(u"compareSame"_s)->text(), u"model small"_s);
        QCOMPARE(page.runs()->best(), 1);

        QTreeView *view = page.table()->view();
        view->sortByColumn(sectionOf(page, u"lr"_s), Qt::DescendingOrder);
        QCOMPARE(columnOf(page, u"lr"_s), (QStringList{u"1"_s, u"0.1"_s, u"0.1"_s, u"0.01"_s}));
        // What has no value is last, whatever the order.
        view->sortByColumn(sectionOf(page, u"acc best"_s), Qt::AscendingOrder);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#1"_s, u"#3"_s, u"#2"_s, u"#4"_s}));
        view->sortByColumn(sectionOf(page, u"acc best"_s), Qt::DescendingOrder);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s}));
        const QByteArray layout = page.saveLayout();

        // Ranked by the loss, less is better; the other way round, a person says so.
        page.runs()->setMetric(u"loss"_s);
        QCOMPARE(page.runs()->better(), Better::Lower);
        QCOMPARE(page.runs()->best(), 1);
        page.runs()->setBetter(Better::Higher);
        QCOMPARE(page.runs()->value(1).value_or(0), 2.0);

        page.table()->filterField()->setText(u"lr=0.1 seed=2"_s);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#3"_s});
        page.table()->filterField()->clear();

        ComparePage again;
        again.runs()->setJobs(comparedJobs());
        again.restoreLayout(layout);
        QCOMPARE(again.saveLayout(), layout);
    }

    // A metric that has a name but no value ranks nothing, and runs that have another one are drawn as well.
    void drawsWhatTheRunsHave()
    {
        QList<JobSummary> jobs{comparedJob(1, 0.01, 1, 0.7), comparedJob(2, 0.1, 1, 0.9)};
        for (JobSummary &job : jobs) {
            job.results.insert(u"acc"_s, QJsonObject());
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->metrics(), QStringList{u"loss"_s});
        QCOMPARE(page.runs()->metric(), u"loss"_s);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1}));
        QCOMPARE(columnOf(page, u"loss best"_s).size(), 2);

        jobs = comparedJobs(); // the last one has no result
        jobs[2].results.remove(u"acc"_s);
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
    }

    // Names of a sweep's runs differ in a number only: what tells them apart is beside them.
    void namesSayTheirParameters()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        QCOMPARE(detailOfRun(*page.runs(), 0), u"lr 0.01, seed 1"_s);
        page.runs()->setFolded(true);
        QCOMPARE(detailOfRun(*page.runs(), 1), u"lr 0.1"_s);
        const QAbstractItemModel *model = page.table()->filter();
        const int run = int(CompareModel::Part::Run);
        QVERIFY(model->index(0, run).data(Qt::ToolTipRole).toString().contains(u"lr 0.1"_s));
        const int alignment = model->headerData(run, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
        QVERIFY(Qt::Alignment(alignment).testFlag(Qt::AlignLeft)); // beside their boxes
    }

    // One of the seeds was stopped before it had a result: the mean is that of the others, and the row says both.
    void stoppedSeedIsSaid()
    {
        QList<JobSummary> jobs = comparedJobs();
        jobs[2].state = State::Stopped;
        jobs[2].results = {};
        ComparePage page;
        page.runs()->setJobs(jobs);
        page.runs()->setFolded(true);
        const qsizetype row = columnOf(page, u"Run"_s).indexOf(u"#2 and 1 more"_s);
        QVERIFY(row >= 0);
        QCOMPARE(columnOf(page, u"acc best"_s).at(row), u"0.9 (n 1)"_s);
        QCOMPARE(columnOf(page, u"State"_s).at(row), u"Succeeded, Stopped"_s);
    }

    // As `trainyardctl compare` marks them.
    void tiesAreAllTheBest()
    {
        QList<JobSummary> jobs = comparedJobs();
        jobs[0].results = jobs.at(1).results;
        ComparePage page;
        page.runs()->setJobs(jobs);
        QList<bool> best;
        for (int row = 0; row < page.table()->filter()->rowCount(); ++row) {
            best.append(page.table()->filter()->index(row, 0).data(CompareModel::IsBestRole).toBool());
        }
        QCOMPARE(best, (QList<bool>{true, true, false, false}));
        QCOMPARE(page.runs()->best(), 0);
    }

    // A run that ends in NaN has no newest value and is the best of none, whatever it had reached.
    void runsThatEndInNaN()
    {
        QList<JobSummary> jobs = comparedJobs();
        const QJsonObject ofNaN{{u"last"_s, 0.99}, {u"most"_s, 0.99}, {u"least"_s, 0.001}, {u"broken"_s, true}};
        jobs[0].results = {{u"acc"_s, ofNaN}, {u"loss"_s, ofNaN}};
        ComparePage page;
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->best(), 1);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s, u"#1"_s, u"#4"_s}));
        QVERIFY(page.table()->filter()->index(0, 0).data(CompareModel::IsBestRole).toBool());
        QCOMPARE(columnOf(page, u"acc best"_s).at(2), u"0.99"_s);
        QCOMPARE(columnOf(page, u"loss"_s).at(2), u"NaN"_s);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            page.table()->view()->sortByColumn(sectionOf(page, u"loss"_s), order);
            QCOMPARE(columnOf(page, u"loss"_s).mid(2), (QStringList{u"NaN"_s, u"–"_s}));
        }
        page.table()->filterField()->setText(u"loss<0.9"_s);
        QVERIFY(!columnOf(page, u"Run"_s).contains(u"#1"_s));
        page.table()->filterField()->clear();
        // The mean of a row with such a run is none either.
        jobs[2].results = jobs.at(0).results;
        page.runs()->setJobs(jobs);
        page.runs()->setFolded(true);
        QCOMPARE(columnOf(page, u"loss"_s).filter(u"NaN"_s).size(), 2);
    }

    void looksOfDrawnRunsDiffer()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 40; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 * i, 1, 0.01 * i));
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        runs.setDrawn({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, true);
        runs.setDrawn({3, 7, 11}, false);
        QList<qsizetype> all(32);
        std::iota(all.begin(), all.end(), 0);
        runs.setDrawn(all, true);
        QSet<std::pair<int, QString>> seen;
        for (const qsizetype run : runs.drawn()) {
            QStringList dash;
            for (const qreal part : lookDash(runs.look(run))) {
                dash.append(QString::number(part));
            }
            seen.insert({int(lookColour(runs.look(run))), dash.join(u' ')});
        }
        QVERIFY(runs.drawn().size() >= 32);
        QCOMPARE(seen.size(), runs.drawn().size());
    }

    // While a sweep goes on, the drawn runs are the best ones, until somebody chooses.
    void drawnRunsFollowTheBest()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 10; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 * i, 1, i < 6 ? 0.01 * i : qQNaN()));
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        QCOMPARE(runs.drawn(), (QList<qsizetype>{0, 1, 2, 3, 4, 5}));
        const int look = runs.look(5);
        runs.apply(comparedJob(9, 0.1 * 8, 1, 0.9));
        QTRY_COMPARE(runs.drawn(), (QList<qsizetype>{1, 2, 3, 4, 5, 8}));
        QCOMPARE(runs.look(5), look);
        runs.setBetter(Better::Lower);
        QCOMPARE(runs.drawn().size(), 6);
        runs.setBetter(Better::Higher);
        runs.setDrawn({8}, false);
        QSignalSpy told(&runs, &CompareRuns::valuesChanged);
        runs.apply(comparedJob(10, 0.1 * 9, 1, 0.95));
        QTRY_COMPARE(told.size(), 1);
        QCOMPARE(runs.drawn(), (QList<qsizetype>{1, 2, 3, 4, 5}));
    }

    // The question about those that are not ticked is open: the ticks behind it stay what it is about.
    void ticksStayWhileTheyAreAskedAbout()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 10; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 * i, 1, i < 6 ? 0.01 * i : qQNaN()));
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        runs.holdDrawn(true);
        QSignalSpy told(&runs, &CompareRuns::valuesChanged);
        runs.apply(comparedJob(9, 0.1 * 8, 1, 0.9));
        QTRY_COMPARE(told.size(), 1);
        QCOMPARE(runs.drawn(), (QList<qsizetype>{0, 1, 2, 3, 4, 5}));
        runs.holdDrawn(false);
        QCOMPARE(runs.drawn(), (QList<qsizetype>{1, 2, 3, 4, 5, 8}));
    }

    void wordsBeforeRunsAreStopped()
    {
        CompareRuns runs;
        runs.setJobs(comparedJobs());
        const QString rest = RunComparisons::stopText(runs, {u"uuid-1"_s, u"uuid-2"_s}, true);
        QVERIFY2(rest.contains(u"2 active run"_s) && rest.contains(u"not ticked"_s) && rest.contains(u"#1, #2"_s),
            qPrintable(rest));
        QVERIFY2(rest.contains(u"by acc so far, #2, is among them"_s), qPrintable(rest));
        const QString chosen = RunComparisons::stopText(runs, {u"uuid-3"_s}, false);
        QVERIFY2(chosen.contains(u"#2, is not among them"_s) && !chosen.contains(u"ticked"_s), qPrintable(chosen));
    }

    void noRuns()
    {
        ComparePage page;
        page.runs()->setJobs({});
        QSignalSpy added(&page, &ComparePage::addRequested);
        auto *empty = page.table()->findChild<EmptyState *>();
        QVERIFY(empty->isVisibleTo(&page));
        empty->action()->click();
        QCOMPARE(added.size(), 1);
        page.runs()->setJobs(comparedJobs());
        QVERIFY(!empty->isVisibleTo(&page));
    }

    void seedsAreFolded()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        auto *fold = page.findChild<QCheckBox *>(u"compareFold"_s);
        QVERIFY(fold->isVisibleTo(&page));
        fold->setChecked(true);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2 and 1 more"_s, u"#1"_s, u"#4"_s}));
        QCOMPARE(columnOf(page, u"acc best"_s).constFirst(), u"0.85 ± 0.071"_s);
        // As many as are ticked: #2 and #3 are one row.
        QCOMPARE(page.findChild<QLabel *>(u"compareCount"_s)->text(), u"3, 2 drawn"_s);
        page.runs()->setDrawn({1}, false);
        QCOMPARE(page.findChild<QLabel *>(u"compareCount"_s)->text(), u"3, 2 drawn"_s);
        QVERIFY(lookOfRow(*page.runs(), {1, 2}) >= 0);
        QVERIFY(page.table()->filter()->index(0, 0).data(CompareModel::IsBestRole).toBool());
        QVERIFY(!headsOf(page).contains(u"seed"_s));
        fold->setChecked(false);
        QCOMPARE(page.runs()->rows().size(), 4);
    }

    // A run that the filter takes out is nowhere on the page, and is back when the filter is cleared.
    void filteredRunsAreNowhere()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        page.runs()->setJobs(comparedJobs());
        auto *count = page.findChild<QLabel *>(u"compareCount"_s);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        page.table()->filterField()->setText(u"lr<0.5 -seed=1"_s);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#3"_s});
        QCOMPARE(page.runs()->drawn(), QList<qsizetype>{2});
        QCOMPARE(page.runs()->best(), 2);
        QCOMPARE(count->text(), u"1 of 4, 1 drawn"_s);
        QVERIFY(page.scatter()->pointOf(2));
        QVERIFY(!page.scatter()->pointOf(0) && !page.scatter()->pointOf(1));
        QVERIFY(page.runs()->passes(2) && !page.runs()->passes(1)); // as the parallel coordinates ask
        page.parallel()->brush(0, 0, 1);
        QVERIFY(page.runs()->passes(2) && !page.runs()->passes(1));
        page.parallel()->clearBrushes();

        page.runs()->setFolded(true);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#3"_s});
        QCOMPARE(columnOf(page, u"acc best"_s), QStringList{u"0.8"_s});
        QCOMPARE(count->text(), u"1 of 3, 1 drawn"_s);
        page.table()->filterField()->clear();
        QCOMPARE(columnOf(page, u"acc best"_s).constFirst(), u"0.85 ± 0.071"_s);
        page.runs()->setFolded(false);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        QCOMPARE(page.runs()->best(), 1);

        // What somebody has chosen comes back as it was, and values that change are looked at again.
        page.runs()->setDrawn({0}, false);
        const int look = page.runs()->look(1);
        page.table()->filterField()->setText(u"acc>0.75 -seed=1"_s);
        QCOMPARE(page.runs()->drawn(), QList<qsizetype>{2});
        page.runs()->apply(comparedJob(3, 0.1, 2, 0.1));
        QTRY_COMPARE(page.runs()->drawn(), QList<qsizetype>());
        page.table()->filterField()->clear();
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{1, 2}));
        QCOMPARE(page.runs()->look(1), look);
    }

    void drawnRuns()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        QSignalSpy wanted(page.curves(), &CompareCurves::outputsWanted);
        page.runs()->setJobs(comparedJobs());
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2})); // those with results
        QCOMPARE(wanted.size(), 3);
        WrittenLog logs[3];
        for (int run = 0; run < 3; ++run) {
            for (int step = 0; step < 20; ++step) {
                logs[run].writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                    "step " + QByteArray::number(step) + " loss: " + QByteArray::number(2.0 / (step + run + 1))
                        + " acc: " + QByteArray::number(0.02 * step + 0.1 * run) + '\n');
            }
            page.curves()->setOutputs(u"uuid-%1"_s.arg(run + 1), {logs[run].folder()});
        }
        QTRY_COMPARE(page.curves()->plots().size(), 2);
        CurvePlot *plot = page.curves()->plots().constFirst();
        QCOMPARE(plot->title(), u"acc"_s);
        QTRY_COMPARE(plot->lineCount(), 3);
        const auto points = [&] {
            QStringList texts;
            for (const auto &[line, point] : plot->pointsAt(19)) {
                texts.append(line.label + u' ' + QString::number(point.value));
            }
            return texts;
        };
        QTRY_COMPARE(points(), (QStringList{u"#1 0.38"_s, u"#2 0.48"_s, u"#3 0.58"_s}));

        // The same runs as a mean with a band.
        page.runs()->setFolded(true);
        QTRY_COMPARE(plot->lineCount(), 2);
        QCOMPARE(points(), (QStringList{u"#1 0.38"_s, u"#2 and 1 more 0.53"_s}));
        page.runs()->setFolded(false);

        // By the table, a run leaves the plots and comes back with a look.
        QVERIFY(page.runs()->setDrawn({0}, false));
        QTRY_COMPARE(plot->lineCount(), 2);
        QVERIFY(page.runs()->setDrawn({0}, true));
        QTRY_COMPARE(plot->lineCount(), 3);
        QVERIFY(page.runs()->look(0) >= 0);

        const QByteArray html = page.html();
        QCOMPARE(html.count("<svg"), 3); // two plots and the results by a parameter
        QVERIFY(html.contains("<tr class=\"best\"><td>#2</td>"));
        const QByteArray text = QByteArray(html).replace("http://www.w3.org/", "");
        QVERIFY2(!text.contains("http") && !text.contains("<script") && !text.contains("<link"), "it needs no network");
        QVERIFY(page.csv().startsWith("Run,lr,seed,acc best,loss,Step,State,Time\n#2,0.1,1,0.9,"));
    }

    // Other programs get texts as they are, of whatever length and on however many lines.
    void exportsWholeTexts()
    {
        ComparePage page;
        QList<JobSummary> jobs = comparedJobs();
        const QString note = QStringLiteral("say \"hi\",\n") + QString(400, QLatin1Char('x'));
        jobs[0].parameters.insert(u"prompt"_s, note);
        jobs[1].parameters.insert(u"prompt"_s, u"short"_s);
        page.runs()->setJobs(jobs);
        const QByteArray csv = page.csv();
        const QByteArray cell = "\"say \"\"hi\"\",\n" + QByteArray(400, 'x') + '"';
        QVERIFY2(csv.contains(QByteArray(',' + cell + ',')), csv.constData());
        QVERIFY2(csv.contains(",short,"), csv.constData());
        QVERIFY(!csv.contains("\xE2\x80\xA6")); // no ellipsis
    }

    // What a machine was used for has a time and no step.
    void figuresGoByTheTime()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        page.runs()->setJobs(comparedJobs());
        WrittenLog log;
        log.writeAt(WrittenLog::start * 1'000'000, "step 1 loss: 0.5\n");
        series::Error error;
        const auto writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
        QVERIFY(writer);
        const auto id = writer->define({.name = "cpu"});
        QVERIFY(id);
        for (int second = 10; second <= 50; second += 10) {
            const qint64 at = WrittenLog::start + second * 1000;
            writer->append(*id, {double(at), at, double(second)});
        }
        writer->flush();
        page.curves()->setOutputs(u"uuid-1"_s, {log.folder()});
        page.curves()->setMetrics({u"loss"_s, u"CPU (%)"_s});
        QTRY_COMPARE(page.curves()->plots().size(), 2);
        CurvePlot *loss = page.curves()->plots().at(0), *cpu = page.curves()->plots().at(1);
        QTRY_COMPARE(loss->lineCount(), 1);
        QTRY_COMPARE(cpu->lineCount(), 1);
        QCOMPARE(cpu->extent().value_or(CurvePlot::Range()), (CurvePlot::Range{10, 50})); // seconds since its start
        QCOMPARE(cpu->shownRange(), (CurvePlot::Range{10, 50}));
        QVERIFY(loss->shownRange() != cpu->shownRange());
        const auto note = [](const CurvePlot *plot) {
            return plot->parentWidget()->findChild<ElidedLabel *>(u"compareNote"_s)->text();
        };
        QCOMPARE(note(cpu), u"by the time since each start"_s);
        QCOMPARE(note(loss), QString());
        Q_EMIT cpu->rangeChosen(CurvePlot::Range{20, 30}); // of the plots by time only
        QCOMPARE(cpu->shownRange(), (CurvePlot::Range{20, 30}));
        QVERIFY(loss->shownRange() != cpu->shownRange());
        page.curves()->setMetrics({u"none"_s});
        QCOMPARE(note(page.curves()->plots().constFirst()), u"No drawn run has this curve."_s);
    }

    void besideAPoint_data()
    {
        QTest::addColumn<QPoint>("point");
        QTest::addColumn<QList<QPoint>>("others");
        QTest::addColumn<QRect>("area");
        QTest::addColumn<bool>("hasRoom");
        const QRect wide(0, 0, 600, 400);
        QList<QPoint> across;
        for (int x = 0; x < 600; x += 8) {
            across.append({x, 200});
        }
        QTest::newRow("in the middle") << QPoint(300, 200) << across << wide << true;
        QTest::newRow("at the right edge") << QPoint(598, 200) << across << wide << true;
        QTest::newRow("at the corner") << QPoint(2, 2) << QList<QPoint>() << wide << true;
        QTest::newRow("only above") << QPoint(100, 300) << QList<QPoint>() << QRect(0, 0, 200, 320) << true;
        QTest::newRow("nowhere") << QPoint(50, 50) << QList<QPoint>() << QRect(0, 0, 100, 100) << false;
    }
    void besideAPoint()
    {
        QFETCH(QPoint, point);
        QFETCH(QList<QPoint>, others);
        QFETCH(QRect, area);
        QFETCH(bool, hasRoom);
        const QRect card = besidePoint(point, {180, 120}, area, others, point.y());
        QCOMPARE(card.size(), QSize(180, 120));
        QVERIFY(!card.contains(point));
        QCOMPARE(area.contains(card), hasRoom);
        QVERIFY(std::none_of(
            others.cbegin(), others.cend(), [&card](const QPoint &other) { return card.contains(other); }));
    }

    // The values where somebody clicked stay until Esc or a click elsewhere, beside the point.
    void cardStandsBesideThePoint()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.runs()->setJobs(comparedJobs());
        WrittenLog log;
        for (int step = 0; step < 20; ++step) {
            log.writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                "step " + QByteArray::number(step) + " loss: 0.5 acc: 0.5\n");
        }
        page.curves()->setOutputs(u"uuid-1"_s, {log.folder()});
        QTRY_COMPARE(page.curves()->plots().size(), 2);
        CurvePlot *plot = page.curves()->plots().constFirst();
        QTRY_COMPARE(plot->lineCount(), 1);
        QTRY_COMPARE(plot->shownRange(), (CurvePlot::Range{0, 19}));
        auto *drawn = plot->findChild<QWidget *>();
        auto *card = page.curves()->findChild<QWidget *>(u"cursorCard"_s);
        QVERIFY(card);
        const QPoint point = plot->pixelOf(10, 0.5);
        const auto click = [&] {
            QTest::mouseClick(drawn, Qt::LeftButton, {}, point);
            return card->isVisible();
        };
        const QPoint clicked = plot->mapTo(page.curves(), point);
        QVERIFY(click());
        QVERIFY(!card->geometry().contains(clicked));
        const QList<QPoint> curve = plot->drawnPoints();
        QVERIFY(!curve.isEmpty());
        for (const QPoint &each : curve) {
            QVERIFY(!card->geometry().contains(plot->mapTo(page.curves(), each)));
        }
        const QRect place = card->geometry();
        Q_EMIT plot->cursorMoved(3);
        QCOMPARE(card->geometry(), place); // it is held
        QTest::keyClick(plot, Qt::Key_Escape);
        QVERIFY(!card->isVisible());
        Q_EMIT plot->cursorMoved(4); // the mouse shakes
        QVERIFY(!card->isVisible());
        Q_EMIT plot->cursorMoved(std::nullopt);
        Q_EMIT plot->cursorMoved(4);
        QVERIFY(card->isVisible());
        QVERIFY(click());
        QTest::mouseClick(page.table()->view()->viewport(), Qt::LeftButton, {}, {5, 5});
        QVERIFY(!card->isVisible());
    }

    void brushesChooseRuns()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        ParallelView *parallel = page.parallel();
        QCOMPARE(parallel->axisCount(), 2); // a seed is none
        QCOMPARE(parallel->axisName(0), u"lr"_s);
        parallel->brush(0, 0.3, 0.7); // 0.1 lies in the middle of the decades
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#3"_s}));
        parallel->setBestOnly(1);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#2"_s});
        parallel->clearBrushes();
        parallel->setBestOnly(0);
        QCOMPARE(page.runs()->rows().size(), page.table()->filter()->rowCount());
    }

    void brushedByMouse()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        page.showParallel(true);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        ParallelView *parallel = page.parallel();
        const QRect axis = parallel->axisRect(0);
        QTest::mousePress(parallel, Qt::LeftButton, {}, QPoint(axis.center().x(), axis.bottom() + 2));
        QTest::mouseMove(parallel, QPoint(axis.center().x(), axis.bottom() - axis.height() / 4));
        QTest::mouseMove(parallel, QPoint(axis.center().x(), axis.bottom() - axis.height() / 4));
        QTest::mouseRelease(parallel, Qt::LeftButton, {}, QPoint(axis.center().x(), axis.bottom() - axis.height() / 4));
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#1"_s});
        QTest::mouseDClick(parallel, Qt::LeftButton, {}, QPoint(axis.center().x() + 60, axis.center().y()));
        QCOMPARE(page.table()->filter()->rowCount(), 4);
    }

    // A thousand runs are drawn and brushed in the time of a few frames.
    void thousandRuns()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 1000; ++i) {
            jobs.append(comparedJob(i + 1, std::pow(10, -(i % 40) / 10.0), i % 5, (i * 37 % 1000) / 1000.0));
        }
        ComparePage page;
        page.resize(1440, 900);
        page.showParallel(true);
        page.runs()->setJobs(jobs);
        page.show();
        page.parallel()->grab();
        QElapsedTimer timer;
        timer.start();
        constexpr int rounds = 5;
        for (int i = 0; i < rounds; ++i) {
            page.parallel()->brush(0, 0.1 * i, 0.5 + 0.1 * i);
            page.parallel()->grab();
        }
        const qint64 each = timer.elapsed() / rounds;
        qInfo("a brush over 1,000 runs: %lld ms", static_cast<long long>(each));
        QVERIFY2(each < 1000, qPrintable(QString::number(each))); // a busy machine with sanitizers
        QVERIFY(page.table()->filter()->rowCount() < 1000);
    }

    void twoRunsInDetail()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        QSignalSpy reset(page.runs(), &CompareRuns::reset);
        page.runs()->setText(u"uuid-1"_s, "name: net\nparameters: {lr: 0.01}\n# more\n");
        page.runs()->setText(u"uuid-2"_s, "name: net\nparameters: {lr: 0.1}\n");
        page.runs()->setEnvironment(u"uuid-1"_s, {{u"git"_s, QJsonObject{{u"commit"_s, u"abc"_s}}}});
        QTRY_VERIFY(!reset.isEmpty());
        page.details()->setOther(0);
        page.details()->showTab(CompareDetails::TextTab);
        QCOMPARE(page.details()->diff()->changeCount(), 1);
        // From the left one, the best, to the right one: what has the sign + is the right one's.
        QCOMPARE(page.details()->diff()->diff().oldLines.size(), 2);
        QCOMPARE(page.details()->diff()->diff().newLines.size(), 3);
        const auto picks = page.details()->findChildren<QComboBox *>();
        QCOMPARE(picks.size(), 2);
        QCOMPARE(picks.first()->currentText(), u"#2: lr 0.1, seed 1"_s);
        QCOMPARE(picks.last()->currentText(), u"#1: lr 0.01, seed 1"_s);
        page.details()->showTab(CompareDetails::SettingsTab);
        QTreeWidget *settings = page.details()->settings();
        QCOMPARE(settings->topLevelItemCount(), 1); // both have the same seed
        QCOMPARE(settings->topLevelItem(0)->text(0), u"lr"_s);
        QCOMPARE(settings->topLevelItem(0)->text(1), u"0.1"_s); // the best is the first
        page.details()->showAll();
        QVERIFY(settings->topLevelItemCount() > 2);
        page.details()->showTab(CompareDetails::ElseTab);
        QTreeWidget *surroundings = page.details()->surroundings();
        QVERIFY(surroundings->topLevelItem(0)->text(0).contains(u"#2"_s)); // of which nothing was captured
        QVERIFY(!surroundings->findItems(u"git.commit"_s, Qt::MatchExactly).isEmpty());
    }

    void resultsByAParameter()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        page.show();
        ScatterView *scatter = page.scatter();
        QCOMPARE(scatter->parameters(), (QStringList{u"lr"_s, u"seed"_s}));
        QVERIFY(!scatter->pointOf(3)); // it has no result
        QCOMPARE(scatter->withoutPoint(), 1);
        const auto *without = page.findChild<QLabel *>(u"compareWithoutPoint"_s);
        QCOMPARE(without->text(), u"One run has no finite result"_s);
        const auto low = scatter->pointOf(0), best = scatter->pointOf(1);
        QVERIFY(low && best && low->x() < best->x() && low->y() > best->y());
        QTest::mouseClick(scatter, Qt::LeftButton, {}, low->toPoint());
        QCOMPARE(page.table()->current(), 0);
    }

    // A run that failed says why, in short in its row and in full on hover.
    void failedRunsSayWhy()
    {
        QList<JobSummary> jobs = comparedJobs();
        JobSummary &failed = jobs.last();
        failed.state = State::Failed;
        failed.exitCode = 228;
        failed.reason = u"exit.user"_s;
        failed.reasonArgs = {{u"status"_s, 2}};
        ComparePage page;
        page.runs()->setJobs(jobs);
        const QStringList states = columnOf(page, u"State"_s);
        QVERIFY2(states.contains(u"Failed: Wrong argument"_s), qPrintable(states.join(u'|')));
        QCOMPARE(states.count(u"Succeeded"_s), 3);
        const QAbstractItemModel *model = page.table()->filter();
        QStringList tips;
        for (int row = 0; row < model->rowCount(); ++row) {
            tips.append(model->index(row, sectionOf(page, u"State"_s)).data(Qt::ToolTipRole).toString());
        }
        QCOMPARE(tips.filter(u"The command ended with status 2."_s).size(), 1);
    }

    void statesHaveRoom()
    {
        QList<JobSummary> jobs = comparedJobs();
        for (JobSummary &job : jobs) {
            job.state = State::Running;
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        const QTreeView *view = page.table()->view();
        const int wanted = view->fontMetrics().horizontalAdvance(u"Succeeded"_s);
        QVERIFY(view->columnWidth(sectionOf(page, u"State"_s)) > wanted + 20); // with the sign
    }

    // Of a text parameter all values are named, and where there is no room for that, the one of the best run is.
    void namesOfATextParameter()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 12; ++i) {
            JobSummary job = comparedJob(i + 1, 0.1, 1, i == 7 ? 0.9 : 0.5 + i / 100.0);
            job.parameters.insert(u"model"_s, u"a-long-name-of-a-model-%1"_s.arg(QChar(u'a' + i)));
            jobs.append(job);
        }
        ComparePage page;
        page.runs()->setJobs(jobs);
        page.resize(1200, 800);
        page.show();
        ScatterView *scatter = page.scatter();
        QCOMPARE(scatter->parameter(), u"model"_s);
        const QString best = u"a-long-name-of-a-model-h"_s;
        for (const int width : {1200, 500, 300, 170}) {
            ScatterView alone(page.runs());
            alone.resize(width, 220);
            QVERIFY2(alone.axisTexts().contains(best), qPrintable(QString::number(width)));
            QCOMPARE(alone.axisTexts().size() == jobs.size(), width == 1200);
            QVERIFY(!alone.grab().isNull());
        }
    }

    // Real jobs of a group: they come by themselves, are compared, and the best runs again with another seed.
    void groupOfRealRuns()
    {
        const auto window = WindowFixture::makeWindow(true);
        window->resize(1440, 900);
        window->show();
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        SubmitRequest request;
        request.yaml = QByteArray(sampleJob).replace("for i in 1 2 3; do echo hello $i; done",
                           "for i in 1 2 3; do echo step $i loss=<% $parameters.lr %>$i; done")
            + "parameters: {lr: 0.5, seed: 1}\n";
        request.group = u"rates"_s;
        int accepted = 0;
        for (const char *lr : {"0.5", "0.1"}) {
            request.parameters = {{u"lr"_s, QString::fromLatin1(lr)}};
            window->client()->call<api::Submit>(
                request, this, [&](const Result<SubmitReply> &reply) { accepted += reply ? 1 : 0; });
        }
        auto *comparisons = window->findChild<RunComparisons *>();
        QVERIFY(comparisons);
        CompareTab *tab = comparisons->compareGroup(u"rates"_s);
        QTRY_COMPARE_WITH_TIMEOUT(accepted, 2, 15'000);
        QTRY_COMPARE_WITH_TIMEOUT(tab->page()->runs()->runs().size(), 2, 15'000);
        const auto bestRate = [tab]() -> double {
            const qsizetype best = tab->page()->runs()->best();
            return best < 0 || !tab->page()->runs()->value(0) || !tab->page()->runs()->value(1)
                ? 0
                : tab->page()->runs()->runs().at(best).job.parameters.value(u"lr"_s).toDouble();
        };
        QTRY_COMPARE_WITH_TIMEOUT(bestRate(), 0.1, 20'000);
        QCOMPARE(comparisons->compareGroup(u"rates"_s), tab); // once
        QTRY_COMPARE_WITH_TIMEOUT(tab->page()->curves()->plots().value(0)->lineCount(), 2, 15'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] { return tab->page()->details()->diff()->changeCount() == 1; }(), 15'000); // of the rate

        auto *again = tab->page()->findChild<QPushButton *>(u"compareSeeds"_s);
        again->click();
        auto *dialog = window->findChild<SeedsDialog *>();
        QVERIFY(dialog);
        QCOMPARE(dialog->field()->text(), u"2, 3, 4"_s);
        dialog->field()->setText(u"7"_s);
        QTest::keyClick(dialog->field(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(tab->page()->runs()->runs().size(), 3, 15'000);
        const QJsonObject parameters = tab->page()->runs()->runs().constLast().job.parameters;
        QCOMPARE(parameters.value(u"seed"_s).toInt(), 7);
        QCOMPARE(parameters.value(u"lr"_s).toDouble(), 0.1);

        // It comes back with the next start.
        const std::optional<SessionTab> place = tab->place();
        QVERIFY(place);
        QCOMPARE(place->kind, QString(CompareTab::kind));
        QCOMPARE(place->name, u"group:rates"_s);
        auto *restored
            = new CompareTab(window->client(), window->findChild<ForeignController *>()->runs(), u"rates"_s, {});
        const std::unique_ptr<QWidget> widget(restored->widget()); // which has it
        restored->restoreLayout(place->layout);
        QTRY_COMPARE_WITH_TIMEOUT(restored->page()->runs()->runs().size(), 3, 15'000);
    }
};

TRAINYARD_GUI_TEST(TstComparePage)
#include "tst_comparepage.moc"
