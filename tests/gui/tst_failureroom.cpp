// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/listedtasks.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/labels.h"
#include "widgets/tasks/failureoffers.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/logexcerpt.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace trainyard;

// Where the parts of what a run says about its failure stand, however little room there is.
class TstFailureRoom : public ListedTasks
{
    Q_OBJECT

private Q_SLOTS:
    void evidenceComesBeforeAdvice();
    void failureInANarrowPane();
    void offersAreWholeInANarrowPane();
    void offersStayInSightInALowPage();
    void shortFailureStaysTogether();
    void offersStandDirectlyBelow();
    void longWordsOfAFailureAreWhole();
    void smallPagesShowTasksToo();
    void causeIsWholeInASmallPage();
};

// What is cut off below in a small window is the advice, not the lines that it is about.
void TstFailureRoom::evidenceComesBeforeAdvice()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("w/0: GPU out of memory"), QStringLiteral("The GPU memory is used up."), false,
        QStringLiteral("Use smaller batches."));
    panel.setEvidence(QStringLiteral("w/0"), 0, {QStringLiteral("RuntimeError: CUDA out of memory")}, 0);
    panel.resize(1000, 300);
    panel.show();
    const auto *excerpt = panel.findChild<LogExcerpt *>();
    const auto *advice = panel.findChild<QLabel *>(QStringLiteral("failureAdvice"));
    QTRY_VERIFY(advice->isVisible() && excerpt->height() > 0
        && excerpt->mapTo(&panel, QPoint(0, excerpt->height())).y() <= advice->mapTo(&panel, QPoint()).y());
}

// What to do goes below the sentences where both beside each other would be ribbons.
void TstFailureRoom::failureInANarrowPane()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("worker/0 ended because of what it wrote last, which many words say here"),
        QStringLiteral("Such a failure does not pass by itself, so that the retries of the job were not used for it."));
    const QList<QLabel *> labels = panel.findChildren<QLabel *>();
    const QLabel *label = *std::find_if(
        labels.cbegin(), labels.cend(), [](const QLabel *each) { return each->text().startsWith(u"worker/0"); });
    panel.show();
    panel.resize(1000, 300);
    QTRY_VERIFY(label->width() > 500);
    panel.resize(420, 300);
    QTRY_VERIFY2(label->width() > 340, qPrintable(QString::number(label->width())));
    panel.resize(1000, 300);
    QTRY_VERIFY(label->width() > 500 && label->width() < 900);
}

// As on a page of a small screen, or of one with a large scale.
void TstFailureRoom::offersAreWholeInANarrowPane()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("worker/0 ended"), QStringLiteral("The file train.py does not exist."));
    panel.setDocument(FailurePanel::Document::Place);
    panel.setRetry(true, false);
    JobChange change;
    change.code = QStringLiteral("memory.raise");
    change.path = YamlPath{QStringLiteral("taskRoles")}
                      .child(QStringLiteral("worker_with_a_long_name"))
                      .child(QStringLiteral("resourcePerInstance"))
                      .child(QStringLiteral("memoryMB"));
    change.to = 16384;
    panel.setChanges({change});
    panel.show();
    const auto buttons = panel.findChildren<QPushButton *>();
    QVERIFY(buttons.size() >= 5);
    for (const int width : {1000, 700, 460, 360}) {
        panel.resize(width, 400);
        QTRY_COMPARE(panel.width(), width);
        for (const QPushButton *button : buttons) {
            const auto at = [&] { return QRect(button->mapTo(&panel, QPoint()), button->size()); };
            QTRY_VERIFY2(
                button->isHidden() || (panel.rect().contains(at()) && button->width() >= button->sizeHint().width()),
                qPrintable(QStringLiteral("%1 at %2: %3").arg(button->text()).arg(width).arg(at().right())));
        }
    }
}

// In a window of 900 x 600 what is said has more lines than there is room for: it is scrolled, and what to do is not.
void TstFailureRoom::offersStayInSightInALowPage()
{
    FailurePanel panel;
    const QString cause = QStringLiteral("worker/0: Import error");
    panel.setFailure(cause,
        QStringLiteral("Exit status 1. The module torchh is not installed where the task runs. ").repeated(3), true,
        QStringLiteral("Install it in the environment of the task. ").repeated(4));
    panel.setEvidence(QStringLiteral("worker/0"), 5,
        {QStringLiteral("epoch 5/5"), QStringLiteral("Traceback"), QStringLiteral("  File"), QStringLiteral("error")});
    panel.setRetry(true);
    panel.setDocument(FailurePanel::Document::File);
    panel.resize(650, 256);
    panel.setMostHeight(256);
    panel.show();
    const auto *scroll = panel.findChild<QScrollArea *>(QStringLiteral("failureScroll"));
    const auto *offers = panel.findChild<FailureOffers *>();
    const auto buttons = panel.findChildren<QPushButton *>();
    const auto areInSight = [&] {
        return std::all_of(buttons.cbegin(), buttons.cend(), [&](const QPushButton *button) {
            return button->isVisible() && button->width() >= button->sizeHint().width()
                && panel.rect().contains(QRect(button->mapTo(&panel, QPoint()), button->size()));
        });
    };
    for (const int width : {650, 420}) {
        panel.resize(width, 256);
        QTRY_VERIFY(areInSight());
        QTRY_VERIFY(scroll->geometry().bottom() < offers->y()); // beside nothing, and below nothing
        QVERIFY(scroll->widget()->height() > scroll->viewport()->height()); // the rest is scrolled to
        for (const QPushButton *button : buttons) { // without its words, a tip says what it does
            QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->text()));
        }
    }
    // A wide one that is too low for the list has them below, too.
    panel.resize(1200, 140);
    panel.setMostHeight(140);
    QTRY_VERIFY(areInSight());
    // With room, the words are there.
    panel.setMostHeight(QWIDGETSIZE_MAX);
    QTRY_VERIFY(areInSight());
    const auto labels = offers->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        QTRY_VERIFY2(label->isVisible(), qPrintable(label->text()));
    }
    QVERIFY(buttons.constFirst()->toolTip().isEmpty());
}

// What is beside it is higher: its own words stay together, and begin where its sign stands.
void TstFailureRoom::shortFailureStaysTogether()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("Time limit"), QStringLiteral("It ran for too long."));
    panel.show();
    panel.resize(1000, 300);
    const QList<QLabel *> labels = panel.findChildren<QLabel *>();
    const auto labelOf = [&](QStringView text) {
        return *std::find_if(labels.cbegin(), labels.cend(), [&](const QLabel *each) { return each->text() == text; });
    };
    const QLabel *cause = labelOf(u"Time limit");
    const QLabel *explanation = labelOf(u"It ran for too long.");
    const auto *mark = panel.findChild<IconLabel *>();
    QTRY_VERIFY(cause->width() > 300);
    const auto inPanel
        = [&](const QWidget *widget) { return QRect(widget->mapTo(&panel, QPoint(0, 0)), widget->size()); };
    const int firstLine = inPanel(cause).top() + cause->fontMetrics().height() / 2;
    QVERIFY2(std::abs(firstLine - inPanel(mark).center().y()) <= 2,
        qPrintable(QStringLiteral("%1 %2").arg(firstLine).arg(inPanel(mark).center().y())));
    QCOMPARE(cause->height(), cause->heightForWidth(cause->width()));
    QVERIFY2(inPanel(explanation).top() - inPanel(cause).bottom() <= 5,
        qPrintable(QString::number(inPanel(explanation).top() - inPanel(cause).bottom())));
    QCOMPARE(explanation->height(), explanation->heightForWidth(explanation->width()));
}

// Of a panel that is too narrow or too low to have what to do beside what is said, nothing is left empty between both.
void TstFailureRoom::offersStandDirectlyBelow()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("w/0: KeyError"), QStringLiteral("The program ended with KeyError: 3."), true,
        QStringLiteral("Correct the place that the traceback names."));
    panel.setRetry(true);
    panel.setEvidence(QStringLiteral("w/0"), 0, {QStringLiteral("Traceback"), QStringLiteral("KeyError: 3")}, 1);
    panel.show();
    const auto *scroll = panel.findChild<QScrollArea *>(QStringLiteral("failureScroll"));
    const auto *offers = panel.findChild<FailureOffers *>();
    bool isBelow = false, isShort = false;
    panel.setDocument(FailurePanel::Document::File);
    for (const auto &[width, most] : {std::pair{500, 900}, std::pair{1200, 140}, std::pair{1200, 120}}) {
        panel.setMostHeight(most);
        panel.resize(width, panel.height());
        QTRY_COMPARE(panel.width(), width);
        const auto gap = [&] { return offers->y() - scroll->y() - scroll->height(); };
        constexpr int line = 1; // above what to do in short
        QTRY_VERIFY2(gap() >= 0 && gap() <= line, qPrintable(QString::number(gap())));
        isBelow = isBelow || gap() == 0;
        isShort = isShort || gap() == line;
    }
    QVERIFY(isBelow && isShort);
}

// Neither lines of a program nor a path have a space where the panel ends.
void TstFailureRoom::longWordsOfAFailureAreWhole()
{
    FailurePanel panel;
    const QString path = QStringLiteral("/home/someone") + QStringLiteral("/a-folder-of-experiments").repeated(6);
    panel.setFailure(QStringLiteral("w/0: ") + path, QStringLiteral("There is no file ") + path);
    panel.setEvidence(QStringLiteral("w/0"), 13,
        {QStringLiteral("    if a[1] != b[0]: raise RuntimeError(f\"mat1 and mat2 shapes cannot be multiplied\")"),
            QString(18, u' ') + QString(120, u'^'), QStringLiteral("RuntimeError: ") + path});
    panel.show();
    const auto *excerpt = panel.findChild<LogExcerpt *>();
    const auto *scroll = panel.findChild<QScrollArea *>(QStringLiteral("failureScroll"));
    for (const int width : {1000, 700, 460}) {
        panel.resize(width, 300);
        QTRY_COMPARE(panel.width(), width);
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
        const auto text = [&] { return excerpt->document()->size(); };
        QTRY_VERIFY2(text().width() <= excerpt->viewport()->width(), qPrintable(QString::number(text().width())));
        QTRY_VERIFY2(text().height() <= excerpt->viewport()->height(), qPrintable(QString::number(text().height())));
    }
    // With room for it nothing is between its letters: it may be copied.
    panel.resize(4000, 300);
    const auto labels = panel.findChildren<QLabel *>();
    QTRY_VERIFY(std::any_of(labels.cbegin(), labels.cend(),
        [&](const QLabel *label) { return label->text() == QStringLiteral("There is no file ") + path; }));
}

// In a small window a long explanation is scrolled, so that there is a task to look at.
void TstFailureRoom::smallPagesShowTasksToo()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 232;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRule = QStringLiteral("minFailed");
    detail.attempts[0].triggerRole = QStringLiteral("w");
    detail.attempts[0].triggerIndex = 0;
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F"), QStringLiteral("w 1 S")});
    all[0].exitCode = 232;
    page.setDetail(detail);
    page.setTasks(0, all);
    page.resize(640, 500);
    page.show();
    page.findChild<FailurePanel *>()->setEvidence(QStringLiteral("w/0"), 0,
        {QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three"), QStringLiteral("four")});
    QCoreApplication::processEvents();
    const QTreeView *view = page.tasksPane()->view();
    QTRY_VERIFY2(
        view->viewport()->height() >= 2 * metrics::row, qPrintable(QString::number(view->viewport()->height())));
    // A code is read even where its words have no room.
    const int exit = view->header()->sectionSize(TasksModel::ExitColumn);
    QVERIFY2(exit >= QFontMetrics(fonts::ui()).horizontalAdvance(QStringLiteral("−220")) + 14,
        qPrintable(QString::number(exit)));
}

// Whatever else takes room there: the cause is read without scrolling, and the rest is in a tip.
void TstFailureRoom::causeIsWholeInASmallPage()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 232;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRole = QStringLiteral("a_role_with_a_name_of_many_words_that_somebody_chose_for_it");
    detail.attempts[0].triggerIndex = 0;
    page.setDetail(detail);
    page.setHistoryFolded(false); // the lower pane takes its room, too
    page.setError(QStringLiteral("The request failed."));
    auto *panel = page.findChild<FailurePanel *>();
    const QString cause = QStringLiteral("The task ended because of a cause that is told at some length. ").repeated(3);
    panel->setFailure(cause, QStringLiteral("What it means. ").repeated(12));
    page.resize(620, 440); // of a window of 900 x 600
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto labels = panel->findChildren<QLabel *>();
    const auto found = std::find_if(
        labels.cbegin(), labels.cend(), [&cause](const QLabel *label) { return label->text() == cause; });
    QVERIFY(found != labels.cend());
    const QLabel *label = *found;
    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
    const auto bottom = [&] { return label->mapTo(panel, QPoint(0, label->height())).y(); };
    const auto *offers = panel->findChild<FailureOffers *>(); // which are in sight below it
    QTRY_VERIFY2(bottom() <= offers->y(), qPrintable(QStringLiteral("%1 of %2").arg(bottom()).arg(offers->y())));
    QVERIFY2(label->toolTip().contains(QStringLiteral("What it means.")), qPrintable(label->toolTip()));
    page.resize(1400, 1200);
    QTRY_VERIFY(label->toolTip().isEmpty());
}

TRAINYARD_GUI_TEST(TstFailureRoom)
#include "tst_failureroom.moc"
