// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/celldelegate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepage.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tablelook.h"
#include "widgets/form/popup.h"
#include "widgets/tasks/historylists.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStyleOption>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace trainyard;

namespace
{

QStringList iconNames()
{
    icon(QStringLiteral("stop")).pixmap(16); // loads the resource
    QStringList names;
    const QStringList files = QDir(QStringLiteral(":/trainyard/icons")).entryList({QStringLiteral("*.svg")});
    for (const QString &file : files) {
        names.append(file.chopped(4));
    }
    return names;
}

// Foreground and ground that occur together somewhere, with the least contrast they need. A colour that is new in
// tokens.h has its pairs here.
struct ColourPair {
    Colour front;
    Colour ground;
    qreal least;
};

QList<ColourPair> colourPairsInUse()
{
    constexpr qreal words = 4.5;
    constexpr qreal shapes = 3.0;
    QList<ColourPair> pairs;
    for (const Colour ground : {Colour::Window, Colour::Surface, Colour::Raised, Colour::Field, Colour::Hover,
             Colour::Selection, Colour::FailedTint, Colour::WaitingTint, Colour::SucceededTint}) {
        pairs.append({Colour::Text, ground, words});
        pairs.append({Colour::Muted, ground, words});
    }
    for (const Colour ground : {Colour::Window, Colour::Surface, Colour::Hover, Colour::Selection}) {
        for (const Colour state : {Colour::Waiting, Colour::Running, Colour::Stopping, Colour::Succeeded,
                 Colour::Failed, Colour::Stopped, Colour::Lost}) {
            pairs.append({state, ground, words});
        }
        pairs.append({Colour::Accent, ground, words});
    }
    for (const Colour ground : {Colour::FailedTint, Colour::WaitingTint, Colour::SucceededTint}) {
        pairs.append({Colour::Accent, ground, words});
    }
    pairs.append({Colour::Failed, Colour::FailedTint, words});
    pairs.append({Colour::Waiting, Colour::WaitingTint, words});
    pairs.append({Colour::Succeeded, Colour::SucceededTint, words});
    pairs.append({Colour::OnAccent, Colour::Accent, words});
    pairs.append({Colour::Text, Colour::Hit, words});
    pairs.append({Colour::OnCurrentHit, Colour::CurrentHit, words});
    for (const Colour syntax : {Colour::SyntaxKey, Colour::SyntaxString, Colour::SyntaxNumber, Colour::SyntaxReference,
             Colour::SyntaxComment}) {
        pairs.append({syntax, Colour::Surface, words});
        pairs.append({syntax, Colour::Hover, words});
    }
    for (const Colour ground : {Colour::Surface, Colour::Field, Colour::Window}) {
        pairs.append({Colour::Mark, ground, shapes});
        pairs.append({Colour::FieldEdge, ground, shapes});
    }
    for (int i = int(Colour::Series1); i <= int(Colour::Series8); ++i) {
        pairs.append({Colour(i), Colour::Surface, shapes});
    }
    return pairs;
}

} // namespace

class TstStyle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contrastOfAllPairs();
    void iconsUsedExist();
    void iconsTakeTheColour();
    void statesDifferByShape();
    void whatIsLostIsStruckThrough();
    void themeSwitchesLive();
    void systemDarkIsFollowed();
    void fieldShowsItsError();
    void fieldsAreSeenAsFields();
    void fieldsThatTakeNothingLookSo();
    void choicesThatAreOffLookSo();
    void popupsHaveOneShape();
    void selectedRowsAreSeen();
    void selectedTextIsSeenAndRead();
    void headsOfNumbersEndWhereNumbersDo();
    void wordsOfStatesHaveTheirColours();
    void tablesHaveOneLook();
    void boxesStandBesideTheirWords();
    void tabArrowsAreOurs_data();
    void tabArrowsAreOurs();
    void headsThatAreCut_data();
    void headsThatAreCut();
    void stylePagePaintsBothThemes();
    void returnPressesTheFocusedButton();
};

void TstStyle::contrastOfAllPairs()
{
    const QList<ColourPair> pairs = colourPairsInUse();
    QVERIFY(pairs.size() > 60);
    QStringList poor;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        for (const ColourPair &pair : pairs) {
            const qreal found = contrast(colour(pair.front, theme), colour(pair.ground, theme));
            if (found < pair.least) {
                poor.append(QStringLiteral("%1 theme: colour %2 on %3 has %4, needs %5")
                                .arg(theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                                .arg(int(pair.front))
                                .arg(int(pair.ground))
                                .arg(found, 0, 'f', 2)
                                .arg(pair.least));
            }
        }
    }
    QVERIFY2(poor.isEmpty(), qPrintable(poor.join(QLatin1Char('\n'))));
}

void TstStyle::iconsUsedExist()
{
    // Names stand in the sources as icon(QStringLiteral("name") or as a lone argument of the widgets that take one.
    static const QRegularExpression pattern(QStringLiteral(
        R"re((?:icon|setIcon|setIconName|IconLabel|paintIcon|iconPixmap)\(\s*(?:&?painter,\s*)?QStringLiteral\("([a-z-]+)"\))re"));
    const QString root = qEnvironmentVariable("TRAINYARD_SOURCE");
    QVERIFY2(!root.isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    const QStringList names = iconNames();
    QVERIFY(names.size() > 40);
    int uses = 0;
    for (const QString &folder : {QStringLiteral("/widgets"), QStringLiteral("/app/gui")}) {
        QDirIterator files(root + folder, {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            auto matches = pattern.globalMatch(text);
            while (matches.hasNext()) {
                const QString name = matches.next().captured(1);
                QVERIFY2(names.contains(name), qPrintable(file.fileName() + QStringLiteral(" uses the icon ") + name));
                ++uses;
            }
        }
    }
    QVERIFY(uses > 40);
    for (const QString &name : names) { // each draws something, in the colour asked for
        const QImage image = iconPixmap(name, 16, 1, Qt::red).toImage();
        bool drawn = false;
        for (int y = 0; y < 16 && !drawn; ++y) {
            for (int x = 0; x < 16 && !drawn; ++x) {
                drawn = qAlpha(image.pixel(x, y)) > 60;
            }
        }
        QVERIFY2(drawn, qPrintable(name));
    }
}

void TstStyle::iconsTakeTheColour()
{
    const QImage image = iconPixmap(QStringLiteral("stop"), 24, 1, QColor(0, 200, 0)).toImage();
    const QColor edge = image.pixelColor(6, 12);
    QVERIFY(edge.green() > 150 && edge.red() < 60);
    const QImage faint = iconPixmap(QStringLiteral("stop"), 24, 1, withAlpha(QColor(0, 200, 0), 0.3)).toImage();
    QVERIFY(faint.pixelColor(6, 12).alpha() < edge.alpha());
    QCOMPARE(iconPixmap(QStringLiteral("stop"), 16, 2, Qt::black).size(), QSize(32, 32));
}

void TstStyle::statesDifferByShape()
{
    // All in one colour: the pictures must still differ.
    QList<QImage> images;
    for (int i = int(StateShape::Waiting); i <= int(StateShape::Paused); ++i) {
        QImage image(28, 28, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintState(&painter, StateShape(i), QRectF(0, 0, 28, 28), QColor(Qt::black));
        painter.end();
        for (const QImage &other : std::as_const(images)) {
            int different = 0;
            for (int y = 0; y < 28; ++y) {
                for (int x = 0; x < 28; ++x) {
                    different += std::abs(qGray(image.pixel(x, y)) - qGray(other.pixel(x, y))) > 100 ? 1 : 0;
                }
            }
            QVERIFY2(different > 40, qPrintable(stateLabel(StateShape(i))));
        }
        images.append(image);
        QVERIFY(!stateLabel(StateShape(i)).isEmpty());
    }
}

// A ring with a gap is what turns while one waits: what cannot be reached has a stroke through it, in both themes.
void TstStyle::whatIsLostIsStruckThrough()
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        const auto inkAt = [theme](StateShape shape, QPoint at) {
            QImage image(28, 28, QImage::Format_ARGB32_Premultiplied);
            image.fill(colour(Colour::Surface, theme));
            QPainter painter(&image);
            paintState(&painter, shape, QRectF(0, 0, 28, 28), colour(colourOf(shape), theme));
            painter.end();
            return image.pixelColor(at) != colour(Colour::Surface, theme);
        };
        for (const QPoint at : {QPoint(14, 14), QPoint(9, 18), QPoint(18, 9), QPoint(6, 21), QPoint(21, 6)}) {
            QVERIFY(inkAt(StateShape::Lost, at));
        }
        QVERIFY(!inkAt(StateShape::Lost, {9, 9}) && !inkAt(StateShape::Lost, {18, 18}));
        QVERIFY(!inkAt(StateShape::Waiting, {14, 14}));
    }
}

void TstStyle::themeSwitchesLive()
{
    TrainyardStyle *style = TrainyardStyle::installed();
    QVERIFY(style);
    QWidget window;
    QPushButton button(QStringLiteral("Press"), &window);
    window.resize(120, 60);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    style->setThemeMode(ThemeMode::Light);
    QCOMPARE(themeOf(&button), Theme::Light);
    const QColor light = window.grab().toImage().pixelColor(110, 50);
    style->setThemeMode(ThemeMode::Dark);
    QTRY_COMPARE(themeOf(&button), Theme::Dark);
    QCOMPARE(qApp->palette().color(QPalette::Window), colour(Colour::Window, Theme::Dark));
    const QColor dark = window.grab().toImage().pixelColor(110, 50);
    QVERIFY(light.lightness() > 200);
    QVERIFY(dark.lightness() < 60);
    style->setThemeMode(ThemeMode::Light);
    QTRY_COMPARE(themeOf(&button), Theme::Light);
}

// The middle of a box is that of the letters beside it, which is lower than the middle of their line.
void TstStyle::boxesStandBesideTheirWords()
{
    const auto distance = [](QAbstractButton *button, QStyle::SubElement box, QStyle::SubElement words) {
        QStyleOptionButton option;
        option.initFrom(button);
        option.text = button->text();
        const QRectF boxed = button->style()->subElementRect(box, &option, button);
        const QRectF line = button->style()->subElementRect(words, &option, button);
        const QFontMetricsF font(button->font());
        const qreal baseline = line.center().y() - (font.ascent() + font.descent()) / 2 + font.ascent();
        const qreal letters = baseline - (font.xHeight() + font.capHeight()) / 4;
        return std::abs(boxed.center().y() - letters);
    };
    // What is drawn stands where the style says.
    QCheckBox drawn(QStringLiteral(" "));
    drawn.resize(60, 41);
    const QImage image = drawn.grab().toImage();
    QStyleOptionButton whole;
    whole.initFrom(&drawn);
    whole.text = drawn.text();
    const QRect box = drawn.style()->subElementRect(QStyle::SE_CheckBoxIndicator, &whole, &drawn);
    const QColor ground = image.pixelColor(box.center().x(), 1);
    QVERIFY(image.pixelColor(box.center().x(), box.top()) != ground);
    QVERIFY(image.pixelColor(box.center().x(), box.bottom()) != ground);
    QCOMPARE(image.pixelColor(box.center().x(), box.top() - 1), ground);
    QCOMPARE(image.pixelColor(box.center().x(), box.bottom() + 1), ground);
    for (const int height : {20, 28, 41}) {
        QCheckBox check(QStringLiteral("Follow GPU"));
        check.resize(200, height);
        QRadioButton radio(QStringLiteral("Follow GPU"));
        radio.resize(200, height);
        QVERIFY(distance(&check, QStyle::SE_CheckBoxIndicator, QStyle::SE_CheckBoxContents) <= 1);
        QVERIFY(distance(&radio, QStyle::SE_RadioButtonIndicator, QStyle::SE_RadioButtonContents) <= 1);
    }
}

void TstStyle::systemDarkIsFollowed()
{
    TrainyardStyle style;
    QPalette dark;
    dark.setColor(QPalette::WindowText, Qt::white);
    dark.setColor(QPalette::Window, Qt::black);
    style.polish(dark);
    QCOMPARE(dark.color(QPalette::Window), colour(Colour::Window, Theme::Dark));
    QPalette light(Qt::lightGray);
    style.polish(light);
    QCOMPARE(light.color(QPalette::Window), colour(Colour::Window, Theme::Light));
}

void TstStyle::fieldShowsItsError()
{
    QLineEdit field;
    field.resize(120, 28);
    const auto edge = [&] { return field.grab().toImage().pixelColor(60, 0); };
    const QColor before = edge();
    setFieldError(&field, true);
    QVERIFY(edge() != before);
    QVERIFY(edge().red() > edge().green() + 60);
    setFieldError(&field, false);
    QCOMPARE(edge(), before);
    QCOMPARE(field.sizeHint().height(), metrics::field);
    setSmall(&field);
    QCOMPARE(field.sizeHint().height(), metrics::smallButton);
}

void TstStyle::tabArrowsAreOurs_data()
{
    QTest::addColumn<Colour>("ground");
    QTest::newRow("documents") << Colour::Window;
    QTest::newRow("inside a page") << Colour::Surface;
}

// A word is read from its beginning; of heads that begin alike, such as "val/loss" and "val/accuracy", the end counts.
void TstStyle::headsThatAreCut_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Qt::TextElideMode>("mode");
    QTest::newRow("word") << QStringLiteral("Progress") << Qt::ElideRight;
    QTest::newRow("metric") << QStringLiteral("val/accuracy") << Qt::ElideMiddle;
    QTest::newRow("words") << QStringLiteral("val accuracy best") << Qt::ElideMiddle;
    QTest::newRow("name") << QStringLiteral("val_loss_2") << Qt::ElideMiddle;
}

void TstStyle::headsThatAreCut()
{
    QFETCH(QString, text);
    QTEST(elisionOf(text), "mode");
}

// More tabs than room: arrows without a box around them, and no torn edge.
void TstStyle::tabArrowsAreOurs()
{
    QFETCH(Colour, ground);
    Ground below(ground);
    auto *bar = new QTabBar(&below);
    bar->setUsesScrollButtons(true);
    setTabKind(bar, ground == Colour::Window ? TabKind::Document : TabKind::Inner);
    for (int i = 0; i < 12; ++i) {
        bar->addTab(QStringLiteral("some document %1").arg(i));
    }
    bar->resize(300, 34);
    below.show();
    int arrows = 0;
    for (QToolButton *arrow : bar->findChildren<QToolButton *>()) {
        if (arrow->isVisible()) {
            ++arrows;
            const QImage image = arrow->grab().toImage();
            const QColor wanted = colour(ground, arrow);
            for (const QPoint at : {QPoint(0, image.height() / 2), QPoint(image.width() / 2, 0),
                     QPoint(image.width() - 1, image.height() / 2)}) {
                QCOMPARE(image.pixelColor(at), wanted);
            }
        }
    }
    QCOMPARE(arrows, 2);
}

void TstStyle::stylePagePaintsBothThemes()
{
    StylePage page;
    page.resize(1440, 900);
    const QImage image = page.grab().toImage();
    QVERIFY(image.pixelColor(4, 4).lightness() > 200);
    QVERIFY(image.pixelColor(image.width() - 5, 4).lightness() < 60);
}

// An empty field is nothing but its edge.
void TstStyle::fieldsAreSeenAsFields()
{
    TrainyardStyle *style = TrainyardStyle::installed();
    QVERIFY(style);
    constexpr qreal least = 3.0;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        for (const Colour ground : {Colour::Field, Colour::Surface, Colour::Window}) {
            QVERIFY2(contrast(colour(Colour::FieldEdge, theme), colour(ground, theme)) >= least,
                qPrintable(QString::number(contrast(colour(Colour::FieldEdge, theme), colour(ground, theme)))));
        }
        style->setThemeMode(theme == Theme::Light ? ThemeMode::Light : ThemeMode::Dark);
        QWidget window;
        window.resize(300, 200);
        auto *line = new QLineEdit(&window);
        auto *combo = new QComboBox(&window);
        auto *spin = new QSpinBox(&window);
        int y = 10;
        for (QWidget *field : std::initializer_list<QWidget *>{line, combo, spin}) {
            field->setGeometry(10, y, 120, 28);
            y += 40;
        }
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QImage image = window.grab().toImage();
        const qreal ratio = image.devicePixelRatio();
        for (const QWidget *field : std::initializer_list<QWidget *>{line, combo, spin}) {
            const QPoint edge = (QPointF(field->geometry().left(), field->geometry().center().y()) * ratio).toPoint();
            const QColor drawn = image.pixelColor(edge);
            const QColor around = image.pixelColor(edge - QPoint(4, 0));
            QVERIFY2(contrast(drawn, around) >= least,
                qPrintable(
                    QStringLiteral("%1: %2 on %3")
                        .arg(QString::fromLatin1(field->metaObject()->className()), drawn.name(), around.name())));
        }
    }
    style->setThemeMode(ThemeMode::System);
}

// Also in a panel, which is as white as a field.
void TstStyle::fieldsThatTakeNothingLookSo()
{
    TrainyardStyle *style = TrainyardStyle::installed();
    QVERIFY(style);
    for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
        style->setThemeMode(theme);
        Ground panel(Colour::Surface);
        panel.resize(160, 140);
        auto *line = new QLineEdit(&panel);
        auto *combo = new QComboBox(&panel);
        auto *spin = new QSpinBox(&panel);
        spin->setSpecialValueText(QStringLiteral(" "));
        int y = 10;
        for (QWidget *field : std::initializer_list<QWidget *>{line, combo, spin}) {
            field->setGeometry(10, y, 120, 28);
            y += 40;
        }
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto inside = [&panel](const QWidget *field) {
            const QImage image = panel.grab().toImage();
            const QPoint at(field->geometry().left() + 60, field->geometry().top() + 5);
            return image.pixelColor((QPointF(at) * image.devicePixelRatio()).toPoint());
        };
        const QColor lineOn = inside(line), comboOn = inside(combo), spinOn = inside(spin);
        line->setReadOnly(true);
        spin->setReadOnly(true);
        QVERIFY(inside(line) != lineOn && inside(spin) != spinOn);
        line->setReadOnly(false);
        spin->setReadOnly(false);
        QVERIFY(inside(line) == lineOn && inside(spin) == spinOn);
        panel.setEnabled(false);
        QVERIFY(inside(line) != lineOn && inside(combo) != comboOn && inside(spin) != spinOn);
    }
    style->setThemeMode(ThemeMode::System);
}

// Menus, lists that drop down, tips and cards: rounded alike, and cut to it where they are windows.
void TstStyle::popupsHaveOneShape()
{
    const QRect whole(0, 0, 120, 80);
    const QRegion mask = stylepaint::popupMask(whole);
    for (const QPoint corner : {whole.topLeft(), whole.topRight(), whole.bottomLeft(), whole.bottomRight()}) {
        QVERIFY(!mask.contains(corner));
    }
    for (const QPoint edge : {QPoint(60, 0), QPoint(0, 40), QPoint(119, 40), QPoint(60, 79)}) {
        QVERIFY(mask.contains(edge));
    }
    QMenu menu;
    menu.addAction(QStringLiteral("One"));
    menu.addAction(QStringLiteral("Two"));
    menu.popup(QPoint(20, 20));
    QVERIFY(QTest::qWaitForWindowExposed(&menu));
    QCOMPARE(menu.mask(), stylepaint::popupMask(menu.rect()));
    QLineEdit field;
    field.setCompleter(new QCompleter(QStringList{QStringLiteral("lab1"), QStringLiteral("lab2")}, &field));
    field.resize(160, 28);
    field.show();
    QVERIFY(QTest::qWaitForWindowExposed(&field));
    field.completer()->complete();
    const QAbstractItemView *offered = field.completer()->popup();
    QTRY_VERIFY(offered->isVisible());
    QCOMPARE(offered->mask(), stylepaint::popupMask(offered->rect()));
    field.completer()->popup()->hide();
    Popup popup(nullptr);
    popup.setAttribute(Qt::WA_DeleteOnClose, false);
    popup.resize(90, 60);
    popup.show();
    QCOMPARE(popup.mask(), stylepaint::popupMask(popup.rect()));
}

// A selected row, in lists and menus alike, has a bar that is seen whatever the ground.
void TstStyle::selectedRowsAreSeen()
{
    constexpr qreal least = 3.0;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        const QPalette palette = themePalette(theme);
        for (const Colour ground : {Colour::Surface, Colour::Raised, Colour::Window, Colour::Selection}) {
            QVERIFY(contrast(colour(Colour::Accent, theme), colour(ground, theme)) >= least);
        }
        QImage image(200, 28, QImage::Format_RGB32);
        image.fill(colour(Colour::Raised, theme));
        QStyleOptionMenuItem item;
        item.palette = palette;
        item.rect = image.rect();
        item.text = QStringLiteral("Run");
        item.menuItemType = QStyleOptionMenuItem::Normal;
        item.state = QStyle::State_Enabled | QStyle::State_Selected;
        QPainter painter(&image);
        stylepaint::menuItem(&painter, &item, QApplication::style());
        painter.end();
        QCOMPARE(image.pixelColor(1, 14), colour(Colour::Accent, theme));
        QCOMPARE(image.pixelColor(190, 2), colour(Colour::Selection, theme));
        // At the side as in tables: the colours of states can be read on it.
        image.fill(colour(Colour::Window, theme));
        QPainter side(&image);
        stylepaint::sideRowGround(&side, image.rect(), palette, true, true);
        side.end();
        QCOMPARE(image.pixelColor(1, 14), colour(Colour::Accent, theme));
        QCOMPARE(image.pixelColor(190, 2), colour(Colour::Selection, theme));
    }
}

// Selected text stands out from the text around it, and can be read.
void TstStyle::selectedTextIsSeenAndRead()
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        for (const Colour ground : {Colour::Field, Colour::Surface}) {
            const QColor selection = textSelection(colour(ground, theme), theme);
            const qreal seen = contrast(selection, colour(ground, theme));
            const qreal read = contrast(selectedText(theme), selection);
            QVERIFY2(seen >= 3.0 && read >= 4.5, qPrintable(QStringLiteral("%1, %2").arg(seen).arg(read)));
        }
        const QPalette palette = themePalette(theme);
        QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
    }
}

// The arrow of the order stands before the words of a number column: with it and without it they end at one place.
void TstStyle::headsOfNumbersEndWhereNumbersDo()
{
    QStyleOptionHeader head;
    head.rect = QRect(100, 0, 90, metrics::row);
    head.text = QStringLiteral("Took");
    head.textAlignment = Qt::AlignRight | Qt::AlignVCenter;
    head.fontMetrics = QFontMetrics(QApplication::font());
    const QStyle *style = QApplication::style();
    const QRect words = style->subElementRect(QStyle::SE_HeaderLabel, &head);
    head.sortIndicator = QStyleOptionHeader::SortUp;
    const QRect sorted = style->subElementRect(QStyle::SE_HeaderLabel, &head);
    const QRect arrow = style->subElementRect(QStyle::SE_HeaderArrow, &head);
    QCOMPARE(sorted.right(), words.right());
    QVERIFY(arrow.left() >= head.rect.left());
    QVERIFY(arrow.right() < words.right() - head.fontMetrics.horizontalAdvance(head.text));
    // As the numbers of a cell below it.
    QTreeWidget table;
    table.setHeaderLabels({QStringLiteral("Name"), head.text});
    setTableLook(&table);
    setNumberColumns(&table, {1});
    table.addTopLevelItem(new QTreeWidgetItem({QStringLiteral("worker"), QStringLiteral("14:44")}));
    table.resize(400, 120);
    table.setFocusPolicy(Qt::NoFocus); // its ring is ink, too
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    const auto lastInk = [](const QImage &image, int from, int to) {
        const QColor ground = image.pixelColor(from, image.height() / 2);
        for (int x = to; x > from; --x) {
            for (int y = 2; y < image.height() - 2; ++y) {
                if (contrast(image.pixelColor(x, y), ground) > 2) {
                    return x;
                }
            }
        }
        return from;
    };
    const QRect cell = table.visualRect(table.model()->index(0, 1));
    const QImage number = table.viewport()->grab(cell).toImage();
    const QImage above
        = table.header()->viewport()->grab(QRect(cell.left(), 0, cell.width(), table.header()->height())).toImage();
    const int edge = number.width() - 1;
    QVERIFY2(qAbs(lastInk(number, 1, edge) - lastInk(above, 1, edge)) <= 2 * number.devicePixelRatio(),
        qPrintable(QStringLiteral("%1, %2").arg(lastInk(number, 1, edge)).arg(lastInk(above, 1, edge))));
}

void TstStyle::choicesThatAreOffLookSo()
{
    SegmentedControl choices({QStringLiteral("Step"), QStringLiteral("Epoch"), QStringLiteral("Time")});
    choices.resize(choices.sizeHint());
    const auto has = [&choices](Colour role) {
        const QImage image = choices.grab().toImage();
        const QRgb wanted = colour(role, &choices).rgb();
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixel(x, y) == wanted) {
                    return true;
                }
            }
        }
        return false;
    };
    QVERIFY(has(Colour::Selection));
    choices.setEnabled(false);
    QVERIFY(!has(Colour::Selection) && !has(Colour::Accent));
    choices.setEnabled(true);
    QVERIFY(has(Colour::Selection));
    // One of them alone: neither the keys nor the pointer choose it.
    choices.setChoiceEnabled(1, false, QStringLiteral("There are no epochs."));
    QVERIFY(choices.accessibleDescription().contains(QStringLiteral("There are no epochs.")));
    choices.setCurrentIndex(0);
    QTest::keyClick(&choices, Qt::Key_Right);
    QCOMPARE(choices.currentIndex(), 2);
    QTest::keyClick(&choices, Qt::Key_Left);
    QCOMPARE(choices.currentIndex(), 0);
    QTest::mouseClick(&choices, Qt::LeftButton, {}, choices.rect().center());
    QCOMPARE(choices.currentIndex(), 0);
    QMenu menu;
    choices.setAccessibleName(QStringLiteral("Axis"));
    choices.addTo(&menu);
    const QList<QAction *> actions = menu.actions(); // behind the head of the section
    QCOMPARE(actions.size(), 4);
    QVERIFY(actions.at(1)->isEnabled() && !actions.at(2)->isEnabled() && actions.at(3)->isEnabled());
    QCOMPARE(actions.at(2)->toolTip(), plainTip(QStringLiteral("There are no epochs.")));
}

// The word of a state has its colour in every table.
void TstStyle::wordsOfStatesHaveTheirColours()
{
    QTreeWidget table;
    table.setHeaderLabels({QStringLiteral("Name"), QStringLiteral("State")});
    setTableLook(&table);
    auto *item = new QTreeWidgetItem({QStringLiteral("worker"), QStringLiteral("Failed")});
    item->setData(1, CellDelegate::stateRole, int(StateShape::Failed));
    table.addTopLevelItem(item);
    table.resize(400, 120);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    const auto has = [&table](Colour role) {
        const QImage image = table.viewport()->grab(table.visualRect(table.model()->index(0, 1))).toImage();
        const QColor wanted = colour(role, &table);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor seen = image.pixelColor(x, y);
                constexpr int most = 40; // edges of letters are blended
                if (qAbs(seen.red() - wanted.red()) <= most && qAbs(seen.green() - wanted.green()) <= most
                    && qAbs(seen.blue() - wanted.blue()) <= most) {
                    return true;
                }
            }
        }
        return false;
    };
    QVERIFY(has(Colour::Failed));
    table.setCurrentItem(item);
    QVERIFY(has(Colour::Failed)); // also where the row is selected
    item->setData(1, CellDelegate::stateRole, {});
    QVERIFY(!has(Colour::Failed));
}

void TstStyle::tablesHaveOneLook()
{
    QTreeWidget table;
    table.setHeaderLabels({QStringLiteral("Name"), QStringLiteral("Took"), QStringLiteral("Why")});
    setTableLook(&table);
    setNumberColumns(&table, {1});
    auto *item = new QTreeWidgetItem({QStringLiteral("worker"), QStringLiteral("12:44"), QStringLiteral("ended")});
    table.addTopLevelItem(item);
    table.resize(400, 120);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    QCOMPARE(table.visualItemRect(item).height(), metrics::row);
    QCOMPARE(table.frameShape(), QFrame::NoFrame);
    QVERIFY(!table.alternatingRowColors() && table.allColumnsShowFocus() && !table.rootIsDecorated());
    // Numbers end where their head ends, and nothing of them is at the left of the cell.
    table.setColumnWidth(1, 140);
    const QImage image = table.viewport()->grab().toImage();
    const QRect cell = table.visualRect(table.model()->index(0, 1));
    const qreal ratio = image.devicePixelRatio();
    const auto hasInk = [&](int from, int to) {
        const QColor ground = image.pixelColor(int(cell.center().x() * ratio), int((cell.bottom() + 6) * ratio));
        for (int x = int(from * ratio); x < int(to * ratio); ++x) {
            for (int y = int((cell.top() + 4) * ratio); y < int((cell.bottom() - 4) * ratio); ++y) {
                if (contrast(image.pixelColor(x, y), ground) > 2) {
                    return true;
                }
            }
        }
        return false;
    };
    QVERIFY(!hasInk(cell.left(), cell.center().x()));
    QVERIFY(hasInk(cell.right() - 40, cell.right()));
    // What is selected has no gaps.
    table.setCurrentItem(item);
    const QImage selected = table.viewport()->grab().toImage();
    for (const int x : {cell.left(), cell.right() - 1, cell.right(), cell.right() + 1}) {
        QCOMPARE(selected.pixelColor(int(x * ratio), int((cell.center().y() + 8) * ratio)),
            colour(Colour::Selection, Theme::Light));
    }
    // The tables of the run page and of the preview are such.
    const std::initializer_list<QTreeView *> all{new AttemptList, new TryList};
    for (QTreeView *view : all) {
        QVERIFY(qobject_cast<CellDelegate *>(view->itemDelegate()));
        QCOMPARE(view->frameShape(), QFrame::NoFrame);
        QVERIFY(view->allColumnsShowFocus() && !view->alternatingRowColors());
        const int took = qobject_cast<AttemptList *>(view) ? 3 : 4;
        QVERIFY(Qt::Alignment(view->model()->headerData(took, Qt::Horizontal, Qt::TextAlignmentRole).toInt())
                    .testFlag(Qt::AlignRight));
        delete view;
    }
}

// As Space does, wherever the button is; in a dialog it is the key of the default button.
void TstStyle::returnPressesTheFocusedButton()
{
    QWidget page;
    QPushButton push(QStringLiteral("Run again"), &page);
    QToolButton tool(&page);
    tool.setFocusPolicy(Qt::TabFocus);
    tool.move(0, 80);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const std::initializer_list<QAbstractButton *> both{&push, &tool};
    for (QAbstractButton *button : both) {
        QSignalSpy clicked(button, &QAbstractButton::clicked);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Return);
        QCOMPARE(clicked.size(), 1);
        QTest::keyClick(button, Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(clicked.size(), 2);
        QTest::keyClick(button, Qt::Key_Return, Qt::ControlModifier); // of the page
        QCOMPARE(clicked.size(), 2);
        button->setEnabled(false);
        QTest::keyClick(button, Qt::Key_Return);
        QCOMPARE(clicked.size(), 2);
    }
    QDialog dialog;
    QPushButton other(QStringLiteral("Details"), &dialog), standard(QStringLiteral("OK"), &dialog);
    standard.move(0, 80);
    standard.setDefault(true);
    other.setAutoDefault(false);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QSignalSpy otherClicked(&other, &QPushButton::clicked), standardClicked(&standard, &QPushButton::clicked);
    other.setFocus();
    QTest::keyClick(&other, Qt::Key_Return);
    QCOMPARE(otherClicked.size(), 0);
    QCOMPARE(standardClicked.size(), 1);
}

TRAINYARD_GUI_TEST(TstStyle)
#include "tst_style.moc"
