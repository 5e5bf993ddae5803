// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/clifixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#include <unistd.h>

#include <algorithm>

using namespace Qt::StringLiterals;

// The real program. Help, wrong usage, and outputs that cannot be written.
class TstCliUsage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void helpAndVersion();
    void usageErrors_data();
    void usageErrors();
    void failuresAsJson_data();
    void failuresAsJson();
    void outputCannotBeWritten();
    void emptyArguments();
    void filesThatLookLikeOptions();
    void textThatCannotBeRead();
    void everythingIsExplained();

private:
    CliFixture m_cli;
};

void TstCliUsage::initTestCase() { QVERIFY2(m_cli.isReady(), "trainyardctl has not been built."); }

void TstCliUsage::helpAndVersion()
{
    for (const QString &word : {u"--help"_s, u"help"_s, u"-h"_s}) {
        const CliFixture::Run help = m_cli.run({word});
        QCOMPARE(help.status, 0);
        for (const char *command : {"check", "render", "edit"}) {
            QVERIFY(help.out.contains(command));
        }
        QVERIFY(help.err.isEmpty());
    }
    QVERIFY(m_cli.run({u"--version"_s}).out.startsWith("trainyardctl "));
    for (const QString &command : {u"check"_s, u"render"_s, u"edit"_s}) {
        const CliFixture::Run help = m_cli.run({command, u"--help"_s});
        QCOMPARE(help.status, 0);
        QVERIFY(help.out.contains("Exit status"));
        QCOMPARE(m_cli.run({u"help"_s, command}).out, help.out);
    }
}

void TstCliUsage::usageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{u"chekc"_s};
    QTest::newRow("no file") << QStringList{u"check"_s};
    QTest::newRow("render: two files") << QStringList{u"render"_s, u"a"_s, u"b"_s};
    QTest::newRow("unknown option") << QStringList{u"check"_s, u"--whatever"_s, u"a"_s};
    QTest::newRow("render: no file") << QStringList{u"render"_s};
    QTest::newRow("render: bad parameter") << QStringList{u"render"_s, u"--param"_s, u"x"_s, u"a"_s};
    QTest::newRow("edit: no edit") << QStringList{u"edit"_s, u"a"_s};
    QTest::newRow("edit: no value") << QStringList{u"edit"_s, u"--set"_s};
    QTest::newRow("edit: no equals") << QStringList{u"edit"_s, u"--set"_s, u"/a"_s, u"a"_s};
    QTest::newRow("edit: no pointer") << QStringList{u"edit"_s, u"--set"_s, u"name=x"_s, u"a"_s};
    QTest::newRow("edit: standard input in place") << QStringList{u"edit"_s, u"-i"_s, u"--set"_s, u"/a=b"_s, u"-"_s};
    QTest::newRow("missing file") << QStringList{u"check"_s, u"/no/such/file.yaml"_s};
    QTest::newRow("folder") << QStringList{u"check"_s, u"/"_s};
    QTest::newRow("missing file to edit") << QStringList{u"edit"_s, u"--set"_s, u"/a=b"_s, u"/no/such/file"_s};
}

void TstCliUsage::usageErrors()
{
    QFETCH(QStringList, arguments);
    const CliFixture::Run result = m_cli.run(arguments);
    QCOMPARE(result.status, 2);
    QVERIFY(arguments.isEmpty() || (result.out.isEmpty() && result.err.startsWith("trainyardctl: ")));
}

void TstCliUsage::failuresAsJson_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message"); // a part of it
    QTest::newRow("an option") << QStringList{u"ps"_s, u"--json"_s, u"--no-such"_s} << 2 << u"usage"_s
                               << u"--no-such"_s;
    QTest::newRow("a file") << QStringList{u"check"_s, u"--json"_s, u"/no/such/file"_s} << 2 << u"file.unreadable"_s
                            << u"/no/such/file"_s;
    QTest::newRow("data") << QStringList{u"data"_s, u"--json"_s, u"/no/such/file"_s} << 2 << u"file.missing"_s
                          << u"There is no file or folder /no/such/file."_s;
    QTest::newRow("code") << QStringList{u"code"_s, u"--json"_s, u"/no/such/file"_s} << 2 << u"file.missing"_s
                          << u"There is no file or folder /no/such/file."_s;
    QTest::newRow("no json") << QStringList{u"check"_s, u"/no/such/file"_s} << 2 << QString() << QString();
}

void TstCliUsage::failuresAsJson()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const CliFixture::Run result = m_cli.run(arguments);
    QTEST(result.status, "status");
    const QJsonObject error = QJsonDocument::fromJson(result.out).object().value(u"error"_s).toObject();
    QTEST(error.value(u"code"_s).toString(), "code");
    QVERIFY2(error.value(u"message"_s).toString().contains(message), result.out.constData());
    QCOMPARE(result.out.isEmpty(), message.isEmpty());
    QVERIFY(result.err.startsWith("trainyardctl: "));
}

void TstCliUsage::outputCannotBeWritten()
{
    const QString path = m_cli.file(u"good.yaml"_s, goodJob);
    const QList<QStringList> commands{{u"render"_s, path}, {u"render"_s, u"--json"_s, path}, {u"check"_s, path},
        {u"check"_s, u"--json"_s, path}, {u"edit"_s, u"--set"_s, u"/name=x"_s, path}, {u"explain"_s}, {u"--version"_s},
        {u"--help"_s}, {u"templates"_s, u"list"_s}};
    for (const QStringList &command : commands) {
        QProcess process;
        process.setStandardOutputFile(u"/dev/full"_s);
        process.start(m_cli.program(), command);
        QVERIFY(process.waitForFinished(20'000));
        QVERIFY2(process.exitCode() == 2, qPrintable(command.join(u' ')));
        QCOMPARE(
            process.readAllStandardError(), "trainyardctl: The output cannot be written: No space left on device.\n");
    }
    // An output that somebody has closed is none of the files that the program opens by itself.
    QProcess closed;
    closed.start(u"sh"_s, {u"-c"_s, u"exec \"$0\" \"$@\" >&-"_s, m_cli.program(), u"check"_s, path});
    QVERIFY(closed.waitForFinished(20'000));
    QCOMPARE(closed.exitCode(), 2);
    QCOMPARE(closed.readAllStandardError(), "trainyardctl: The output cannot be written: it is closed.\n");
    const CliFixture::Run result = m_cli.run({u"rehearse"_s, path, u"--minutes"_s, u"99999999999"_s});
    QCOMPARE(result.status, 2);
    QVERIFY2(result.err.contains("a number from 1 to 525600, not '99999999999'"), result.err.constData());
}

// The message names the operand without the signs of the synopsis.
void TstCliUsage::emptyArguments()
{
    for (const QString &command : {u"check"_s, u"run"_s, u"convert"_s}) { // FILE..., [FILE], FILE
        const CliFixture::Run empty = m_cli.run({command, QString()});
        QCOMPARE(empty.status, 2);
        QVERIFY2(empty.err.contains("An empty argument is given for FILE. If it comes"), empty.err.constData());
    }
}

void TstCliUsage::filesThatLookLikeOptions()
{
    for (const QString &name : {u"-x.yaml"_s, u"--job.yaml"_s}) {
        QVERIFY(!m_cli.file(name, goodJob).isEmpty());
    }
    m_cli.inChild = [folder = QFile::encodeName(m_cli.folder())] {
        if (::chdir(folder.constData()) != 0) {
            ::_exit(99);
        }
    };
    const auto outside = qScopeGuard([this] { m_cli.inChild = {}; });
    for (const QString &name : {u"-x.yaml"_s, u"--job.yaml"_s}) {
        const CliFixture::Run taken = m_cli.run({u"check"_s, name});
        QCOMPARE(taken.status, 2);
        const QByteArray hint = "To name the file, write './" + name.toUtf8() + "', or put '--' before it.";
        QVERIFY2(taken.err.contains("There is no option '-") && taken.err.contains(hint), taken.err.constData());
        QCOMPARE(m_cli.run({u"check"_s, u"./"_s + name}).status, 0);
        QCOMPARE(m_cli.run({u"check"_s, u"--"_s, name}).status, 0);
    }
    QVERIFY(!m_cli.run({u"check"_s, u"-y.yaml"_s}).err.contains("To name the file"));
}

// Names of parameters cannot be judged by a text that is not YAML.
void TstCliUsage::textThatCannotBeRead()
{
    const QString path = m_cli.file(u"tabs.yaml"_s,
        "protocolVersion: 2\nname: tabs\ntype: job\ntaskRoles:\n\tworker:\n\t\tinstances: 1\nparameters: {a: 1}\n");
    const CliFixture::Run sweep = m_cli.run({u"sweep"_s, path, u"--param"_s, u"a=1,2"_s, u"--dry-run"_s});
    QVERIFY2(
        sweep.err.contains("tabs for indentation") && !sweep.err.contains("has no parameter"), sweep.err.constData());
    QCOMPARE(sweep.status, 4);
}

void TstCliUsage::everythingIsExplained()
{
    const CliFixture::Run all = m_cli.run({u"explain"_s, u"--json"_s});
    QCOMPARE(all.status, 0);
    const QJsonObject lists = QJsonDocument::fromJson(all.out).object();
    const auto has = [&lists](const QString &list, const QString &key, const QString &name) {
        const QJsonArray entries = lists.value(list).toArray();
        return std::any_of(entries.cbegin(), entries.cend(),
            [&](const QJsonValue &entry) { return entry.toObject().value(key).toString() == name; });
    };
    QVERIFY(has(u"fields"_s, u"path"_s, u"/jobRetryCount"_s));
    QVERIFY(has(u"variables"_s, u"name"_s, u"PAI_TASK_INDEX"_s));
    QVERIFY(has(u"settings"_s, u"key"_s, u"retry.freeCap"_s));
}

TRAINYARD_TEST(TstCliUsage)
#include "tst_cliusage.moc"
