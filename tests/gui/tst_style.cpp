// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/icons.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepage.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

using namespace trainyard;

class TstStyle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contrastOfAllPairs();
    void iconsUsedExist();
    void iconsTakeTheColour();
    void statesDifferByShape();
    void themeSwitchesLive();
    void systemDarkIsFollowed();
    void fieldShowsItsError();
    void tabArrowsAreOurs();
    void stylePagePaintsBothThemes();
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
    if (root.isEmpty()) {
        QSKIP("TRAINYARD_SOURCE is not set.");
    }
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
                QVERIFY2(hasIcon(name), qPrintable(file.fileName() + QStringLiteral(" uses the icon ") + name));
                ++uses;
            }
        }
    }
    QVERIFY(uses > 40);
    const QStringList names = iconNames();
    QVERIFY(names.size() > 40);
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

// More tabs than room: arrows without a box around them, and no torn edge.
void TstStyle::tabArrowsAreOurs()
{
    QTabBar bar;
    bar.setUsesScrollButtons(true);
    setTabKind(&bar, TabKind::Document);
    for (int i = 0; i < 12; ++i) {
        bar.addTab(QStringLiteral("some document %1").arg(i));
    }
    bar.resize(300, 34);
    bar.show();
    int arrows = 0;
    for (QToolButton *arrow : bar.findChildren<QToolButton *>()) {
        if (arrow->isVisible()) {
            ++arrows;
            const QImage image = arrow->grab().toImage();
            const QColor ground = colour(Colour::Window, arrow);
            for (const QPoint at : {QPoint(0, image.height() / 2), QPoint(image.width() / 2, 0),
                     QPoint(image.width() - 1, image.height() / 2)}) {
                QCOMPARE(image.pixelColor(at), ground);
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

TRAINYARD_GUI_TEST(TstStyle)
#include "tst_style.moc"
