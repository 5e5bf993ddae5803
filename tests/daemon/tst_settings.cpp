// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/configurationfaults.h"
#include "engine/client/configurationwatch.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "engine/daemon/secretkeeper.h"
#include "tests/daemon/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonArray>
#include <QSignalSpy>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstSettings : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tableIsWhole();
    void unknownKeysAreKept();
    void keysThatPeopleName();
    void badValuesCountAsNotSet();
    void mistakesAreFound_data();
    void mistakesAreFound();
    void changesAreNoticed();
    void secretsLiveOnTmpfsOnly();
    void privateFolders();
    void socketPathIsBounded();
};

void TstSettings::tableIsWhole()
{
    const QJsonArray table = Settings::table();
    QVERIFY(table.size() > 10);
    const Settings settings;
    for (const QJsonValue &entry : table) {
        QVERIFY(!entry[u"key"].toString().isEmpty());
        QVERIFY2(entry[u"help"].toString().endsWith(u'.'), qPrintable(entry[u"key"].toString()));
        QCOMPARE(settings.value(entry[u"key"].toString()), entry[u"default"]);
    }
}

void TstSettings::unknownKeysAreKept()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"engine.json"_s);
    QVERIFY(writeAtomically(file, R"({"of.a.newer.version": [1, 2], "stop.graceSeconds": 7})"));
    Settings settings(file);
    QCOMPARE(settings.integer(u"stop.graceSeconds"_s), 7);
    QVERIFY(settings.set(u"gpu.foreignIsBusy"_s, false));
    QVERIFY(EngineFixture::contents(file).contains("of.a.newer.version"));
    QVERIFY(!Settings(file).flag(u"gpu.foreignIsBusy"_s));
    QVERIFY(settings.set(u"stop.graceSeconds"_s, QJsonValue::Null));
    QCOMPARE(Settings(file).integer(u"stop.graceSeconds"_s), 30);
    QCOMPARE(settings.set(u"no.such"_s, 1).error().code, u"settings.unknown"_s);
    QCOMPARE(settings.set(u"stop.graceSeconds"_s, -1).error().code, u"settings.bad-value"_s);
    QCOMPARE(settings.set(u"stop.graceSeconds"_s, 1.5).error().code, u"settings.bad-value"_s);
}

void TstSettings::keysThatPeopleName()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"engine.json"_s);
    Settings settings(file);
    QVERIFY(settings.set(u"storages.team data"_s, u"/srv/a"_s));
    QVERIFY(settings.set(u"storages.a.b"_s, u"/srv/b"_s));
    QVERIFY(settings.set(u"hostEnvironment.gpu1"_s, u"conda activate x"_s));
    const QMap<QString, QString> wanted{{u"a.b"_s, u"/srv/b"_s}, {u"team data"_s, u"/srv/a"_s}};
    QCOMPARE(Settings(file).texts(u"storages."_s), wanted);
    QCOMPARE(settings.value(u"storages.team data"_s).toString(), u"/srv/a"_s);
    QCOMPARE(settings.all().value(u"storages.a.b"_s).toString(), u"/srv/b"_s);
    QVERIFY(!settings.all().contains(u"storages.*"_s));
    QCOMPARE(settings.set(u"storages.x"_s, 7).error().code, u"settings.bad-value"_s);
    QCOMPARE(settings.set(u"storages."_s, u"/x"_s).error().code, u"settings.unknown"_s);
    QCOMPARE(settings.set(u"storages.*"_s, u"/x"_s).error().code, u"settings.unknown"_s);
    QVERIFY(settings.set(u"storages.a.b"_s, QJsonValue::Null));
    QCOMPARE(settings.texts(u"storages."_s).size(), 1);
}

void TstSettings::badValuesCountAsNotSet()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"engine.json"_s);
    QVERIFY(writeAtomically(file, R"({"stop.graceSeconds": "soon", "ports.first": 80})"));
    Settings settings(file);
    QCOMPARE(settings.integer(u"stop.graceSeconds"_s), 30);
    QCOMPARE(settings.integer(u"ports.first"_s), 15000);
    QVERIFY(writeAtomically(file, "{ half"));
    QCOMPARE(settings.reload().error().code, u"settings.unreadable"_s);
    QCOMPARE(settings.set(u"stop.graceSeconds"_s, 1).error().code, u"settings.unreadable"_s);
    QCOMPARE(EngineFixture::contents(file), QByteArray("{ half")); // the user's file is not overwritten
}

void TstSettings::mistakesAreFound_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("codes");
    const auto row = [](const char *name, const char *json, const QStringList &codes) {
        QTest::newRow(name) << QByteArray(json) << codes;
    };
    row("none", R"({"stop.graceSeconds": 7, "storages.data": "/srv"})", {});
    row("no JSON", "{ half", {u"settings.broken"_s});
    row("a list", "[]", {u"settings.broken"_s});
    row("no number", R"({"stop.graceSeconds": "soon"})", {u"settings.ignored-int"_s});
    row("no truth", R"({"gpu.share": 1})", {u"settings.ignored-bool"_s});
    row("no hours", R"({"gpu.keepHours": ["0 noon"]})", {u"settings.ignored-list"_s});
    row("no text", R"({"storages.data": 1})", {u"settings.ignored-text"_s});
    row("misspelt", R"({"stop.graceSecond": 7})", {u"settings.misspelt"_s});
    row("of a newer version", R"({"of.later.versions": 7})", {});
    row("two", R"({"gpu.shared": true, "ports.first": 80})", {u"settings.ignored-int"_s, u"settings.misspelt"_s});
}

void TstSettings::mistakesAreFound()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QStringList, codes);
    QTemporaryDir folder;
    const QString file = folder.filePath(u"engine.json"_s);
    QVERIFY(writeAtomically(file, json));
    QStringList found;
    const QList<Error> faults = configurationFaults(folder.path());
    for (const Error &fault : faults) {
        found.append(fault.code);
        QCOMPARE(fault.args.value("file"_L1).toString(), file);
    }
    QCOMPARE(found, codes);
}

// Written in place, replaced by a rename, removed, and in a folder that came later.
void TstSettings::changesAreNoticed()
{
    QTemporaryDir folder;
    const QString below = folder.filePath(u"a/trainyard"_s);
    const QString file = below + u"/engine.json"_s;
    ConfigurationWatch watch(below);
    QSignalSpy noticed(&watch, &ConfigurationWatch::changed);
    QVERIFY(QDir().mkpath(below));
    QVERIFY(noticed.wait());
    QVERIFY(writeAtomically(file, "{}"));
    QVERIFY(noticed.wait());
    QVERIFY(writeAtomically(file, "{ }"));
    QVERIFY(noticed.wait());
    QFile same(file);
    QVERIFY(same.open(QIODevice::WriteOnly) && same.write("{  }") == 4);
    same.close();
    QVERIFY(noticed.wait());
    QVERIFY(QFile::remove(file));
    QVERIFY(noticed.wait());
    QVERIFY(writeAtomically(below + u"/exit-rules.json"_s, "{}"));
    QVERIFY(noticed.wait());
}

void TstSettings::secretsLiveOnTmpfsOnly()
{
    const QTemporaryDir disk(u"/var/tmp/tyXXXXXX"_s);
    SecretKeeper keeper(disk.path());
    QVERIFY(paths::isTmpfs(disk.path()) || !keeper.folder().startsWith(disk.path()));
    const QUuid job = QUuid::createUuid();
    const Value secrets(Value::Map{{u"key"_s, Value(u"v"_s)}});
    keeper.keep(job, secrets);
    QCOMPARE(keeper.secretsOf(job), std::optional<Value>(secrets));
    if (keeper.folder().isEmpty()) {
        QVERIFY(!paths::isTmpfs(u"/dev/shm"_s));
        QSKIP("/dev/shm is no tmpfs: memory only.");
    }
    const QString file = keeper.folder() + u'/' + job.toString(QUuid::WithoutBraces);
    struct stat info {
    };
    QCOMPARE(::stat(QFile::encodeName(file).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0600));
    SecretKeeper after(disk.path());
    QCOMPARE(after.secretsOf(job), std::optional<Value>(secrets));
    after.forget(job);
    QVERIFY(!QFile::exists(file));
    QVERIFY(!SecretKeeper(disk.path()).secretsOf(job));
}

void TstSettings::privateFolders()
{
    QTemporaryDir folder;
    const QString made = folder.filePath(u"a/b"_s);
    QVERIFY(paths::ensurePrivateFolder(made));
    struct stat info {
    };
    QCOMPARE(::stat(QFile::encodeName(made).constData(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0700));
    QVERIFY(QFile::link(made, folder.filePath(u"link"_s)));
    QCOMPARE(paths::ensurePrivateFolder(folder.filePath(u"link"_s)).error().code, u"folder.not-private"_s);
    QVERIFY(writeAtomically(folder.filePath(u"file"_s), "x"));
    // Why the first of several cannot be made, not that the last is missing.
    // Where nobody may make any: that, and not that it is not there.
    const auto forbidden = paths::ensurePrivateFolder(u"/sys/trainyard-test"_s);
    QCOMPARE(forbidden.error().code, u"folder.cannot-make"_s);
    QVERIFY2(forbidden.error().args.value(u"message").toString() != QString::fromLocal8Bit(std::strerror(ENOENT)),
        qPrintable(forbidden.error().args.value(u"message").toString()));
    const auto below = paths::ensurePrivateFolder(folder.filePath(u"file/a/b"_s));
    QCOMPARE(below.error().code, u"folder.cannot-make"_s);
    QCOMPARE(below.error().args.value(u"message").toString(), QString::fromLocal8Bit(std::strerror(ENOTDIR)));
    QCOMPARE(paths::ensurePrivateFolder(folder.filePath(u"file"_s)).error().args.value(u"reason").toString(),
        u"not-a-folder"_s);
}

void TstSettings::socketPathIsBounded()
{
    const Result<QString> one
        = paths::engineSocket(u"/run/user/1000/trainyard"_s, u"/home/a/.local/state/trainyard/x"_s);
    const Result<QString> two = paths::engineSocket(u"/run/user/1000/trainyard"_s, u"/other"_s);
    QVERIFY(one && two && *one != *two);
    const Result<QString> lost = paths::engineSocket(u"/" + QString(120, u'x'), u"/s"_s);
    QVERIFY(!lost);
    QCOMPARE(lost.error().code, u"socket.path-too-long"_s);
    QCOMPARE(lost.error().args.value(u"limit").toInt(), 107);
}

TRAINYARD_TEST(TstSettings)
#include "tst_settings.moc"
