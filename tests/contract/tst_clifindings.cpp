// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/clifixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTest>

using namespace Qt::StringLiterals;

// The real program. What the check of a file finds, for people and as JSON.
class TstCliFindings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void checkForPeople();
    void checkJson();
    void checkStrict();
    void checkStandardInput();
    void checkBadFiles_data();
    void checkBadFiles();
    void severalFiles();
    void severalFilesJson();
    void secretsStayHidden();
    void catalogue();

private:
    CliFixture m_cli;
};

void TstCliFindings::initTestCase() { QVERIFY2(m_cli.isReady(), "trainyardctl has not been built."); }

void TstCliFindings::checkForPeople()
{
    const CliFixture::Run good = m_cli.run({u"check"_s, m_cli.file(u"good.yaml"_s, goodJob)});
    QCOMPARE(good.status, 0);
    QVERIFY2(good.out.contains("no errors"), good.out.constData());
    QVERIFY(!good.out.contains('\x1b'));
    const QString path = m_cli.file(u"bad.yaml"_s, badJob);
    const CliFixture::Run bad = m_cli.run({u"check"_s, path});
    QCOMPARE(bad.status, 1);
    const QByteArray place = path.toUtf8() + ":2:7: error: '\u00e9' must not be in a name: ";
    QVERIFY2(bad.out.contains(place), bad.out.constData());
    QVERIFY2(bad.out.contains("\n        ^~~~~~~~\n"), bad.out.constData());
    QVERIFY(bad.out.contains("[name.invalid]"));
    // Below wide characters, which take two columns each.
    const QByteArray wideJob = QByteArray(badJob).replace("d\u00e9mo job", "\u540d\u524d x");
    const CliFixture::Run wide = m_cli.run({u"check"_s, m_cli.file(u"wide.yaml"_s, wideJob)});
    QVERIFY2(wide.out.contains("\n        ^~~~~~\n"), wide.out.constData());
    QVERIFY(bad.out.contains("fix: Define the image 'img'"));
    const CliFixture::Run data = m_cli.run({u"check"_s,
        m_cli.file(u"data.yaml"_s, goodJob + QByteArray("extras: {trainyard: {data: {d: {from: gone}}}}\n"))});
    QCOMPARE(data.status, 0);
    QVERIFY2(data.out.contains("[extras.data-missing]"), data.out.constData());
    // Where the job will run is not known: on a cluster the folder may have it.
    const CliFixture::Run script = m_cli.run({u"check"_s,
        m_cli.file(u"script.yaml"_s,
            "protocolVersion: 2\nname: x\ntype: job\ntaskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, memoryMB: 64, "
            "gpu: 0}\n    commands: [python gone.py]\n")});
    QCOMPARE(script.status, 0);
    QVERIFY2(script.out.contains("There is no file 'gone.py' in ") && script.out.contains("starts on this computer."),
        script.out.constData());
    const CliFixture::Run quiet = m_cli.run({u"check"_s, u"-q"_s, m_cli.file(u"good.yaml"_s, goodJob)});
    QVERIFY(quiet.out.isEmpty());
}

void TstCliFindings::checkJson()
{
    const QString path = m_cli.file(u"bad.yaml"_s, badJob);
    const CliFixture::Run result = m_cli.run({u"check"_s, u"--json"_s, path});
    QCOMPARE(result.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(result.out).object();
    QCOMPARE(json.value(u"file"_s).toString(), path);
    QCOMPARE(json.value(u"valid"_s).toBool(true), false);
    QCOMPARE(json.value(u"strict"_s).toBool(true), false);
    const QJsonArray diagnostics = json.value(u"diagnostics"_s).toArray();
    QCOMPARE(diagnostics.size(), 2);
    const QJsonObject name = diagnostics.at(0).toObject();
    QCOMPARE(name.value(u"code"_s).toString(), u"name.invalid"_s);
    QCOMPARE(name.value(u"severity"_s).toString(), u"error"_s);
    QCOMPARE(name.value(u"line"_s).toInt(), 2);
    QCOMPARE(name.value(u"column"_s).toInt(), 7);
    QCOMPARE(name.value(u"begin"_s).toInt(), 25);
    QCOMPARE(name.value(u"end"_s).toInt(), 34); // bytes: the accent has two
    QCOMPARE(name.value(u"path"_s).toString(), u"/name"_s);
    QVERIFY(name.value(u"message"_s).toString().contains(u"use English letters"_s));
    const QJsonObject image = diagnostics.at(1).toObject();
    QCOMPARE(image.value(u"code"_s).toString(), u"role.image.undefined"_s);
    QCOMPARE(image.value(u"path"_s).toString(), u"/taskRoles/w/dockerImage"_s);
    QCOMPARE(image.value(u"args"_s).toObject().value(u"name"_s).toString(), u"img"_s);
    const QJsonObject fix = image.value(u"fixes"_s).toArray().at(0).toObject();
    QVERIFY(!fix.value(u"title"_s).toString().isEmpty());
    const QJsonObject edit = fix.value(u"edits"_s).toArray().at(0).toObject();
    QVERIFY(edit.contains(u"begin"_s) && edit.contains(u"end"_s) && edit.contains(u"text"_s));
    const CliFixture::Run good = m_cli.run({u"check"_s, u"--json"_s, m_cli.file(u"good.yaml"_s, goodJob)});
    QCOMPARE(QJsonDocument::fromJson(good.out).object().value(u"valid"_s).toBool(), true);
}

void TstCliFindings::checkStrict()
{
    QByteArray job = goodJob;
    job.replace("instances: 2", QByteArray("instances: '2'"));
    const QString path = m_cli.file(u"strict.yaml"_s, job);
    QCOMPARE(m_cli.run({u"check"_s, path}).status, 0);
    const CliFixture::Run strict = m_cli.run({u"check"_s, u"--strict"_s, u"--json"_s, path});
    QCOMPARE(strict.status, 1);
    const QJsonObject json = QJsonDocument::fromJson(strict.out).object();
    QCOMPARE(json.value(u"strict"_s).toBool(), true);
    QCOMPARE(json.value(u"valid"_s).toBool(true), false);
    QCOMPARE(m_cli.run({u"check"_s, u"--strict"_s, m_cli.file(u"good.yaml"_s, goodJob)}).status, 0);
}

void TstCliFindings::checkStandardInput()
{
    QCOMPARE(m_cli.run({u"check"_s, u"-"_s}, goodJob).status, 0);
    const CliFixture::Run bad = m_cli.run({u"check"_s, u"-"_s}, badJob);
    QCOMPARE(bad.status, 1);
    QVERIFY(bad.out.startsWith("standard input:2:7: "));
}

void TstCliFindings::checkBadFiles_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("not utf-8") << QByteArray("name: \xff\xfe\n");
    QTest::newRow("nul") << QByteArray("a\0b", 3);
    QTest::newRow("json") << QByteArray("{\"jobName\": \"x\", \"taskRoles\": []}");
    QTest::newRow("brackets") << QByteArray(8'000'000, '[');
    QTest::newRow("50 MB") << QByteArray(50'000'000, 'x');
    QTest::newRow("unclosed") << QByteArray("name: \"x\n");
}

void TstCliFindings::checkBadFiles()
{
    QFETCH(QByteArray, bytes);
    const QString path = m_cli.file(u"input.yaml"_s, bytes);
    const CliFixture::Run result = m_cli.run({u"check"_s, path});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.out.contains(QByteArray(path.toUtf8() + ":1:")), result.out.left(300).constData());
    QVERIFY(result.out.size() < 20'000);
    QCOMPARE(m_cli.run({u"render"_s, path}).status, 1);
    const CliFixture::Run edited = m_cli.run({u"edit"_s, u"-i"_s, u"--set"_s, u"/a/b=1"_s, path});
    QVERIFY(edited.status == 4 || edited.status == 0);
    QVERIFY(edited.status == 0 || CliFixture::contents(path) == bytes);
}

// Each with what it would be given alone, below its name.
void TstCliFindings::severalFiles()
{
    const QString good = m_cli.file(u"good.yaml"_s, goodJob), bad = m_cli.file(u"bad.yaml"_s, badJob);
    const QString gone = m_cli.path(u"gone.yaml"_s);
    const CliFixture::Run goodAlone = m_cli.run({u"check"_s, good}), badAlone = m_cli.run({u"check"_s, bad});
    QCOMPARE(goodAlone.status, 0);
    QCOMPARE(badAlone.status, 1);
    QVERIFY(!goodAlone.out.startsWith(QByteArray(good.toUtf8() + ":\n")));
    const CliFixture::Run both = m_cli.run({u"check"_s, good, bad});
    QCOMPARE(both.status, 1);
    QCOMPARE(both.out, QByteArray(good.toUtf8() + ":\n" + goodAlone.out + '\n' + bad.toUtf8() + ":\n" + badAlone.out));
    QCOMPARE(m_cli.run({u"check"_s, good, good}).status, 0);
    // One that cannot be read is said, and the others are checked.
    const CliFixture::Run unread = m_cli.run({u"check"_s, gone, bad});
    QCOMPARE(unread.status, 2);
    QVERIFY2(unread.err.contains("gone.yaml"), unread.err.constData());
    QCOMPARE(unread.out, QByteArray(bad.toUtf8() + ":\n" + badAlone.out));
    // A file of which nothing is said has no heading.
    const CliFixture::Run quiet = m_cli.run({u"check"_s, u"-q"_s, good, bad});
    QCOMPARE(quiet.status, 1);
    QVERIFY2(quiet.out.startsWith(QByteArray(bad.toUtf8() + ":\n")) && !quiet.out.contains("good.yaml"),
        quiet.out.constData());
    // Standard input may be among them, once.
    const CliFixture::Run input = m_cli.run({u"check"_s, good, u"-"_s}, badJob);
    QCOMPARE(input.status, 1);
    QVERIFY2(input.out.contains("\nstandard input:\nstandard input:2:7: "), input.out.constData());
    QCOMPARE(m_cli.run({u"check"_s, u"-"_s, u"-"_s}, goodJob).status, 2);
    QCOMPARE(m_cli.run({u"check"_s}).status, 2);
}

void TstCliFindings::severalFilesJson()
{
    const QString good = m_cli.file(u"good.yaml"_s, goodJob), bad = m_cli.file(u"bad.yaml"_s, badJob);
    const QString gone = m_cli.path(u"gone.yaml"_s);
    const auto alone = [this](const QString &file) {
        return QJsonDocument::fromJson(m_cli.run({u"check"_s, u"--json"_s, file}).out).object();
    };
    const CliFixture::Run result = m_cli.run({u"check"_s, u"--json"_s, good, bad, gone});
    QCOMPARE(result.status, 2);
    const QJsonArray all = QJsonDocument::fromJson(result.out).array();
    QCOMPARE(all.size(), 3);
    QCOMPARE(all.at(0).toObject(), alone(good));
    QCOMPARE(all.at(1).toObject(), alone(bad));
    const QJsonObject unread = all.at(2).toObject();
    QCOMPARE(unread.keys(), (QStringList{u"error"_s, u"file"_s}));
    QCOMPARE(unread.value(u"file"_s).toString(), gone);
    QCOMPARE(unread.value(u"error"_s), alone(gone).value(u"error"_s));
    QVERIFY(!unread.value(u"error"_s).toObject().value(u"message"_s).toString().isEmpty());
}

void TstCliFindings::secretsStayHidden()
{
    const QString path = m_cli.file(u"good.yaml"_s, goodJob);
    QByteArray odd = goodJob;
    odd.replace("token: hunter2secret", QByteArray("token: 0o17\n  other: {a: hunter2secret}"));
    QByteArray login = goodJob;
    login.replace("    uri: a/b\n", "    uri: a/b\n    auth: {username: ada, password: hunter2secret}\n");
    QVERIFY(login != goodJob);
    const CliFixture::Run warned = m_cli.run({u"check"_s, u"-"_s}, login);
    QVERIFY2(warned.out.contains("[prerequisite.auth-password]") && warned.out.contains("Make it a secret"),
        warned.out.constData());
    // Where a line is repeated, what a command or a text that cannot be read shows of a secret is not.
    QByteArray inCommand = goodJob, broken = goodJob;
    inCommand.replace("commands:\n", "commands:\n      - login hunter2secret\n");
    broken.replace("hunter2secret", "hunter2secret: x");
    const CliFixture::Run repeated = m_cli.run({u"check"_s, u"-"_s}, inCommand),
                          unread = m_cli.run({u"check"_s, u"-"_s}, broken);
    QVERIFY2(repeated.out.contains("[secrets.in-command]") && repeated.out.contains("- login *************"),
        repeated.out.constData());
    QVERIFY2(unread.out.contains("[yaml.syntax]"), unread.out.constData());
    for (const CliFixture::Run &result : {m_cli.run({u"check"_s, path}), m_cli.run({u"check"_s, u"--json"_s, path}),
             m_cli.run({u"render"_s, path}), m_cli.run({u"render"_s, u"--json"_s, path}),
             m_cli.run({u"check"_s, u"-"_s}, odd), m_cli.run({u"check"_s, u"--json"_s, u"-"_s}, odd), warned, repeated,
             unread, m_cli.run({u"check"_s, u"--json"_s, u"-"_s}, login)}) {
        QVERIFY2(
            !result.out.contains("hunter2secret") && !result.err.contains("hunter2secret"), result.out.constData());
    }
}

void TstCliFindings::catalogue()
{
    const QString folder = m_cli.path(u"my catalogue"_s);
    QVERIFY(QDir().mkpath(folder + u"/script"_s));
    const QByteArray item = "type: script\nname: x\nplugin: com.microsoft.pai.runtimeplugin.cmd\n"
                            "callbacks: [{event: taskStarts, commands: [echo from the catalogue]}]\n";
    m_cli.file(u"my catalogue/script/hello.yaml"_s, item);
    m_cli.file(u"secret.yaml"_s, item);
    QVERIFY(QFile::link(m_cli.path(u"secret.yaml"_s), folder + u"/script/out.yaml"_s));
    const auto job = [](const QByteArray &name) {
        return QByteArray(goodJob).replace("[prep]", QByteArray("[prep, 'marketplace://script/" + name + "']"));
    };
    const CliFixture::Run without = m_cli.run({u"check"_s, u"-q"_s, u"-"_s}, job("hello"));
    QCOMPARE(without.status, 1);
    QVERIFY(without.out.contains("catalogue"));
    QCOMPARE(m_cli.run({u"render"_s, u"-"_s}, job("hello")).status, 1);
    const QStringList option{u"--catalog"_s, folder};
    QCOMPARE(m_cli.run(QStringList{u"check"_s} + option + QStringList{u"-"_s}, job("hello")).status, 0);
    QCOMPARE(m_cli.run(QStringList{u"check"_s, u"--strict"_s} + option + QStringList{u"-"_s}, job("hello")).status, 1);
    const CliFixture::Run with = m_cli.run(QStringList{u"render"_s} + option + QStringList{u"-"_s}, job("hello"));
    QCOMPARE(with.status, 0);
    QVERIFY(with.out.contains("echo from the catalogue"));
    for (const char *name : {"none", "out", "../secret"}) {
        QCOMPARE(m_cli.run(QStringList{u"check"_s} + option + QStringList{u"-"_s}, job(name)).status, 1);
    }
    // The setting, and the usual place.
    QVERIFY(QDir().mkpath(m_cli.path(u"config/trainyard"_s)));
    m_cli.file(u"config/trainyard/engine.json"_s, "{\"catalogue.folder\": \"" + folder.toUtf8() + "\"}");
    QCOMPARE(m_cli.run({u"check"_s, u"-"_s}, job("hello")).status, 0);
    QVERIFY(QFile::remove(m_cli.path(u"config/trainyard/engine.json"_s)));
    QVERIFY(QDir().rename(folder, m_cli.path(u"config/trainyard/catalogue"_s)));
    QCOMPARE(m_cli.run({u"check"_s, u"-"_s}, job("hello")).status, 0);
}

TRAINYARD_TEST(TstCliFindings)
#include "tst_clifindings.moc"
