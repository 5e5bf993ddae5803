// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guisettings.h"
#include "app/gui/pages/foreigntab.h"
#include "app/gui/workbench/tabarea.h"
#include "app/gui/workbench/workbench.h"
#include "engine/foreign/foreignruns.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/compareruns.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/foreignpage.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QJsonObject>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>
#include <memory>

using namespace trainyard;

// Runs of other programs in the window.
class TstForeign : public QObject
{
    Q_OBJECT

    WindowFixture m_fixture;

    static QStringList rows(const MainWindow &window)
    {
        const JobsModel *model = window.findChild<JobsPane *>()->model();
        const QModelIndex group = model->index(JobsModel::FromFiles, 0);
        QStringList names;
        for (int i = 0; i < model->rowCount(group); ++i) {
            names.append(model->index(i, 0, group).data().toString());
        }
        names.sort();
        return names;
    }
    static void drop(QWidget *widget, const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        const QPoint at = widget->rect().center();
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &enter);
        QDropEvent dropped(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &dropped);
        QVERIFY(enter.isAccepted() && dropped.isAccepted());
    }

    // "Jobs (*.yaml *.yml)": what is in the brackets.
    static QStringList patternsOf(const QString &filter)
    {
        return filter.section(u'(', 1).section(u')', 0, 0).split(u' ');
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }

    // What is pinned in one run is pinned in all, whoever recorded them.
    void pinnedMetricsComeFirst()
    {
        m_fixture.write(QStringLiteral("pins/metrics.csv"), "epoch,loss,acc,f1,wer\n1,3,0.1,0.1,3\n2,2,0.2,0.2,2\n");
        GuiSettings().setPinnedMetrics({QStringLiteral("wer")});
        const auto window = m_fixture.makeWindow();
        window->show();
        drop(window.get(), m_fixture.path(QStringLiteral("pins")));
        ForeignPage *page = nullptr;
        QTRY_VERIFY((page = window->findChild<ForeignPage *>()));
        QTRY_VERIFY(!page->curves()->plots().isEmpty());
        QCOMPARE(page->curves()->plots().constFirst()->title(), QStringLiteral("wer"));
        Q_EMIT page->curves()->pinnedChanged({QStringLiteral("f1")});
        QCOMPARE(GuiSettings().pinnedMetrics(), QStringList{QStringLiteral("f1")});
        GuiSettings().setPinnedMetrics({});
        QTest::mouseClick(page->findChild<QPushButton *>(QStringLiteral("foreignForget")), Qt::LeftButton);
        QTRY_VERIFY(rows(*window).isEmpty());
    }

    void namesOfFactsAreWhole()
    {
        JobSummary run;
        run.name = QStringLiteral("metrics.csv");
        run.results = {{QStringLiteral("validation_loss"), QJsonObject{{QStringLiteral("last"), 0.5}}}};
        run.parameters = {{QStringLiteral("learning_rate_of_the_head"), 0.1}};
        ForeignPage page;
        page.resize(1400, 700);
        page.setRun(run, TaskInfo(), {}, {});
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto isFacts = [](const QTreeWidget *each) {
            return each->accessibleName() == QStringLiteral("What is known of the run");
        };
        const auto isWhole = [](const QTreeWidget *facts, const QString &name) {
            return facts->columnWidth(0) > facts->fontMetrics().horizontalAdvance(name) + 18; // their step
        };
        const QList<QTreeWidget *> lists = page.findChildren<QTreeWidget *>();
        const auto facts = std::find_if(lists.cbegin(), lists.cend(), isFacts);
        QVERIFY(facts != lists.cend());
        for (SegmentedControl *each : page.findChildren<SegmentedControl *>()) {
            if (each->accessibleName() == QStringLiteral("What is shown of the run")) {
                each->setCurrentIndex(1);
            }
        }
        QTRY_VERIFY((*facts)->isVisible());
        QVERIFY(isWhole(*facts, QStringLiteral("learning_rate_of_the_head")));
        // Also of what comes while it is looked at.
        run.parameters.insert(QStringLiteral("learning_rate_of_everything_behind_the_head"), 0.2);
        page.setRun(run, TaskInfo(), {}, {});
        QVERIFY(isWhole(*facts, QStringLiteral("learning_rate_of_everything_behind_the_head")));
    }

    // From the first moment, as on the page of a run.
    void curvesHaveTheirControls()
    {
        m_fixture.write(QStringLiteral("controls/metrics.csv"), "epoch,loss\n1,3\n2,2\n");
        const auto window = m_fixture.makeWindow();
        window->resize(1280, 720);
        window->show();
        drop(window.get(), m_fixture.path(QStringLiteral("controls")));
        ForeignPage *page = nullptr;
        QTRY_VERIFY((page = window->findChild<ForeignPage *>()));
        const CurveControls *controls = page->curves()->controls();
        QTRY_VERIFY(controls->isVisible());
        const auto boxes = controls->findChildren<QCheckBox *>();
        const auto log = std::find_if(boxes.cbegin(), boxes.cend(),
            [](const QCheckBox *box) { return box->text() == QStringLiteral("Log scale"); });
        QVERIFY(log != boxes.cend());
        QTRY_VERIFY((*log)->isVisible());
        QTRY_VERIFY(controls->findChild<QSlider *>()->isVisible());
        QTest::mouseClick(page->findChild<QPushButton *>(QStringLiteral("foreignForget")), Qt::LeftButton);
        QTRY_VERIFY(rows(*window).isEmpty());
    }

    // A tab that comes back is there before its run is read.
    void statusNamesTheFilesOnceTheyAreRead()
    {
        m_fixture.write(QStringLiteral("status/metrics.csv"), "epoch,loss\n1,3\n2,2\n");
        const QString book = m_fixture.path(QStringLiteral("status.json"));
        const QString cache = m_fixture.path(QStringLiteral("status-cache"));
        QString uuid;
        {
            ForeignRuns before(book, cache, nullptr);
            QSignalSpy opened(&before, &ForeignRuns::opened);
            before.open({m_fixture.path(QStringLiteral("status"))});
            QTRY_COMPARE(opened.size(), 1);
            QCOMPARE(before.runs().size(), 1);
            uuid = before.runs().constFirst().summary.uuid;
        }
        ForeignRuns runs(book, cache, nullptr);
        auto *tab = new ForeignTab(&runs, uuid);
        const std::unique_ptr<QWidget> widget(tab->widget()); // which has it
        QCOMPARE(tab->statusText(), QStringLiteral("Read-only"));
        QSignalSpy told(tab, &Page::statusTextChanged);
        runs.restore();
        const QString source = QStringLiteral("Read-only, from ") + m_fixture.path(QStringLiteral("status"));
        QTRY_VERIFY2(tab->statusText().startsWith(source), qPrintable(tab->statusText()));
        QCOMPARE(told.constLast().constFirst().toString(), tab->statusText());
    }

    // However it was chosen, a table is no job.
    void openedRunsAreRows()
    {
        const QString csv = m_fixture.write(QStringLiteral("opened/metrics.csv"), "epoch,loss\n1,3\n2,2\n");
        const QString job = m_fixture.write(QStringLiteral("opened/job.yaml"), sampleJob);
        const auto window = m_fixture.makeWindow();
        window->show();
        window->openFiles({csv, job});
        QTRY_COMPARE(rows(*window).size(), 1);
        ForeignPage *page = nullptr;
        QTRY_VERIFY((page = window->findChild<ForeignPage *>()));
        const auto documents = window->findChildren<DesignerPage *>();
        QCOMPARE(documents.size(), 1);
        QCOMPARE(documents.constFirst()->filePath(), job);
        QTest::mouseClick(page->findChild<QPushButton *>(QStringLiteral("foreignForget")), Qt::LeftButton);
        QTRY_VERIFY(rows(*window).isEmpty());
    }

    // By what is in it: its name has no ending. A file that is only called so is a text like any other.
    void aMetricOfMlflowIsARun()
    {
        const QString metric = m_fixture.write(
            QStringLiteral("mlruns/0/ab12/metrics/loss"), "1700000000000 0.5 1\n1700000001000 0.4 2\n");
        const QString notes = m_fixture.write(QStringLiteral("mlruns/0/ab12/metrics/notes"), "name: mine\n");
        const auto window = m_fixture.makeWindow();
        window->show();
        window->openFiles({metric, notes});
        QTRY_COMPARE(rows(*window), QStringList(QStringLiteral("loss")));
        ForeignPage *page = nullptr;
        QTRY_VERIFY((page = window->findChild<ForeignPage *>()));
        const auto documents = window->findChildren<DesignerPage *>();
        QCOMPARE(documents.size(), 1);
        QCOMPARE(documents.constFirst()->filePath(), notes);
        QTest::mouseClick(page->findChild<QPushButton *>(QStringLiteral("foreignForget")), Qt::LeftButton);
        QTRY_VERIFY(rows(*window).isEmpty());
    }

    // What can be opened is not hidden by the dialog that asks for it.
    void dialogShowsWhatCanBeOpened()
    {
        const auto window = m_fixture.makeWindow();
        window->show();
        window->action("open")->trigger();
        const auto *dialog = window->findChild<QFileDialog *>();
        QVERIFY(dialog);
        const QStringList filters = dialog->nameFilters();
        QCOMPARE(filters.size(), 3);
        for (const char *name :
            {"a.yaml", "a.yml", "a.json", "run.sh", "run.bash", "train.py", "a.sbatch", "a.slurm"}) {
            QVERIFY2(QDir::match(patternsOf(filters.at(0)), QString::fromLatin1(name)), name);
        }
        for (const char *name :
            {"metrics.csv", "run-1.wandb", "events.out.tfevents.1.host", "log.jsonl", "mlflow.db"}) {
            QVERIFY2(QDir::match(patternsOf(filters.at(1)), QString::fromLatin1(name)), name);
        }
    }

    // Whoever presses a key after a run was opened has not chosen its button, and what is removed can be had back.
    void removedRunsComeBack()
    {
        m_fixture.write(QStringLiteral("mistake/a/metrics.csv"), "epoch,loss\n1,3\n2,2\n");
        m_fixture.write(QStringLiteral("mistake/b/metrics.csv"), "epoch,loss\n1,3\n2,2\n");
        const auto window = m_fixture.makeWindow();
        window->show();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        window->action("new")->trigger(); // a tab that has the keys
        QTRY_VERIFY(QApplication::focusWidget());
        drop(window.get(), m_fixture.path(QStringLiteral("mistake")));
        const QStringList both{QStringLiteral("a"), QStringLiteral("b")};
        QTRY_COMPARE(rows(*window), both);
        ForeignPage *page = nullptr;
        QTRY_VERIFY((page = window->findChild<ForeignPage *>()));
        QTRY_VERIFY(page->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(!qobject_cast<QPushButton *>(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(rows(*window), both);
        const auto *bar = window->findChild<Workbench *>()->windowBar();
        QTRY_VERIFY2(bar->text().contains(QStringLiteral("are in the list")), qPrintable(bar->text()));
        Q_EMIT window->findChild<JobsPane *>()->forgetRequested(page->summary().uuid);
        QTRY_COMPARE(rows(*window).size(), 1);
        QVERIFY2(!bar->text().contains(QStringLiteral("are in the list")), qPrintable(bar->text()));
        auto *pane = window->findChild<JobsPane *>();
        Q_EMIT pane->forgetRequested(pane->model()
                                         ->index(0, 0, pane->model()->index(JobsModel::FromFiles, 0))
                                         .data(JobsModel::UuidRole)
                                         .toString());
        QTRY_VERIFY(rows(*window).isEmpty());
        const auto buttons = [&window] { return window->findChildren<QPushButton *>(QStringLiteral("foreignUndo")); };
        QTRY_COMPARE(buttons().size(), 1); // that of the first notice has gone
        auto *undo = buttons().constFirst();
        QTest::mouseClick(undo, Qt::LeftButton);
        QTRY_COMPARE(rows(*window), both);
        QVERIFY(bar->isHidden());
        for (int i = 0; i < 2; ++i) { // for the tests after it
            const int left = int(rows(*window).size());
            Q_EMIT pane->forgetRequested(pane->model()
                                             ->index(0, 0, pane->model()->index(JobsModel::FromFiles, 0))
                                             .data(JobsModel::UuidRole)
                                             .toString());
            QTRY_COMPARE(rows(*window).size(), left - 1);
        }
    }

    void droppedRunsAreRows()
    {
        const QString csv
            = m_fixture.write(QStringLiteral("runs/one/metrics.csv"), "epoch,loss,acc\n1,3,0.1\n2,2,0.2\n");
        m_fixture.write(QStringLiteral("runs/two/metrics.csv"), "epoch,loss\n1,3\n2,2\n3,1\n");
        {
            const auto window = m_fixture.makeWindow();
            window->show();
            drop(window.get(), m_fixture.path(QStringLiteral("runs")));
            QTRY_COMPARE(rows(*window), (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
            ForeignPage *page = nullptr;
            QTRY_VERIFY((page = window->findChild<ForeignPage *>()));
            QTRY_COMPARE(page->summary().name, QStringLiteral("one"));
            QTRY_COMPARE(
                page->curves()->store()->names(), (QStringList{QStringLiteral("loss"), QStringLiteral("acc")}));
            const series::Series *loss = page->curves()->store()->series(0, QStringLiteral("loss"));
            QVERIFY(loss);
            QCOMPARE(loss->size(), std::size_t(2));
            const auto *facts = page->findChild<QTreeWidget *>();
            QVERIFY(facts);
            // They compare as runs of ours do.
            auto *list = window->findChild<JobsPane *>();
            const QModelIndex group = list->model()->index(JobsModel::FromFiles, 0);
            Q_EMIT list->compareRequested({list->model()->index(0, 0, group).data(JobsModel::UuidRole).toString(),
                list->model()->index(1, 0, group).data(JobsModel::UuidRole).toString()});
            ComparePage *comparison = nullptr;
            QTRY_VERIFY((comparison = window->findChild<ComparePage *>()));
            QTRY_COMPARE(comparison->runs()->runs().size(), 2);
            QVERIFY(comparison->runs()->metrics().contains(QStringLiteral("loss")));
            // Out of the list, and nowhere else.
            QTest::mouseClick(page->findChild<QPushButton *>(QStringLiteral("foreignForget")), Qt::LeftButton);
            QTRY_COMPARE(rows(*window), QStringList{QStringLiteral("two")});
            QTRY_VERIFY(!window->findChild<ForeignPage *>());
            QVERIFY(QFile::exists(csv));
        }
        // They are there again in the next window.
        const auto window = m_fixture.makeWindow();
        window->show();
        QTRY_COMPARE(rows(*window), QStringList{QStringLiteral("two")});
        auto *pane = window->findChild<JobsPane *>();
        Q_EMIT pane->openRequested(pane->model()
                                       ->index(0, 0, pane->model()->index(JobsModel::FromFiles, 0))
                                       .data(JobsModel::UuidRole)
                                       .toString());
        QTRY_VERIFY(window->findChild<ForeignPage *>());
    }
};

TRAINYARD_GUI_TEST(TstForeign)
#include "tst_foreign.moc"
