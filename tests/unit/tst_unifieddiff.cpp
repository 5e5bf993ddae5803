// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/unifieddiff.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Differences as `diff -u` prints them.
class TstUnifiedDiff : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void prints_data();
    void prints();
    void patchTakesIt();
};

void TstUnifiedDiff::prints_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("hunks");
    const auto row = [](const char *name, const char *before, const char *after, const char *hunks) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QByteArray(hunks);
    };
    row("equal", "a\nb\n", "a\nb\n", "");
    row("both empty", "", "", "");
    row("one line", "a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n");
    row("from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n");
    row("to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n");
    row("in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n");
    row("inserted", "1\n2\n3\n4\n", "1\n2\nX\n3\n4\n", "@@ -1,4 +1,5 @@\n 1\n 2\n+X\n 3\n 4\n");
    row("two places that touch", "1\n2\n3\n4\n5\n6\n7\n8\n", "X\n2\n3\n4\n5\n6\n7\nY\n",
        "@@ -1,8 +1,8 @@\n-1\n+X\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+Y\n");
    row("two places apart", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "X\n2\n3\n4\n5\n6\n7\n8\nY\n",
        "@@ -1,4 +1,4 @@\n-1\n+X\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+Y\n");
    row("no last line end", "a\nb", "a\nc",
        "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
        "\\ No newline at end of file\n");
    row("a last line end comes", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    row("other line ends", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n");
}

void TstUnifiedDiff::prints()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, hunks);
    const QByteArray head = hunks.isEmpty() ? QByteArray() : QByteArray("--- old\n+++ new one\n");
    QCOMPARE(unifiedDiff(before, after, "old", "new one"), head + hunks);
}

// The program for which the form was made understands it.
void TstUnifiedDiff::patchTakesIt()
{
    if (QStandardPaths::findExecutable(u"patch"_s).isEmpty()) {
        QSKIP("There is no program patch: install the package patch.");
    }
    QTemporaryDir folder;
    QRandomGenerator random(11);
    const QString file = folder.filePath(u"text"_s);
    for (int round = 0; round < 20; ++round) {
        QByteArray before, after;
        for (QByteArray *text : {&before, &after}) {
            const int count = 1 + int(random.bounded(40));
            for (int i = 0; i < count; ++i) {
                *text += char('a' + random.bounded(4));
                *text += i + 1 == count && random.bounded(2) == 0 ? "" : "\n";
            }
        }
        QFile old(file);
        QVERIFY(old.open(QIODevice::WriteOnly));
        QCOMPARE(old.write(before), before.size());
        old.close();
        QProcess patch;
        patch.start(u"patch"_s, {u"--silent"_s, u"--fuzz=0"_s, u"-p0"_s, file});
        QVERIFY(patch.waitForStarted());
        patch.write(unifiedDiff(before, after, "old", "new"));
        patch.closeWriteChannel();
        QVERIFY(patch.waitForFinished());
        QVERIFY2(before == after || patch.exitCode() == 0, patch.readAllStandardError().constData());
        QFile now(file);
        QVERIFY(now.open(QIODevice::ReadOnly));
        QCOMPARE(now.readAll(), after);
    }
}

TRAINYARD_TEST(TstUnifiedDiff)
#include "tst_unifieddiff.moc"
