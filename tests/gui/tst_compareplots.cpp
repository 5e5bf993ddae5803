// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/pages/comparetab.h"
#include "app/gui/seedsdialog.h"
#include "engine/client/taskfigures.h"
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/writer.h"
#include "tests/gui/comparetests.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/comparedetails.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/comparetable.h"
#include "widgets/compare/parallelview.h"
#include "widgets/compare/scatterview.h"
#include "widgets/plot/besidepoint.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The curves of compared runs, and how runs look in all plots.
class TstComparePlots : public ComparedRuns
{
    Q_OBJECT

private Q_SLOTS:
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

    // A run has its look after a restart too, whatever was drawn before it.
    void looksAreThoseOfTheRuns()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 8; ++i) {
            jobs.append(comparedJob(10 + 3 * i, 0.1 * i, 1, 0.01 * i));
        }
        const auto looksOf = [](CompareRuns &runs) {
            QHash<QString, int> looks;
            for (const qsizetype run : runs.drawn()) {
                looks.insert(runs.runs().at(run).job.uuid, runs.look(run));
            }
            return looks;
        };
        CompareRuns before;
        before.setJobs(jobs);
        before.setDrawn({5, 3, 1}, false);
        before.setDrawn({1, 5, 0, 3, 2, 4, 6, 7}, true);
        CompareRuns after;
        after.setJobs({jobs.crbegin(), jobs.crend()});
        after.setDrawn({0, 1, 2, 3, 4, 5, 6, 7}, true);
        QCOMPARE(looksOf(before).size(), 8);
        QCOMPARE(looksOf(after), looksOf(before));
        QSet<int> colours;
        for (const int look : looksOf(before)) {
            colours.insert(int(lookColour(look)));
        }
        QCOMPARE(colours.size(), 8);
    }

    // They come one by one after a restart, the newest first; and of many runs, each has what it had.
    void looksOutliveARestart()
    {
        const auto looksOf = [](const CompareRuns &runs) {
            QHash<QString, int> looks;
            for (const qsizetype run : runs.drawn()) {
                looks.insert(runs.runs().at(run).job.uuid, runs.look(run));
            }
            return looks;
        };
        QList<JobSummary> jobs;
        for (int i = 0; i < 20; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 * i, 1, 0.01 * i));
        }
        CompareRuns before;
        before.setJobs(jobs);
        before.setDrawn({19, 18, 17, 16, 15, 14}, false);
        before.setDrawn({4, 12, 0, 13, 9, 1, 17, 3, 11, 8}, true);
        QCOMPARE(looksOf(before).size(), 10);
        CompareRuns after;
        after.restoreLooks(before.looks());
        after.restoreDrawn(*before.chosenDrawn());
        QList<JobSummary> come;
        for (qsizetype i = jobs.size() - 1; i >= 0; --i) {
            come.append(jobs.at(i));
            after.setJobs(come);
            QCOMPARE(after.looks(), before.looks()); // also before all are there, should it end again
        }
        QCOMPARE(looksOf(after), looksOf(before));
        // A run that is drawn anew takes none that is kept for another.
        CompareRuns part;
        part.restoreLooks(before.looks());
        part.setJobs({jobs.at(5)});
        QVERIFY(part.look(0) >= 0 && !before.looks().values().contains(part.look(0)));
        // Nor does what a damaged session has make a look that there is not.
        CompareRuns odd;
        odd.restoreLooks({{jobs.at(0).uuid, 99}, {jobs.at(1).uuid, -3}});
        odd.setJobs(jobs);
        for (const int look : looksOf(odd)) {
            QVERIFY(look >= 0 && look < lookCount);
        }
    }

    // A filter is typed letter by letter, each of which leaves other runs; what was exported before still matches.
    void looksOutliveAFilter_data()
    {
        QTest::addColumn<bool>("isFolded");
        QTest::addColumn<bool>("byBrush");
        QTest::newRow("runs") << false << false;
        QTest::newRow("rows") << true << false;
        QTest::newRow("brush") << false << true;
        QTest::newRow("brushed rows") << true << true;
    }

    void looksOutliveAFilter()
    {
        QFETCH(bool, isFolded);
        QFETCH(bool, byBrush);
        QList<JobSummary> jobs;
        for (int i = 0; i < 30; ++i) { // the best ones first, in rows of three
            jobs.append(comparedJob(i + 1, 0.1 * (1 + i / 3), i % 3, 0.9 - 0.01 * i));
        }
        CompareRuns runs;
        runs.setFolded(isFolded);
        runs.setJobs(jobs);
        QHash<qsizetype, int> before; // of whatever was drawn, by the run, or the row
        const auto note = [&] {
            QStringList others;
            for (const qsizetype run : runs.drawn()) {
                const qsizetype key = isFolded ? run / 3 : run;
                const int look = runs.look(run);
                if (before.value(key, look) != look) {
                    others.append(u"%1: %2, then %3"_s.arg(run).arg(before.value(key)).arg(look));
                }
                before.insert(key, look);
            }
            return others;
        };
        const auto leave = [&](const QList<qsizetype> &left) {
            QSet<QString> hidden;
            for (const JobSummary &job : std::as_const(jobs)) {
                hidden.insert(job.uuid);
            }
            for (const qsizetype run : left) {
                hidden.remove(jobs.at(run).uuid);
            }
            byBrush ? runs.setBrush(QSet<qsizetype>(left.cbegin(), left.cend())) : runs.setHidden(hidden);
        };
        QCOMPARE(note(), QStringList());
        for (const QList<qsizetype> &left :
            {QList<qsizetype>{20, 22, 24, 26, 28}, {5, 8, 11, 23, 29}, {29}, {2, 5, 29}, {10, 12, 13, 14}, {0, 28}}) {
            leave(left);
            QVERIFY(!runs.drawn().isEmpty());
            QCOMPARE(note(), QStringList());
        }
        runs.setBrush(std::nullopt);
        runs.setHidden({});
        QCOMPARE(runs.drawn().size(), isFolded ? 18 : 6);
        QCOMPARE(note(), QStringList());
        // Nor does it take another when it is left out by hand, and comes back after others.
        runs.setDrawn({0, 1, 2}, false);
        runs.setDrawn({27, 28, 29}, true);
        runs.setDrawn({0, 1, 2}, true);
        QCOMPARE(note(), QStringList());
        QSet<int> looks(before.cbegin(), before.cend());
        QCOMPARE(looks.size(), before.size());
    }

    // Of a sweep, there are more runs than looks in the course of time.
    void looksAreEnoughForAll()
    {
        QList<JobSummary> jobs;
        for (int i = 0; i < 200; ++i) {
            jobs.append(comparedJob(i + 1, 0.1 * i, 1, 0.001 * i));
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        for (qsizetype first = 0; first + 6 <= jobs.size(); first += 6) {
            QSet<qsizetype> left;
            for (qsizetype run = first; run < first + 6; ++run) {
                left.insert(run);
            }
            runs.setBrush(left);
            QSet<int> looks, colours;
            for (const qsizetype run : runs.drawn()) {
                looks.insert(runs.look(run));
                colours.insert(int(lookColour(runs.look(run))));
            }
            QCOMPARE(looks.size(), 6);
            QVERIFY(colours.size() >= 4);
        }
    }

    // Without anything that is kept, the order of the jobs decides and not the order in which they came.
    void looksAreSettledOnceAllHaveCome()
    {
        const JobSummary one = comparedJob(1, 0.1, 1, 0.5), two = comparedJob(2, 0.2, 1, 0.6);
        CompareRuns runs, other;
        runs.setJobs({two});
        runs.setJobs({one, two});
        QSignalSpy told(&runs, &CompareRuns::drawnChanged);
        runs.settleLooks();
        QCOMPARE(told.size(), 1);
        other.setJobs({one, two});
        QCOMPARE(runs.looks(), other.looks());
        runs.settleLooks();
        QCOMPARE(told.size(), 1); // nothing is another now
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
        QVERIFY(html.contains(">#2: lr ")); // in the legends
        const QByteArray text = QByteArray(html).replace("http://www.w3.org/", "");
        QVERIFY2(!text.contains("http") && !text.contains("<script") && !text.contains("<link"), "it needs no network");
        QVERIFY(
            page.csv().startsWith("Run,Name,lr,seed,acc best,loss,State,Step,Seconds,trainyard\n#2,net,0.1,1,0.9,"));
        QVERIFY2(page.csv().split('\n').at(1).endsWith(",60,1"), page.csv().constData());
    }

    // A row is drawn with all of its runs, whichever of them were drawn before they were folded.
    void foldedRowsAreDrawnWhole()
    {
        QList<JobSummary> jobs;
        for (int run = 0; run < 16; ++run) { // two of the six best are of the third rate
            jobs.append(comparedJob(run + 1, 0.1 * (1 + run / 4), run % 4, 0.9 - 0.1 * (run % 4) - 0.02 * (run / 4)));
        }
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        page.runs()->setJobs(jobs);
        WrittenLog logs[16];
        for (int run = 0; run < 16; ++run) {
            for (int step = 0; step < 3; ++step) {
                logs[run].writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                    "step " + QByteArray::number(step) + " acc: " + QByteArray::number(0.01 * run) + " loss: 0.5\n");
            }
            page.curves()->setOutputs(u"uuid-%1"_s.arg(run + 1), {logs[run].folder()});
        }
        const QList<qsizetype> asRuns = page.runs()->drawn();
        QCOMPARE(asRuns.size(), 6);
        page.runs()->setFolded(true);
        QCOMPARE(page.runs()->drawn().size(), 16); // four rows
        QTRY_COMPARE(page.curves()->plots().size(), 2);
        const CurvePlot *plot = page.curves()->plots().constFirst();
        const auto points = [plot] {
            QStringList texts;
            for (const auto &[line, point] : plot->pointsAt(2)) {
                texts.append(line.label + u' ' + QString::number(point.value));
            }
            return texts;
        };
        QTRY_COMPARE(points(),
            (QStringList{u"#1 and 3 more 0.015"_s, u"#5 and 3 more 0.055"_s, u"#9 and 3 more 0.095"_s,
                u"#13 and 3 more 0.135"_s}));
        QVERIFY(page.html().contains("<h2>acc of #1 and 3 more, #5 and 3 more, #9 and 3 more, #13 and 3 more</h2>"));

        page.runs()->setFolded(false);
        QCOMPARE(page.runs()->drawn(), asRuns);
        // A row leaves and comes back whole, and its runs stay drawn when they have rows of their own.
        page.runs()->setFolded(true);
        QVERIFY(page.runs()->setDrawn({8, 9, 10, 11}, false));
        QCOMPARE(page.runs()->drawn().size(), 12);
        QCOMPARE(page.runs()->unticked(), (QList<qsizetype>{8, 9, 10, 11}));
        QVERIFY(page.runs()->setDrawn({8, 9, 10, 11}, true));
        QCOMPARE(page.runs()->drawn().size(), 16);
        page.runs()->setFolded(false);
        for (const qsizetype run : {8, 9, 10, 11}) {
            QVERIFY(page.runs()->look(run) >= 0);
        }
    }

    // A row leaves as a whole: the look of a run that the filter hides would still draw the others.
    void foldedRowLeavesWithItsHiddenRuns()
    {
        CompareRuns runs;
        runs.setJobs({comparedJob(1, 0.1, 1, 0.9), comparedJob(2, 0.1, 2, 0.8), comparedJob(3, 1, 1, 0.7)});
        QCOMPARE(runs.drawn(), (QList<qsizetype>{0, 1, 2}));
        runs.setFolded(true);
        runs.setHidden({u"uuid-1"_s});
        QCOMPARE(runs.rows(), (QList<QList<qsizetype>>{{1}, {2}}));
        QCOMPARE(runs.drawn(), (QList<qsizetype>{1, 2}));
        QVERIFY(runs.setDrawn({1}, false));
        QCOMPARE(runs.drawn(), QList<qsizetype>{2});
        QCOMPARE(runs.unticked(), QList<qsizetype>{1});
        runs.setHidden({});
        QCOMPARE(runs.drawn(), QList<qsizetype>{2});
    }

    // Drawn as a row before the restart, its runs are all drawn when they are rows of their own after it.
    void foldedRowOutlivesARestart()
    {
        const QList<JobSummary> jobs{comparedJob(1, 0.1, 1, 0.9), comparedJob(2, 0.1, 2, 0.8),
            comparedJob(3, 0.1, 3, 0.85), comparedJob(4, 1, 1, 0.7), comparedJob(5, 1, 2, 0.6)};
        CompareRuns before;
        before.setJobs(jobs);
        before.setDrawn({0, 1, 2, 3, 4}, false);
        before.setDrawn({4}, true); // as a run of its own
        before.setFolded(true);
        before.setDrawn({0, 1, 2}, true);
        QCOMPARE(before.drawnAsRows(), QStringList{u"uuid-1"_s});
        CompareRuns after;
        after.setFolded(true);
        after.restoreLooks(before.looks());
        after.restoreDrawn(*before.chosenDrawn(), before.drawnAsRows());
        for (qsizetype count = 1; count <= jobs.size(); ++count) {
            after.setJobs(jobs.mid(0, count));
        }
        QCOMPARE(after.drawn(), before.drawn());
        QCOMPARE(after.drawnAsRows(), before.drawnAsRows()); // for the start after this one
        before.setFolded(false);
        after.setFolded(false);
        QCOMPARE(before.drawn(), (QList<qsizetype>{0, 1, 2, 4}));
        QCOMPARE(after.drawn(), before.drawn());
        QVERIFY(after.drawnAsRows().isEmpty());
    }

    // The run of a drawn row that has its look is removed; the others of the row are drawn with that look.
    void foldedRowStaysDrawnWithoutItsFirstRun()
    {
        const QList<JobSummary> jobs{comparedJob(1, 0.1, 1, 0.9), comparedJob(2, 0.1, 2, 0.8),
            comparedJob(3, 0.1, 3, 0.85), comparedJob(4, 1, 1, 0.7)};
        CompareRuns runs;
        runs.setJobs(jobs);
        runs.setFolded(true);
        QVERIFY(runs.setDrawn({0, 1, 2, 3}, false));
        QVERIFY(runs.drawn().isEmpty());
        QVERIFY(runs.setDrawn({0, 1, 2}, true));
        const int look = runs.look(0);
        QVERIFY(look >= 0);
        runs.setJobs(jobs.mid(1));
        QCOMPARE(runs.drawn(), (QList<qsizetype>{0, 1}));
        QCOMPARE(runs.look(0), look);
        runs.setFolded(false);
        QCOMPARE(runs.drawn(), (QList<qsizetype>{0, 1}));
    }

    // Six rows, however many runs each of them has, and as many rows as runs have room.
    void bestRowsAreDrawn()
    {
        CompareRuns runs;
        QList<JobSummary> jobs;
        for (int run = 0; run < 160; ++run) {
            jobs.append(comparedJob(run + 1, 0.01 * (1 + run / 4), run % 4, 0.9 - 0.001 * run));
        }
        runs.setFolded(true);
        runs.setJobs(jobs);
        QList<qsizetype> best(24);
        std::iota(best.begin(), best.end(), 0);
        QCOMPARE(runs.drawn(), best);
        QList<qsizetype> all(160);
        std::iota(all.begin(), all.end(), 0);
        QVERIFY(runs.setDrawn(all, true));
        QCOMPARE(runs.drawn(), all);
        QSet<int> looks;
        for (const QList<qsizetype> &row : runs.rows()) {
            looks.insert(lookOfRow(runs, row));
        }
        QCOMPARE(looks.size(), 40);
    }

    // A run that writes the metric in another case has its curve beside those of the others.
    void curvesInAnotherCase()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        QList<JobSummary> jobs = comparedJobs();
        jobs[1].results.insert(u"ACC"_s, jobs[1].results.take(u"acc"_s));
        page.runs()->setJobs(jobs);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        const QByteArray lines[] = {"step %1 acc: 0.5\n", "step %1 ACC: 0.25\n"};
        WrittenLog logs[2];
        for (int run = 0; run < 2; ++run) {
            for (int step = 1; step < 9; ++step) {
                logs[run].writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                    QByteArray(lines[run]).replace("%1", QByteArray::number(step)));
            }
            page.curves()->setOutputs(u"uuid-%1"_s.arg(run + 1), {logs[run].folder()});
        }
        page.curves()->setMetrics({u"acc"_s});
        QTRY_COMPARE(page.curves()->plots().size(), 1);
        CurvePlot *plot = page.curves()->plots().constFirst();
        QTRY_COMPARE(plot->lineCount(), 2);
        QStringList values;
        for (const auto &[line, point] : plot->pointsAt(8)) {
            values.append(line.label + u' ' + QString::number(point.value));
        }
        QCOMPARE(values, (QStringList{u"#1 0.5"_s, u"#2 0.25"_s}));
    }

    // The values of all drawn runs leave the program as they do on the page of a run.
    void valuesLeaveAsCsv()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.runs()->setJobs(comparedJobs());
        WrittenLog logs[2];
        for (int run = 0; run < 2; ++run) {
            logs[run].writeAt(WrittenLog::start * 1'000'000, run == 0 ? "step 3 loss: 0.5\n" : "step 3 loss: 0.25\n");
            page.curves()->setOutputs(u"uuid-%1"_s.arg(run + 1), {logs[run].folder()});
        }
        page.curves()->setMetrics({u"loss"_s});
        QTRY_COMPARE(page.curves()->plots().size(), 1);
        CurvePlot *plot = page.curves()->plots().constFirst();
        QTRY_COMPARE(plot->lineCount(), 2);
        const auto choose = [&](const QString &words) {
            Q_EMIT plot->menuRequested(plot->mapToGlobal(plot->rect().center()));
            QPointer<QMenu> menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            const auto actions = menu ? menu->actions() : QList<QAction *>();
            const auto found = std::find_if(
                actions.cbegin(), actions.cend(), [&words](const QAction *action) { return action->text() == words; });
            const bool isThere = found != actions.cend();
            if (isThere) {
                (*found)->trigger();
            }
            if (menu) {
                menu->close();
            }
            return isThere;
        };
        QVERIFY(choose(u"Copy the values as a table"_s));
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(u"metric\trun\tstep\ttime\tvalue\nloss\t#1\t3\t"_s), qPrintable(copied));

        const QTemporaryDir folder;
        QSignalSpy saved(&page, &ComparePage::saved);
        QSignalSpy said(&page, &ComparePage::said);
        QVERIFY(choose(u"Save the values as CSV…"_s));
        auto *dialog = page.findChild<QFileDialog *>();
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(folder.filePath(u"loss"_s));
        dialog->close();
        QTRY_COMPARE(saved.size(), 1);
        QCOMPARE(saved.constFirst().constFirst().toString(), folder.filePath(u"loss.csv"_s));
        QFile file(folder.filePath(u"loss.csv"_s));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(),
            QByteArray("metric,run,step,time,value,trainyard\nloss,#1,3,2023-11-14T22:13:20.000Z,0.5,1\n"
                       "loss,#2,3,2023-11-14T22:13:20.000Z,0.25,1\n"));
        QCOMPARE(said.size(), 0);
        // What cannot be written is said.
        QVERIFY(choose(u"Save the values as CSV…"_s));
        const auto dialogs = page.findChildren<QFileDialog *>();
        Q_EMIT dialogs.constLast()->fileSelected(folder.filePath(u"no/such/folder.csv"_s));
        QTRY_COMPARE(said.size(), 1);
        QVERIFY(said.constFirst().constFirst().toString().contains(u"no/such/folder.csv"_s));
        dialogs.constLast()->close();
    }

    // The views that are no curves can be saved as pictures, too, and nothing of them that cannot be drawn is offered.
    void viewsAreSavedAsPictures()
    {
        ComparePage page;
        page.resize(1200, 800);
        const auto offered = [&page](const QString &words) {
            const QList<QAction *> actions = page.exportActions();
            const auto found = std::find_if(
                actions.cbegin(), actions.cend(), [&words](const QAction *action) { return action->text() == words; });
            return found == actions.cend() ? nullptr : *found;
        };
        const QString results = u"Save the plot of results as a picture…"_s,
                      parallel = u"Save the parallel coordinates as a picture…"_s;
        QVERIFY(!offered(results) && !offered(parallel));
        page.runs()->setJobs(comparedJobs());
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        Q_EMIT page.scatter()->customContextMenuRequested({20, 20});
        QPointer<QMenu> menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QVERIFY(menu->actions().contains(offered(results)));
        QVERIFY(!offered(parallel)); // not in sight
        menu->close();
        const QTemporaryDir folder;
        QSignalSpy saved(&page, &ComparePage::saved), said(&page, &ComparePage::said);
        const auto save = [&](const QString &words, const QString &name) {
            offered(words)->trigger();
            const auto dialogs = page.findChildren<QFileDialog *>();
            Q_EMIT dialogs.constLast()->fileSelected(folder.filePath(name));
            dialogs.constLast()->close();
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray svg = save(results, u"a.svg"_s);
        QVERIFY2(svg.contains("<svg") && svg.contains("acc by lr"), svg.left(400).constData());
        QVERIFY(save(results, u"a.pdf"_s).startsWith("%PDF"));
        showParallel(page);
        QVERIFY(!offered(results));
        const QByteArray axes = save(parallel, u"b.svg"_s);
        QVERIFY2(axes.contains(">lr<"), axes.left(400).constData());
        const QImage picture = QImage::fromData(save(parallel, u"b.png"_s));
        QCOMPARE(picture.size(), page.parallel()->size() * 3);
        QCOMPARE(saved.size(), 4);
        QCOMPARE(said.size(), 0);
        save(parallel, u"no/such/folder.png"_s);
        QCOMPARE(said.size(), 1);
    }

    // A run that was tried again has one curve, and the plot says of which line a new attempt begins.
    void curveGoesOnOverAttempts()
    {
        ComparePage page;
        page.resize(780, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        page.runs()->setJobs(comparedJobs());
        WrittenLog logs[3];
        const auto print = [](WrittenLog &log, int from, int to, const QByteArray &loss, int firstSecond) {
            for (int step = from; step <= to; ++step) {
                log.writeAt((WrittenLog::start + (firstSecond + step - from) * 1000) * 1'000'000,
                    "step " + QByteArray::number(step) + " loss: " + loss + '\n');
            }
        };
        print(logs[0], 1, 20, "0.9", 0);
        print(logs[1], 11, 30, "0.5", 25);
        print(logs[2], 1, 30, "0.7", 0);
        page.curves()->setMetrics({u"loss"_s});
        page.curves()->setOutputs(u"uuid-2"_s, {logs[2].folder()});
        page.curves()->setTries(u"uuid-1"_s, {{{logs[0].folder(), 0, 0}}});
        QTRY_COMPARE(page.curves()->plots().size(), 1);
        CurvePlot *plot = page.curves()->plots().constFirst();
        QTRY_COMPARE(plot->lineCount(), 2);
        page.curves()->setTries(u"uuid-1"_s, {{{logs[0].folder(), 0, 0}, {logs[1].folder(), 1, 0}}});
        const auto valuesAt = [plot](double step) {
            QStringList texts;
            for (const auto &[line, point] : plot->pointsAt(step)) {
                texts.append(u"%1 %2=%3"_s.arg(line.label).arg(point.x).arg(point.value));
            }
            return texts;
        };
        QTRY_COMPARE(valuesAt(12), (QStringList{u"#1 12=0.5"_s, u"#2 12=0.7"_s}));
        QCOMPARE(valuesAt(9), (QStringList{u"#1 9=0.9"_s, u"#2 9=0.7"_s}));
        QTRY_COMPARE(plot->shownRange(), (CurvePlot::Range{1, 30}));
        QTRY_COMPARE(plot->markAt({plot->pixelOf(11, 0.5).x(), 5}), u"#1: Attempt 2 begins here."_s);
    }

    // A file that all runs of a sweep write is the file of none, which would otherwise look as if they had no metrics.
    void saysThatOneFileIsShared()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        QList<JobSummary> jobs = comparedJobs();
        for (JobSummary &job : jobs) {
            job.results = {};
        }
        QSignalSpy wanted(page.curves(), &CompareCurves::outputsWanted);
        page.runs()->setJobs(jobs);
        QVERIFY(page.runs()->metrics().isEmpty());
        QVERIFY(!wanted.isEmpty());
        WrittenLog log;
        log.writeAt(WrittenLog::start * 1'000'000, "it begins\n");
        const auto *empty = page.curves()->findChild<EmptyState *>();
        QVERIFY(empty && empty->isVisible());
        const auto says = [empty](const QString &words) {
            const auto labels = empty->findChildren<QLabel *>();
            return std::any_of(labels.cbegin(), labels.cend(),
                [&](const QLabel *label) { return label->isVisible() && label->text().contains(words); });
        };
        QVERIFY(says(u"is being read"_s));
        QFile book(log.folder() + u'/' + QLatin1StringView(contract::file::metricBook));
        QVERIFY(book.open(QIODevice::WriteOnly));
        book.write(
            QByteArray::fromStdString(contract::runLine("out") + contract::fileLine({0, "table", "/w/out/metrics.csv"})
                + contract::noteLine({0, "metricfile.shared-file", 0, "of-another"})));
        book.close();
        page.curves()->setOutputs(u"uuid-1"_s, {log.folder()});
        QTRY_VERIFY(says(u"/w/out/metrics.csv"_s));
        QVERIFY(says(u"out/$TRAINYARD_JOB_ID/metrics.csv"_s));
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
        const auto none = [&] { return note(page.curves()->plots().constFirst()); };
        QCOMPARE(none(), u"The output of the runs is being read."_s); // where that of the others is, is asked
        for (const QString &other : {u"uuid-2"_s, u"uuid-3"_s, u"uuid-4"_s}) {
            page.curves()->setOutputs(other, {});
        }
        QTRY_COMPARE(none(), u"No drawn run has this curve."_s);
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
        Q_EMIT plot->cursorMoved(25); // behind the last value, of which the card tells
        QVERIFY2(card->accessibleName().startsWith(u"Step 19, "_s), qPrintable(card->accessibleName()));
        QVERIFY(click());
        QTest::mouseClick(page.table()->view()->viewport(), Qt::LeftButton, {}, {5, 5});
        QVERIFY(!card->isVisible());
    }
};

TRAINYARD_GUI_TEST(TstComparePlots)
#include "tst_compareplots.moc"
