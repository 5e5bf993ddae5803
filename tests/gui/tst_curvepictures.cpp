// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curveplot.h"

#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <algorithm>

using namespace trainyard;

namespace
{

double fallingLoss(int step) { return 4.0 / (1 + step); }

} // namespace

// The plots of a run as pictures, in files and in pages of text.
class TstCurvePictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void picturesAreFiles()
    {
        series::Series one;
        for (int step = 0; step <= 20; ++step) {
            one.append({double(step), WrittenLog::start + step * 1000, fallingLoss(step)});
        }
        const QTemporaryDir folder;
        CurvePlot plot(QStringLiteral("loss"));
        plot.resize(400, 200);
        plot.setLines({{QStringLiteral("worker/0"), 0, &one}});
        for (const char *name : {"p.pdf", "p.svg", "p.png"}) {
            const QString file = folder.filePath(QString::fromLatin1(name));
            QVERIFY2(plot.save(file, {88, 55}), name);
            QVERIFY2(QFileInfo(file).size() > 500, name);
        }
        const Result<void> refused = plot.save(folder.filePath(QStringLiteral("no/such/p.pdf")), {88, 55});
        QCOMPARE(refused ? QString() : refused.error().code, QStringLiteral("file.no-folder"));
    }

    // Hugging Face prints parts of an epoch and no steps: below the first whole epoch the axis has numbers, too.
    void axisOfPartsHasNumbers_data()
    {
        QTest::addColumn<double>("each");
        QTest::newRow("steps") << 10.0;
        QTest::newRow("parts of an epoch") << 1.0 / 45;
    }
    void axisOfPartsHasNumbers()
    {
        QFETCH(double, each);
        series::Series one;
        for (int i = 1; i <= 30; ++i) {
            one.append({i * each, WrittenLog::start + i * 1000, fallingLoss(i)});
        }
        CurvePlot plot(QStringLiteral("loss"));
        plot.resize(400, 200);
        plot.setLines({{QStringLiteral("worker/0"), 0, &one}});
        plot.setWhole({each, 30 * each});
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        const QImage image = plot.grab().toImage();
        const QRgb ground = image.pixel(image.width() / 2, image.height() - 1);
        int inked = 0;
        for (int y = image.height() - 10; y < image.height(); ++y) {
            for (int x = image.width() / 4; x < image.width(); ++x) { // right of the numbers of the values
                inked += image.pixel(x, y) != ground ? 1 : 0;
            }
        }
        QVERIFY2(inked > 20, qPrintable(QString::number(inked)));
    }

    // A full disk or a crash leaves the picture that was there: the new one takes its place as a whole. So whoever has
    // the old one by another name keeps it.
    void picturesAreReplacedAsAWhole()
    {
        series::Series one;
        one.append({0, WrittenLog::start, 2});
        one.append({1, WrittenLog::start + 1000, 1});
        const QTemporaryDir folder;
        CurvePlot plot(QStringLiteral("loss"));
        plot.setLines({{QStringLiteral("worker/0"), 0, &one}});
        for (const char *name : {"p.pdf", "p.svg", "p.png"}) {
            const QString file = folder.filePath(QString::fromLatin1(name)), other = file + QStringLiteral(".other");
            QFile before(file);
            QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
            before.close();
            QCOMPARE(::link(QFile::encodeName(file).constData(), QFile::encodeName(other).constData()), 0);
            QVERIFY2(plot.save(file, {88, 55}), name);
            QVERIFY2(QFileInfo(file).size() > 6, name);
            QFile kept(other);
            QVERIFY(kept.open(QIODevice::ReadOnly));
            QCOMPARE(kept.readAll(), QByteArray("before"));
        }
    }

    // A picture is for a paper: it is light in the dark theme, says what it shows, and has nothing of the pointer.
    void picturesDoNotShowTheWindow()
    {
        series::Series one, other;
        for (int step = 0; step <= 20; ++step) {
            one.append({double(step), WrittenLog::start + step * 1000, fallingLoss(step)});
            other.append({double(step), WrittenLog::start + step * 1000, 1 + fallingLoss(step)});
        }
        CurvePlot plot(QStringLiteral("val loss"));
        plot.resize(400, 200);
        plot.setLines({{QStringLiteral("worker/0"), 0, &one}});
        plot.setWhole({0, 20});
        const QTemporaryDir folder;
        const auto picture = [&](const char *name) {
            const QString file = folder.filePath(QString::fromLatin1(name));
            return plot.save(file, {88, 55}) ? QImage(file).convertToFormat(QImage::Format_RGB32) : QImage();
        };
        const QImage light = picture("light.png");
        QVERIFY(!light.isNull());
        plot.setPalette(themePalette(Theme::Dark));
        plot.setCursor(7.3);
        plot.setMoment(WrittenLog::start + 4000);
        QCOMPARE(picture("dark.png"), light);
        QCOMPARE(light.pixelColor(1, 1), colour(Colour::Surface, Theme::Light));
        // A stroke of the line is more than a pixel of the screen wide, with what its edges lose.
        const QColor ink = colour(lookColour(0), Theme::Light);
        int widest = 0;
        for (int x = light.width() * 3 / 4; x < light.width() * 3 / 4 + 20; ++x) {
            int run = 0;
            for (int y = 0; y < light.height(); ++y) {
                run = light.pixelColor(x, y) == ink ? run + 1 : 0;
                widest = std::max(widest, run);
            }
        }
        QVERIFY2(widest >= 3, qPrintable(QString::number(widest)));

        const auto texts = [&] { return QString::fromUtf8(plot.svg({88, 55})); };
        QVERIFY(texts().contains(QStringLiteral(">val loss</text>")));
        QVERIFY(texts().contains(QStringLiteral(">Step</text>")));
        QVERIFY(!texts().contains(QStringLiteral(">worker/0</text>"))); // nothing to tell apart
        plot.setLines({{QStringLiteral("worker/0"), 0, &one}, {QStringLiteral("worker/1"), 1, &other}});
        CurveLook smoothed;
        smoothed.along = CurveAlong::Epoch;
        smoothed.smoothing = 0.5;
        plot.setLook(smoothed);
        QVERIFY(texts().contains(QStringLiteral(">Epoch</text>")));
        QCOMPARE(texts().count(QStringLiteral(">worker/0</text>")), 1);
        QCOMPARE(texts().count(QStringLiteral(">worker/1</text>")), 1);
        QVERIFY(picture("two.png").height() > light.height()); // the legend takes nothing from the lines
        plot.setLines({{QStringLiteral("worker/0"), 0, &one},
            {QStringLiteral("#2"), 1, &other, true, {}, nullptr, nullptr, QStringLiteral("#2: lr 0.1")}});
        QCOMPARE(texts().count(QStringLiteral(">worker/0</text>")), 1);
        QCOMPARE(texts().count(QStringLiteral(">#2: lr 0.1</text>")), 1); // nobody can ask a picture what it is
    }

    // A line of a dash and two dots is one in the legend, too.
    void legendsShowWholePatterns()
    {
        series::Series one, other;
        for (int step = 0; step <= 20; ++step) {
            one.append({double(step), WrittenLog::start + step * 1000, fallingLoss(step)});
            other.append({double(step), WrittenLog::start + step * 1000, 1 + fallingLoss(step)});
        }
        constexpr int look = 6;
        QCOMPARE(lookDash(look).size(), 6);
        CurvePlot plot(QStringLiteral("loss"));
        plot.resize(400, 200);
        plot.setLines({{QStringLiteral("a"), 0, &one}, {QStringLiteral("b"), look, &other}});
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("p.png"));
        QVERIFY(plot.save(file, {88, 55}));
        const QImage image = QImage(file).convertToFormat(QImage::Format_RGB32);
        const QColor ink = colour(lookColour(look), Theme::Light);
        int most = 0;
        for (int y = image.height() * 17 / 20; y < image.height(); ++y) { // below the axis
            int strokes = 0;
            for (int x = 1; x < image.width(); ++x) {
                strokes += image.pixelColor(x, y) == ink && image.pixelColor(x - 1, y) != ink ? 1 : 0;
            }
            most = std::max(most, strokes);
        }
        QVERIFY2(most >= 3, qPrintable(QString::number(most)));
    }
};

TRAINYARD_GUI_TEST(TstCurvePictures)
#include "tst_curvepictures.moc"
