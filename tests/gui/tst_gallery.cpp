// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/gallerypage.h"
#include "app/gui/pages/templatecard.h"
#include "app/gui/pages/welcomepage.h"
#include "app/gui/templateshelf.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/form/designerpage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QImage>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>
#include <utility>

using namespace trainyard;

class TstGallery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void findsByWords();
    void wordsOfAStartEndBeforeItsKey();
    void headFitsANarrowPage();
    void keysWalkOverCards();
    void everyTemplateOpens();
    void ownTemplates();
    void catalogueFolder();
    void isReachableFromEverywhere();
    void windowFitsTheScreen();
    void welcomeShowsWhatFits();
    void galleryFillsItsWidth();
    void welcomeFits_data();
    void welcomeFits();
    void welcomeFactsStay();
    void marksWhatEnterOpens();
    void welcomeUsesItsWidth();

private:
    WindowFixture m_fixture;
};

void TstGallery::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstGallery::findsByWords()
{
    TemplateShelf shelf;
    GalleryPage page(&shelf);
    page.resize(1200, 800);
    page.show();
    QVERIFY(page.shownCards().size() >= 10);
    page.searchField()->setText(QStringLiteral("horovod ssh"));
    QCOMPARE(page.shownCards().size(), 1);
    QCOMPARE(page.shownCards().first()->job().id, QStringLiteral("mpi-horovod"));
    QSignalSpy wanted(&page, &GalleryPage::templateRequested);
    QTest::keyClick(page.searchField(), Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.at(0).at(0).toString(), QStringLiteral("mpi-horovod"));
    page.searchField()->setText(QStringLiteral("no such thing"));
    QVERIFY(page.shownCards().isEmpty());
    page.searchField()->clear();
    const QString category = page.shownCards().first()->job().category;
    const QList<QPushButton *> choices = page.findChildren<QPushButton *>();
    const auto choice = std::find_if(choices.cbegin(), choices.cend(),
        [&](const QPushButton *button) { return button->isCheckable() && button->text() == plainCaption(category); });
    QVERIFY(choice != choices.cend());
    (*choice)->click();
    QVERIFY(!page.shownCards().isEmpty());
    for (const TemplateCard *card : page.shownCards()) {
        QCOMPARE(card->job().category, category);
    }
}

// What has no room beside it is in the tip.
void TstGallery::wordsOfAStartEndBeforeItsKey()
{
    WelcomePage page;
    const auto buttons = page.findChildren<QAbstractButton *>();
    const auto found = std::find_if(buttons.cbegin(), buttons.cend(), [](const QAbstractButton *button) {
        return button->accessibleDescription() == QStringLiteral("A form and its YAML, side by side");
    });
    QVERIFY(found != buttons.cend());
    QAbstractButton *start = *found;
    start->setParent(nullptr); // by itself it has any width
    const std::unique_ptr<QAbstractButton> owner(start);
    start->show();
    start->resize(600, start->height());
    QTRY_COMPARE(start->width(), 600);
    QVERIFY2(start->toolTip().isEmpty(), qPrintable(start->toolTip()));
    start->resize(200, start->height());
    QTRY_VERIFY(start->toolTip().contains(start->accessibleDescription()));
    const QImage narrow = start->grab().toImage();
    const auto *key = start->findChild<QWidget *>();
    QVERIFY(key);
    const double ratio = narrow.devicePixelRatio();
    const int before = int((key->x() - 3) * ratio); // between the words and the key there is the ground alone
    for (int y = int(8 * ratio); y < narrow.height() - int(8 * ratio); ++y) {
        QCOMPARE(narrow.pixel(before, y), narrow.pixel(before, int(8 * ratio)));
    }
}

// The field gets shorter, then the button loses its words; nothing covers anything.
void TstGallery::headFitsANarrowPage()
{
    TemplateShelf shelf;
    GalleryPage page(&shelf);
    page.show();
    auto *folder = page.findChild<QPushButton *>(QStringLiteral("galleryFolder"));
    const QString words = folder->text();
    for (const int width : {1000, 560, 320, 1000}) {
        page.resize(width, 400);
        QApplication::processEvents();
        QCOMPARE(page.width(), width);
        const QRect field = page.searchField()->geometry();
        const QByteArray where = QByteArray::number(width);
        QVERIFY2(field.right() < folder->geometry().left(), where.constData());
        QVERIFY2(folder->geometry().right() < width, where.constData());
        QVERIFY2(folder->width() >= folder->sizeHint().width(), where.constData());
        QCOMPARE(folder->text().isEmpty(), width < 400);
        QCOMPARE(folder->accessibleName(), words);
    }
    QCOMPARE(page.searchField()->width(), 260);
}

void TstGallery::keysWalkOverCards()
{
    TemplateShelf shelf;
    GalleryPage page(&shelf);
    page.resize(1200, 900); // three columns
    page.show();
    QApplication::setActiveWindow(&page);
    QTRY_VERIFY(page.isActiveWindow());
    page.searchField()->setFocus();
    QTest::keyClick(page.searchField(), Qt::Key_Down);
    const QList<TemplateCard *> cards = page.shownCards();
    QVERIFY(cards.at(0)->hasFocus());
    QTest::keyClick(cards.at(0), Qt::Key_Right);
    QVERIFY(cards.at(1)->hasFocus());
    QTest::keyClick(cards.at(1), Qt::Key_Left);
    // Every card can be reached with Down and Right alone.
    QSet<QWidget *> reached;
    for (TemplateCard *start = cards.at(0);;) {
        QWidget *at = QApplication::focusWidget();
        reached.insert(at);
        QTest::keyClick(at, Qt::Key_Right);
        if (QApplication::focusWidget() == at) {
            break;
        }
        QVERIFY(reached.size() <= cards.size());
        Q_UNUSED(start)
    }
    QCOMPARE(reached.size(), cards.size());
    cards.at(0)->setFocus();
    QTest::keyClick(cards.at(0), Qt::Key_Down);
    auto *below = qobject_cast<TemplateCard *>(QApplication::focusWidget());
    QVERIFY(below && below != cards.at(0));
    QVERIFY(below->y() > cards.at(0)->y());
    QCOMPARE(below->x(), cards.at(0)->x());
    QTest::keyClick(below, Qt::Key_Up);
    QVERIFY(cards.at(0)->hasFocus());
    QTest::keyClick(cards.at(0), Qt::Key_Up);
    QVERIFY(page.searchField()->hasFocus());
    cards.at(0)->setFocus();
    QTest::keyClick(cards.at(0), Qt::Key_J); // typing searches
    QCOMPARE(page.searchField()->text(), QStringLiteral("j"));
}

void TstGallery::everyTemplateOpens()
{
    const auto window = m_fixture.makeWindow();
    window->resize(1200, 800);
    window->show();
    window->action("newFromTemplate")->trigger();
    auto *page = qobject_cast<GalleryPage *>(window->tabs()->currentPage());
    QVERIFY(page);
    const QList<TemplateCard *> cards = page->shownCards();
    for (TemplateCard *card : cards) {
        window->action("newFromTemplate")->trigger();
        card->click();
        DesignerPage *designer = window->currentDesigner();
        QVERIFY(designer);
        QVERIFY(designer->filePath().isEmpty()); // a new document
        QCOMPARE(designer->displayName(), designer->fileName()); // as Save calls it
        QCOMPARE(designer->bytes(), card->job().yaml().value_or(QByteArray()));
        QTRY_VERIFY2(designer->canRun(), qPrintable(designer->runBlockers().join(QLatin1Char(' '))));
        // Of one, the script is that of whoever uses it, and not there yet.
        const int missing = designer->bytes().contains("\n  script: train.py\n") ? 1 : 0;
        QTRY_COMPARE(designer->warningCount(), missing);
        QCOMPARE(designer->errorCount(), 0);
    }
}

void TstGallery::ownTemplates()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    window->newDocument(sampleJob + "secrets:\n  key: hush-hush\n", QStringLiteral("x.yaml"));
    window->saveAsTemplate(QStringLiteral("mine"));
    QVERIFY(window->bar()->isVisible());
    window->saveAsTemplate(QStringLiteral("mine")); // refused, in words
    QCOMPARE(window->bar()->kind(), InfoBar::Kind::Failed);
    window->action("newFromTemplate")->trigger();
    auto *page = qobject_cast<GalleryPage *>(window->tabs()->currentPage());
    TemplateCard *card = page->shownCards().first();
    QCOMPARE(card->job().title, QStringLiteral("mine"));
    QVERIFY(!card->job().yaml().value_or("hush").contains("hush"));
    // The menu is about the template, also when the cards are made anew while it is open.
    Q_EMIT card->menuRequested(card->mapToGlobal(QPoint(1, 1)));
    auto *menu = page->findChild<QMenu *>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(menu);
    window->shelf()->reload();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    const QList<QAction *> entries = menu->actions();
    for (QAction *entry : entries) {
        if (entry->text() == QStringLiteral("Rename…")) {
            entry->trigger();
        }
    }
    auto *asked = page->findChild<QInputDialog *>();
    QVERIFY(asked);
    QCOMPARE(asked->textValue(), QStringLiteral("mine"));
    asked->close();
    menu->close();
    card = page->shownCards().first();
    page->rename(card->job().path, QStringLiteral("better"));
    QCOMPARE(page->shownCards().first()->job().title, QStringLiteral("better"));
    const qsizetype count = page->shownCards().size();
    page->remove(page->shownCards().first()->job().path);
    QCOMPARE(page->shownCards().size(), count - 1);
    auto *undo = page->findChild<QPushButton *>(QStringLiteral("galleryUndo"));
    QVERIFY(undo);
    undo->click();
    QCOMPARE(page->shownCards().size(), count);
    QCOMPARE(page->shownCards().first()->job().title, QStringLiteral("better"));
    page->remove(page->shownCards().first()->job().path);
}

void TstGallery::catalogueFolder()
{
    m_fixture.write(QStringLiteral("shared/team.yaml"), sampleJob);
    m_fixture.write(QStringLiteral("shared/broken.yaml"), "a: [\n");
    const auto window = m_fixture.makeWindow();
    window->show();
    window->setCatalogue(m_fixture.path(QStringLiteral("shared")));
    window->action("newFromTemplate")->trigger();
    auto *page = qobject_cast<GalleryPage *>(window->tabs()->currentPage());
    QCOMPARE(page->shownCards().first()->job().title, QStringLiteral("team"));
    const auto bars = page->findChildren<InfoBar *>();
    QVERIFY(std::any_of(bars.cbegin(), bars.cend(),
        [](const InfoBar *bar) { return bar->isVisible() && bar->text().contains(QStringLiteral("broken.yaml")); }));
    // A file that comes is shown.
    m_fixture.write(QStringLiteral("shared/later.yaml"), sampleJob);
    QTRY_COMPARE(page->shownCards().first()->job().title, QStringLiteral("later"));
    // The setting lasts.
    QCOMPARE(m_fixture.makeWindow()->shelf()->catalogue(), m_fixture.path(QStringLiteral("shared")));
    window->setCatalogue({});
}

void TstGallery::isReachableFromEverywhere()
{
    const auto window = m_fixture.makeWindow();
    window->show();
    auto *all = window->findChild<QPushButton *>(QStringLiteral("welcomeGallery"));
    QVERIFY(all);
    all->click();
    QVERIFY(qobject_cast<GalleryPage *>(window->tabs()->currentPage()));
    window->action("close")->trigger();
    QVERIFY(!qobject_cast<GalleryPage *>(window->tabs()->currentPage()));
    auto *menu = window->findChild<QMenu *>(QStringLiteral("newMenu"));
    QVERIFY(menu && menu->actions().contains(window->action("newFromTemplate")));
    window->action("newFromTemplate")->trigger();
    QVERIFY(qobject_cast<GalleryPage *>(window->tabs()->currentPage()));
}

void TstGallery::windowFitsTheScreen()
{
    const auto window = m_fixture.makeWindow();
    const QSize screen = window->screen()->availableGeometry().size();
    QVERIFY(window->width() <= screen.width() && window->height() <= screen.height());
}

// A tall window shows more of the templates, in whole rows, and says how to see the rest.
void TstGallery::welcomeShowsWhatFits()
{
    TemplateShelf shelf;
    WelcomePage page;
    page.setTemplates(shelf.templates());
    page.resize(1350, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto shown = [&page] {
        QList<TemplateCard *> cards = page.findChildren<TemplateCard *>();
        cards.removeIf([](const TemplateCard *card) { return !card->isVisible(); });
        return cards;
    };
    const auto *all = page.findChild<QPushButton *>(QStringLiteral("welcomeGallery"));
    const qsizetype few = shown().size();
    QVERIFY(few >= 6 && few < shelf.templates().size());
    QVERIFY(all->isVisible());
    page.resize(1350, 880);
    QTRY_VERIFY2(shown().size() > few, qPrintable(QString::number(shown().size())));
    QCoreApplication::processEvents();
    const QList<TemplateCard *> more = shown();
    for (const TemplateCard *card : more) {
        QVERIFY(card->mapTo(&page, QPoint(0, card->height())).y() <= page.height());
    }
    page.resize(1350, 3000);
    QTRY_COMPARE(shown().size(), shelf.templates().size());
    QVERIFY(!all->isVisible());
    // Both headings stand on one line.
    const auto heading = [&page](const QString &text) {
        const auto labels = page.findChildren<QLabel *>();
        const auto found = std::find_if(
            labels.cbegin(), labels.cend(), [&text](const QLabel *label) { return label->text() == text; });
        const QLabel *label = found == labels.cend() ? nullptr : *found;
        return label ? label->mapTo(&page, label->rect().center()).y() : -1;
    };
    QCOMPARE(heading(QStringLiteral("Start")), heading(QStringLiteral("Templates")));
}

// No category has a card for a fourth column: three take the room of a window of 1600 pixels.
void TstGallery::galleryFillsItsWidth()
{
    TemplateShelf shelf;
    GalleryPage page(&shelf);
    page.resize(1350, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QCoreApplication::processEvents();
    int right = 0;
    for (const TemplateCard *card : page.shownCards()) {
        right = std::max(right, card->mapTo(&page, QPoint(card->width(), 0)).x());
    }
    QVERIFY2(page.width() - right < 60, qPrintable(QString::number(right)));
}

void TstGallery::welcomeFits_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("isBeside");
    QTest::newRow("large") << 1200 << true;
    QTest::newRow("1300 with the side bar") << 1051 << true;
    QTest::newRow("one column of cards") << 800 << true;
    QTest::newRow("900 with the side bar") << 651 << false;
}

// Whatever the window's width: no card and no field is cut at the right, and the field's words have room.
void TstGallery::welcomeFits()
{
    QFETCH(const int, width);
    TemplateShelf shelf;
    WelcomePage page;
    page.setTemplates(shelf.templates());
    page.resize(width, 700);
    page.show();
    auto *search = page.findChild<SearchField *>();
    QVERIFY(search);
    QTRY_VERIFY(search->width() >= search->fontMetrics().horizontalAdvance(search->placeholderText()) + 30);
    QVERIFY(search->mapTo(&page, QPoint(search->width(), 0)).x() <= width);
    int cards = 0;
    const auto *hello = page.findChild<QAbstractButton *>(QStringLiteral("welcomeHello"));
    for (const TemplateCard *card : page.findChildren<TemplateCard *>()) {
        if (card->isVisible()) {
            ++cards;
            QVERIFY(card->mapTo(&page, QPoint(card->width(), 0)).x() <= width);
        }
    }
    QVERIFY(cards >= 6);
    QTEST(search->mapTo(&page, QPoint()).y() < hello->mapTo(&page, QPoint()).y(), "isBeside");
}

// A job that runs changes many times a second; what has not changed on this page is left alone.
void TstGallery::welcomeFactsStay()
{
    WelcomePage page;
    HostInfo host;
    host.state = HostState::Online;
    host.cpus = 8;
    host.memoryMiB = 1024;
    host.diskFreeMiB = 3 * 1024;
    page.setComputer(host, {});
    page.show();
    const auto fact = [&](const QString &name) -> QWidget * {
        for (QWidget *widget : page.findChildren<QWidget *>()) {
            if (widget->accessibleName().startsWith(name + QLatin1Char(':'))) {
                return widget;
            }
        }
        return nullptr;
    };
    const QPointer<QWidget> cpu = fact(QStringLiteral("CPU"));
    QVERIFY(cpu);
    host.cpuPercent = 50;
    page.setComputer(host, {});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(cpu);
    // As the engine measured it: no file system is asked by the window.
    QVERIFY(fact(QStringLiteral("Disk")));
    QCOMPARE(fact(QStringLiteral("Disk"))->accessibleName(), QStringLiteral("Disk: 3 GiB free"));
    // A file that is opened goes to the top of the list in which it was pressed.
    page.setRecentFiles({QStringLiteral("/x/a.yaml"), QStringLiteral("/x/b.yaml")});
    const QPointer<QPushButton> file = [&]() -> QPushButton * {
        for (QPushButton *button : page.findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("b.yaml")) {
                return button;
            }
        }
        return nullptr;
    }();
    QVERIFY(file);
    bool alive = false;
    connect(&page, &WelcomePage::fileRequested, this, [&] {
        page.setRecentFiles({QStringLiteral("/x/b.yaml"), QStringLiteral("/x/a.yaml")});
        alive = !file.isNull();
    });
    file->click();
    QVERIFY(alive);
}

// Whoever has typed a word sees which of the cards Enter opens, here and on the welcome page.
void TstGallery::marksWhatEnterOpens()
{
    TemplateShelf shelf;
    GalleryPage gallery(&shelf);
    WelcomePage welcome;
    welcome.setTemplates(shelf.templates());
    const auto check = [](QWidget *page, SearchField *search) {
        page->resize(1200, 900);
        page->show();
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page));
        search->setFocus();
        const auto shown = [page] {
            QList<TemplateCard *> cards = page->findChildren<TemplateCard *>();
            cards.removeIf([](const TemplateCard *card) { return !card->isVisible(); });
            std::sort(cards.begin(), cards.end(), [](const TemplateCard *a, const TemplateCard *b) {
                const QPoint p = a->mapTo(a->window(), QPoint()), q = b->mapTo(b->window(), QPoint());
                return std::pair(p.y(), p.x()) < std::pair(q.y(), q.x());
            });
            return cards;
        };
        QTest::keyClicks(search, QStringLiteral("e"));
        QCoreApplication::processEvents();
        const QList<TemplateCard *> cards = shown();
        QVERIFY(cards.size() >= 2);
        const QImage first = cards.at(0)->grab().toImage();
        const QImage second = cards.at(1)->grab().toImage();
        const QString words = cards.at(0)->accessibleDescription();
        QVERIFY2(words.contains(QStringLiteral("Enter")), qPrintable(words));
        QVERIFY(!cards.at(1)->accessibleDescription().contains(QStringLiteral("Enter")));
        search->clear();
        QCoreApplication::processEvents();
        QVERIFY(cards.at(0)->grab().toImage() != first);
        QVERIFY(cards.at(1)->grab().toImage() == second);
        QVERIFY(!cards.at(0)->accessibleDescription().contains(QStringLiteral("Enter")));
    };
    check(&gallery, gallery.searchField());
    check(&welcome, welcome.findChild<SearchField *>());
    QSignalSpy wanted(&welcome, &WelcomePage::templateRequested);
    auto *search = welcome.findChild<SearchField *>();
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(wanted.count(), 0); // nothing is looked for
    QTest::keyClicks(search, QStringLiteral("horovod ssh"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.at(0).at(0).toString(), QStringLiteral("mpi-horovod"));
}

// Where the templates stand below the rest, as in a window of 1440 pixels at 150 %, nothing is left empty beside it.
void TstGallery::welcomeUsesItsWidth()
{
    TemplateShelf shelf;
    WelcomePage page;
    page.setTemplates(shelf.templates());
    page.resize(712, 620);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto heading = [&](const QString &text) {
        QPoint at(-1, -1);
        const auto labels = page.findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            at = label->text() == text ? label->mapTo(&page, QPoint()) : at;
        }
        return at;
    };
    QList<QPoint> cards;
    const auto all = page.findChildren<TemplateCard *>();
    for (const TemplateCard *card : all) {
        if (card->isVisible()) {
            cards.append(card->mapTo(&page, QPoint()));
        }
    }
    QVERIFY(cards.size() >= 2 && cards.at(0).y() == cards.at(1).y());
    const QPoint start = heading(QStringLiteral("Start"));
    const QPoint computer = heading(QStringLiteral("This computer"));
    QCOMPARE(start.x(), cards.at(0).x());
    QCOMPARE(computer, QPoint(cards.at(1).x(), start.y()));
    QCOMPARE(heading(QStringLiteral("Recent")).x(), computer.x());
    QVERIFY(heading(QStringLiteral("Templates")).y() < page.height());
    // Wide, they stand above each other again.
    page.resize(1200, 620);
    QTRY_VERIFY(heading(QStringLiteral("This computer")).y() > heading(QStringLiteral("Start")).y());
    QCOMPARE(heading(QStringLiteral("This computer")).x(), heading(QStringLiteral("Start")).x());
}

TRAINYARD_GUI_TEST(TstGallery)
#include "tst_gallery.moc"
