// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logview.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace trainyard;
using namespace logtests;
using namespace Qt::StringLiterals;

// Lines of many thousands of characters, as programs write that print all they have as JSON.
class TstLongLogLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // What is found in them is drawn where it stands, in the time of some frames.
    void manyHitsInALine_data()
    {
        QTest::addColumn<bool>("isWrapped");
        QTest::addColumn<QByteArray>("word");
        for (const bool isWrapped : {false, true}) {
            const char *how = isWrapped ? "wrapped" : "in one row";
            QTest::addRow("plain, %s", how) << isWrapped << QByteArray("1 ");
            QTest::addRow("with grounds, %s", how) << isWrapped << QByteArray("\033[44m1\033[0m ");
        }
    }
    void manyHitsInALine()
    {
        QFETCH(const bool, isWrapped);
        QFETCH(const QByteArray, word);
        QByteArray text;
        while (text.size() < 30'000) {
            text += word;
        }
        text += '\n';
        LogView view;
        view.resize(600, 800);
        view.setTimes(LogTimes::None);
        view.setWrapped(isWrapped);
        view.setFollowing(false);
        view.show();
        view.setSource(BytesLogSource::factory(text + text + text));
        QElapsedTimer timer;
        timer.start();
        QTRY_VERIFY_WITH_TIMEOUT(view.isComplete() && view.lineCount() == 3, 10'000);
        view.search({u"1"_s, false, false});
        QTRY_VERIFY_WITH_TIMEOUT(view.searchDone() && view.hitLineCount() == 3, 10'000);
        const QImage picture = view.viewport()->grab().toImage();
        QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));

        // They are marked from the first to the last character in sight, and in each row of a wrapped line.
        const auto hits = [&](int row) {
            const int y = row * std::max(metrics::logLine, view.fontMetrics().height() + 1) + 3; // over the letters
            int left = -1, right = -1;
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixelColor(x, y) == colour(Colour::Hit, &view)) {
                    left = left < 0 ? x : left;
                    right = x;
                }
            }
            return std::pair(left, right);
        };
        const int width = view.fontMetrics().averageCharWidth();
        const auto [left, right] = hits(isWrapped ? 10 : 1);
        QVERIFY2(left >= 0 && left < 26 + 8 + 12 + 4 * width, qPrintable(QString::number(left)));
        QVERIFY2(right > picture.width() - 8 - 6 * width, qPrintable(QString::number(right)));
    }
};

TRAINYARD_GUI_TEST(TstLongLogLines)
#include "tst_longloglines.moc"
