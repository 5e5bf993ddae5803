// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/choosejobs.h"
#include "app/gui/controllers/foreigncontroller.h"
#include "app/gui/controllers/runcomparisons.h"
#include "app/gui/pages/comparetab.h"
#include "app/gui/seedsdialog.h"
#include "tests/gui/comparetests.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/comparecurves.h"
#include "widgets/compare/comparedetails.h"
#include "widgets/compare/comparehead.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/comparetable.h"
#include "widgets/diff/diffview.h"
#include "widgets/plot/besidepoint.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTreeWidget>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Several runs beside each other in the window.
class TstComparePage : public ComparedRuns
{
    Q_OBJECT

    WindowFixture m_fixture;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }

    // Without a seed there is nothing to change: the button says so before it is pressed.
    void otherSeedsNeedASeed()
    {
        ComparePage page;
        auto *seeds = page.findChild<QPushButton *>(u"compareSeeds"_s);
        const auto *asNew = page.findChild<QPushButton *>(u"compareBestAsNew"_s);
        QVERIFY(seeds && asNew);
        QList<JobSummary> jobs = comparedJobs();
        page.runs()->setJobs(jobs);
        QVERIFY(page.runs()->best() >= 0);
        QVERIFY(seeds->isEnabled() && asNew->isEnabled());
        QVERIFY2(seeds->toolTip().contains(u"how far its result can be trusted"_s), qPrintable(seeds->toolTip()));
        for (JobSummary &job : jobs) {
            job.parameters.remove(u"seed"_s);
        }
        page.runs()->setJobs(jobs);
        QVERIFY(page.runs()->best() >= 0);
        QVERIFY(!seeds->isEnabled() && asNew->isEnabled());
        QVERIFY2(seeds->toolTip().contains(u"no parameter that is a seed"_s), qPrintable(seeds->toolTip()));
        const QList<QAction *> actions = page.pageActions();
        const auto action = std::find_if(actions.cbegin(), actions.cend(),
            [](const QAction *each) { return each->text().contains(u"other seeds"_s); });
        QVERIFY(action != actions.cend() && !(*action)->isEnabled());
        QVERIFY((*action)->toolTip().contains(u"no parameter that is a seed"_s));
    }

    // A window of 1280 by 720 at 150 % leaves so much beside the list of jobs: nothing is wider or higher than its
    // place, and no control stands over another.
    void fitsASmallScreen()
    {
        QList<JobSummary> jobs = comparedJobs();
        const State states[] = {State::Running, State::Waiting, State::Failed, State::Succeeded};
        for (int i = 0; i < 4; ++i) {
            jobs[i].state = states[i];
            jobs[i].progress = 0.4;
            if (i < 2) {
                jobs[i].completed.reset();
            }
        }
        ComparePage page;
        page.setHeading(u"Four runs of a network with a long name"_s);
        const QSize room(1280 * 2 / 3 - metrics::sideMinimum - 1,
            720 * 2 / 3 - metrics::toolBar - metrics::documentTab - metrics::statusLine - 16);
        page.resize(room);
        page.runs()->setJobs(jobs);
        page.runs()->setText(u"uuid-1"_s, "taskRoles:\n  worker:\n    instances: 1\n");
        page.runs()->setText(u"uuid-2"_s, "taskRoles:\n  worker:\n    instances: 2\n");
        for (const auto &[uuid, commit] : {std::pair{u"uuid-1"_s, u"aaaa"_s}, {u"uuid-2"_s, u"bbbb"_s}}) {
            page.runs()->setEnvironment(uuid, {{u"git"_s, QJsonObject{{u"commit"_s, commit}}}});
        }
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto *other = page.findChild<ElidedLabel *>(u"compareOther"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!other->text().isEmpty(), 10'000);
        for (const CompareDetails::Tab tab : {CompareDetails::TextTab, CompareDetails::SettingsTab}) {
            page.details()->showTab(tab);
            QCoreApplication::processEvents();
            const QSize least = page.minimumSizeHint();
            QVERIFY2(least.width() <= room.width() && least.height() <= room.height(),
                qPrintable(u"%1 x %2"_s.arg(least.width()).arg(least.height())));
        }
        page.resize(room); // before its texts were laid out, it may have needed more
        QTRY_COMPARE(page.size(), room);
        QVERIFY(other->parentWidget()->isHidden()); // it has given way to the runs
        page.resize(1200, 800);
        QTRY_VERIFY(!other->parentWidget()->isHidden());
    }

    // Where the words of all buttons have gone and there is still no room, what the table says as well goes.
    void headOfANarrowPage()
    {
        QList<JobSummary> jobs = comparedJobs();
        const State states[] = {State::Running, State::Waiting, State::Failed, State::Succeeded};
        for (int i = 0; i < 4; ++i) {
            jobs[i].state = states[i];
            jobs[i].progress = 0.4;
        }
        CompareRuns runs;
        CompareHead head(&runs);
        head.setHeading(u"Four runs of a network with a long name"_s);
        runs.setJobs(jobs);
        head.show();
        QVERIFY(QTest::qWaitForWindowExposed(&head));
        for (const int width : {652, 520, 420, 340, 1600}) {
            head.resize(width, head.height());
            QCoreApplication::processEvents();
            QCOMPARE(head.width(), width);
            QList<QRect> parts;
            const auto children = head.findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
            for (const QWidget *part : children) {
                const QRect place = part->geometry();
                if (!part->isVisible()) {
                    continue;
                }
                QVERIFY2(head.rect().contains(place), qPrintable(u"%1: %2"_s.arg(width).arg(part->objectName())));
                QVERIFY2(std::none_of(parts.cbegin(), parts.cend(),
                             [&place](const QRect &before) { return before.intersects(place); }),
                    qPrintable(u"%1: %2"_s.arg(width).arg(part->objectName())));
                parts.append(place);
            }
        }
        QVERIFY(!head.findChild<QPushButton *>(u"compareAdd"_s)->text().isEmpty());
    }

    // However the runs came, a picture beside the table names them as the table does.
    void legendsHaveTheOrderOfTheTable()
    {
        ComparePage page;
        page.resize(1200, 800);
        page.show();
        page.runs()->setJobs({comparedJob(3, 0.3, 1, 0.7), comparedJob(1, 0.1, 1, 0.8), comparedJob(2, 0.2, 1, 0.9)});
        WrittenLog log;
        log.writeAt(WrittenLog::start * 1'000'000, "step 1 loss: 0.5\nstep 2 loss: 0.4\n");
        for (const QString &uuid : {u"uuid-1"_s, u"uuid-2"_s, u"uuid-3"_s}) {
            page.curves()->setOutputs(uuid, {log.folder()});
        }
        page.curves()->setMetrics({u"loss"_s});
        QTRY_COMPARE(page.curves()->plots().size(), 1);
        QTRY_COMPARE(page.curves()->plots().constFirst()->lineCount(), 3);
        const auto legend = [&page] {
            const QString svg = QString::fromUtf8(page.curves()->plots().constFirst()->svg({180, 55}));
            QStringList found;
            const QRegularExpression label(u">(#\\d)\\b"_s);
            for (auto each = label.globalMatch(svg); each.hasNext();) {
                found.append(each.next().captured(1));
            }
            return found;
        };
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#2"_s, u"#1"_s, u"#3"_s})); // the best first
        QCOMPARE(legend(), columnOf(page, u"Run"_s));
        page.table()->view()->sortByColumn(int(CompareModel::Part::Run), Qt::AscendingOrder);
        QCOMPARE(columnOf(page, u"Run"_s), (QStringList{u"#1"_s, u"#2"_s, u"#3"_s}));
        QCOMPARE(legend(), columnOf(page, u"Run"_s));
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

    // Whatever comes first, until the user chooses: the best ones, of folded runs the best of the two best rows.
    void detailsBeginWithTheBest()
    {
        ComparePage page;
        const auto shown = [&page] {
            QStringList uuids;
            for (const QComboBox *pick : page.details()->findChildren<QComboBox *>()) {
                uuids.append(pick->currentData().toString());
            }
            return uuids;
        };
        const double none = qQNaN();
        page.runs()->setJobs({comparedJob(1, 0.01, 1, none), comparedJob(2, 0.1, 1, none), comparedJob(3, 0.1, 2, none),
            comparedJob(4, 1, 1, none)});
        page.runs()->apply(comparedJob(4, 1, 1, 0.5));
        QTRY_COMPARE(shown().constFirst(), u"uuid-4"_s);
        page.runs()->apply(comparedJob(2, 0.1, 1, 0.9));
        page.runs()->apply(comparedJob(3, 0.1, 2, 0.8));
        QTRY_COMPARE(shown(), (QStringList{u"uuid-2"_s, u"uuid-3"_s}));
        page.runs()->apply(comparedJob(1, 0.01, 1, 0.95));
        QTRY_COMPARE(shown(), (QStringList{u"uuid-1"_s, u"uuid-2"_s}));
        page.runs()->apply(comparedJob(1, 0.01, 1, 0.7));
        QTRY_COMPARE(shown(), (QStringList{u"uuid-2"_s, u"uuid-3"_s}));
        page.runs()->setFolded(true);
        QCOMPARE(shown(), (QStringList{u"uuid-2"_s, u"uuid-1"_s}));
        page.details()->setOther(3); // stays, as it was chosen
        page.runs()->apply(comparedJob(1, 0.01, 1, 0.6));
        page.runs()->setFolded(false);
        QCOMPARE(shown(), (QStringList{u"uuid-2"_s, u"uuid-4"_s}));
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

    // Real jobs of a group: they come by themselves, are compared, and the best runs again with another seed.
    // The palette finds what the page can do.
    void actionsAreThoseOfThePage()
    {
        ComparePage page;
        page.runs()->setJobs(comparedJobs());
        page.resize(1200, 800);
        page.show();
        const auto named = [&page](const QString &words) -> QAction * {
            for (QAction *action : page.pageActions() + page.exportActions()) {
                if (action->text().contains(words, Qt::CaseInsensitive)) {
                    return action;
                }
            }
            return nullptr;
        };
        for (const QString &words : {u"csv"_s, u"html"_s, u"picture"_s, u"best as new"_s, u"other seeds"_s}) {
            QVERIFY2(named(words) && named(words)->isEnabled(), qPrintable(words));
        }
        QVERIFY(!named(u"stop"_s)); // nothing runs
        // What only writes files stands elsewhere.
        const QList<QAction *> doing = page.pageActions();
        QVERIFY(std::none_of(doing.cbegin(), doing.cend(),
            [](const QAction *action) { return action->text().contains("export"_L1, Qt::CaseInsensitive); }));
        QSignalSpy saved(&page, &ComparePage::saveRequested), best(&page, &ComparePage::bestAsNewRequested);
        named(u"export the table"_s)->trigger();
        QCOMPARE(saved.constLast().constFirst().toBool(), false);
        named(u"best as new"_s)->trigger();
        QCOMPARE(best.constLast().constFirst().toString(), u"uuid-2"_s);
    }

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

        // It comes back with the next start, with the runs that were chosen to be drawn.
        tab->page()->runs()->setDrawn({0, 2}, false);
        tab->page()->runs()->setDrawn({1}, true);
        QCOMPARE(tab->page()->runs()->drawn(), QList<qsizetype>{1});
        const QString drawn = tab->page()->runs()->runs().at(1).job.uuid;
        tab->page()->runs()->setFolded(true); // each run is a row of its own, except those of the rate 0.1
        const QList<qsizetype> drawnRow = tab->page()->runs()->drawn();
        const std::optional<SessionTab> place = tab->place();
        QVERIFY(place);
        QCOMPARE(place->kind, QString(CompareTab::kind));
        QCOMPARE(place->name, u"group:rates"_s);
        auto *restored
            = new CompareTab(window->client(), window->findChild<ForeignController *>()->runs(), u"rates"_s, {});
        const std::unique_ptr<QWidget> widget(restored->widget()); // which has it
        restored->restoreLayout(place->layout);
        QTRY_COMPARE_WITH_TIMEOUT(restored->page()->runs()->runs().size(), 3, 15'000);
        QTRY_COMPARE(restored->page()->runs()->chosenDrawn(), QStringList{drawn});
        QVERIFY(restored->page()->runs()->isFolded());
        QTRY_COMPARE(restored->page()->runs()->drawn().size(), drawnRow.size());
        QVERIFY(restored->page()->runs()->drawn().contains(restored->page()->runs()->indexOf(drawn)));
        QVERIFY(restored->place() && restored->place()->layout == place->layout);

        // What has been removed meanwhile is neither waited for nor counted, of single runs as of a group.
        const QString gone = u"00000000-0000-4000-8000-000000000000"_s;
        const QStringList left = tab->uuids().mid(0, 2);
        auto *single = new CompareTab(
            window->client(), window->findChild<ForeignController *>()->runs(), {}, left + QStringList{gone});
        const std::unique_ptr<QWidget> ofSingle(single->widget());
        QVERIFY2(single->title().contains(u'3'), qPrintable(single->title()));
        QTRY_COMPARE_WITH_TIMEOUT(single->uuids(), left, 15'000);
        QVERIFY2(single->title().contains(u'2'), qPrintable(single->title()));
        const QStringList ofGroup = tab->uuids();
        tab->addRuns({gone});
        QCOMPARE(tab->uuids().size(), ofGroup.size() + 1);
        QTRY_COMPARE_WITH_TIMEOUT(tab->uuids(), ofGroup, 15'000);

        // Who adds a run takes none out that was not there to be unticked.
        Q_EMIT tab->page()->addRequested();
        auto *choice = window->findChild<ChooseJobs *>();
        QVERIFY(choice);
        QVERIFY(choice->list()->count() >= ofGroup.size());
        window->client()->call<api::Submit>(
            request, this, [&](const Result<SubmitReply> &reply) { accepted += reply ? 1 : 0; });
        QTRY_COMPARE_WITH_TIMEOUT(tab->uuids().size(), ofGroup.size() + 1, 15'000);
        const QStringList withNew = tab->uuids();
        choice->list()->item(0)->setCheckState(Qt::Unchecked);
        const QString unticked = choice->list()->item(0)->data(Qt::UserRole).toString();
        const auto buttons = choice->findChildren<QPushButton *>();
        const auto compare = std::find_if(buttons.cbegin(), buttons.cend(),
            [](const QPushButton *button) { return button->text().startsWith(u"Compare"_s); });
        QVERIFY(compare != buttons.cend());
        (*compare)->click();
        QStringList expected = withNew;
        expected.removeOne(unticked);
        QCOMPARE(tab->uuids(), expected);

        // One of no group that was added comes back as well.
        request.group.clear();
        QString other;
        window->client()->call<api::Submit>(
            request, this, [&](const Result<SubmitReply> &reply) { other = reply ? reply->uuid : QString(); });
        QTRY_VERIFY_WITH_TIMEOUT(window->client()->job(other), 15'000);
        tab->addRuns({other});
        auto *withOther
            = new CompareTab(window->client(), window->findChild<ForeignController *>()->runs(), u"rates"_s, {});
        const std::unique_ptr<QWidget> ofOther(withOther->widget());
        QTRY_COMPARE_WITH_TIMEOUT(withOther->page()->runs()->runs().size(), withNew.size(), 15'000);
        withOther->restoreLayout(tab->place()->layout);
        QTRY_VERIFY_WITH_TIMEOUT(withOther->page()->runs()->indexOf(other) >= 0, 15'000);
    }
};

TRAINYARD_GUI_TEST(TstComparePage)
#include "tst_comparepage.moc"
