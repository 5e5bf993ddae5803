// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets that the shell of a task takes apart: what it says of the parts is in no output, no cause and no store.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QTest>

using namespace Qt::StringLiterals;

class TstSplitSecrets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void partsStayHidden_data();
    void partsStayHidden();
    void givenValuesAreWarnedOf();
    void typedValuesAreWarnedOf();
};
TRAINYARD_TEST(TstSplitSecrets)

void TstSplitSecrets::partsStayHidden_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("part"); // that bash or a program names
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<bool>("isStep");
    const QByteArray exported = "export KEY=<% $secrets.api_key %>";
    const QByteArray parsed
        = "python3 -c 'import argparse; argparse.ArgumentParser().parse_args()' <% $secrets.api_key %>";
    QTest::newRow("a command") << QByteArray("ab&Q7hZ9kLm42WxPpRtY88") << QByteArray("Q7hZ9kLm42WxPpRtY88")
                               << QByteArray(exported + "; wait; exit 127") << false;
    QTest::newRow("the next command") << QByteArray("Pa;LongTail8878") << QByteArray("LongTail8878") << exported
                                      << false;
    QTest::newRow("a variable") << QByteArray("p$ecretWord99xyzzyMORE") << QByteArray("ecretWord99xyzzyMORE")
                                << exported << false;
    QTest::newRow("in quotes") << QByteArray("Pa$$word$LongTail8876") << QByteArray("LongTail8876")
                               << QByteArray("export KEY=\"<% $secrets.api_key %>\"") << false;
    QTest::newRow("arguments") << QByteArray("Pa LongTail8879 more") << QByteArray("LongTail8879") << parsed << false;
    QTest::newRow("a prerequisite") << QByteArray("Pa;LongTail8878") << QByteArray("LongTail8878") << exported << true;
}

void TstSplitSecrets::partsStayHidden()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, part);
    QFETCH(QByteArray, command);
    QFETCH(const bool, isStep);
    ProgramsFixture f;
    command.replace("\"", "\\\"");
    const QByteArray secrets = "secrets: {api_key: '" + value + "'}\n";
    const QByteArray step = "prerequisites:\n  - {name: p, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, "
                            "callbacks: [{event: taskStarts, commands: [\""
        + command + "\"]}]}\n";
    const QByteArray text = "protocolVersion: 2\nname: split\ntype: job\n" + secrets + (isStep ? step : QByteArray())
        + "taskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
        + (isStep ? "    prerequisites: [p]\n" : "") + "    commands: [\"" + (isStep ? QByteArray("true") : command)
        + "\"]\n";
    const QString file = f.write(u"work/split.yaml"_s, text);
    const auto run = f.ctl({u"run"_s, file, u"--wait"_s});
    QVERIFY2(run.status != 0, run.err.constData());
    QByteArray said = run.out + run.err;
    for (const QStringList &words : {QStringList{u"ps"_s, u"--all"_s}, QStringList{u"show"_s, u"split"_s},
             QStringList{u"show"_s, u"split"_s, u"--json"_s, u"--tasks"_s}, QStringList{u"why"_s, u"split"_s},
             QStringList{u"logs"_s, u"split"_s}, QStringList{u"logs"_s, u"split"_s, u"--runtime"_s}}) {
        const auto shown = f.ctl(words);
        said += shown.out + shown.err;
    }
    QVERIFY2(said.contains("******"), said.constData());
    QVERIFY2(!said.contains(part), said.constData());
    const auto why = f.ctl({u"why"_s, u"split"_s});
    QVERIFY2(why.out.contains("api_key"), why.out.constData()); // the likely cause
    int files = 0;
    for (QDirIterator it(f.stateFolder(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();) {
        const QString name = it.next();
        ++files;
        QVERIFY2(!EngineFixture::contents(name).contains(part), qPrintable(name));
    }
    QVERIFY(files > 3);
}

// Before it runs: what the file does not say is known when it is given.
void TstSplitSecrets::givenValuesAreWarnedOf()
{
    ProgramsFixture f;
    const QString file = f.write(u"work/given.yaml"_s,
        EngineFixture::job("given", {"test -n <% $secrets.api_key %>"}, 1) + "secrets: {api_key: '******'}\n");
    const QString value = f.write(u"work/value"_s, "ab&Q7hZ9kLm42WxPpRtY88\n");
    const auto checked = f.ctl({u"check"_s, file});
    QVERIFY2(checked.out.contains("[secrets.shell-unquoted]"), checked.out.constData());
    const auto run = f.ctl({u"run"_s, file, u"--secret"_s, QString(u"api_key=@"_s + value)});
    QVERIFY2(run.err.contains("[secrets.shell]"), run.err.constData());
    QVERIFY2(!run.err.contains("Q7hZ9kLm42"), run.err.constData());
    const QString plain = f.write(u"work/plain"_s, "Q7hZ9kLm42WxPpRtY88\n");
    const auto good = f.ctl({u"run"_s, file, u"--secret"_s, QString(u"api_key=@"_s + plain)});
    QVERIFY2(!good.err.contains("secrets.shell"), good.err.constData());
}

void TstSplitSecrets::typedValuesAreWarnedOf()
{
    const ProgramsFixture f;
    const QString file = f.write(u"work/typed.yaml"_s,
        EngineFixture::job("typed", {"test -n <% $secrets.api_key %>"}, 1) + "secrets: {api_key: '******'}\n");
    PseudoTerminal terminal(24, 200);
    QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"run"_s, file}, f.environment()));
    QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Secret api_key: "), 20000);
    terminal.type("ab&Q7hZ9kLm42WxPpRtY88\n");
    QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
    QTRY_VERIFY2(terminal.written().contains("secrets.shell]"), terminal.written().constData());
    QVERIFY2(!terminal.written().contains("Q7hZ9kLm42"), terminal.written().constData());
}

#include "tst_splitsecrets.moc"
