// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/metricbook.h"
#include "tests/gui/comparetests.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/parallelview.h"
#include "widgets/compare/scatterview.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMouseEvent>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Compared runs as lines between axes.
class TstParallelView : public ComparedRuns
{
    Q_OBJECT

private Q_SLOTS:
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

    // The table hides them: what says how many are drawn, and the plots, do not show them either. Nor are they stopped
    // with the rest.
    void whatABrushKeepsOutIsNotDrawn()
    {
        QList<JobSummary> jobs = comparedJobs();
        for (JobSummary &job : jobs) {
            job.state = State::Running;
            job.completed.reset();
        }
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(jobs);
        page.show();
        const auto *count = page.findChild<ElidedLabel *>(u"compareCount"_s);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        page.parallel()->brush(0, 0.3, 0.7);
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{1, 2}));
        QCOMPARE(count->text(), u"2 of 4, 2 drawn"_s);
        QVERIFY(page.runs()->unticked().isEmpty());
        page.parallel()->clearBrushes();
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{0, 1, 2}));
        // What somebody has chosen is back when the brush is gone.
        page.runs()->setDrawn({0, 2}, false);
        page.runs()->setDrawn({3}, true);
        page.parallel()->brush(0, 0.3, 0.7);
        QCOMPARE(page.runs()->drawn(), QList<qsizetype>{1});
        QCOMPARE(page.runs()->unticked(), QList<qsizetype>{2});
        page.parallel()->clearBrushes();
        QCOMPARE(page.runs()->drawn(), (QList<qsizetype>{1, 3}));
        QCOMPARE(page.runs()->unticked(), (QList<qsizetype>{0, 2}));
    }

    // A seed only chooses among random numbers: its axis would be one of chance, and the page says so.
    void seedsHaveNoAxis()
    {
        ComparePage page;
        const auto *hint = page.findChild<QLabel *>(u"compareParallelHint"_s);
        QVERIFY(hint && !hint->text().contains(u"Seeds"_s));
        page.runs()->setJobs(comparedJobs());
        QCOMPARE(page.parallel()->seeds(), QStringList{u"seed"_s});
        QVERIFY2(hint->text().startsWith(u"Seeds have no axis: seed."_s), qPrintable(hint->text()));
        page.runs()->setJobs({comparedJob(1, 0.1, 1, 0.7), comparedJob(2, 0.2, 1, 0.9)});
        QVERIFY2(!hint->text().contains(u"Seeds"_s), qPrintable(hint->text()));
    }

    // "nan" is what somebody has called a choice, beside "kill" and "oom".
    void nanIsTheNameOfAChoice()
    {
        QList<JobSummary> jobs = comparedJobs().first(3);
        const QStringList names{u"kill"_s, u"nan"_s, u"oom"_s};
        for (qsizetype i = 0; i < jobs.size(); ++i) {
            jobs[i].parameters.insert(u"fail"_s, names.at(i));
        }
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(jobs);
        page.show();
        page.scatter()->setParameter(u"fail"_s);
        QVERIFY(page.scatter()->withoutParameter().isEmpty());
        QVERIFY(page.scatter()->axisTexts().contains(u"nan"_s));
    }

    void brushedByMouse()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        showParallel(page);
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

    // A run that changes leaves the lists alone from which somebody may be choosing.
    void listsAreFilledOnce()
    {
        ComparePage page;
        QList<JobSummary> jobs = comparedJobs();
        for (JobSummary &job : jobs) {
            job.parameters.insert(u"width"_s, job.id);
        }
        page.runs()->setJobs(jobs);
        const auto boxes = page.findChildren<QComboBox *>();
        const QStringList names{u"Ranked by"_s, u"Parameter along the axis"_s, u"First run"_s, u"Second run"_s};
        QList<QComboBox *> filled;
        std::copy_if(boxes.cbegin(), boxes.cend(), std::back_inserter(filled),
            [&names](const QComboBox *box) { return names.contains(box->accessibleName()); });
        QCOMPARE(filled.size(), names.size());
        int changes = 0;
        for (const QComboBox *box : std::as_const(filled)) {
            connect(box->model(), &QAbstractItemModel::rowsRemoved, this, [&changes] { ++changes; });
            connect(box->model(), &QAbstractItemModel::modelReset, this, [&changes] { ++changes; });
        }
        jobs[0].parameters.insert(u"width"_s, 17);
        page.runs()->setJobs(jobs);
        QCOMPARE(changes, 0);
        const auto parameter = std::find_if(filled.cbegin(), filled.cend(),
            [](const QComboBox *box) { return box->accessibleName() == u"Parameter along the axis"_s; });
        QVERIFY(parameter != filled.cend() && (*parameter)->findData(u"width"_s) >= 0);
        for (JobSummary &job : jobs) {
            job.parameters.remove(u"width"_s);
        }
        page.runs()->setJobs(jobs);
        QVERIFY((*parameter)->findData(u"width"_s) < 0 && (*parameter)->findData(u"lr"_s) >= 0);
        for (const QComboBox *box : std::as_const(filled)) {
            box->model()->disconnect(this);
        }
    }

    // Where axes stand close together, the words beside one stay clear of the line of the one before.
    void wordsCrossNoAxis()
    {
        QList<JobSummary> jobs = comparedJobs();
        for (qsizetype i = 0; i < jobs.size(); ++i) {
            for (int parameter = 0; parameter < 8; ++parameter) {
                jobs[i].parameters.insert(u"choice%1"_s.arg(parameter), u"category-%1"_s.arg(i));
            }
        }
        CompareRuns runs;
        runs.setJobs(jobs);
        ParallelView parallel(&runs);
        for (const int width : {300, 480, 1400}) {
            parallel.resize(width, 320);
            QVERIFY(parallel.axisCount() >= 9);
            for (qsizetype axis = 0; axis < parallel.axisCount(); ++axis) {
                const QRectF words = parallel.labelRect(axis, 0.5);
                for (qsizetype other = 0; other < parallel.axisCount(); ++other) {
                    const int line = parallel.axisRect(other).center().x();
                    QVERIFY2(line < words.left() || line > words.right(),
                        qPrintable(u"%1 px: axis %2 through the words of %3"_s.arg(width).arg(other).arg(axis)));
                }
                QVERIFY(words.left() >= 0 && words.right() <= width);
            }
        }
    }

    // Runs come and go while somebody drags: what is held is an axis, not a place.
    void axesChangeWhileOneIsHeld()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.runs()->setJobs(comparedJobs());
        showParallel(page);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        ParallelView *parallel = page.parallel();
        const auto send = [parallel](QEvent::Type type, const QPointF &at) {
            const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
            QMouseEvent event(type, at, parallel->mapToGlobal(at), button, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(parallel, &event);
        };
        const QRect axis = parallel->axisRect(1); // of the metric
        const QPointF low(axis.center().x(), axis.bottom() - axis.height() / 3.0);
        const QPointF high(axis.center().x(), axis.top() - 10);
        send(QEvent::MouseButtonPress, low);
        page.runs()->setJobs({comparedJob(1, 0.1, 1, 0.7), comparedJob(2, 0.1, 1, 0.9)});
        QCOMPARE(parallel->axisCount(), 1); // all have the same rate
        send(QEvent::MouseMove, high);
        QCOMPARE(columnOf(page, u"Run"_s), QStringList{u"#2"_s});
        send(QEvent::MouseButtonRelease, high);

        parallel->clearBrushes();
        send(QEvent::MouseButtonPress, parallel->axisRect(0).center());
        page.runs()->setJobs({});
        QCOMPARE(parallel->axisCount(), 0);
        send(QEvent::MouseMove, high);
        send(QEvent::MouseButtonRelease, high);
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
        showParallel(page);
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
};

TRAINYARD_GUI_TEST(TstParallelView)
#include "tst_parallelview.moc"
