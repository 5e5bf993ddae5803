// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/choosejobs.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/pages/runtab.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/tasks/runpage.h"

#include <QAction>
#include <QDockWidget>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

using namespace trainyard;

// Jobs that are deleted in the window, with a real engine.
class TstJobDeletion : public QObject
{
    Q_OBJECT

    WindowFixture m_fixture;

    static QString runOne(EngineClient *client)
    {
        SubmitRequest request;
        request.yaml = sampleJob;
        QString uuid;
        client->call<api::Submit>(request, client, [&uuid](const Result<SubmitReply> &reply) {
            uuid = reply ? reply->uuid : QStringLiteral("refused: ") + reply.error().code;
        });
        const bool answered = QTest::qWaitFor([&uuid] { return !uuid.isEmpty(); }, 20'000);
        const bool ended
            = QTest::qWaitFor([&] { return client->job(uuid) && isFinal(client->job(uuid)->state); }, 20'000);
        return answered && ended ? uuid : QString();
    }
    static int shownRows(const JobsPane *pane)
    {
        int rows = 0;
        const QAbstractItemModel *model = pane->view()->model();
        for (int group = 0; group < model->rowCount(); ++group) {
            rows += model->rowCount(model->index(group, 0));
        }
        return rows;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    void hadBackOrGoneWithTheWindow()
    {
        auto window = WindowFixture::makeWindow(true);
        window->show();
        EngineClient *client = window->client();
        QTRY_COMPARE_WITH_TIMEOUT(client->status(), EngineClient::Status::Ready, 20'000);
        const QString kept = runOne(client);
        const QString gone = runOne(client);
        QVERIFY(!kept.isEmpty() && !gone.isEmpty());
        JobsPane *pane = window->jobsPane();
        QTRY_COMPARE(shownRows(pane), 2);

        Q_EMIT pane->removeRequested({kept});
        QCOMPARE(shownRows(pane), 1);
        QVERIFY(pane->undoBar()->isVisible());
        auto *undo = pane->undoBar()->findChild<QPushButton *>();
        QVERIFY(undo);
        undo->click();
        QVERIFY(!pane->undoBar()->isVisible());
        QCOMPARE(shownRows(pane), 2);

        // Its page says so, too, and nothing is done with the job meanwhile.
        RunTab *page = window->findChild<RunTabs *>()->open(kept);
        QTRY_VERIFY(window->action("runAgain")->isEnabled());
        Q_EMIT pane->removeRequested({gone, kept});
        QVERIFY(!page->run()->isEnabled() && !window->action("runAgain")->isEnabled());
        QVERIFY(!window->action("editAsNew")->isEnabled());
        QCOMPARE(window->bar()->text(), QStringLiteral("This job is deleted."));
        auto *back = window->findChild<QPushButton *>(QStringLiteral("pageUndo"));
        QVERIFY(back && back->isVisible());
        back->click();
        QVERIFY(page->run()->isEnabled() && window->action("runAgain")->isEnabled());
        QVERIFY(window->bar()->isHidden());
        QCOMPARE(shownRows(pane), 1); // the other one is deleted as before
        QVERIFY(pane->undoBar()->isVisible());
        RunTab *late = window->findChild<RunTabs *>()->open(gone); // by a link
        QVERIFY(late->isDeleted() && !late->run()->isEnabled());
        pane->undoBar()->findChild<QPushButton *>()->click();
        QVERIFY(late->run()->isEnabled());
        QCOMPARE(shownRows(pane), 2);
        window->findChild<RunTabs *>()->open(kept);

        // By the keys, too, in the list and on the page of all jobs.
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        Q_EMIT pane->removeRequested({kept});
        QCOMPARE(shownRows(pane), 1);
        pane->view()->setFocus();
        QTest::keyClick(pane->view(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(shownRows(pane), 2);
        window->action("allJobs")->trigger();
        auto *all = window->findChild<JobsTablePage *>();
        QVERIFY(all);
        Q_EMIT all->removeRequested({kept});
        QCOMPARE(shownRows(pane), 1);
        // It is said once, where one looks: on that page, and at the side when another one is in front.
        QVERIFY(all->undoBar()->isVisible() && pane->undoBar()->isHidden());
        window->action("welcome")->trigger();
        QVERIFY(!all->isVisible() && pane->undoBar()->isVisible());
        window->action("allJobs")->trigger();
        QVERIFY(all->undoBar()->isVisible() && pane->undoBar()->isHidden());
        auto *table = all->findChild<QTreeView *>();
        QVERIFY(table);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(shownRows(pane), 2);

        // The latest act alone has a bar; the one before it has it again when that is undone.
        window->action("welcome")->trigger();
        const auto isArchived = [&] { return client->job(kept) && client->job(kept)->labels.isArchived; };
        const auto isSaidByWindow
            = [&] { return window->bar()->isVisible() && window->bar()->text().contains(QStringLiteral("archived")); };
        const auto press = [pane] {
            for (QPushButton *button : pane->undoBar()->findChildren<QPushButton *>()) {
                if (button->isVisible()) {
                    button->click();
                    return;
                }
            }
        };
        Q_EMIT pane->archiveRequested({kept}, true);
        QTRY_VERIFY_WITH_TIMEOUT(isArchived() && pane->undoBar()->isVisible(), 20'000);
        QCOMPARE(pane->undoBar()->text(), QStringLiteral("1 job(s) archived."));
        QVERIFY(!isSaidByWindow());
        Q_EMIT pane->removeRequested({gone});
        QVERIFY2(
            pane->undoBar()->text().startsWith(QStringLiteral("1 job deleted")), qPrintable(pane->undoBar()->text()));
        QVERIFY(!isSaidByWindow());
        press();
        QVERIFY(pane->undoBar()->isVisible());
        QCOMPARE(pane->undoBar()->text(), QStringLiteral("1 job(s) archived."));
        press();
        QVERIFY(!pane->undoBar()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!isArchived(), 20'000);
        Q_EMIT pane->removeRequested({gone}, 2);
        QVERIFY2(pane->undoBar()->text().endsWith(QStringLiteral("; 2 with a star are kept.")),
            qPrintable(pane->undoBar()->text()));
        press();
        QVERIFY(!pane->undoBar()->isVisible());
        Q_EMIT pane->removeRequested({}, 2);
        QVERIFY2(window->bar()->text().startsWith(QStringLiteral("All of these jobs that have ended have a star")),
            qPrintable(window->bar()->text()));
        window->bar()->hide();
        // Where no list is seen, the window says it.
        window->findChild<QDockWidget *>(QStringLiteral("jobsDock"))->hide();
        Q_EMIT pane->archiveRequested({kept}, true);
        QTRY_VERIFY_WITH_TIMEOUT(isSaidByWindow(), 20'000);
        window->findChild<QDockWidget *>(QStringLiteral("jobsDock"))->show();
        QVERIFY(!isSaidByWindow() && pane->undoBar()->isVisible());
        press();
        QTRY_VERIFY_WITH_TIMEOUT(!isArchived(), 20'000);

        Q_EMIT pane->removeRequested({gone});
        QVERIFY(client->job(gone)); // the engine has it still
        QTRY_VERIFY2_WITH_TIMEOUT(pane->undoBar()->text().endsWith(QStringLiteral(" on the disk.")),
            qPrintable(pane->undoBar()->text()), 20'000);
        window->action("compareRuns")->trigger();
        auto *offered = window->findChild<ChooseJobs *>();
        QVERIFY(offered);
        QCOMPARE(offered->list()->count(), 1);
        QCOMPARE(offered->list()->item(0)->data(Qt::UserRole).toString(), kept);
        offered->reject();
        window.reset(); // before the time is over

        EngineClient other;
        other.start(EngineClient::Start::IfNeeded);
        QTRY_COMPARE_WITH_TIMEOUT(other.status(), EngineClient::Status::Ready, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!other.job(gone), 10'000);
        QVERIFY(other.job(kept));
    }
};

TRAINYARD_GUI_TEST(TstJobDeletion)
#include "tst_jobdeletion.moc"
