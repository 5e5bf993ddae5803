// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/infobar.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/healthbars.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/usage/usagepage.h"
#include "widgets/usage/usagetimeline.h"

#include <QImage>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace trainyard;

// What the window shows of the health of jobs, and whose the GPUs were.
class TstHealthBars : public QObject
{
    Q_OBJECT

    static HealthMark mark(const char *code, const QString &metric = {}, qint64 at = WrittenLog::start)
    {
        HealthMark mark;
        mark.code = QString::fromLatin1(code);
        mark.args = {{QStringLiteral("value"), 20.0}, {QStringLiteral("before"), 1.0}, {QStringLiteral("best"), 1.0},
            {QStringLiteral("gpus"), QStringLiteral("0")}};
        mark.at = at;
        mark.role = QStringLiteral("worker");
        mark.metric = metric;
        if (!metric.isEmpty()) {
            mark.step = 40;
        }
        return mark;
    }
    static JobSummary job(const QList<HealthMark> &health)
    {
        JobSummary job;
        job.id = 7;
        job.uuid = QStringLiteral("u");
        job.name = QStringLiteral("train");
        job.state = State::Running;
        job.totalTasks = 1;
        job.health = health;
        return job;
    }
    static QStringList shown(const QWidget &page)
    {
        QStringList texts;
        const auto bars = page.findChildren<InfoBar *>();
        for (const InfoBar *bar : bars) {
            if (bar->isVisible()) {
                texts.append(bar->text());
            }
        }
        return texts;
    }

private Q_SLOTS:
    void bars()
    {
        QWidget page;
        auto *layout = new QVBoxLayout(&page);
        HealthBars bars(&page);
        bars.addTo(layout);
        page.show();
        bars.setJob(job({}));
        QVERIFY(shown(page).isEmpty());
        bars.setJob(job({mark("health.gpu-idle"), mark("health.jump", QStringLiteral("loss"))}));
        QCOMPARE(shown(page).size(), 2);
        QVERIFY(shown(page).first().contains(QStringLiteral("loss jumped to 20 at step 40"))); // the newest first
        QSignalSpy shows(&bars, &HealthBars::showRequested), silences(&bars, &HealthBars::silenceRequested);
        page.findChild<QPushButton *>(QStringLiteral("showHealth"))->click();
        QCOMPARE(shows.size(), 1);
        QCOMPARE(shows.first().first().value<HealthMark>().metric, QStringLiteral("loss"));
        page.findChild<QPushButton *>(QStringLiteral("silenceHealth"))->click();
        QCOMPARE(silences.first().first().toString(), QStringLiteral("jump"));
        // A button that is being pressed is not made anew because numbers change.
        const auto *before = page.findChild<QPushButton *>(QStringLiteral("showHealth"));
        bars.setJob(job({mark("health.gpu-idle"), mark("health.jump", QStringLiteral("loss"))}));
        QCOMPARE(page.findChild<QPushButton *>(QStringLiteral("showHealth")), before);
        bars.setJob(job({}));
        QVERIFY(shown(page).isEmpty());
    }

    // What is closed stays away; what is new comes.
    void closedOnes()
    {
        QWidget page;
        auto *layout = new QVBoxLayout(&page);
        HealthBars bars(&page);
        bars.addTo(layout);
        page.show();
        bars.setJob(job({mark("health.jump", QStringLiteral("loss"))}));
        auto *close = page.findChild<InfoBar *>()->findChild<QToolButton *>();
        QVERIFY(close);
        close->click();
        bars.setJob(job({mark("health.jump", QStringLiteral("loss"))}));
        QVERIFY(shown(page).isEmpty());
        bars.setJob(job({mark("health.jump", QStringLiteral("loss")), mark("health.silent")}));
        QCOMPARE(shown(page).size(), 1);
        bars.setJob(job({mark("health.jump", QStringLiteral("loss"), 1), mark("health.jump", QStringLiteral("a")),
            mark("health.plateau", QStringLiteral("b"))}));
        QCOMPARE(shown(page).size(), 2);
        QVERIFY(shown(page).last().contains(QStringLiteral("(1 more)")));
    }

    void onThePage()
    {
        RunPage page;
        page.resize(1200, 800);
        page.show();
        TaskInfo task;
        task.role = QStringLiteral("worker");
        task.state = State::Running;
        page.setTasks(0, {task});
        page.setSummary(job({mark("health.jump", QStringLiteral("loss"), WrittenLog::start + 40'000)}));
        QCOMPARE(shown(page).size(), 1);
        const TasksModel *model = page.tasksPane()->model();
        const QModelIndex row = model->indexOf(QStringLiteral("worker"), 0);
        QVERIFY(row.data(TasksModel::HealthRole).toBool());
        QVERIFY(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("jumped")));
        QSignalSpy silences(&page, &RunPage::silenceHealthRequested);
        page.findChild<QPushButton *>(QStringLiteral("silenceHealth"))->click();
        QCOMPARE(silences.size(), 1);
        page.setSummary(job({}));
        QVERIFY(!row.data(TasksModel::HealthRole).toBool());
    }

    void onTheCurve()
    {
        WrittenLog log;
        for (int step = 0; step < 60; ++step) {
            log.writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                "step " + QByteArray::number(step) + " loss: " + QByteArray::number(step < 40 ? 1 : 20) + '\n');
        }
        TaskInfo task;
        task.role = QStringLiteral("worker");
        task.state = State::Running;
        task.logFolder = log.folder();
        CurvesView view;
        view.resize(900, 500);
        view.show();
        view.setTasks({task});
        view.setHealth({mark("health.jump", QStringLiteral("loss")), mark("health.jump", QStringLiteral("other"))});
        QTRY_COMPARE(view.plots().size(), 1);
        CurvePlot *plot = view.plots().constFirst();
        QTRY_VERIFY(plot->shownRange().second > 50);
        const auto tip = [plot] { // somewhere along the upper edge
            QString found;
            for (int x = 0; x < plot->width() && found.isEmpty(); ++x) {
                found = plot->markAt({x, 14});
            }
            return found;
        };
        QTRY_VERIFY2(tip().contains(QStringLiteral("loss jumped to 20 at step 40")), qPrintable(tip()));
        QVERIFY(!tip().contains(QStringLiteral("other")));
        view.setHealth({});
        QVERIFY(tip().isEmpty());
    }

    // What is known by its epoch stands at the step of that epoch, and nowhere where no step is known.
    void onTheCurveOfEpochs()
    {
        WrittenLog log;
        for (int epoch = 1; epoch <= 3; ++epoch) {
            const QByteArray number = QByteArray::number(epoch);
            for (int step = epoch * 10 - 9; step <= epoch * 10; ++step) {
                log.writeAt((WrittenLog::start + step * 1000) * 1'000'000,
                    "epoch " + number + " step " + QByteArray::number(step) + " loss 0.5\n");
            }
            log.writeAt((WrittenLog::start + epoch * 10'000 + 500) * 1'000'000,
                "epoch " + number + ": dev_wer=7" + number + '\n');
        }
        TaskInfo task;
        task.role = QStringLiteral("worker");
        task.state = State::Running;
        task.logFolder = log.folder();
        const auto ofEpoch = [](double epoch, const QString &role) {
            HealthMark one = mark("health.jump", QStringLiteral("dev_wer"), WrittenLog::start + 20'500);
            one.args.insert(QStringLiteral("counts"), QStringLiteral("epoch"));
            one.step = epoch;
            one.role = role;
            return one;
        };
        CurvesView view;
        view.resize(900, 500);
        view.show();
        view.setTasks({task});
        view.setHealth({ofEpoch(2, task.role)}); // before there is a curve
        const auto plot = [&view]() -> CurvePlot * {
            const QList<CurvePlot *> plots = view.plots();
            const auto found = std::find_if(plots.cbegin(), plots.cend(),
                [](const CurvePlot *each) { return each->title() == QLatin1String("dev_wer"); });
            return found == plots.cend() ? nullptr : *found;
        };
        QTRY_VERIFY(plot());
        QTRY_COMPARE(plot()->shownRange().second, 30.0);
        const auto markAt = [&plot](double step) { return plot()->markAt({plot()->pixelOf(step, 72).x(), 14}); };
        QTRY_VERIFY(!markAt(20).isEmpty());
        QCOMPARE(markAt(2), QString());
        // An epoch that the curve does not have, and a task that is not shown.
        for (const HealthMark &other : {ofEpoch(9, task.role), ofEpoch(2, QStringLiteral("chief"))}) {
            view.setHealth({other});
            for (const double step : {2.0, 9.0, 20.0, 30.0}) {
                QCOMPARE(markAt(step), QString());
            }
        }
        QCOMPARE(view.store()->stepOfEpoch(0, QStringLiteral("dev_wer"), 3, WrittenLog::start), std::optional(30.0));
        QCOMPARE(view.store()->stepOfEpoch(0, QStringLiteral("no_such"), 3, WrittenLog::start), std::nullopt);
    }

    void inTheList()
    {
        JobsModel model;
        model.setJobs({job({mark("health.gpu-idle")})});
        const QModelIndex at = model.indexOf(QStringLiteral("u"));
        QVERIFY(at.data(Qt::ToolTipRole).toString().contains(QStringLiteral("GPU 0 has been at 0 %")));
    }

    void usagePage()
    {
        UsagePage page;
        page.resize(1000, 600);
        page.show();
        QSignalSpy wanted(&page, &UsagePage::usageWanted), opens(&page, &UsagePage::jobRequested);
        constexpr qint64 hour = 3'600'000, now = 1'700'000'000'000;
        page.refresh(now);
        QCOMPARE(wanted.first().last().toLongLong() - wanted.first().first().toLongLong(), 7 * 24 * hour);
        page.setUsage({}, now - 100 * hour, now);
        QVERIFY(!page.timeline()->isVisible());
        UsageSpan span;
        span.job = 7;
        span.uuid = QStringLiteral("u");
        span.name = QStringLiteral("train");
        span.user = QStringLiteral("ada");
        span.host = QStringLiteral("lab1");
        span.gpus = {0, 1};
        span.from = now - 50 * hour;
        page.setUsage({{span}, false}, now - 100 * hour, now);
        UsageTimeline *timeline = page.timeline();
        QVERIFY(timeline->isVisible());
        QCOMPARE(timeline->lanes().size(), 2);
        QCOMPARE(timeline->lanes().first().busyMs, 50 * hour);
        const QPoint right(timeline->width() - 40, 40), left(220, 40);
        QVERIFY(timeline->tipAt(right).contains(QStringLiteral("train #7")));
        QVERIFY(timeline->tipAt(left).isEmpty()); // idle
        QTest::mouseClick(timeline, Qt::LeftButton, {}, right);
        QCOMPARE(opens.size(), 1);
        QTest::mouseClick(timeline, Qt::LeftButton, {}, left);
        QCOMPARE(opens.size(), 1);
        const auto before = timeline->shown();
        QTest::keyClick(timeline, Qt::Key_Plus);
        QVERIFY(timeline->shown().second - timeline->shown().first < before.second - before.first);
        // What comes new does not take the view away.
        const auto zoomed = timeline->shown();
        page.setUsage({{span}, false}, now - 100 * hour, now);
        QCOMPARE(timeline->shown(), zoomed);
        // Nor where the oldest of it goes meanwhile.
        const qint64 length = zoomed.second - zoomed.first;
        for (int i = 0; i < 20; ++i) {
            QTest::keyClick(timeline, Qt::Key_Left);
        }
        QCOMPARE(timeline->shown().first, now - 100 * hour);
        page.setUsage({{span}, false}, now - 99 * hour, now + hour);
        QCOMPARE(timeline->shown(), std::pair(now - 99 * hour, now - 99 * hour + length));
        page.setUsage({{span}, false}, now - 100 * hour, now);
        QTest::mouseDClick(timeline, Qt::LeftButton, {}, left);
        QCOMPARE(timeline->shown(), before);
        QCOMPARE(timeline->labelOf(1), QStringLiteral("lab1 GPU 1"));
        // Tasks without a GPU that ran at once have a lane each, and the name of their host once.
        UsageSpan other = span;
        span.gpus = other.gpus = {};
        other.host = QStringLiteral("lab2");
        page.setUsage({{span, span, other}, false}, now - 100 * hour, now);
        QStringList labels;
        for (qsizetype lane = 0; lane < timeline->lanes().size(); ++lane) {
            labels.append(timeline->labelOf(lane));
        }
        QCOMPARE(labels, (QStringList{QStringLiteral("lab1, no GPU"), QString(), QStringLiteral("lab2, no GPU")}));
    }

    // Hundreds of tasks at once on a host without GPUs do not push what else there is out of sight.
    void manyRowsOfAHostAreFolded()
    {
        const qint64 hour = 3'600'000, now = 1'700'000'000'000;
        QList<UsageSpan> spans;
        for (int i = 0; i < 300; ++i) {
            UsageSpan span;
            span.job = 7;
            span.name = QStringLiteral("wide");
            span.index = i;
            span.host = QStringLiteral("lab1");
            span.from = now - 2 * hour;
            spans.append(span);
        }
        spans.append(spans.constFirst());
        spans.last().host = QStringLiteral("lab2");
        UsagePage page;
        page.resize(1000, 700);
        page.show();
        page.setUsage({spans, false}, now - 24 * hour, now);
        UsageTimeline *timeline = page.timeline();
        QCOMPARE(timeline->lanes().size(), 301);
        QCOMPARE(timeline->rows().size(), 8 + 1 + 1);
        QCOMPARE(timeline->rows().at(8), (UsageRow{-1, QStringLiteral("lab1"), 300, 292}));
        QTRY_VERIFY(timeline->height() >= timeline->sizeHint().height());
        const int rowHeight = (timeline->sizeHint().height() - 30) / 10;
        const QPoint fold(60, 26 + 8 * rowHeight + rowHeight / 2), below(timeline->width() - 40, fold.y() + rowHeight);
        QVERIFY(timeline->tipAt(below).contains(QStringLiteral("wide #7"))); // of the other host
        QVERIFY(timeline->tipAt(fold).contains(QStringLiteral("space bar")));
        QSignalSpy opens(timeline, &UsageTimeline::jobRequested);
        QTest::mouseClick(timeline, Qt::LeftButton, {}, fold);
        QCOMPARE(timeline->rows().size(), 300 + 1 + 1);
        QTRY_VERIFY(timeline->height() >= timeline->sizeHint().height());
        page.setUsage({spans, false}, now - 24 * hour, now); // news leave it so
        QCOMPARE(timeline->rows().size(), 302);
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_Space);
        QCOMPARE(timeline->rows().size(), 10);
        QTest::keyClick(timeline, Qt::Key_Space);
        QCOMPARE(timeline->rows().size(), 302);
        QCOMPARE(opens.size(), 0);
        // GPUs have a row each, however many there are.
        for (UsageSpan &span : spans) {
            span.gpus = {span.index};
        }
        page.setUsage({spans, false}, now - 24 * hour, now);
        QCOMPARE(timeline->rows().size(), 301);
    }

    // A task of half a minute is less than a pixel of a week.
    void shortUseIsSeen()
    {
        constexpr qint64 hour = 3'600'000, now = 1'700'000'000'000, from = now - 7 * 24 * hour;
        UsageSpan span;
        span.name = QStringLiteral("train");
        span.host = QStringLiteral("lab1");
        span.gpus = {0};
        span.from = now - 50 * hour;
        span.to = span.from + 30'000;
        UsageTimeline timeline;
        timeline.resize(1000, timeline.sizeHint().height() + 40);
        const auto coloured = [&] {
            const QImage picture = timeline.grab().toImage();
            int columns = 0;
            for (int x = 200; x < picture.width() - 20; ++x) {
                columns += picture.pixelColor(x, 38).saturationF() > 0.3F ? 1 : 0;
            }
            return columns;
        };
        timeline.setUsage({}, from, now);
        QCOMPARE(coloured(), 0);
        timeline.setUsage({span}, from, now);
        QVERIFY(coloured() >= 1);
    }
};

TRAINYARD_GUI_TEST(TstHealthBars)
#include "tst_healthbars.moc"
