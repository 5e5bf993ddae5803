// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/contract/taskfolder.h"
#include "tests/gui/listedtasks.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/tasks/failureoffers.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/logexcerpt.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"

#include <QFile>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace trainyard;

// What a run says about its failure: the cause, the lines that show it, and what may help.
class TstFailurePanel : public ListedTasks
{
    Q_OBJECT

private Q_SLOTS:
    void evidenceIsToThePoint();
    void failureIsSaidOnce();
    void evidenceIsReadInEveryTheme();
    void evidenceIsAroundTheRoot();
    void chosenTaskIsToldOf();
    void offersWhatMayHelp_data();
    void offersWhatMayHelp();
    void saysWhyAStartFailed();
    void syntaxErrorsStay();
    void scriptsAreNotOnPath_data();
    void scriptsAreNotOnPath();
    void memoryAdviceIsGivenOnce();
    void failureSaysWhetherItWasRetried();
    void usedUpRetriesAreTold();
    void olderAttemptsOfAStoppedJobWentOn();
    void pageShowsTheTaskThatFailed();
};

// The path of the script is longer than the room for the line.
void TstFailurePanel::evidenceIsToThePoint()
{
    FailurePanel panel;
    panel.setEvidence(QStringLiteral("w/0"), 0,
        {QStringLiteral(
             "/home/a b/.local/state/trainyard/0123/runs/4567/0/w-0/0/task.sh: line 3: trainn: command not found"),
            QStringLiteral("/data/other.sh: line 3: kept")});
    const QStringList shown = panel.findChild<LogExcerpt *>()->toPlainText().split(u'\n');
    QCOMPARE(shown,
        (QStringList{QStringLiteral("1  task.sh: line 3: trainn: command not found"),
            QStringLiteral("2  /data/other.sh: line 3: kept")}));
}

// The job's own reason says what to do: what its code means in general would say it again.
void TstFailurePanel::failureIsSaidOnce()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = -1004;
    detail.summary.reason = QStringLiteral("limit.time");
    detail.summary.reasonArgs = {{QStringLiteral("seconds"), 6}};
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    QString said;
    const auto labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        said += label->text() + u'\n';
    }
    QVERIFY2(said.contains(u"6 seconds"), qPrintable(said));
    QCOMPARE(said.count(QStringLiteral("Raise"), Qt::CaseInsensitive), 1);
}

void TstFailurePanel::evidenceIsReadInEveryTheme()
{
    FailurePanel panel;
    panel.setPalette(themePalette(Theme::Light));
    panel.setEvidence(QStringLiteral("w/0"), 0, {QStringLiteral("Traceback")});
    panel.resize(600, 300);
    panel.show();
    panel.setPalette(themePalette(Theme::Dark));
    const QString html = panel.findChild<LogExcerpt *>()->toHtml();
    QVERIFY(html.contains(u"Traceback"));
    QVERIFY2(html.contains(colour(Colour::Accent, Theme::Dark).name()), qPrintable(html));
    QVERIFY2(!html.contains(colour(Colour::Accent, Theme::Light).name()), qPrintable(html));
}

// What comes behind the error may be hundreds of lines of something else.
void TstFailurePanel::evidenceIsAroundTheRoot()
{
    WrittenLog log;
    QVERIFY(log.isOpen());
    const QByteArray ofBash = "/s/runs/0123/0/w-0/0/commands: line 2: trainn: command not found";
    QByteArray text;
    for (int i = 1; i <= 40; ++i) {
        text += i == 12 ? QByteArray("KeyError: 2") : i == 13 ? ofBash : QByteArray("line " + QByteArray::number(i));
        text += '\n';
    }
    log.write(text);
    QFile ended(log.folder() + QStringLiteral("/exit"));
    QVERIFY(ended.open(QIODevice::WriteOnly));
    contract::ExitRecord exited;
    exited.kind = contract::ExitKind::Exited;
    exited.value = 1;
    ended.write(QByteArray::fromStdString(exited.format()));
    ended.close();
    FailureFacts facts;
    facts.cause = QStringLiteral("KeyError");
    facts.line = 12;
    facts.text = QStringLiteral("KeyError: 2");
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 1;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRole = QStringLiteral("w");
    detail.attempts[0].triggerIndex = 0;
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F")});
    all[0].logFolder = log.folder();
    all[0].exitCode = 1;
    all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
    RunPage page;
    page.setDetail(detail);
    page.setTasks(0, all);
    page.resize(1000, 800);
    page.show();
    const auto *excerpt = page.findChild<LogExcerpt *>();
    QTRY_VERIFY(excerpt->toPlainText().contains(u"KeyError: 2"));
    QVERIFY2(excerpt->toPlainText().contains(u"line 11") && !excerpt->toPlainText().contains(u"line 40"),
        qPrintable(excerpt->toPlainText()));
    QCOMPARE(excerpt->accessibleName(), QStringLiteral("Around line 12 of w/0"));
    // That line is marked, and no other.
    const QTextCursor found = excerpt->document()->find(QStringLiteral("KeyError"));
    QCOMPARE(found.charFormat().fontWeight(), int(QFont::Bold));
    QVERIFY(excerpt->document()->find(QStringLiteral("line 11")).charFormat().fontWeight() < QFont::Bold);
    // Of another finding nothing is known there: then its end.
    facts.text = QStringLiteral("ValueError: 3");
    all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
    page.setTasks(0, all);
    page.setDetail(detail);
    QTRY_VERIFY2(excerpt->toPlainText().contains(u"line 40"), qPrintable(excerpt->toPlainText()));
    QCOMPARE(excerpt->accessibleName(), QStringLiteral("The last lines of w/0"));
    // What stands last is no evidence where the output does not show why.
    facts.line = 40;
    facts.text = QStringLiteral("line 40");
    for (const bool isKnown : {true, false}) {
        facts.certainty = isKnown ? QStringLiteral("certain") : QStringLiteral("unknown");
        all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
        page.setTasks(0, all);
        page.setDetail(detail);
        QTRY_COMPARE(excerpt->accessibleName(),
            isKnown ? QStringLiteral("Around line 40 of w/0") : QStringLiteral("The last lines of w/0"));
    }
    QVERIFY(excerpt->document()->find(QStringLiteral("line 40")).charFormat().fontWeight() < QFont::Bold);
    // Nor where the status alone says for certain what ended it.
    for (const bool isOnlyLast : {false, true}) {
        facts.certainty = QStringLiteral("certain");
        facts.onlyLast = isOnlyLast;
        all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
        page.setTasks(0, all);
        page.setDetail(detail);
        QTRY_COMPARE(excerpt->accessibleName(),
            isOnlyLast ? QStringLiteral("The last lines of w/0") : QStringLiteral("Around line 40 of w/0"));
    }
    QVERIFY(excerpt->document()->find(QStringLiteral("line 40")).charFormat().fontWeight() < QFont::Bold);
    facts.onlyLast = false;
    // The finding has the name of the script in full, which the log shows without its folder.
    facts.line = 13;
    facts.text = QString::fromUtf8(ofBash);
    facts.certainty = QStringLiteral("certain");
    all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
    page.setTasks(0, all);
    page.setDetail(detail);
    QTRY_COMPARE(excerpt->accessibleName(), QStringLiteral("Around line 13 of w/0"));
}

// Of several tasks that failed, the card tells of the one that somebody has chosen.
void TstFailurePanel::chosenTaskIsToldOf()
{
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 1;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRole = QStringLiteral("w");
    detail.attempts[0].triggerIndex = 0;
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F"), QStringLiteral("x 0 F"), QStringLiteral("x 1 S")});
    all[0].exitCode = 1;
    all[1].exitCode = 127;
    RunPage page;
    page.setDetail(detail);
    page.setTasks(0, all);
    page.resize(1000, 800);
    page.show();
    const auto says = [&page](const QString &text) {
        const QList<QLabel *> labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
        return std::any_of(
            labels.cbegin(), labels.cend(), [&text](const QLabel *label) { return label->text().contains(text); });
    };
    QVERIFY(says(QStringLiteral("w/0")) && !says(QStringLiteral("x/0")));
    auto *pane = page.findChild<TasksPane *>();
    pane->setCurrentTask(QStringLiteral("x"), 0);
    QVERIFY(says(QStringLiteral("x/0")));
    QVERIFY(says(QStringLiteral("The job failed because of w/0.")));
    pane->setCurrentTask(QStringLiteral("x"), 1); // it has not failed
    QVERIFY(says(QStringLiteral("w/0")) && !says(QStringLiteral("x/0")));
    pane->setCurrentTask(QStringLiteral("x"), 0);
    pane->setCurrentTask(QStringLiteral("w"), 0);
    QVERIFY(says(QStringLiteral("w/0")) && !says(QStringLiteral("x/0")));
}

void TstFailurePanel::offersWhatMayHelp_data()
{
    QTest::addColumn<int>("exit");
    QTest::addColumn<bool>("again");
    QTest::newRow("time limit: the same would happen") << -1004 << false;
    QTest::newRow("out of memory: the same would happen") << -1200 << false;
    QTest::newRow("lost: it may go well") << -1001 << true;
    QTest::newRow("of its own: nobody knows") << 255 << true;
}

void TstFailurePanel::offersWhatMayHelp()
{
    QFETCH(const int, exit);
    QFETCH(const bool, again);
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = exit;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    QHash<QString, ButtonKind> kinds;
    const auto buttons = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        kinds.insert(button->text(), buttonKind(button));
    }
    QCOMPARE(kinds.value(QStringLiteral("Run again")), again ? ButtonKind::Primary : ButtonKind::Normal);
    QCOMPARE(kinds.value(QStringLiteral("Edit as new")), ButtonKind::Normal);
    QCOMPARE(kinds.value(QStringLiteral("Open the document")), again ? ButtonKind::Normal : ButtonKind::Primary);
    // A document can be corrected whatever the end was: from its file, or from the text that is kept of the run.
    auto *document = page.findChild<QPushButton *>(QStringLiteral("failureDocument"));
    QVERIFY(document->isVisibleTo(&page));
    QSignalSpy wanted(&page, &RunPage::documentRequested);
    document->click();
    QCOMPARE(wanted.size(), 1);
    detail.summary.file = QStringLiteral("/jobs/net.pai.yaml");
    page.setDetail(detail);
    QVERIFY(document->isVisibleTo(&page));
    // What is offered first stands first.
    page.resize(1000, 700);
    page.show();
    const auto topOf = [&](const QString &words) {
        const auto at = std::find_if(
            buttons.cbegin(), buttons.cend(), [&](const QPushButton *button) { return button->text() == words; });
        return at == buttons.cend() ? -1 : (*at)->mapTo(&page, QPoint(0, 0)).y();
    };
    QTRY_COMPARE(topOf(QStringLiteral("Run again")) < topOf(QStringLiteral("Edit as new")), again);
    // Whatever can be done, the button that is praised is that of the first offer.
    FailureOffers offers;
    offers.setMayGoWell(again);
    const auto firstIsPrimary = [&offers] {
        offers.setForm(FailureOffers::Form::Below, 400);
        offers.resize(400, offers.heightAs(FailureOffers::Form::Below, 400));
        offers.layout()->activate();
        const QPushButton *first = nullptr;
        const QPushButton *primary = nullptr;
        const auto topIn = [&offers](const QWidget *button) {
            while (button->parentWidget() != &offers) {
                button = button->parentWidget();
            }
            return button->y();
        };
        for (const QPushButton *button : offers.findChildren<QPushButton *>()) {
            if (!button->isVisibleTo(&offers)) {
                continue;
            }
            first = !first || topIn(button) < topIn(first) ? button : first;
            primary = buttonKind(button) == ButtonKind::Primary ? button : primary;
        }
        return first && first == primary;
    };
    using Document = FailureOffers::Document;
    for (const bool isRetried : {false, true}) {
        offers.setRetry(isRetried, true);
        for (const Document of : {Document::None, Document::File, Document::OtherFile, Document::Text}) {
            offers.setDocument(of);
            QVERIFY2(firstIsPrimary(), qPrintable(QStringLiteral("document %1, retry %2").arg(int(of)).arg(isRetried)));
        }
    }
    offers.setCode(QStringLiteral("/code/train.py"), 3);
    QVERIFY(firstIsPrimary());
}

// What the engine knows of a start that failed is said, and not what its code means in general; the same once more is
// not praised where it cannot help.
void TstFailurePanel::saysWhyAStartFailed()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = -2010;
    detail.summary.reason = QStringLiteral("launch.cwd-missing");
    detail.summary.reasonArgs
        = {{QStringLiteral("detail"), QStringLiteral("/data/exp")}, {QStringLiteral("host"), QStringLiteral("lab1")}};
    detail.summary.counts.failed = 1;
    AttemptInfo attempt;
    attempt.state = State::Failed;
    attempt.triggerRole = QStringLiteral("train");
    attempt.triggerIndex = 0;
    const FailureText text = failureText(detail.summary, &attempt, &attempt, {});
    QVERIFY2(text.explanation.contains(QStringLiteral("The work folder /data/exp does not exist on lab1.")),
        qPrintable(text.explanation));
    QVERIFY2(!text.explanation.contains(exitText(-2010).reason), qPrintable(text.explanation));
    QVERIFY2(text.advice.isEmpty(), qPrintable(text.advice)); // it would say "make room"
    QVERIFY(!text.mayGoWell);
    detail.attempts = {attempt};
    page.setDetail(detail);
    const auto buttons = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    QStringList primary;
    for (const QPushButton *button : buttons) {
        if (button->isVisibleTo(&page) && buttonKind(button) == ButtonKind::Primary) {
            primary.append(button->text());
        }
    }
    QCOMPARE(primary, QStringList(QStringLiteral("Open the document")));
    // One that may pass by itself.
    detail.summary.reason = QStringLiteral("launch.pull-failed");
    QVERIFY(failureText(detail.summary, &attempt, &attempt, {}).mayGoWell);
}

// The text of the commands stays as it is, however likely it is that a secret made the error.
void TstFailurePanel::syntaxErrorsStay()
{
    for (const char *cause : {"syntax-error", "secret-in-script", "secret-split"}) {
        JobSummary job;
        job.state = State::Failed;
        job.exitCode = 255;
        job.reason = QStringLiteral("exit.user");
        FailureFacts facts;
        facts.cause = QLatin1StringView(cause);
        facts.certainty = QStringLiteral("likely");
        facts.transient = false;
        job.reasonArgs = {{QStringLiteral("status"), 2}, {failureKey, facts.toJson()}};
        QVERIFY2(!failureText(job, nullptr, nullptr, {}).mayGoWell, cause);
    }
}

// A script that is not in the work folder is not on PATH either.
void TstFailurePanel::scriptsAreNotOnPath_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("isPath");
    QTest::addColumn<bool>("isRelative");
    QTest::newRow("beside") << QStringLiteral("./nope.sh") << true << true;
    QTest::newRow("below") << QStringLiteral("bin/train") << true << true;
    QTest::newRow("absolute") << QStringLiteral("/opt/train") << true << false;
    QTest::newRow("a command") << QStringLiteral("trainn") << false << false;
}

void TstFailurePanel::scriptsAreNotOnPath()
{
    QFETCH(const QString, command);
    QFETCH(const bool, isPath);
    QFETCH(const bool, isRelative);
    JobSummary job;
    job.state = State::Failed;
    job.exitCode = 255;
    job.reason = QStringLiteral("exit.command-missing");
    FailureFacts facts;
    facts.cause = QStringLiteral("command-missing");
    facts.certainty = QStringLiteral("certain");
    facts.transient = false;
    facts.args = {{QStringLiteral("command"), command}, {QStringLiteral("status"), 127}};
    job.reasonArgs
        = {{QStringLiteral("command"), command}, {QStringLiteral("status"), 127}, {failureKey, facts.toJson()}};
    const FailureText text = failureText(job, nullptr, nullptr, {});
    QCOMPARE(text.missesScript, isRelative);
    QVERIFY2(text.advice.contains(QStringLiteral("PATH")) == !isPath, qPrintable(text.advice));
    QVERIFY2(text.advice.contains(QStringLiteral("work folder")) == isPath, qPrintable(text.advice));
}

// The sentence on the limit ends with what to do, which the code means in general as well.
void TstFailurePanel::memoryAdviceIsGivenOnce()
{
    JobSummary job;
    job.state = State::Failed;
    job.exitCode = -1200;
    job.reason = QStringLiteral("exit.oom.limit");
    job.reasonArgs = {{QStringLiteral("limitMiB"), 100}, {QStringLiteral("usedMiB"), 99}};
    AttemptInfo attempt;
    attempt.triggerRole = QStringLiteral("w");
    attempt.triggerIndex = 0;
    const QString said = failureText(job, &attempt, &attempt, {}).explanation;
    QVERIFY2(said.contains(QStringLiteral("100 MiB")), qPrintable(said));
    QVERIFY2(said.count(QStringLiteral("memoryMB")) == 1, qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("as long as nothing changes")), qPrintable(said));
}

// A job that failed is not tried again any more, whatever its exit code would allow.
void TstFailurePanel::failureSaysWhetherItWasRetried()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 255;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    page.setDetail(detail);
    const auto said = [&] {
        QString all;
        const auto labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += label->text() + u' ';
        }
        return all;
    };
    QVERIFY2(!said().contains(u"while retries are left"), qPrintable(said()));
    QVERIFY2(said().contains(u"the job has no retries"), qPrintable(said()));
    detail.summary.retries = 2;
    page.setDetail(detail);
    QVERIFY2(said().contains(u"This was attempt 3."), qPrintable(said()));
    // Of an attempt after which the job went on, nothing is said of what its end would have meant.
    detail.summary.retries = 1;
    detail.summary.state = State::Succeeded;
    detail.summary.exitCode = 0;
    AttemptInfo later;
    later.index = 1;
    later.state = State::Succeeded;
    later.launched = 10;
    detail.attempts[0].exitCode = 220; // which is never tried again by itself
    detail.attempts[0].reason = QStringLiteral("exit.user");
    detail.attempts[0].launched = 1;
    detail.attempts.append(later);
    page.setTasks(0, {});
    page.setDetail(detail);
    QVERIFY2(said().contains(u"This was attempt 1 of 2."), qPrintable(said()));
    QVERIFY2(!said().contains(u"as long as nothing changes"), qPrintable(said()));
}

// A kill from outside is retried without being charged: when it is not any more, that is not for lack of retries.
void TstFailurePanel::usedUpRetriesAreTold()
{
    JobSummary job;
    job.state = State::Failed;
    job.exitCode = 137;
    job.rawExit = 137;
    job.reason = QStringLiteral("retry.cap");
    job.reasonArgs = {{QStringLiteral("retries"), 10}};
    job.retries = 10;
    job.launched = 1'000;
    job.completed = 1'000 + 25 * 60'000 + 40'000;
    AttemptInfo last;
    last.index = 10;
    last.exitCode = last.triggerRawExit = 137;
    last.triggerRole = QStringLiteral("train");
    last.triggerIndex = 0;
    const QString said = failureText(job, &last, &last, {}).explanation;
    const QString limit = QStringLiteral("It was retried 10 times without success, which is the limit.");
    QCOMPARE(said.count(limit), 1);
    QVERIFY2(said.contains(QStringLiteral("This was attempt 11.")), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("took 25 min 40 s.")), qPrintable(said));
    QCOMPARE(failureText(job, nullptr, nullptr, {}).explanation.count(limit), 1);
    AttemptInfo earlier = last;
    earlier.index = 3;
    const QString before = failureText(job, &earlier, &last, {}).explanation;
    QVERIFY2(before.contains(QStringLiteral("This was attempt 4 of 11.")), qPrintable(before));
    QVERIFY2(!before.contains(limit), qPrintable(before));
}

// The job was stopped while it waited for its third attempt: the second one did begin, whichever is looked at.
void TstFailurePanel::olderAttemptsOfAStoppedJobWentOn()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Stopped;
    detail.summary.exitCode = exitStoppedByUser;
    detail.summary.retries = 2;
    for (int at = 0; at < 3; ++at) {
        AttemptInfo attempt;
        attempt.index = at;
        attempt.state = at < 2 ? State::Failed : State::Stopped;
        attempt.exitCode = at < 2 ? 137 : exitStoppedByUser;
        attempt.reason = at < 2 ? QStringLiteral("exit.user") : QString();
        attempt.launched = at < 2 ? std::optional<qint64>(10 + at) : std::nullopt;
        detail.attempts.append(attempt);
    }
    const auto said = [&page] {
        QString all;
        const auto labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += label->text() + u' ';
        }
        return all;
    };
    const QList<QToolButton *> buttons = page.findChildren<QToolButton *>();
    const auto shown = std::find_if(buttons.cbegin(), buttons.cend(),
        [](const QToolButton *each) { return each->accessibleName() == QStringLiteral("Attempt shown"); });
    QVERIFY(shown != buttons.cend());
    page.setDetail(detail);
    page.setTasks(0, {});
    QVERIFY2(said().contains(u"This was attempt 1 of 3."), qPrintable(said()));
    QVERIFY2(!said().contains(u"began"), qPrintable(said()));
    QCOMPARE((*shown)->text(), QStringLiteral("Attempt 1 of 3"));
    page.setTasks(1, {});
    QVERIFY2(said().contains(u"The job was stopped before attempt 3 began."), qPrintable(said()));
    QCOMPARE((*shown)->text(), QStringLiteral("Attempt 2 of 3"));
}

void TstFailurePanel::pageShowsTheTaskThatFailed()
{
    JobDetail detail;
    detail.summary.state = State::Running;
    AttemptInfo attempt;
    detail.attempts = {attempt};
    const QStringList running{QStringLiteral("w 0 R"), QStringLiteral("w 1 R"), QStringLiteral("w 2 R")};
    const QStringList failed{QStringLiteral("w 0 S"), QStringLiteral("w 1 F"), QStringLiteral("w 2 S")};
    RunPage untouched;
    RunPage chosen;
    for (RunPage *page : {&untouched, &chosen}) {
        page->setDetail(detail);
        page->setTasks(0, tasks(running));
        QCOMPARE(page->tasksPane()->currentTask()->index, 0);
    }
    QTreeView *view = chosen.tasksPane()->view();
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(chosen.tasksPane()->currentTask()->index, 2);
    attempt.triggerRole = QStringLiteral("w");
    attempt.triggerIndex = 1;
    detail.summary.state = State::Failed;
    detail.attempts = {attempt};
    for (RunPage *page : {&untouched, &chosen}) {
        page->applyTasks(tasks(failed));
        page->setDetail(detail);
    }
    QCOMPARE(untouched.tasksPane()->currentTask()->index, 1);
    QCOMPARE(chosen.tasksPane()->currentTask()->index, 2); // what is being read is not pushed away
}

TRAINYARD_GUI_TEST(TstFailurePanel)
#include "tst_failurepanel.moc"
