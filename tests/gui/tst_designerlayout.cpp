// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/designertools.h"
#include "tests/gui/plainjob.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/formgrid.h"

#include <QLabel>
#include <QListView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace trainyard;
using namespace designertools;

// Where things of a designer page stand, and that they are whole.
class TstDesignerLayout : public QObject, private PlainJobPage
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void narrowPagesShowTheWholeForm();
    void hintStandsBelowItsField();
    void headsOfMenusAreWhole();
    void firstRowsAreWhole();
    void listsStandOnCards();
    void rolesAreOnTheFirstScreen();
    void placesAreShownInTheForm();
    void moreSaysWhatIsInIt_data();
    void moreSaysWhatIsInIt();
    void moreOpensForWhatIsInIt();
    void moreIsKeptForTheNextSession();
};

void TstDesignerLayout::init() { page = std::make_unique<DesignerPage>(); }

void TstDesignerLayout::cleanup() { page.reset(); }

// A small screen at 150 % leaves about 600 pixels.
void TstDesignerLayout::narrowPagesShowTheWholeForm()
{
    show(plainText, 1192);
    const auto *halves = find<QSplitter>(page.get(), "designerHalves");
    const auto *form = find<QScrollArea>(page.get(), "jobForm");
    QCOMPARE(halves->orientation(), Qt::Horizontal);
    form->widget()->setMinimumWidth(420); // as with larger fonts, or longer words
    page->resize(604, 420);
    QTRY_COMPARE(page->width(), 604);
    QTRY_COMPARE(halves->orientation(), Qt::Vertical);
    QTRY_COMPARE(form->horizontalScrollBar()->maximum(), 0);
    const auto *text = page->findChild<YamlEditor *>();
    QVERIFY(form->height() >= 80 && text->height() >= 80);
    page->resize(1192, 820);
    QTRY_COMPARE(halves->orientation(), Qt::Horizontal);
    QVERIFY(std::abs(form->width() - text->width()) < 100);
}

// Also where there is no room for the field beside that of the image.
void TstDesignerLayout::hintStandsBelowItsField()
{
    show(plainText, 1192);
    const auto *image = find<QWidget>(page.get(), "roleImage");
    const auto *runIn = find<QWidget>(page.get(), "roleRunIn");
    const auto *hint = find<QWidget>(page.get(), "roleRunInHint");
    const auto top = [this](const QWidget *widget) { return widget->mapTo(page.get(), QPoint(0, 0)).y(); };
    QTRY_VERIFY(hint->isVisible() && top(hint) >= top(runIn) + runIn->height());
    QCOMPARE(top(runIn), top(image));
    page->resize(380, 900);
    QTRY_VERIFY(top(runIn) >= top(image) + image->height());
    QTRY_VERIFY2(top(hint) >= top(runIn) + runIn->height(), qPrintable(QString::number(top(hint))));
}

void TstDesignerLayout::headsOfMenusAreWhole()
{
    QMenu menu;
    const QString words = QStringLiteral("What this group is about, in more words than any entry of it has");
    QAction *head = menu.addSection(words);
    menu.addAction(QStringLiteral("an entry"));
    menu.popup(QPoint(0, 0));
    const int needed = QFontMetrics(fonts::small()).horizontalAdvance(words) + 2 * metrics::space3;
    QVERIFY2(
        menu.actionGeometry(head).width() >= needed, qPrintable(QString::number(menu.actionGeometry(head).width())));
}

// In a window of 1440 pixels, with the lists beside it and the text.
void TstDesignerLayout::firstRowsAreWhole()
{
    showDocument(page.get(),
        "protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    commands: [echo]\nextras:\n"
        "  gangAllocation: false\n  hivedScheduler: {jobPriorityClass: prod}\n",
        QStringLiteral("rows.pai.yaml"));
    int seen = 0;
    const auto labels = find<QWidget>(page.get(), "jobForm")->findChildren<ElidedLabel *>();
    for (const ElidedLabel *label : labels) {
        if (label->isVisible() && !label->text().isEmpty()) {
            ++seen;
            QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        }
    }
    QVERIFY(seen >= 2);
    // They may all run together: nothing says that one follows the other.
    const auto lines = find<QWidget>(page.get(), "jobForm")->findChildren<Disclosure *>();
    QVERIFY(std::any_of(lines.cbegin(), lines.cend(), [](const Disclosure *line) {
        return line->accessibleDescription() == QStringLiteral("default, prod, tasks start independently");
    }));
}

void TstDesignerLayout::listsStandOnCards()
{
    show(QByteArray(plainText) + "parameters: {a: 1}\n");
    const auto isOnCard = [](const QWidget *list) {
        const QWidget *card = list->parentWidget();
        return qobject_cast<const Ground *>(card) && card->rect().adjusted(1, 1, -1, -1).contains(list->geometry());
    };
    QVERIFY(isOnCard(find<QTableWidget>(page.get(), "parametersTable")));
    find<QTabBar>(page.get(), "formTabs")->setCurrentIndex(2);
    settle(page.get());
    QVERIFY(isOnCard(find<QListView>(page.get(), "prerequisitesList")));
    // An empty card would be a thing without a meaning.
    show(plainText);
    QVERIFY(find<QWidget>(page.get(), "parametersTable")->parentWidget()->isHidden());
}

// No more than the name, the retries and one line stand above the roles, whatever the job says of itself.
void TstDesignerLayout::rolesAreOnTheFirstScreen()
{
    show(QByteArray(plainText) + "description: what it is for\ncontributor: me\n");
    const auto *form = find<QScrollArea>(page.get(), "jobForm");
    const int top = find<QWidget>(page.get(), "roleTabs")->mapTo(form, QPoint(0, 0)).y();
    constexpr int rowsAbove = 4;
    QVERIFY2(top <= rowsAbove * (metrics::field + metrics::formRowGap), qPrintable(QString::number(top)));
    const auto *line = find<Disclosure>(page.get(), "jobMore");
    QVERIFY(line->isVisible());
    QVERIFY(!line->isOpen());
    QCOMPARE(line->accessibleName(), QStringLiteral("More about the job"));
    QVERIFY(!find<QWidget>(page.get(), "jobWork")->isVisible());
    openMore(page.get());
    QVERIFY(find<QWidget>(page.get(), "jobWork")->isVisible());
}

// Whoever is told to choose the folder sees where.
void TstDesignerLayout::placesAreShownInTheForm()
{
    show(QByteArray(plainText));
    QVERIFY(!find<QWidget>(page.get(), "jobWork")->isVisible());
    page->setViewMode(DesignerPage::ViewMode::Yaml);
    page->showInForm({QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("work")});
    QTRY_VERIFY(find<QWidget>(page.get(), "jobWork")->isVisible());
}

void TstDesignerLayout::moreSaysWhatIsInIt_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QStringList>("said");
    QTest::addColumn<QStringList>("unsaid");
    const QString problem = QStringLiteral("problem");
    const QString queue = QStringLiteral("queue: ");
    QTest::newRow("nothing") << QByteArray() << QStringList{QStringLiteral("empty folder")}
                             << QStringList{problem, queue, QStringLiteral("data set")};
    QTest::newRow("a folder") << QByteArray("extras: {trainyard: {work: /w}}\n")
                              << QStringList{QStringLiteral("work folder: /w")}
                              << QStringList{problem, QStringLiteral("empty folder")};
    QTest::newRow("a queue") << QByteArray("extras: {hivedScheduler: {jobPriorityClass: prod}}\n")
                             << QStringList{QStringLiteral("queue: default, prod")} << QStringList{problem};
    QTest::newRow("data and hosts") << QByteArray("extras: {trainyard: {data: {a: {from: /a}, b: {from: /b}}, "
                                                  "hosts: {'*': {arrange: pack}}}}\n")
                                    << QStringList{QStringLiteral("2 data set"), QStringLiteral("hosts: on few hosts")}
                                    << QStringList{problem, queue};
    QTest::newRow("a problem") << QByteArray("extras: {trainyard: {results: [../x]}}\n")
                               << QStringList{QStringLiteral("1 problem"), QStringLiteral("results: ../x")}
                               << QStringList{queue};
    QTest::newRow("about") << QByteArray("contributor: me\ndescription: what\n")
                           << QStringList{QStringLiteral("me  ·  what")} << QStringList{problem};
}

// What is folded away is not overlooked, and what is wrong in it does not push the roles away.
void TstDesignerLayout::moreSaysWhatIsInIt()
{
    QFETCH(QByteArray, more);
    QFETCH(QStringList, said);
    QFETCH(QStringList, unsaid);
    show(QByteArray(plainText) + more);
    const auto *line = find<Disclosure>(page.get(), "jobMore");
    for (const QString &each : std::as_const(said)) {
        QTRY_VERIFY2(line->summary().contains(each), qPrintable(line->summary()));
    }
    for (const QString &each : std::as_const(unsaid)) {
        QVERIFY2(!line->summary().contains(each), qPrintable(line->summary()));
    }
    QCOMPARE(line->accessibleDescription(), line->summary());
    QVERIFY(!line->isOpen());
}

void TstDesignerLayout::moreOpensForWhatIsInIt()
{
    const QByteArray text = QByteArray(plainText) + "extras: {trainyard: {results: [../x]}}\n";
    show(text);
    QTRY_COMPARE(page->errorCount(), 1);
    QVERIFY(!find<Disclosure>(page.get(), "jobMore")->isOpen());
    const qsizetype place = text.indexOf("../x");
    page->jumpTo(text.left(place).count('\n') + 1, place - text.lastIndexOf('\n', place));
    QTRY_VERIFY(find<Disclosure>(page.get(), "jobMore")->isOpen());
    settle(page.get());
    const auto labels = page->findChildren<QLabel *>(QStringLiteral("fieldMessage"));
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) { return label->isVisible(); }));
}

void TstDesignerLayout::moreIsKeptForTheNextSession()
{
    show(plainText);
    for (const bool isOpen : {false, true}) {
        find<Disclosure>(page.get(), "jobMore")->setOpen(isOpen);
        DesignerPage other;
        other.newDocument(plainText, QStringLiteral("b.yaml"));
        other.restoreLayout(page->saveLayout());
        QCOMPARE(find<Disclosure>(&other, "jobMore")->isOpen(), isOpen);
    }
}

TRAINYARD_GUI_TEST(TstDesignerLayout)
#include "tst_designerlayout.moc"
