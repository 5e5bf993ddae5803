// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/shellquote.h"
#include "tests/helpers/testregistry.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

using namespace trainyard;

class TstShellQuote : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void quotesOnlyWhereNeeded_data();
    void quotesOnlyWhereNeeded();
    void shellsGiveTheTextBack_data();
    void shellsGiveTheTextBack();
};

void TstShellQuote::quotesOnlyWhereNeeded_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("quoted");
    const auto row = [](const QByteArray &text, const QByteArray &quoted) {
        QTest::newRow(text.isEmpty() ? "empty" : text.constData()) << text << quoted;
    };
    row("", "''");
    row("abc", "abc");
    row("/usr/bin/python3.11", "/usr/bin/python3.11");
    row("user@host:/x-y_z,1+2%", "user@host:/x-y_z,1+2%");
    row("a b", "'a b'");
    row("it's", "'it'\\''s'");
    row("A=b", "'A=b'");
    row("~", "'~'");
    row("*", "'*'");
    row("{a,b}", "'{a,b}'");
    row("if", "'if'");
    row("!", "'!'");
    row("$x", "'$x'");
}

void TstShellQuote::quotesOnlyWhereNeeded()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, quoted);
    QCOMPARE(shellQuote(text), quoted);
}

void TstShellQuote::shellsGiveTheTextBack_data()
{
    QTest::addColumn<QString>("shell");
    QTest::newRow("sh") << QStringLiteral("sh");
    QTest::newRow("bash") << QStringLiteral("bash");
}

// One shell prints very many words, each as its length and bytes.
void TstShellQuote::shellsGiveTheTextBack()
{
    QFETCH(QString, shell);
    QList<QByteArray> words{"", "'", "''", "\\", "\\'", "a\nb", "\n", " ", "\t", "$(id)", "`id`", "!!", "#", "-n",
        "-e x", "a'b\"c\\d", "\xC3\xA4", "\xFF\xFE", "%s", "[a]", "a;b", "a&b", "<", ">", "|", "~root"};
    for (const char *reserved :
        {"if", "then", "do", "done", "case", "esac", "while", "for", "in", "function", "time"}) {
        words.append(reserved);
    }
    QRandomGenerator random(7);
    for (int i = 0; i < 2000; ++i) {
        QByteArray word;
        const int length = random.bounded(12);
        for (int j = 0; j < length; ++j) {
            word.append(char(random.bounded(1, 256)));
        }
        words.append(word);
    }
    QByteArray script("LC_ALL=C\n");
    QByteArray expected;
    for (const QByteArray &word : std::as_const(words)) {
        script += "printf '%s:' " + shellQuote(word) + "\n";
        expected += word + ':';
        // As the first word of a command it must be looked up as a name, never be read as syntax.
        if (!word.isEmpty() && !word.contains('/') && word.at(0) != '-') {
            script += "case x in " + shellQuote(word) + ") ;; esac\n";
        }
    }
    QProcess process;
    process.start(shell, {QStringLiteral("-s")});
    QVERIFY(process.waitForStarted());
    process.write(script);
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(process.readAllStandardOutput(), expected);
    qInfo("%lld words through %s", static_cast<long long>(words.size()), qPrintable(shell));
}

TRAINYARD_TEST(TstShellQuote)
#include "tst_shellquote.moc"
