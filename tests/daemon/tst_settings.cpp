// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/secretkeeper.h"
#include "engine/client/configurationfaults.h"
#include "engine/client/configurationwatch.h"
#include "engine/client/ownexitrules.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonArray>
#include <QScopeGuard>
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
    void noticesGoSomewhere_data();
    void noticesGoSomewhere();
    void keysThatPeopleName();
    void badValuesCountAsNotSet();
    void mistakesAreFound_data();
    void mistakesAreFound();
    void changesAreNoticed();
    void secretsLiveOnTmpfsOnly();
    void privateFolders();
    void sharedFolders_data();
    void sharedFolders();
    void takenFolders();
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
    QCOMPARE(settings.set(u"containers.runIn"_s, u"nosuch"_s).error().code, u"settings.bad-value"_s);
    QCOMPARE(settings.set(u"gpu.visibleBy"_s, u"name"_s).error().code, u"settings.bad-value"_s);
    QVERIFY(settings.set(u"gpu.visibleBy"_s, u"uuid"_s).value_or(false));
    // What is wrong is said, unless it may be a secret.
    const auto wrong = [&settings](const QString &key, const QJsonValue &value) {
        return settings.set(key, value).error().args.value(u"wrong"_s);
    };
    QCOMPARE(wrong(u"notify.on"_s, QJsonArray{u"failed"_s, u"done"_s}), QJsonValue(u"done"_s));
    QCOMPARE(wrong(u"gpu.visibleBy"_s, u"name"_s), QJsonValue(u"name"_s));
    QCOMPARE(wrong(u"notify.webhook"_s, u"ftp://ann:secret@host"_s), QJsonValue(QJsonValue::Undefined));
    // A range that would be empty.
    const Result<bool> reversed = settings.set(u"ports.first"_s, 40000);
    QCOMPARE(reversed.error().code, u"settings.reversed"_s);
    QCOMPARE(reversed.error().args.value(u"highValue"_s).toInt(), 32767);
    QCOMPARE(settings.set(u"ports.last"_s, 14999).error().code, u"settings.reversed"_s);
    QCOMPARE(Settings(file).integer(u"ports.first"_s), 15000);
    QVERIFY(settings.set(u"ports.last"_s, 40010).value_or(false));
    QVERIFY(settings.set(u"ports.first"_s, 40000).value_or(false));
    QCOMPARE(settings.set(u"ports.last"_s, QJsonValue::Null).error().code, u"settings.reversed"_s);
}

void TstSettings::noticesGoSomewhere_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<bool>("isTaken");
    const auto address = [](const char *text, bool isTaken) {
        QTest::newRow(*text ? text : "no address")
            << u"notify.webhook"_s << QJsonValue(QString::fromLatin1(text)) << isTaken;
    };
    address("", true);
    address("https://example.org", true);
    address("HTTP://example.org:8080/a?b=c", true);
    address("https://name:word@example.org/hook", true);
    address("http://[::1]:80/x", true);
    address("ftp://x", false);
    address("example.org", false);
    address("https://", false);
    address("https:///hook", false);
    address("https://example.org/a b", false);
    address("https://example.org:70000/hook", false);
    address("https://a..b/hook", false);
    address("https://example.org/a%zz", false);
    const auto command = [](const char *name, const QJsonArray &words, bool isTaken) {
        QTest::newRow(name) << u"notify.command"_s << QJsonValue(words) << isTaken;
    };
    command("no command", {}, true);
    command("a command", {u"mail"_s, u""_s, u"two\nlines"_s}, true);
    command("a program by its path", {u"/usr/bin/mail me"_s, u"x"_s}, true);
    command("a program of the home folder", {u"~/bin/mail"_s}, true);
    command("a path from a folder that the engine is not in", {u"bin/mail"_s}, false);
    command("a path from the working folder", {u"./mail"_s}, false);
    command("no program", {u""_s, u"x"_s}, false);
    command("blanks for a program", {u" "_s}, false);
    command("a program with NUL", {u"ma\0il"_s}, false);
    command("an argument with NUL", {u"mail"_s, u"\0"_s}, false);
}

void TstSettings::noticesGoSomewhere()
{
    QFETCH(QString, key);
    QFETCH(QJsonValue, value);
    QFETCH(bool, isTaken);
    QTemporaryDir folder;
    Settings settings(folder.filePath(u"engine.json"_s));
    const Result<bool> done = settings.set(key, value);
    QCOMPARE(done.has_value(), isTaken);
    if (isTaken) {
        QCOMPARE(settings.value(key), value);
    } else {
        QCOMPARE(done.error().code, u"settings.bad-value"_s);
    }
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
    // What finds nothing is not accepted in silence: one that is no expression, and one without a group for the value.
    QVERIFY(settings.set(u"metricPatterns.loss"_s, u"quality (\\S+)"_s));
    for (const QString &wrong : {u"quality (\\S+"_s, u"quality"_s}) {
        QCOMPARE(settings.set(u"metricPatterns.loss"_s, wrong).error().code, u"settings.bad-value"_s);
    }
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
    row("a range that is none", R"({"ports.first": 40000})", {u"settings.reversed-in-file"_s});
    row("no expression", R"({"metricPatterns.loss": "("})", {u"settings.ignored-text"_s});
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
    const QList<Error> faults = configurationFaults(folder.path(), ownExitRules(folder.path()));
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
        QSKIP("/dev/shm is no file system in memory: mount a tmpfs there.");
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
    // Where other ones cannot be written, nobody finds the former ones instead.
    after.keep(job, secrets);
    const QString inTheWay = file + u".new"_s;
    QVERIFY(QFile::exists(file) && QDir().mkdir(inTheWay));
    const Value others(Value::Map{{u"key"_s, Value(u"w"_s)}});
    after.keep(job, others);
    QVERIFY(QDir().rmdir(inTheWay));
    QCOMPARE(after.secretsOf(job), std::optional<Value>(others));
    QVERIFY(!SecretKeeper(disk.path()).secretsOf(job));
    after.forget(job);
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

void TstSettings::sharedFolders_data()
{
    QTest::addColumn<QString>("below"); // of a folder as /var/tmp is; its first part may be there already
    QTest::addColumn<int>("mode"); // of that part; -1: a link to a folder elsewhere
    QTest::addColumn<uint>("owner");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("reason");
    const uint own = ::getuid();
    QTest::newRow("nothing is there") << u"a/b"_s << 0 << own << QString() << QString();
    QTest::newRow("ours") << u"a/b"_s << 0700 << own << QString() << QString();
    QTest::newRow("ours, which others may read") << u"a/b"_s << 0755 << own << QString() << QString();
    QTest::newRow("ours, which anybody may write to")
        << u"a/b"_s << 0777 << own << u"folder.not-private"_s << u"mode"_s;
    QTest::newRow("ours and sticky") << u"a/b"_s << 01777 << own << QString() << QString();
    QTest::newRow("ours by name, closed again") << u"trainyard-1/b"_s << 0777 << own << QString() << QString();
    QTest::newRow("a link") << u"a/b"_s << -1 << own << u"folder.not-private"_s << u"link"_s;
    QTest::newRow("somebody else's") << u"a/b"_s << 0777 << 65534u << u"folder.taken"_s << u"owner"_s;
    QTest::newRow("somebody else's, and the last") << u"a"_s << 0777 << 65534u << u"folder.taken"_s << u"owner"_s;
}

// Whoever owns a folder above ours can put another one in its place.
void TstSettings::sharedFolders()
{
    QFETCH(QString, below);
    QFETCH(int, mode);
    QFETCH(uint, owner);
    QFETCH(QString, code);
    QFETCH(QString, reason);
    QTemporaryDir folder;
    const QString shared = folder.filePath(u"tmp"_s);
    const QString first = shared + u'/' + below.section(u'/', 0, 0);
    QVERIFY(QDir().mkdir(shared));
    QCOMPARE(::chmod(QFile::encodeName(shared).constData(), 01777), 0);
    if (mode < 0) {
        QVERIFY(QDir().mkpath(folder.filePath(u"elsewhere"_s)));
        QVERIFY(QFile::link(folder.filePath(u"elsewhere"_s), first));
    } else if (mode > 0) {
        QVERIFY(QDir().mkdir(first));
        QCOMPARE(::chmod(QFile::encodeName(first).constData(), mode_t(mode)), 0);
        if (owner != ::getuid() && ::chown(QFile::encodeName(first).constData(), owner, owner) != 0) {
            QVERIFY2(errno == EPERM, std::strerror(errno));
            QSKIP("Only root can give a folder to somebody else: run it as root.");
        }
    }
    const Result<QString> made = paths::ensurePrivateFolder(shared + u'/' + below);
    QCOMPARE(made ? QString() : made.error().code, code);
    QCOMPARE(made ? QString() : made.error().args.value(u"reason").toString(), reason);
    if (made) {
        struct stat info {
        };
        QCOMPARE(::stat(QFile::encodeName(*made).constData(), &info), 0);
        QCOMPARE(info.st_mode & 0777, mode_t(0700));
        QCOMPARE(::stat(QFile::encodeName(first).constData(), &info), 0);
        QVERIFY((info.st_mode & 022) == 0 || (info.st_mode & S_ISVTX) != 0);
    } else {
        QCOMPARE(made.error().args.value(u"folder").toString(), first);
        QVERIFY(!QFileInfo::exists(folder.filePath(u"elsewhere/b"_s)));
    }
}

// Another user was first at the name in /tmp: the folder of the session serves, where there is one.
void TstSettings::takenFolders()
{
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    qunsetenv("XDG_RUNTIME_DIR");
    const auto restore = qScopeGuard([&] { qputenv("XDG_RUNTIME_DIR", before); });
    if (::getuid() != 0) {
        QSKIP("Only root can give a folder to somebody else: run it as root.");
    }
    // As a user whose names are free: programs of root may have left theirs. What is done to folders is done as root.
    uid_t user = 54321;
    QString usual, session;
    do {
        ++user;
        usual = u"/tmp/trainyard-%1"_s.arg(user);
        session = u"/run/user/%1"_s.arg(user);
    } while (QFileInfo::exists(usual) || QFileInfo::exists(session));
    constexpr uid_t asBefore = uid_t(-1);
    QCOMPARE(::setreuid(user, asBefore), 0);
    const auto comeBack = qScopeGuard([] { (void)::setreuid(0, asBefore); });
    QCOMPARE(paths::runtimeFolder(), usual);
    QVERIFY(QDir().mkdir(usual));
    const auto remove = qScopeGuard([&] {
        QDir().rmdir(usual);
        QDir().rmdir(session);
    });
    QCOMPARE(::chown(QFile::encodeName(usual).constData(), 65534, 65534), 0);
    QCOMPARE(paths::runtimeFolder(), usual); // there is no other
    QVERIFY(QDir().mkpath(session));
    QCOMPARE(::chmod(QFile::encodeName(session).constData(), 0700), 0);
    QCOMPARE(::chown(QFile::encodeName(session).constData(), user, user), 0);
    QCOMPARE(paths::runtimeFolder(), session + u"/trainyard"_s);
    QCOMPARE(::chown(QFile::encodeName(usual).constData(), user, user), 0);
    QCOMPARE(paths::runtimeFolder(), usual);
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
