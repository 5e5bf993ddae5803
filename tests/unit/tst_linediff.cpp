// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/linediff.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace trainyard;

namespace
{
// The new text, made from the old one and the changes: what a patch would do.
QByteArray patched(const QByteArray &oldText, const QByteArray &newText, const LineDiff &diff)
{
    const auto lines = [](const QByteArray &text, const QList<ByteRange> &all, qsizetype begin, qsizetype end) {
        QByteArray taken;
        for (qsizetype i = begin; i < end; ++i) {
            taken += text.mid(all.at(i).begin, all.at(i).length());
        }
        return taken;
    };
    QByteArray result;
    qsizetype at = 0;
    for (const LineChange &change : diff.changes) {
        result += lines(oldText, diff.oldLines, at, change.oldBegin);
        result += lines(newText, diff.newLines, change.newBegin, change.newEnd);
        at = change.oldEnd;
    }
    return result + lines(oldText, diff.oldLines, at, diff.oldLines.size());
}

QByteArray numbered(int count, const char *word)
{
    QByteArray text;
    for (int i = 0; i < count; ++i) {
        text += word + QByteArray::number(i) + '\n';
    }
    return text;
}

QString shown(const LineDiff &diff)
{
    QStringList parts;
    for (const LineChange &c : diff.changes) {
        parts.append(QStringLiteral("%1-%2>%3-%4").arg(c.oldBegin).arg(c.oldEnd).arg(c.newBegin).arg(c.newEnd));
    }
    return parts.join(QLatin1Char(' '));
}
} // namespace

class TstLineDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsChanges_data();
    void findsChanges();
    void everyDiffIsAPatch();
    void isShortest();
    void staysQuick_data();
    void staysQuick();
    void lineEnds();
    void alignsAlikeLines();
    void alignsValuesOfOneName();
    void marksWords();
    void marksWholeCharacters();
};

void TstLineDiff::findsChanges_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("changes");
    const auto row = [](const char *name, const char *before, const char *after, const char *changes) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QString::fromLatin1(changes);
    };
    row("both empty", "", "", "");
    row("equal", "a\nb\n", "a\nb\n", "");
    row("from empty", "", "a\nb\n", "0-0>0-2");
    row("to empty", "a\nb\n", "", "0-2>0-0");
    row("one line changed", "a\nb\nc\n", "a\nB\nc\n", "1-2>1-2");
    row("inserted", "a\nc\n", "a\nb\nc\n", "1-1>1-2");
    row("removed", "a\nb\nc\n", "a\nc\n", "1-2>1-1");
    row("appended without a newline", "a\nb", "a\nb\nc", "1-2>1-3");
    row("two places", "a\nb\nc\nd\ne\n", "a\nX\nc\nd\nY\n", "1-2>1-2 4-5>4-5");
    row("all different", "a\nb\n", "c\nd\n", "0-2>0-2");
    row("an inserted block ends with its own end", "f {\n}\n", "f {\n}\ng {\n}\n", "2-2>2-4");
    row("a moved line", "a\nb\nc\nd\n", "b\nc\nd\na\n", "0-1>0-0 4-4>3-4");
}

void TstLineDiff::findsChanges()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, changes);
    const LineDiff diff = diffLines(before, after);
    QCOMPARE(shown(diff), changes);
    QCOMPARE(patched(before, after, diff), after);
}

void TstLineDiff::everyDiffIsAPatch()
{
    QRandomGenerator random(17);
    for (int round = 0; round < 3000; ++round) {
        const auto text = [&random] {
            QByteArray lines;
            const int count = int(random.bounded(18));
            const int kinds = 1 + int(random.bounded(6));
            for (int i = 0; i < count; ++i) {
                lines += char('a' + random.bounded(kinds));
                lines += i + 1 == count && random.bounded(2) == 0 ? "" : "\n";
            }
            return lines;
        };
        const QByteArray before = text();
        const QByteArray after = text();
        const LineDiff diff = diffLines(before, after);
        QCOMPARE(patched(before, after, diff), after);
        for (qsizetype i = 1; i < diff.changes.size(); ++i) {
            QVERIFY(diff.changes.at(i).oldBegin > diff.changes.at(i - 1).oldEnd);
            QVERIFY(diff.changes.at(i).newBegin > diff.changes.at(i - 1).newEnd);
        }
        for (const LineChange &change : diff.changes) {
            QVERIFY(change.oldEnd > change.oldBegin || change.newEnd > change.newBegin);
            qsizetype oldSeen = change.oldBegin;
            qsizetype newSeen = change.newBegin;
            const auto pairs = alignChange(before, after, diff, change);
            for (const auto &[oldLine, newLine] : pairs) {
                QVERIFY(oldLine >= 0 || newLine >= 0);
                QCOMPARE(oldLine < 0 ? oldSeen : oldLine, oldSeen);
                QCOMPARE(newLine < 0 ? newSeen : newLine, newSeen);
                oldSeen += oldLine >= 0;
                newSeen += newLine >= 0;
            }
            QCOMPARE(oldSeen, change.oldEnd);
            QCOMPARE(newSeen, change.newEnd);
        }
    }
}

// Against a longest common subsequence by the textbook.
void TstLineDiff::isShortest()
{
    QRandomGenerator random(5);
    for (int round = 0; round < 400; ++round) {
        QByteArray before, after;
        for (QByteArray *text : {&before, &after}) {
            const int count = int(random.bounded(30));
            for (int i = 0; i < count; ++i) {
                *text += char('a' + random.bounded(5));
                *text += '\n';
            }
        }
        const auto a = before.size() / 2;
        const auto b = after.size() / 2;
        std::vector<std::vector<int>> common(size_t(a + 1), std::vector<int>(size_t(b + 1), 0));
        for (qsizetype i = a - 1; i >= 0; --i) {
            for (qsizetype j = b - 1; j >= 0; --j) {
                common[size_t(i)][size_t(j)] = before.at(2 * i) == after.at(2 * j)
                    ? common[size_t(i + 1)][size_t(j + 1)] + 1
                    : std::max(common[size_t(i + 1)][size_t(j)], common[size_t(i)][size_t(j + 1)]);
            }
        }
        qsizetype removed = 0;
        const LineDiff diff = diffLines(before, after);
        for (const LineChange &change : diff.changes) {
            removed += change.oldEnd - change.oldBegin;
        }
        QCOMPARE(removed, a - common[0][0]);
    }
}

void TstLineDiff::staysQuick_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArray lines = numbered(10'000, "line ");
    QByteArray edited = lines;
    edited.replace("line 77\n", "line 77 changed\nand one more\n");
    edited.replace("line 9000\n", "");
    QTest::newRow("few changes") << lines << edited;
    QTest::newRow("nothing in common") << lines << numbered(10'000, "other ");
    QByteArrayList shuffled = lines.split('\n');
    QRandomGenerator random(3);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    QTest::newRow("shuffled") << lines << shuffled.join('\n');
    QByteArray few, others;
    for (int i = 0; i < 10'000; ++i) {
        few += char('a' + random.bounded(3));
        few += '\n';
        others += char('a' + random.bounded(3));
        others += '\n';
    }
    QTest::newRow("few kinds of lines") << few << others;
}

void TstLineDiff::staysQuick()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QElapsedTimer timer;
    timer.start();
    const LineDiff diff = diffLines(before, after);
    const qint64 took = timer.elapsed();
    QCOMPARE(patched(before, after, diff), after);
    qInfo("%lld changes in %lld ms", qint64(diff.changes.size()), took);
    QVERIFY2(took < 8000, "an order of magnitude for loaded machines and sanitizers");
}

void TstLineDiff::lineEnds()
{
    const LineDiff only = diffLines("a\r\nb\r\n", "a\nb\n");
    QCOMPARE(shown(only), QStringLiteral("0-2>0-2"));
    QVERIFY(only.onlyLineEnds);
    QVERIFY(diffLines("a\nb", "a\nb\n").onlyLineEnds);
    QVERIFY(!diffLines("a\r\nb\r\n", "a\nc\n").onlyLineEnds);
    QVERIFY(!diffLines("a\n", "a\n").onlyLineEnds);
    QVERIFY(!diffLines("a\n", "a\nb\n").onlyLineEnds);
}

void TstLineDiff::alignsAlikeLines()
{
    const QByteArray before = "  lr: 0.1\n  batchsize: 64\n";
    const QByteArray after = "  # tuned by hand\n  lr: 0.3\n  batchsize: 128\n";
    const LineDiff diff = diffLines(before, after);
    QCOMPARE(diff.changes.size(), 1);
    const QList<std::pair<qsizetype, qsizetype>> expected{{-1, 0}, {0, 1}, {1, 2}};
    QCOMPARE(alignChange(before, after, diff, diff.changes.first()), expected);
}

// A name that has another value is one row of the two, whatever the values are.
void TstLineDiff::alignsValuesOfOneName()
{
    const QByteArray before = "version: 1\nname: retry_twice\ntype: job\n";
    const QByteArray after = "version: 1\nname: cifar10_ensemble_of_many\ntype: job\n";
    const LineDiff diff = diffLines(before, after);
    QCOMPARE(diff.changes.size(), 1);
    const QList<std::pair<qsizetype, qsizetype>> expected{{1, 1}};
    QCOMPARE(alignChange(before, after, diff, diff.changes.first()), expected);
    // At another depth it is another thing.
    const QByteArray deeper = "version: 1\n  name: cifar10_ensemble_of_many\ntype: job\n";
    const LineDiff other = diffLines(before, deeper);
    QCOMPARE(alignChange(before, deeper, other, other.changes.first()).size(), 2);
}

void TstLineDiff::marksWords()
{
    const InlineDiff diff = diffWithin("  lr: 0.3 # start", "  lr: 0.05 # start");
    QVERIFY(diff.similar);
    QCOMPARE(diff.oldMarks, (QList<ByteRange>{{8, 9}}));
    QCOMPARE(diff.newMarks, (QList<ByteRange>{{8, 10}}));
    QVERIFY(!diffWithin("abc def", "xyz uvw").similar);
    QVERIFY(diffWithin("abc def", "xyz uvw").newMarks.isEmpty());
    const InlineDiff equal = diffWithin("same", "same");
    QVERIFY(equal.similar && equal.oldMarks.isEmpty() && equal.newMarks.isEmpty());
    const InlineDiff indented = diffWithin("  - run it", "    - run it");
    QVERIFY(indented.similar);
    QCOMPARE(indented.newMarks, (QList<ByteRange>{{0, 4}}));
}

void TstLineDiff::marksWholeCharacters()
{
    const QByteArray before = "name: caf\xC3\xA9 one two";
    const QByteArray after = "name: caf\xC3\xA8 one two";
    const InlineDiff diff = diffWithin(before, after);
    QCOMPARE(diff.oldMarks, (QList<ByteRange>{{6, 11}}));
    QCOMPARE(diff.newMarks, (QList<ByteRange>{{6, 11}}));
}

TRAINYARD_TEST(TstLineDiff)
#include "tst_linediff.moc"
