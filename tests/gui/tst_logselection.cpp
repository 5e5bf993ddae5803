// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/tokens.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logview.h"

#include <QTest>

#include <memory>

using namespace trainyard;
using namespace logtests;

// What is selected in a log, by the pointer and by keys, and the line that is the current one.
class TstLogSelection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void selectionAndCopy();
    void keysSelect_data();
    void keysSelect();
    void selectingKeysScroll_data();
    void selectingKeysScroll();
    void theCurrentLineIsMarked();
    void largeSelectionIsNotReadToLookForIt();
};

void TstLogSelection::selectionAndCopy()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(BytesLogSource::factory("one\ntwo words\nthree\n"));
    QTRY_VERIFY(view.isComplete());
    view.selectAll();
    QCOMPARE(view.selectedText(), QStringLiteral("one\ntwo words\nthree"));
    const int x = 118 + 26 + view.fontMetrics().horizontalAdvance(QStringLiteral("two w")) + 1;
    QTest::mouseDClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(x, 18 + 9));
    QCOMPARE(view.selectedText(), QStringLiteral("words"));
}

void TstLogSelection::keysSelect_data()
{
    using Keys = QList<QKeyCombination>;
    constexpr auto shift = Qt::SHIFT;
    constexpr auto far = Qt::SHIFT | Qt::CTRL;
    QTest::addColumn<Keys>("keys");
    QTest::addColumn<QString>("selected"); // from before the "w" of the second line
    QTest::newRow("right") << Keys{shift | Qt::Key_Right, shift | Qt::Key_Right} << QStringLiteral("wo");
    QTest::newRow("left") << Keys{shift | Qt::Key_Left} << QStringLiteral(" ");
    QTest::newRow("a character of two units") << Keys{shift | Qt::Key_Down, shift | Qt::Key_Down, shift | Qt::Key_Right}
                                              << QStringLiteral("words\n\nfour\U0001F600");
    QTest::newRow("to the end of the line") << Keys{shift | Qt::Key_End} << QStringLiteral("words");
    QTest::newRow("to its beginning") << Keys{shift | Qt::Key_Home} << QStringLiteral("two ");
    QTest::newRow("back to where it began")
        << Keys{shift | Qt::Key_End, shift | Qt::Key_Up, shift | Qt::Key_Down} << QStringLiteral("words");
    QTest::newRow("over a line that is shorter")
        << Keys{shift | Qt::Key_Down, shift | Qt::Key_Down} << QStringLiteral("words\n\nfour");
    QTest::newRow("up") << Keys{shift | Qt::Key_Up} << QStringLiteral("\ntwo ");
    QTest::newRow("up beyond the first line")
        << Keys{shift | Qt::Key_Up, shift | Qt::Key_Up} << QStringLiteral("one\ntwo ");
    QTest::newRow("a page down") << Keys{shift | Qt::Key_PageDown} << QStringLiteral("words\n\nfour\U0001F600 five");
    QTest::newRow("a page up") << Keys{shift | Qt::Key_PageUp} << QStringLiteral("one\ntwo ");
    QTest::newRow("to the end") << Keys{far | Qt::Key_End} << QStringLiteral("words\n\nfour\U0001F600 five");
    QTest::newRow("to the beginning") << Keys{far | Qt::Key_Home} << QStringLiteral("one\ntwo ");
}

void TstLogSelection::keysSelect()
{
    QFETCH(const QList<QKeyCombination>, keys);
    LogView view;
    view.resize(500, 300);
    view.setTimes(LogTimes::None);
    view.show();
    view.setSource(BytesLogSource::factory("one\ntwo words\n\nfour\xF0\x9F\x98\x80 five\n"));
    QTRY_VERIFY(view.isComplete());
    const int left = LogLayout::textLeft + LogLayout::markWidth;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier,
        QPoint(left + view.fontMetrics().horizontalAdvance(QStringLiteral("two ")) + 1, metrics::logLine * 3 / 2));
    QCOMPARE(view.currentLine(), std::optional<qint64>(1));
    QVERIFY(!view.hasSelection());
    for (const QKeyCombination &key : keys) {
        QTest::keyClick(&view, key.key(), key.keyboardModifiers());
    }
    QTEST(view.selectedText(), "selected");
}

void TstLogSelection::selectingKeysScroll_data()
{
    QTest::addColumn<bool>("isWrapped");
    QTest::newRow("whole lines") << false;
    QTest::newRow("wrapped lines") << true;
}

// The line that was selected last is in sight, and nothing jumps while it is; what is not clicked yet begins at the
// edge.
void TstLogSelection::selectingKeysScroll()
{
    QFETCH(const bool, isWrapped);
    LogView view;
    view.resize(400, 10 * metrics::logLine);
    view.setWrapped(isWrapped);
    view.show();
    view.setSource(BytesLogSource::factory(numbered(0, 200)));
    QTRY_VERIFY(view.isComplete());
    view.showLine(50);
    const qint64 top = view.topLine();
    QVERIFY(!view.currentLine());
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(view.selectedText(), QStringLiteral("line %1\n").arg(top));
    QCOMPARE(view.topLine(), top);
    for (int i = 0; i < 30; ++i) {
        const qint64 before = view.topLine();
        QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(!view.lineRect(*view.currentLine()).isEmpty());
        QVERIFY(view.topLine() - before <= 1);
    }
    QCOMPARE(*view.currentLine(), top + 31);
    QCOMPARE(view.selectedText().count(QLatin1Char('\n')), 31);
    for (int i = 0; i < 40; ++i) {
        const qint64 before = view.topLine();
        QTest::keyClick(&view, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(!view.lineRect(*view.currentLine()).isEmpty());
        QVERIFY(before - view.topLine() <= 1);
    }
    QCOMPARE(*view.currentLine(), top - 9);
    // The plain keys scroll, as before.
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(*view.currentLine(), top - 9);
}

void TstLogSelection::theCurrentLineIsMarked()
{
    LogView view;
    view.resize(400, 200);
    view.show();
    view.setSource(BytesLogSource::factory(numbered(0, 5)));
    QTRY_VERIFY(view.isComplete());
    const auto groundOf = [&view](int line) {
        const QImage picture = view.viewport()->grab().toImage();
        return picture.pixelColor(390 - 30, line * metrics::logLine + 2);
    };
    QCOMPARE(groundOf(1), groundOf(2));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(200, metrics::logLine * 3 / 2));
    QCOMPARE(view.currentLine(), std::optional<qint64>(1));
    QVERIFY(groundOf(1) != groundOf(2));
}

// Ctrl+F takes what is selected in a line; of a selection of gigabytes it needs nothing.
void TstLogSelection::largeSelectionIsNotReadToLookForIt()
{
    struct CountedSource final : LogSource {
        CountedSource(const QByteArray &bytes, qint64 *read) : all(bytes), count(read) { }
        qint64 size() override { return all.size(); }
        QByteArray read(qint64 offset, qint64 length) override
        {
            const QByteArray part = all.mid(offset, length);
            *count += part.size();
            return part;
        }
        std::optional<Origin> originAt(qint64) override { return {}; }
        bool isComplete() override { return true; }
        QByteArray all;
        qint64 *count;
    };
    const QByteArray bytes = numbered(0, 200'000);
    LogLines lines;
    qint64 read = 0;
    lines.setSource(std::make_unique<CountedSource>(bytes, &read));
    LogIndex index = indexed(bytes);
    lines.apply(index.takeDelta());
    LogSelection selection(&lines, nullptr);
    selection.selectAll();
    read = 0;
    QCOMPARE(selection.textInOneLine(), QString());
    QCOMPARE(read, 0);
    selection.selectLine(7);
    QCOMPARE(selection.textInOneLine(), QStringLiteral("line 7"));
}

TRAINYARD_GUI_TEST(TstLogSelection)
#include "tst_logselection.moc"
