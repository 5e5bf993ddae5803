// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/baroffers.h"
#include "app/gui/workbench/commandpalette.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/pagebars.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/statusline.h"
#include "app/gui/workbench/tabarea.h"
#include "app/gui/workbench/tabmenu.h"
#include "app/gui/workbench/workbench.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/form/designerpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QPaintEngine>
#include <QPainterPath>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyleOptionTab>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

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
    bool isFinishedRun() const override { return m_isFinished; }
    QString file() const override { return m_file; }
    QString jobUuid() const override { return m_uuid; }
    void setFinished() { m_isFinished = true; }
    void setJob(const QString &uuid) { m_uuid = uuid; }
    void setFile(const QString &file) { m_file = file; }
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
    bool m_isFinished = false;
    QString m_file, m_uuid;
    std::function<void(Answer)> m_question;
};

// Draws nothing, and remembers in which fonts words were to be drawn: a platform need not have a slanted one.
class FontEngine final : public QPaintEngine
{
public:
    QHash<QString, QFont> fonts; // by the words
    FontEngine() : QPaintEngine(AllFeatures) { }
    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState &) override { }
    void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override { }
    void drawPolygon(const QPointF *, int, PolygonDrawMode) override { }
    void drawPath(const QPainterPath &) override { }
    void drawTextItem(const QPointF &, const QTextItem &item) override { fonts.insert(item.text(), item.font()); }
    Type type() const override { return User; }
};

class FontDevice final : public QPaintDevice
{
public:
    explicit FontDevice(QSize size) : m_size(size) { }
    QPaintEngine *paintEngine() const override { return &m_engine; }
    QFont fontOf(const QString &words) const { return m_engine.fonts.value(words); }
    bool has(const QString &words) const { return m_engine.fonts.contains(words); }

protected:
    int metric(PaintDeviceMetric which) const override
    {
        constexpr int dots = 96;
        switch (which) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmWidthMM:
            return m_size.width() * 254 / (10 * dots);
        case PdmHeightMM:
            return m_size.height() * 254 / (10 * dots);
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dots;
        case PdmNumColors:
            return 1 << 24;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        default:
            return QPaintDevice::metric(which);
        }
    }

private:
    QSize m_size;
    mutable FontEngine m_engine;
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
        QVERIFY2(file.endsWith(u"me"_s) && file.startsWith(u"a_"_s) && file.contains(u'…'), qPrintable(file));
        const auto comparison = [&](QChar last) { return shortTitle(u"cpu_train_with_rate-"_s + last, metrics, room); };
        QVERIFY2(comparison(u'1') != comparison(u'2'), qPrintable(comparison(u'1')));
        QCOMPARE(shortTitle(u"a_job.pai.yaml"_s, metrics, room), u"a_job"_s);
    }

    // A file is read before its page is in the window.
    void saysThatAnOpenedTextIsBeingChecked()
    {
        Bench bench;
        auto *designer = new DesignerPage;
        designer->newDocument(QByteArray("#\n").repeated(32 * 1024), u"large.pai.yaml"_s); // checked on another thread
        QVERIFY(designer->isBeingChecked());
        bench.workbench->add(new DocumentTab(designer));
        const auto saysSo = [&bench] {
            const QList<QAbstractButton *> buttons = bench.status->findChildren<QAbstractButton *>();
            return std::any_of(buttons.cbegin(), buttons.cend(),
                [](const QAbstractButton *button) { return button->text() == u"Checking…"_s; });
        };
        QVERIFY(saysSo());
        QTRY_VERIFY(!saysSo());
    }

    // What answered the user on one page says nothing on the next one, where it has been read. What lasts, what can be
    // answered and what is of a page stay.
    void answersOfTheWindowGoWithThePage()
    {
        Bench bench;
        NotePage *one = bench.open(u"one"_s);
        NotePage *other = bench.open(u"other"_s);
        bench.window.setCentralWidget(bench.bars);
        bench.window.show();
        InfoBar *bar = bench.workbench->windowBar();
        const auto goesWith = [&](const std::function<void()> &say) {
            bench.workbench->show(one);
            say();
            bench.workbench->show(one);
            const bool stayed = !bar->isHidden();
            bench.workbench->show(other);
            return stayed && bar->isHidden();
        };
        const auto say = [&] { bench.workbench->say(u"It cannot be reached."_s); };
        QVERIFY(!goesWith(say)); // nobody has read it yet
        bench.bars->setReadingTime({});
        QVERIFY(goesWith(say));
        QVERIFY(!goesWith([&] {
            say();
            bar->addAction(u"Undo"_s);
        }));
        QVERIFY(!goesWith([&] {
            say();
            bar->setLasting(true);
        }));
        QVERIFY(goesWith(say)); // another message is another matter
        bench.workbench->sayOf(other, u"Of the page."_s);
        bench.workbench->show(one);
        QVERIFY(!bench.workbench->barOf(other)->isHidden());
    }

    // One that was not read when another page came goes when it is.
    void answersGoFromAPageThatTheyAreNotAbout()
    {
        Bench bench;
        NotePage *one = bench.open(u"one"_s);
        NotePage *other = bench.open(u"other"_s);
        bench.window.setCentralWidget(bench.bars);
        bench.window.show();
        InfoBar *bar = bench.workbench->windowBar();
        bench.bars->setReadingTime(std::chrono::milliseconds(200));
        bench.workbench->show(one);
        bench.workbench->say(u"It cannot be reached."_s);
        bench.workbench->show(other);
        QTRY_VERIFY(bar->isHidden());
        bench.workbench->say(u"It can be undone."_s);
        bar->addAction(u"Undo"_s);
        bench.workbench->show(one);
        bar->goSoon(std::chrono::milliseconds(0)); // no bar that can be answered goes by itself
        QCoreApplication::processEvents();
        QVERIFY(!bar->isHidden());
    }

    // What is said of a job is on its page, also when that opens later.
    void answersGoToThePageOfTheirJob()
    {
        Bench bench;
        bench.open(u"one"_s);
        bench.window.setCentralWidget(bench.bars);
        bench.window.show();
        InfoBar *bar = bench.workbench->windowBar();
        bench.workbench->sayOfJob(u"uuid-7"_s, u"It cannot be <stopped>."_s);
        QVERIFY(!bar->isHidden());
        auto *another = new NotePage(u"another"_s);
        another->setJob(u"uuid-8"_s);
        bench.workbench->add(another);
        QVERIFY(!bar->isHidden());
        auto *job = new NotePage(u"job"_s);
        job->setJob(u"uuid-7"_s);
        bench.workbench->add(job);
        QVERIFY(bar->isHidden());
        QCOMPARE(bench.workbench->barOf(job)->text(), u"It cannot be &lt;stopped&gt;."_s);
        QCOMPARE(bench.workbench->barOf(job)->kind(), InfoBar::Kind::Failed);
        QVERIFY(bench.workbench->barOf(another)->isHidden());
        bench.workbench->sayOfJob(u"uuid-7"_s, u"Nor can it be paused."_s);
        QVERIFY(bar->isHidden());
        QCOMPARE(bench.workbench->barOf(job)->text(), u"Nor can it be paused."_s);
    }

    // Beside the arrows of a full bar, and where it has been scrolled, a tab may be there in part: its icon is whole,
    // and there are letters beside it, or it is not there.
    void iconsOfTabsAreWhole()
    {
        QPixmap mark(15, 15);
        mark.fill(Qt::magenta);
        TabArea area;
        QList<QWidget *> pages;
        for (int i = 0; i < 12; ++i) {
            pages.append(new QWidget);
            area.addPage(pages.constLast(), mark, u"a job with a name %1"_s.arg(i), i == 0);
        }
        area.show();
        int last = 0; // where the last one in sight ends
        const auto widths = [&area, &last] { // of the marks in sight
            QList<int> found;
            const QImage picture = area.tabBar()->grab().toImage();
            int run = 0;
            for (int x = 0; x <= picture.width(); ++x) {
                const bool isMark
                    = x < picture.width() && picture.pixelColor(x, picture.height() / 2) == QColor(Qt::magenta);
                if (!isMark && run > 0) {
                    found.append(run);
                    last = x;
                }
                run = isMark ? run + 1 : 0;
            }
            return found;
        };
        for (int width = 500; width < 640; width += 3) {
            area.resize(width, 300);
            area.setCurrentPage(pages.at(width % 12));
            QCoreApplication::processEvents();
            const QList<int> found = widths();
            QVERIFY(!found.isEmpty());
            for (const int each : found) {
                QVERIFY2(each == 15, qPrintable(u"%1 in %2"_s.arg(QString::number(each), QString::number(width))));
            }
            int end = area.tabBar()->width();
            for (const QToolButton *arrow : area.tabBar()->findChildren<QToolButton *>(Qt::FindDirectChildrenOnly)) {
                end = arrow->isVisible() ? std::min(end, arrow->x()) : end;
            }
            QVERIFY2(end - last >= TabArea::leastWords,
                qPrintable(u"%1 in %2"_s.arg(QString::number(end - last), QString::number(width))));
        }
    }

    // While the palette is open a page may change, and its actions with it.
    void paletteOutlivesActionsOfAPage()
    {
        Bench bench;
        auto own = std::make_unique<QAction>(u"Save this plot"_s);
        const QSignalSpy done(own.get(), &QAction::triggered);
        const QList<CommandPalette::Entry> entries = bench.actions->paletteEntries({own.get()});
        const auto entry = std::find_if(
            entries.cbegin(), entries.cend(), [](const auto &each) { return each.text == u"Save this plot"_s; });
        QVERIFY(entry != entries.cend());
        entry->run();
        QCOMPARE(done.count(), 1);
        own.reset();
        entry->run(); // does nothing
        QCOMPARE(done.count(), 1);
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

    // What needs an answer waits for its turn: nothing that is said later takes its place.
    void offersAreNotLost()
    {
        Bench bench;
        NotePage *page = bench.open(u"one"_s);
        bench.window.show();
        QStringList done;
        const auto offer = [&done](const QString &topic) {
            return BarOffer{topic, InfoBar::Kind::Info, u"about "_s + topic,
                {{u"Do it"_s, u"do-"_s + topic, [&done, topic] { done.append(topic); }}}};
        };
        BarOffers *offers = bench.workbench->offers();
        const auto button = [&bench]() -> QPushButton * { // the one that can be pressed
            const auto all = bench.window.findChildren<QPushButton *>();
            const auto it = std::find_if(all.cbegin(), all.cend(),
                [](const QPushButton *each) { return each->isVisible() && each->objectName().startsWith("do-"_L1); });
            return it == all.cend() ? nullptr : *it;
        };
        const auto topic = [&button] { return button() ? button()->objectName().mid(3) : QString(); };
        offers->add(offer(u"lab1"_s));
        offers->add(offer(u"lab2"_s));
        QCOMPARE(topic(), u"lab1"_s);
        const InfoBar *bar = bench.workbench->shownBar();
        QVERIFY2(bar->text().startsWith(u"about lab1. "_s), qPrintable(bar->text())); // and how many come after it
        bench.workbench->say(u"a message"_s);
        bench.workbench->sayOf(page, u"another one"_s);
        QCOMPARE(topic(), u"lab1"_s);
        QCOMPARE(bench.workbench->shownBar()->text(), u"another one"_s);
        bench.workbench->hideBars(page);
        QCOMPARE(topic(), u"lab1"_s);
        // Who waits for something is told first, and what was there comes after it.
        offers->add(offer(u"asked"_s), BarOffers::Turn::First);
        QCOMPARE(topic(), u"asked"_s);
        button()->click();
        QCOMPARE(done, QStringList(u"asked"_s));
        QCOMPARE(topic(), u"lab1"_s);
        // Closed by its cross, it gives way to the next one, too.
        auto *cross = bar->findChild<QToolButton *>();
        QVERIFY(cross);
        cross->click();
        QCOMPARE(topic(), u"lab2"_s);
        QCOMPARE(bar->text(), u"about lab2"_s);
        offers->add(offer(u"lab3"_s));
        offers->takeBack(u"lab3"_s); // it was not in sight
        QVERIFY(!offers->isOffered(u"lab3"_s));
        QCOMPARE(topic(), u"lab2"_s);
        QCOMPARE(bar->text(), u"about lab2"_s);
        offers->takeBack(u"lab2"_s);
        QVERIFY(bar->isHidden());
        QCOMPARE(done, QStringList(u"asked"_s));
    }

    // Its title is slanted. A double click on its tab keeps it.
    void temporaryPagesAreKept()
    {
        Bench bench;
        NotePage *page = bench.open(u"a page"_s);
        QTabBar *bar = bench.tabs->tabBar();
        bench.tabs->resize(600, 300); // room for the whole title
        bench.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bench.window));
        const auto isSlanted = [bar]() -> std::optional<bool> { // nothing: its words were not drawn
            FontDevice device(bar->size());
            bar->render(&device, {}, {}, QWidget::RenderFlags());
            return device.has(u"a page"_s) ? std::optional(device.fontOf(u"a page"_s).italic()) : std::nullopt;
        };
        QTRY_COMPARE(isSlanted(), std::optional(false));
        page->setTemporary(true);
        QCOMPARE(isSlanted(), std::optional(true));
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(0).center());
        QVERIFY(!page->isTemporary());
        QCOMPARE(isSlanted(), std::optional(false));
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

    // Of many runs, without looking for one of their tabs.
    void finishedRunsAreClosedByAnAction()
    {
        Bench bench;
        QAction *action = bench.actions->action("closeFinished");
        QVERIFY(action);
        bench.open(u"one"_s);
        bench.workbench->refresh();
        QVERIFY(!action->isEnabled());
        QVERIFY2(action->toolTip().contains(u"No run that has ended"_s), qPrintable(action->toolTip()));
        bench.open(u"two"_s)->setFinished();
        bench.open(u"three"_s)->setFinished();
        bench.workbench->refresh();
        QVERIFY(action->isEnabled());
        action->trigger();
        QCOMPARE(bench.workbench->pages().size(), 1);
        QCOMPARE(bench.workbench->front()->title(), u"one"_s);
        QVERIFY(!action->isEnabled());
    }

    void tabsAreClosedByTheirMenu()
    {
        Bench bench;
        const auto run = [&bench](NotePage *page, const char *name) {
            TabMenu tabMenu(bench.workbench, bench.tabs);
            QMenu menu;
            tabMenu.fill(&menu, page);
            auto *entry = menu.findChild<QAction *>(QLatin1String(name));
            const bool can = entry && entry->isEnabled();
            if (can) {
                entry->trigger();
            }
            return can;
        };
        const auto titles = [&bench] {
            QStringList all;
            for (const Page *page : bench.workbench->pages()) {
                all.append(page->title());
            }
            return all;
        };
        NotePage *document = bench.open(u"document"_s);
        bench.open(u"one"_s)->setFinished();
        NotePage *running = bench.open(u"two"_s);
        bench.open(u"three"_s)->setFinished();
        QVERIFY(!run(document, "copyPath") && !run(document, "showInFolder"));
        QVERIFY(run(running, "closeFinished"));
        QCOMPARE(titles(), (QStringList{u"document"_s, u"two"_s}));
        QVERIFY(!run(running, "closeFinished") && !run(running, "closeRight"));
        bench.open(u"four"_s);
        QVERIFY(run(running, "closeRight"));
        QCOMPARE(titles(), (QStringList{u"document"_s, u"two"_s}));
        QVERIFY(!run(document, "closeRuns"));
        running->setJob(u"uuid"_s);
        NotePage *finished = bench.open(u"five"_s);
        finished->setJob(u"uuid of another"_s);
        finished->setFinished();
        QVERIFY(run(document, "closeRuns"));
        QCOMPARE(titles(), QStringList{u"document"_s});
        running = bench.open(u"two"_s);
        document->setFile(u"/somewhere/job.pai.yaml"_s);
        QVERIFY(run(document, "copyPath"));
        QCOMPARE(QApplication::clipboard()->text(), u"/somewhere/job.pai.yaml"_s);
        QVERIFY(run(document, "showInFolder")); // which has gone
        QVERIFY(bench.workbench->barOf(document)->text().contains(u"/somewhere"_s));
        QVERIFY(run(running, "closeOthers"));
        QCOMPARE(titles(), QStringList(u"two"_s));
        QVERIFY(run(running, "closeTab"));
        QVERIFY(titles().isEmpty());
    }

    // Each that would lose something is asked about in turn; what loses nothing goes without.
    void closingSeveralAsksEach()
    {
        Bench bench;
        NotePage *kept = bench.open(u"kept"_s);
        NotePage *first = bench.open(u"first"_s);
        bench.open(u"plain"_s);
        NotePage *second = bench.open(u"second"_s);
        first->setUnsaved(true);
        second->setUnsaved(true);
        const QList<Page *> all = bench.workbench->pages().mid(1);
        bench.workbench->close(all);
        QCOMPARE(bench.workbench->pages(), (QList<Page *>{kept, first, second}));
        QCOMPARE(bench.workbench->front(), first);
        first->answer(Page::Answer::Cancelled); // which is meant for the one after it, too
        QCOMPARE(bench.workbench->pages().size(), 3);
        bench.workbench->close(QList<Page *>{first, second});
        first->answer(Page::Answer::Discarded);
        QCOMPARE(bench.workbench->pages(), (QList<Page *>{kept, second}));
        QCOMPARE(bench.workbench->front(), second);
        second->answer(Page::Answer::Saved);
        QCOMPARE(bench.workbench->pages(), QList<Page *>{kept});
    }

    // By the mouse; and a list of all appears when they do not fit.
    void manyTabsAreListed()
    {
        Bench bench;
        new TabMenu(bench.workbench, bench.tabs);
        bench.window.setCentralWidget(bench.tabs);
        bench.window.resize(900, 400);
        bench.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bench.window));
        NotePage *first = bench.open(u"the first of many"_s);
        auto *list = bench.tabs->findChild<QToolButton *>(u"tabList"_s);
        QVERIFY(list && !list->isVisible());
        for (int i = 0; i < 20; ++i) {
            bench.open(u"a job of this window #%1"_s.arg(i));
        }
        QTRY_VERIFY(list->isVisible());
        Q_EMIT list->menu()->aboutToShow();
        QCOMPARE(list->menu()->actions().size(), 21);
        QCOMPARE(bench.workbench->front()->title(), u"a job of this window #19"_s);
        list->menu()->actions().constFirst()->trigger();
        QCOMPARE(bench.workbench->front(), first);
        QTabBar *bar = bench.tabs->tabBar();
        const QPoint at = bar->tabRect(bar->currentIndex()).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, bar->mapToGlobal(at));
        QApplication::sendEvent(bar, &event);
        QPointer<QMenu> menu = bench.tabs->findChild<QMenu *>(u"tabMenu"_s);
        QVERIFY(menu && menu->isVisible());
        menu->close();
        bench.workbench->close(bench.workbench->pages().mid(1));
        QTRY_VERIFY(!list->isVisible());
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

    // A colon, with which we name things elsewhere, is no part of a word, nor are the dots of a menu.
    void wordsAreFoundWithAColonOrDots()
    {
        Bench bench;
        auto *field = new SearchField(SearchField::Kind::Search, {}, &bench.window);
        CommandPalette palette(field, &bench.window);
        palette.addSource([] {
            return QList<CommandPalette::Entry>{{u"Compare lr-sweep"_s, {}, {}, [] {}}, {u"Export…"_s, {}, {}, [] {}}};
        });
        bench.window.show();
        palette.open();
        const QListView *list = nullptr;
        for (const QListView *each : bench.window.findChildren<QListView *>()) {
            list = each->accessibleName() == "Commands and jobs"_L1 ? each : list;
        }
        QVERIFY(list);
        field->setText(u"compare: lr"_s);
        QCOMPARE(list->model()->index(0, 0).data().toString(), u"Compare lr-sweep"_s);
        // Few keyboards have the character with which menus say that a dialog follows.
        for (const QString &typed : {u"export..."_s, u"Export."_s, u"export…"_s}) {
            field->setText(typed);
            QCOMPARE(list->model()->rowCount(), 1);
            QCOMPARE(list->model()->index(0, 0).data().toString(), u"Export…"_s);
        }
    }

    // The command line calls it so.
    void templatesAreFoundByTheirFile()
    {
        Bench bench;
        auto *field = new SearchField(SearchField::Kind::Search, {}, &bench.window);
        CommandPalette palette(field, &bench.window);
        const QString title = u"New from template: Parameter server"_s;
        palette.addSource([&title] {
            return QList<CommandPalette::Entry>{
                {u"Compare lr-sweep"_s, {}, {}, [] {}}, {title, {}, {}, [] {}, true, {}, {}, u"quickstart.pai.yaml"_s}};
        });
        bench.window.show();
        palette.open();
        const auto lists = bench.window.findChildren<QListView *>();
        const auto list = std::find_if(lists.cbegin(), lists.cend(),
            [](const QListView *each) { return each->accessibleName() == "Commands and jobs"_L1; });
        QVERIFY(list != lists.cend());
        field->setText(u"template quickstart"_s);
        QCOMPARE((*list)->model()->rowCount(), 1);
        QCOMPARE((*list)->model()->index(0, 0).data().toString(), title);
    }

    // With nothing typed. What cannot be done now stays behind all that can.
    void lastUsedComesFirst()
    {
        Bench bench;
        QObject owner;
        for (const char *id : {"Alpha", "Beta", "Gamma", "Delta"}) {
            bench.actions->add({id, {}, QString::fromLatin1(id), u"Do it"_s}, &owner, [] {});
        }
        bench.actions->setEnabled({"Delta"}, false, u"Not now."_s);
        bench.actions->add({"Zeta", {}, u"Zeta"_s, u"Do it"_s, {}, true, {}, false}, &owner, [] {});
        auto *field = new SearchField(SearchField::Kind::Search, {}, &bench.window);
        CommandPalette palette(field, &bench.window);
        palette.addSource([&] { return bench.actions->paletteEntries({}); });
        QStringList used{u"action:Zeta"_s, u"action:Delta"_s, u"job:removed"_s, u"action:Gamma"_s, u"action:Beta"_s};
        palette.setUsed([&] { return used; });
        QSignalSpy noted(&palette, &CommandPalette::used);
        bench.window.show();
        palette.open();
        const QListView *list = nullptr;
        for (const QListView *each : bench.window.findChildren<QListView *>()) {
            list = each->accessibleName() == "Commands and jobs"_L1 ? each : list;
        }
        QVERIFY(list);
        const auto first = [&](int rows) {
            QStringList texts;
            for (int row = 0; row < rows; ++row) {
                texts.append(list->model()->index(row, 0).data().toString());
            }
            return texts;
        };
        QCOMPARE(first(3), QStringList({u"Gamma"_s, u"Beta"_s, u"Alpha"_s}));
        field->setText(u"a"_s); // what fits best comes first
        QCOMPARE(first(1), QStringList(u"Alpha"_s));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(noted.size(), 1);
        QCOMPARE(noted.constFirst().constFirst().toString(), u"action:Alpha"_s);
        used.prepend(u"action:Alpha"_s);
        palette.open();
        QCOMPARE(first(3), QStringList({u"Alpha"_s, u"Gamma"_s, u"Beta"_s}));
        // What a hasty Return must not do again is not remembered.
        field->setText(u"zeta"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(noted.size(), 1);
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

private:
    static int roomForText(const QTabBar *bar, int index)
    {
        QStyleOptionTab tab;
        tab.initFrom(bar);
        tab.rect = bar->tabRect(index);
        tab.icon = bar->tabIcon(index);
        tab.iconSize = bar->iconSize();
        tab.rightButtonSize = bar->tabButton(index, QTabBar::RightSide)->size();
        return bar->style()->subElementRect(QStyle::SE_TabBarTabText, &tab, bar).width();
    }

private Q_SLOTS:
    // Names of usual length are whole, however many tabs there are.
    void fullBarShowsUsualNames()
    {
        TabArea tabs;
        tabs.resize(1000, 400);
        tabs.show();
        const QStringList names{QStringLiteral("one_script #12"), QStringLiteral("train.pai.yaml"),
            QStringLiteral("2 runs compared"), QStringLiteral("my_train compared")};
        for (int i = 0; i < 12; ++i) {
            tabs.addPage(new QWidget, icon(QStringLiteral("document")), names.at(i % 4), true);
        }
        const QTabBar *bar = tabs.tabBar();
        QTRY_VERIFY(
            bar->tabRect(11).right() - bar->tabRect(0).left() >= bar->width()); // they are as narrow as they may be
        for (const int i : {4, 5, 6, 7}) {
            const int room = roomForText(bar, i), wanted = bar->fontMetrics().horizontalAdvance(names.at(i % 4));
            QVERIFY2(
                room >= wanted, qPrintable(QStringLiteral("%1: %2 of %3").arg(names.at(i % 4)).arg(room).arg(wanted)));
        }
    }

    // Without its suffix a document needs less than a name without one, and leaves no blank where that was.
    void suffixesLeaveTheirRoom()
    {
        TabArea tabs;
        tabs.resize(1000, 400);
        tabs.show();
        for (int i = 0; i < 12; ++i) {
            tabs.addPage(new QWidget, icon(QStringLiteral("document")), QStringLiteral("untitled-2.pai.yaml"), true);
        }
        const QTabBar *bar = tabs.tabBar();
        QTRY_VERIFY(bar->tabRect(11).right() - bar->tabRect(0).left() >= bar->width());
        const int room = roomForText(bar, 4),
                  wanted = bar->fontMetrics().horizontalAdvance(QStringLiteral("untitled-2"));
        QVERIFY2(room >= wanted && room <= wanted + 16, qPrintable(QStringLiteral("%1 for %2").arg(room).arg(wanted)));
    }
};

TRAINYARD_GUI_TEST(TstWorkbench)
#include "tst_workbench.moc"
