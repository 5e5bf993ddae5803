// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/shellfindings.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Commands that bash cannot read.
class TstShellFindings : public QObject
{
    Q_OBJECT

    static QByteArray jobWith(const QByteArray &commands)
    {
        return "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n"
               "parameters: {lr: 0.1}\nsecrets: {token: abc}\n"
               "taskRoles:\n  main:\n    dockerImage: img\n"
               "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands:\n"
            + commands;
    }
    // The bytes that the findings stand at.
    static QStringList found(const QByteArray &text)
    {
        ParseOutcome outcome = parseJob(text);
        addShellFindings(outcome);
        QStringList places;
        for (const Diagnostic &each : std::as_const(outcome.diagnostics)) {
            if (each.code == "role.commands-syntax"_L1 && each.severity == Severity::Warning
                && each.args.value("message"_L1).toString().contains(u"syntax error"_s)) {
                places.append(QString::fromUtf8(text.mid(each.at.begin, each.at.end - each.at.begin)).trimmed());
            }
        }
        return places;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(u"bash"_s).isEmpty()) {
            QSKIP("bash is not installed.");
        }
    }

    void commands_data()
    {
        QTest::addColumn<QByteArray>("commands");
        QTest::addColumn<QStringList>("places");
        const auto row = [](const char *name, const QByteArray &commands, const QStringList &places) {
            QTest::newRow(name) << commands << places;
        };
        row("right", "      - echo a\n      - for i in 1; do\n      - echo $i\n      - done\n", {});
        row("never ended", "      - if true; then echo x\n", {u"if true; then echo x"_s});
        row("in the middle", "      - echo a\n      - echo b )\n      - echo c\n", {u"echo b )"_s});
        row("behind a block", "      - |\n        echo a\n        echo b\n      - ')'\n", {u"')'"_s});
        row("a parameter", "      - echo <% $parameters.lr %>\n", {});
        row("a secret", "      - echo <% $secrets.token %>\n", {});
        row("a secret and a fault", "      - echo <% $secrets.token %>\n      - fi\n", {u"fi"_s});
        row("a reference to nothing", "      - if <% $parameters.no %>\n", {});
        row("a pattern that has to be switched on", "      - shopt -s extglob\n      - ls !(a|b)\n", {});
    }
    void commands()
    {
        QFETCH(QByteArray, commands);
        QTEST(found(jobWith(commands)), "places");
    }

    void faultsMoveWithTheText_data()
    {
        QTest::addColumn<QString>("to");
        QTest::addColumn<int>("line");
        QTest::newRow("the same") << u"a\nb )\nc"_s << 2;
        QTest::newRow("below") << u"a\nb )\nc\nd"_s << 2;
        QTest::newRow("a line above") << u"x\na\nb )\nc"_s << 3;
        QTest::newRow("lines above are gone") << u"b )\nc"_s << 1;
        QTest::newRow("in the line itself") << u"a\nbb )\nc"_s << 2;
        QTest::newRow("the line is split") << u"a\nb\n)\nc"_s << 2;
        QTest::newRow("the line is gone") << u"a\nc"_s << 2;
        QTest::newRow("all is gone") << QString() << 1;
    }
    void faultsMoveWithTheText()
    {
        QFETCH(QString, to);
        const ShellFault moved = movedFault({2, u"syntax error"_s}, u"a\nb )\nc"_s, to);
        QTEST(moved.line, "line");
        QCOMPARE(moved.message, u"syntax error"_s);
        // That of an end without the rest is behind the last line.
        QCOMPARE(movedFault({3, {}}, u"if a\nthen b"_s, u"x\nif a\nthen b"_s).line, 4);
    }

    // It is only read, also what the environment would have executed before.
    void nothingIsExecuted()
    {
        QTemporaryDir folder;
        const QString touched = folder.filePath(u"touched"_s), start = folder.filePath(u"start"_s);
        QFile file(start);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("touch " + touched.toUtf8() + '\n') > 0);
        file.close();
        qputenv("BASH_ENV", start.toUtf8());
        const QStringList places = found(jobWith("      - touch " + touched.toUtf8() + "\n      - fi\n"));
        qunsetenv("BASH_ENV");
        QCOMPARE(places, QStringList(u"fi"_s));
        QVERIFY(!QFile::exists(touched));
    }
};

TRAINYARD_TEST(TstShellFindings)
#include "tst_shellfindings.moc"
