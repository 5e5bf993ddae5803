// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/previewtools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/editor/codeview.h"
#include "widgets/tasks/factlist.h"
#include "widgets/tasks/placementview.h"
#include "widgets/tasks/previewpage.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace trainyard;

// What the page shows of a plan.
class TstPreview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEachTask();
    void namesAreReadWhole();
    void showsTheContainer();
    void showsWhatAClusterIsAskedFor();
    void marksWhatDiffers();
    void saysWhyItWaits();
    void saysWhatHasNothingToRun();
    void showsThePlaces();
    void panesFitANarrowWindow();
    void tellsHowItBeginsAndEnds();
    void signsStandBesideTheirWords();
};

void TstPreview::showsEachTask()
{
    PreviewPage page;
    page.resize(1200, 600);
    page.setJob(QStringLiteral("planned"));
    page.setPlanning("x");
    QVERIFY(page.isWaiting());
    page.setPlan(samplePlan(), {{QStringLiteral("local"), QStringLiteral("ws")}}, QTime(12, 4));
    page.show();
    QVERIFY(!page.isWaiting());
    QCOMPARE(page.taskTree()->topLevelItemCount(), 1); // one role
    QTreeWidgetItem *role = page.taskTree()->topLevelItem(0);
    QCOMPARE(role->childCount(), 2);
    QCOMPARE(role->child(0)->text(1), QStringLiteral("ws"));
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 0")));
    page.taskTree()->setCurrentItem(role->child(1));
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 1")));
    QVERIFY(role->child(1)->text(3).contains(QStringLiteral("15001, 15011")));
    QCOMPARE(page.shownOrder().first(2), (QStringList{QStringLiteral("base"), QStringLiteral("tools")}));
    QVERIFY(page.textOfTask().contains(QStringLiteral("export INDEX=1")));
    QVERIFY(page.textOfTask().contains(QStringLiteral("echo 1")));
    // A new plan keeps the task.
    page.setPlan(samplePlan(), {}, QTime(12, 5));
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 1")));
}

// Values give way to names as long as they have room themselves; one step has no order, and a row one focus.
void TstPreview::namesAreReadWhole()
{
    const QString name = QStringLiteral("PAI_JOB_TASK_ROLE_COUNT");
    PlanReply plan = samplePlan();
    for (PlannedTask &task : plan.tasks) {
        task.environment = {{name, QStringLiteral("1")}};
        task.prerequisites.clear();
    }
    PreviewPage page;
    page.resize(1500, 600);
    page.setJob(QStringLiteral("planned"));
    page.setPlan(plan, {}, QTime(12, 4));
    page.show();
    auto *tree = page.findChild<QTreeWidget *>(QStringLiteral("previewEnvironment"));
    const auto isWhole = [&] { return tree->fontMetrics().horizontalAdvance(name) + 12 <= tree->columnWidth(0); };
    QTRY_VERIFY2(isWhole(), qPrintable(QString::number(tree->columnWidth(0))));
    QVERIFY(tree->columnWidth(1) > 60);
    QVERIFY(tree->allColumnsShowFocus() && page.taskTree()->allColumnsShowFocus());
    // The last column ends at the edge also where the pane is narrow.
    for (QTreeWidget *each : {page.taskTree(), page.environmentTree()}) {
        each->setFixedWidth(240);
        QTRY_VERIFY2(each->header()->length() <= each->viewport()->width(), qPrintable(each->objectName()));
    }
    QStringList steps;
    const auto buttons = page.findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        if (button->text().endsWith(u"commands")) {
            steps.append(button->text());
        }
    }
    QCOMPARE(steps, QStringList{QStringLiteral("commands")});
}

// Only where there is something: the others are not asked for all tasks together.
void TstPreview::showsWhatAClusterIsAskedFor()
{
    PreviewPage page;
    page.setJob(QStringLiteral("planned"));
    PlanReply plan = samplePlan();
    plan.submission = QStringLiteral("#!/bin/sh\n#SBATCH --ntasks=2\n");
    page.setPlan(plan, {}, QTime(12, 4));
    page.resize(1200, 600);
    page.show();
    auto *shown = page.findChild<CodeView *>(QStringLiteral("previewSubmission"));
    QCOMPARE(shown->allBytes(), plan.submission.toUtf8());
    auto *which = page.findChild<SegmentedControl *>();
    const int widest = which->sizeHint().width();
    which->setCurrentIndex(3);
    QVERIFY(shown->isVisible());
    plan.submission.clear();
    page.setPlan(plan, {}, QTime(12, 5));
    QVERIFY(!shown->isVisible());
    QCOMPARE(which->currentIndex(), 0);
    QVERIFY(which->sizeHint().width() < widest);
}

void TstPreview::showsTheContainer()
{
    PreviewPage page;
    page.setJob(QStringLiteral("planned"));
    PlanReply plan = samplePlan();
    PlannedTask &second = plan.tasks[1];
    second.runIn = QStringLiteral("podman");
    second.image = QStringLiteral("lab/train:3");
    second.containerUser = QStringLiteral("0:0");
    second.shmMiB = 48;
    second.mounts = {QStringLiteral("/work"), QStringLiteral("/data:/in/data:ro")};
    second.containerCommand = QStringLiteral("podman run -d lab/train:3");
    page.setPlanning("x");
    page.setPlan(plan, {}, QTime(12, 4));
    const auto shown = [&page] {
        QStringList lines;
        for (int i = 0; i < page.containerTree()->topLevelItemCount(); ++i) {
            const QTreeWidgetItem *item = page.containerTree()->topLevelItem(i);
            lines.append(item->text(0) + QStringLiteral(": ") + item->text(1));
        }
        return lines;
    };
    QCOMPARE(shown(), (QStringList{QStringLiteral("Runs in: the host's shell")}));
    page.taskTree()->setCurrentItem(page.taskTree()->topLevelItem(0)->child(1));
    QCOMPARE(shown(),
        (QStringList{QStringLiteral("Runs in: podman"), QStringLiteral("Image: lab/train:3"),
            QStringLiteral("User: root; outside of it you"), QStringLiteral("Shared memory: 48 MiB"),
            QStringLiteral("Mount: /work"), QStringLiteral("Mount: /data:/in/data:ro"),
            QStringLiteral("Command: podman run -d lab/train:3")}));
    QVERIFY(page.textOfTask().contains(QStringLiteral("# Command: podman run -d lab/train:3\n")));
}

void TstPreview::marksWhatDiffers()
{
    PreviewPage page;
    page.setPlan(samplePlan(), {}, QTime(12, 4));
    page.show();
    QCOMPARE(page.environmentTree()->topLevelItemCount(), 2);
    auto *differs = page.findChild<QCheckBox *>();
    QVERIFY(differs->isVisible());
    differs->setChecked(true);
    QCOMPARE(page.environmentTree()->topLevelItemCount(), 1);
    QCOMPARE(page.environmentTree()->topLevelItem(0)->text(0), QStringLiteral("INDEX"));
    differs->setChecked(false);
    page.findChild<SearchField *>()->setText(QStringLiteral("same"));
    QCOMPARE(page.environmentTree()->topLevelItemCount(), 1);
}

void TstPreview::saysWhyItWaits()
{
    PreviewPage page;
    PlanReply plan = samplePlan();
    plan.tasks[1].host.clear();
    plan.waitReason = QStringLiteral("wait.gpu");
    plan.waitArgs = {{QStringLiteral("wanted"), 2}, {QStringLiteral("free"), 1}};
    page.setPlan(plan, {}, QTime(12, 4));
    page.show();
    auto *bar = page.findChild<InfoBar *>();
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->kind(), InfoBar::Kind::Waiting);
    QVERIFY(page.findChild<QPushButton *>(QStringLiteral("previewRun"))->isEnabled()); // one may queue it
}

// What has no commands is no step of the order.
void TstPreview::saysWhatHasNothingToRun()
{
    QByteArray yaml = planJob;
    yaml.replace("    callbacks: [{event: taskStarts, commands: [echo base]}]\n", "    commands: [echo base]\n");
    QVERIFY(yaml != planJob);
    PreviewPage page;
    page.setPlanning(yaml);
    page.setPlan(samplePlan(), {}, QTime(12, 0));
    QCOMPARE(page.shownOrder(), (QStringList{QStringLiteral("tools"), QStringLiteral("commands")}));
    const auto *idle = page.findChild<QLabel *>(QStringLiteral("previewIdle"));
    QVERIFY(idle);
    QCOMPARE(idle->text(), QStringLiteral("base: nothing to run"));
    const QStringList facts = page.startList()->texts();
    QVERIFY2(facts.contains(QStringLiteral("w: tools, then the commands.")), qPrintable(facts.join(u'|')));
    QVERIFY2(facts.contains(QStringLiteral("w: nothing to run for base.")), qPrintable(facts.join(u'|')));
}

// A box for each GPU of the hosts: who has it, and which task gets it.
void TstPreview::showsThePlaces()
{
    HostInfo here;
    here.id = QStringLiteral("local");
    here.label = QStringLiteral("ws");
    here.state = HostState::Online;
    for (int i = 0; i < 4; ++i) {
        GpuInfo gpu;
        gpu.index = i;
        here.gpus.append(gpu);
    }
    here.gpus[2].jobId = 41;
    HostInfo other = here;
    other.id = QStringLiteral("lab1");
    other.target = QStringLiteral("me@lab1");
    other.gpus.resize(2);
    other.gpus[0].foreign = true;
    other.gpus[1].jobId = 0;
    PlanReply plan = samplePlan();
    PlannedTask ps;
    ps.role = QStringLiteral("ps");
    ps.host = QStringLiteral("local");
    plan.tasks.append(ps);
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(planJob);
    page.setHosts({other, here});
    page.setPlan(plan,
        {{QStringLiteral("local"), QStringLiteral("ws")}, {QStringLiteral("lab1"), QStringLiteral("lab1")}},
        QTime(12, 0));
    page.show();
    QCOMPARE(page.places()->rows(),
        (QStringList{QStringLiteral("ws: w/0, w/1, #41, free, ps"), QStringLiteral("lab1: in use, free")}));
    const QList<QAbstractButton *> boxes = page.places()->findChildren<QAbstractButton *>();
    QCOMPARE(boxes.at(1)->toolTip(), QStringLiteral("GPU 1: w/1"));
    boxes.at(1)->click();
    QVERIFY(page.shownScript().contains(QStringLiteral("echo 1"))); // its task is shown
    QVERIFY(!boxes.at(2)->isEnabled());
}

void TstPreview::panesFitANarrowWindow()
{
    PreviewPage page;
    page.setPlanning(planJob);
    page.setJob(QStringLiteral("a_job_with_a_rather_long_name"));
    page.setRunText(QStringLiteral("Run in podman"));
    page.setPlan(samplePlan(), {}, QTime(12, 4));
    page.show();
    for (const int width : {1000, 590, 1000}) {
        page.resize(width, 400);
        QApplication::processEvents();
        QCOMPARE(page.width(), width);
        QList<QRect> panes;
        for (const QWidget *widget : std::initializer_list<const QWidget *>{
                 page.taskTree(), page.findChild<QWidget *>(QStringLiteral("previewScript")), page.environmentTree()}) {
            const QRect pane(widget->mapTo(&page, QPoint()), widget->size());
            QVERIFY2(page.rect().contains(pane), qPrintable(widget->objectName()));
            QVERIFY2(pane.height() > 60, qPrintable(widget->objectName()));
            for (const QRect &other : std::as_const(panes)) {
                QVERIFY2(!pane.intersects(other), qPrintable(widget->objectName()));
            }
            panes.append(pane);
        }
        const auto *back = page.findChild<QWidget *>(QStringLiteral("previewBack"));
        const auto *run = page.findChild<QWidget *>(QStringLiteral("previewRun"));
        const auto *refresh = page.findChild<QWidget *>(QStringLiteral("previewRefresh"));
        QVERIFY(back->geometry().right() < width);
        QVERIFY(run->geometry().right() < back->geometry().left());
        QVERIFY(refresh->geometry().right() < run->geometry().left());
    }
}

void TstPreview::tellsHowItBeginsAndEnds()
{
    QByteArray yaml = planJob;
    yaml.replace("    instances: 2\n", "    instances: 2\n    completion: {minSucceededInstances: 1}\n");
    yaml.replace("hush-hush-hush", "'******'");
    yaml += "jobRetryCount: 3\nextras: {trainyard: {limits: {timeSeconds: 3600}}}\n";
    PlanReply plan = samplePlan();
    for (PlannedTask &task : plan.tasks) {
        task.environment.append({QStringLiteral("PAI_WORK_DIR"), QStringLiteral("/home/me/proj")});
    }
    PreviewPage page;
    page.resize(1200, 700);
    page.setPlanning(yaml);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    QVERIFY(page.endList()->isVisible() && page.startList()->isVisible());
    QCOMPARE(page.endList()->texts(),
        (QStringList{QStringLiteral("The job fails as soon as one w task fails."),
            QStringLiteral("w: 1 success ends it too."), QStringLiteral("It is stopped after 1 h 00 min."),
            QStringLiteral("It is retried up to 3 times after failures that may pass.")}));
    QCOMPARE(page.startList()->texts(),
        (QStringList{QStringLiteral("Tasks work in /home/me/proj"),
            QStringLiteral("Tasks run in the host's shell; image img is not used."),
            QStringLiteral("w: base, tools, then the commands."),
            QStringLiteral("The secret token is asked for at Run.")}));
    // A role that is stopped when the other one has succeeded does not end the job by itself.
    QByteArray served = yaml;
    served.replace("taskRoles:\n",
        "taskRoles:\n  server:\n    instances: 1\n    resourcePerInstance: {cpu: 1, "
        "memoryMB: 16, gpu: 0}\n    dockerImage: img\n    commands: [sleep 9]\n");
    page.setPlanning(served);
    page.setPlan(plan, {}, QTime(12, 0));
    const QStringList ends = page.endList()->texts();
    QVERIFY2(ends.contains(QStringLiteral("w: 1 success ends it too, and stops server.")), qPrintable(ends.join(u'|')));
    QVERIFY2(ends.filter(QStringLiteral("all tasks")).isEmpty(), qPrintable(ends.join(u'|')));
    page.setPlanning(yaml);
    page.setPlan(plan, {}, QTime(12, 0));
    // A folder below the home folder is the host's own: no copy is promised.
    for (PlannedTask &task : plan.tasks) {
        task.host = QStringLiteral("far");
        task.environment.last().second = QStringLiteral("~/exp");
    }
    page.setPlan(plan, {}, QTime(12, 0));
    QCOMPARE(page.startList()->texts().constFirst(),
        QStringLiteral(
            "Tasks work in ~/exp, the host's own folder: it must exist there, and nothing is copied into it"));
    // A job without a file works where nothing of yours is: that is said.
    for (PlannedTask &task : plan.tasks) {
        task.environment.last().second = QStringLiteral("/state/runs/1/w-0/work");
        task.environment.append({QStringLiteral("TRAINYARD_TASK_FOLDER"), QStringLiteral("/state/runs/1/w-0")});
    }
    page.setPlan(plan, {}, QTime(12, 1));
    QCOMPARE(page.startList()->texts().first(),
        QStringLiteral("Each task works in an empty folder of its own: no file of yours is there."));
    // In a container too, which gets a folder beside that one.
    for (PlannedTask &task : plan.tasks) {
        task.runIn = QStringLiteral("podman");
        task.environment.last().second += QStringLiteral("/inside");
    }
    page.setPlan(plan, {}, QTime(12, 2));
    QVERIFY(page.startList()->texts().contains(
        QStringLiteral("Each task works in an empty folder of its own: no file of yours is there.")));
}

// However much room there is.
void TstPreview::signsStandBesideTheirWords()
{
    QWidget column;
    auto *layout = new QVBoxLayout(&column);
    auto *facts = new FactList(QStringLiteral("Before it runs"));
    auto *places = new PlacementView;
    layout->addWidget(places);
    layout->addWidget(facts);
    layout->addStretch();
    facts->setFacts({{QStringLiteral("folder"), Colour::Muted, QStringLiteral("Tasks work in a folder")},
        {QStringLiteral("check"), Colour::Succeeded, QStringLiteral("Much of the disk is free. ").repeated(5)}});
    PlannedTask task;
    task.role = QStringLiteral("main");
    task.host = QStringLiteral("local");
    PlanReply plan;
    plan.tasks = {task};
    places->setPlan(plan, {}, {});
    column.resize(260, 900);
    column.show();
    QVERIFY(QTest::qWaitForWindowExposed(&column));
    const auto top = [&](const QWidget *widget) { return widget->mapTo(&column, QPoint(0, 0)).y(); };
    const auto middle = [&](const QWidget *widget) { return top(widget) + widget->height() / 2; };
    const QList<IconLabel *> signs = facts->findChildren<IconLabel *>();
    QCOMPARE(signs.size(), 2);
    for (const IconLabel *sign : signs) {
        const auto *words = sign->parentWidget()->findChild<QLabel *>();
        const int line = top(words) + words->fontMetrics().height() / 2;
        QVERIFY2(std::abs(middle(sign) - line) <= 2, qPrintable(QString::number(middle(sign) - line)));
        QVERIFY(words->height() <= words->heightForWidth(words->width()) + 2);
    }
    const auto *box = places->findChild<QAbstractButton *>();
    const auto *name = places->findChild<ElidedLabel *>();
    QVERIFY(box && name);
    QVERIFY2(std::abs(middle(box) - middle(name)) <= 1, qPrintable(QString::number(middle(box) - middle(name))));
    QVERIFY(std::abs(middle(box) - middle(places->findChild<IconLabel *>())) <= 1);
}

TRAINYARD_GUI_TEST(TstPreview)
#include "tst_preview.moc"
