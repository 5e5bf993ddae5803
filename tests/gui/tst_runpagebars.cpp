// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <functional>

using namespace trainyard;

namespace
{

using SaysSomething = std::function<void(RunPage &, JobDetail)>;

QList<InfoBar *> barsInSight(const RunPage &page)
{
    QList<InfoBar *> bars = page.findChildren<InfoBar *>();
    bars.removeIf([](const InfoBar *bar) { return !bar->isVisible(); });
    return bars;
}

} // namespace

// Bars of the page of a run come at any moment: what is under the pointer then stays there.
class TstRunPageBars : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void moveNothing_data();
    void moveNothing();
    void sayWhatStaysUnresolved();
};
TRAINYARD_GUI_TEST(TstRunPageBars)

void TstRunPageBars::moveNothing_data()
{
    QTest::addColumn<SaysSomething>("say");
    QTest::newRow("a request failed") << SaysSomething(
        [](RunPage &page, const JobDetail &) { page.setError(QStringLiteral("The engine does not answer.")); });
    QTest::newRow("the job is being stopped") << SaysSomething([](RunPage &page, JobDetail detail) {
        detail.summary.stopRequested = true;
        page.setSummary(detail.summary);
    });
    QTest::newRow("a task is held") << SaysSomething([](RunPage &page, JobDetail detail) {
        HeldTask held;
        held.role = QStringLiteral("w");
        held.status = 3;
        held.until = QDateTime::currentMSecsSinceEpoch() + 600'000;
        detail.held = {held};
        page.setDetail(detail);
    });
    QTest::newRow("something is wrong with it") << SaysSomething([](RunPage &page, JobDetail detail) {
        HealthMark mark;
        mark.code = QStringLiteral("health.gpu-idle");
        mark.args = {{QStringLiteral("value"), 2.0}, {QStringLiteral("gpus"), QStringLiteral("0")}};
        mark.role = QStringLiteral("w");
        mark.at = QDateTime::currentMSecsSinceEpoch() - 60'000;
        detail.summary.health = {mark};
        page.setSummary(detail.summary);
    });
}

void TstRunPageBars::moveNothing()
{
    QFETCH(const SaysSomething, say);
    RunPage page;
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    JobDetail detail;
    detail.summary.id = 7;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("train");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Running;
    page.setTasks(0, {task});
    QCoreApplication::processEvents();
    const QList<InfoBar *> atFirst = barsInSight(page);
    const QList<const QWidget *> fixed{
        page.findChild<RunHead *>(), page.tasksPane(), page.tasksPane()->view(), page.logPane()};
    const auto places = [&] {
        QList<QPoint> all;
        for (const QWidget *widget : fixed) {
            all.append(widget->mapTo(&page, QPoint()));
        }
        return all;
    };
    const QList<QPoint> before = places();
    const int height = page.tasksPane()->height();

    say(page, detail);
    QTRY_COMPARE(barsInSight(page).size(), atFirst.size() + 1);
    QList<InfoBar *> added = barsInSight(page);
    added.removeIf([&atFirst](InfoBar *each) { return atFirst.contains(each); });
    const InfoBar *bar = added.value(0);
    QVERIFY(bar);
    QTRY_VERIFY(page.tasksPane()->height() < height); // it has got its room
    QCOMPARE(places(), before);
    QVERIFY(
        bar->mapTo(&page, QPoint()).y() >= page.tasksPane()->mapTo(&page, QPoint(0, page.tasksPane()->height())).y());
    QVERIFY(bar->mapTo(&page, QPoint(0, bar->height())).y() <= page.height());
}

// A job whose commands contained a reference to nothing may have succeeded all the same, with the wrong values.
void TstRunPageBars::sayWhatStaysUnresolved()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Succeeded;
    detail.attempts = {AttemptInfo()};
    detail.yaml = "protocolVersion: 2\nname: a\ntype: job\nparameters: {lr: 0.1}\ntaskRoles:\n  w:\n"
                  "    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n"
                  "    commands: [\"echo 'lr=<% $parameters.lrr %>'\"]\n";
    page.setDetail(detail);
    const auto says = [&page] {
        const QList<InfoBar *> bars = barsInSight(page);
        return std::any_of(bars.cbegin(), bars.cend(),
            [](const InfoBar *bar) { return bar->text().contains(QStringLiteral("did you mean lr?")); });
    };
    QTRY_VERIFY(says());
}

#include "tst_runpagebars.moc"
