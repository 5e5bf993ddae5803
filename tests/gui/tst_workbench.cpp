// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/commandpalette.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/pagebars.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/tabarea.h"
#include "app/gui/workbench/workbench.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"

#include <QAction>
#include <QApplication>
#include <QFontMetrics>
#include <QListView>
#include <QMainWindow>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{
// A kind of page that the window has never heard of.
class NotePage final : public Page
{
public:
    explicit NotePage(const QString &name) : Page(new QWidget), m_name(name) { }
    QString title() const override { return m_name; }
    QIcon icon() const override { return {}; }
    bool isUnsaved() const override { return m_unsaved; }
    bool isTemporary() const override { return m_temporary; }
    void keep() override { setTemporary(false); }
    void setTemporary(bool on)
    {
        m_temporary = on;
        Q_EMIT changed();
    }
    QString statusText() const override { return u"Note "_s + m_name; }
    bool canClose(Leaving) override { return !m_unsaved; }
    void askToClose(Leaving, int, const std::function<void(Answer)> &answered) override { m_question = answered; }
    std::optional<SessionTab> place() const override
    {
        SessionTab tab;
        tab.kind = u"note"_s;
        tab.name = m_name;
        return tab;
    }
    void rename(const QString &name)
    {
        m_name = name;
        Q_EMIT changed();
    }
    void setUnsaved(bool on)
    {
        m_unsaved = on;
        Q_EMIT changed();
    }
    void answer(Answer answer) { m_question(answer); }

private:
    QString m_name;
    bool m_unsaved = false;
    bool m_temporary = false;
    std::function<void(Answer)> m_question;
};

struct Bench {
    QMainWindow window;
    ActionRegistry *actions = new ActionRegistry(&window);
    TabArea *tabs = new TabArea(&window);
    PageBars *bars = new PageBars(&window);
    StatusLine *status = new StatusLine(&window);
    Workbench *workbench = new Workbench(&window, actions, tabs, bars, status);
    PageRegistry *pages = new PageRegistry(workbench, &window);
    NotePage *open(const QString &name)
    {
        auto *page = new NotePage(name);
        workbench->add(page);
        return page;
    }
    ~Bench() { workbench->clear(); }
};
} // namespace

// What holds tabs, actions and pages together, without any page or duty of the real window.
class TstWorkbench : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shortTitlesKeepTheNumber()
    {
        const QFontMetrics metrics(QApplication::font());
        const int room = metrics.horizontalAdvance(u"a_job_with "_s);
        const QString run = shortTitle(u"a_job_with_a_long_name #41"_s, metrics, room);
        QVERIFY2(run.endsWith(u"… #41"_s) && run.startsWith(u"a_"_s), qPrintable(run));
        QVERIFY(metrics.horizontalAdvance(run) <= room);
        const QString file = shortTitle(u"a_job_with_a_long_name.pai.yaml"_s, metrics, room);
        QVERIFY2(file.endsWith(u'…') && file.startsWith(u"a_job"_s), qPrintable(file));
        QCOMPARE(shortTitle(u"a_job.pai.yaml"_s, metrics, room), u"a_job"_s);
    }

    void windowFollowsThePageInFront()
    {
        Bench bench;
        QSignalSpy refreshed(bench.workbench, &Workbench::refreshed);
        NotePage *first = bench.open(u"one"_s);
        NotePage *second = bench.open(u"two"_s);
        QCOMPARE(bench.workbench->front(), second);
        QVERIFY(bench.window.windowTitle().startsWith(u"two"_s));
        QVERIFY(refreshed.count() >= 2);
        second->setUnsaved(true);
        QVERIFY(bench.window.isWindowModified());
        first->rename(u"uno"_s);
        QCOMPARE(bench.tabs->titleOf(first->widget()), u"uno"_s);
        QVERIFY(bench.window.windowTitle().startsWith(u"two"_s));
        bench.workbench->show(first);
        QVERIFY(bench.window.windowTitle().startsWith(u"uno"_s));
        QVERIFY(!bench.window.isWindowModified());
        // What is said of a page is seen with it alone.
        bench.workbench->sayOf(second, u"look here"_s);
        QVERIFY(!bench.workbench->shownBar()->text().contains("look"_L1));
        bench.workbench->show(second);
        QVERIFY(bench.workbench->shownBar()->text().contains("look"_L1));
    }

    // A double click on its tab keeps it.
    void temporaryPagesAreKept()
    {
        Bench bench;
        NotePage *page = bench.open(u"a page"_s);
        QTabBar *bar = bench.tabs->tabBar();
        bar->resize(bar->sizeHint());
        page->setTemporary(true);
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(0).center());
        QVERIFY(!page->isTemporary());
    }

    void closingAsksThePage()
    {
        Bench bench;
        QPointer<NotePage> page = bench.open(u"kept"_s);
        page->setUnsaved(true);
        QList<Page *> closed;
        connect(bench.workbench, &Workbench::closing, this, [&](Page *each) { closed.append(each); });
        QSignalSpy emptied(bench.workbench, &Workbench::emptied);
        bench.workbench->close(page);
        page->answer(Page::Answer::Cancelled);
        QCOMPARE(bench.workbench->pages().size(), 1);
        bench.workbench->close(page);
        page->answer(Page::Answer::Discarded);
        QVERIFY(bench.workbench->pages().isEmpty());
        QCOMPARE(closed, QList<Page *>{page});
        QCOMPARE(emptied.count(), 1);
        QVERIFY(!bench.workbench->front());
        QTRY_VERIFY(!page); // with its widget
    }

    void kindsAreOpenedByTheirId()
    {
        Bench bench;
        bench.pages->add(u"note"_s, [&](const SessionTab &place) { return bench.open(place.name); });
        int made = 0;
        bench.pages->addSingle(u"about"_s, [&] {
            ++made;
            return new NotePage(u"about"_s);
        });
        SessionTab place;
        place.name = u"restored"_s;
        Page *note = bench.pages->open(u"note"_s, place);
        QVERIFY(note && note->place());
        QCOMPARE(note->place()->name, place.name);
        QVERIFY(!bench.pages->open(u"from another version"_s));
        Page *about = bench.pages->open(u"about"_s);
        bench.workbench->show(note);
        QCOMPARE(bench.pages->open(u"about"_s), about);
        QCOMPARE(bench.workbench->front(), about);
        QCOMPARE(made, 1);
        bench.workbench->close(about); // it is made again after it went
        QVERIFY(bench.pages->open(u"about"_s));
        QCOMPARE(made, 2);
    }

    void actionsAreOneList()
    {
        Bench bench;
        QObject owner;
        int runs = 0;
        bench.actions->add({"weigh", {}, u"&Weigh"_s, u"Say how heavy it is"_s, {Qt::CTRL | Qt::Key_W, Qt::Key_F9}},
            &owner, [&] { ++runs; });
        bench.actions->add({"hidden", {}, u"Hidden"_s, u"Not in the palette"_s, {}, false}, &owner, [] {});
        QAction *weigh = bench.actions->action("weigh");
        QVERIFY(weigh && bench.window.actions().contains(weigh));
        QCOMPARE(weigh->shortcuts().size(), 2);
        QVERIFY(weigh->toolTip().contains("Ctrl+W"_L1));
        QVERIFY(!bench.actions->action("nobody's"));
        bench.actions->setEnabled({"close"}, false, u"No tab is open."_s);
        const QList<CommandPalette::Entry> entries = bench.actions->paletteEntries({});
        const auto at = [&](const QString &text) {
            return std::find_if(
                entries.cbegin(), entries.cend(), [&](const CommandPalette::Entry &each) { return each.text == text; });
        };
        QVERIFY(at(u"Hidden"_s) == entries.cend());
        QVERIFY(at(u"Weigh"_s) < at(u"Close tab"_s)); // what cannot be done now comes last
        at(u"Weigh"_s)->run();
        QCOMPARE(runs, 1);
    }

    // A colon, with which we name things elsewhere, is no part of a word.
    void wordsAreFoundWithAColon()
    {
        Bench bench;
        auto *field = new SearchField(SearchField::Kind::Search, {}, &bench.window);
        CommandPalette palette(field, &bench.window);
        palette.addSource([] { return QList<CommandPalette::Entry>{{u"Compare lr-sweep"_s, {}, {}, [] {}}}; });
        bench.window.show();
        palette.open();
        const QListView *list = nullptr;
        for (const QListView *each : bench.window.findChildren<QListView *>()) {
            list = each->accessibleName() == "Commands and jobs"_L1 ? each : list;
        }
        QVERIFY(list);
        field->setText(u"compare: lr"_s);
        QCOMPARE(list->model()->index(0, 0).data().toString(), u"Compare lr-sweep"_s);
    }

    void whatIsOffSaysWhy()
    {
        Bench bench;
        QObject owner;
        bench.actions->add({"weigh", {}, u"&Weigh"_s, u"Say how heavy it is"_s}, &owner, [] {});
        bench.actions->setEnabled({"weigh"}, false, u"There are no scales."_s);
        const QAction *weigh = bench.actions->action("weigh");
        QVERIFY2(weigh->toolTip().contains("heavy"_L1) && weigh->toolTip().contains("no scales"_L1),
            qPrintable(weigh->toolTip()));
        auto *field = new SearchField(SearchField::Kind::Search, {}, &bench.window);
        CommandPalette palette(field, &bench.window);
        palette.addSource([&] { return bench.actions->paletteEntries({}); });
        bench.window.resize(800, 600);
        bench.window.show();
        palette.open();
        const QListView *list = nullptr;
        for (const QListView *each : bench.window.findChildren<QListView *>()) {
            list = each->accessibleName() == "Commands and jobs"_L1 ? each : list;
        }
        QVERIFY(list);
        const auto row = [&] {
            const QModelIndexList found = list->model()->match(list->model()->index(0, 0), Qt::DisplayRole, u"Weigh"_s);
            return found.value(0);
        };
        QCOMPARE(row().data(Qt::AccessibleDescriptionRole).toString(), u"There are no scales."_s);
        const int withReason = list->visualRect(row()).height();
        QVERIFY(!row().flags().testFlag(Qt::ItemIsEnabled));
        bench.actions->setEnabled({"weigh"}, true, u"There are no scales."_s);
        QVERIFY(!weigh->toolTip().contains("scales"_L1));
        palette.open();
        QCOMPARE(row().data(Qt::AccessibleDescriptionRole).toString(), QString());
        QVERIFY(list->visualRect(row()).height() < withReason); // the reason has a line of its own
    }
};

TRAINYARD_GUI_TEST(TstWorkbench)
#include "tst_workbench.moc"
