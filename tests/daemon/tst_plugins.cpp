// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/daemon/plugintests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>

#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

bool git(const QString &folder, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(u"git"_s,
        QStringList{
            u"-c"_s, u"user.name=t"_s, u"-c"_s, u"user.email=t@example.org"_s, u"-c"_s, u"init.defaultBranch=main"_s}
            + arguments);
    return process.waitForFinished(20000) && process.exitCode() == 0;
}

} // namespace

// The plugins git, tensorboard and storage, through the engine, its agent and the real programs.
class TstPlugins : public PluginTests
{
    Q_OBJECT

private Q_SLOTS:
    void gitClones();
    void gitFails_data();
    void gitFails();
    void gitFolders_data();
    void gitFolders();
    void gitSettingsOfTheUser_data();
    void gitSettingsOfTheUser();
    void gitLeavesNothingAfterAStop();
    void tensorBoard();
    void tensorBoardMissing();
    void storages();
    void storageLinks();
    void storageUnmapped();
};

void TstPlugins::gitClones()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString origin = f.path(u"the origin"_s);
    QDir().mkpath(origin);
    const auto commit = [&](const QByteArray &text) {
        QFile file(origin + u"/file"_s);
        return file.open(QIODevice::WriteOnly) && file.write(text) >= 0 && (file.close(), true)
            && git(origin, {u"add"_s, u"."_s}) && git(origin, {u"commit"_s, u"-q"_s, u"-m"_s, u"x"_s});
    };
    QVERIFY(git(origin, {u"init"_s, u"-q"_s}));
    QVERIFY(commit("first\n"));
    QVERIFY(git(origin, {u"tag"_s, u"one"_s}));
    QVERIFY(commit("second\n"));
    QVERIFY(git(origin, {u"checkout"_s, u"-q"_s, u"-b"_s, u"dev"_s}));
    QVERIFY(commit("third\n"));
    QVERIFY(git(origin, {u"checkout"_s, u"-q"_s, u"main"_s}));
    const QByteArray uri = "file://" + origin.toUtf8();
    // Four tasks want the same folder; the others get folders of their own.
    const QString uuid = f.submit(EngineFixture::document("code",
        EngineFixture::role("a", 4, {"cat 'my code/file'", "echo $TRAINYARD_CODE_DIR"})
            + EngineFixture::role(
                "b", 1, {"cat \"$PAI_CODE_DIR/file\"; cd \"$PAI_CODE_DIR\"; git branch --show-current"})
            + EngineFixture::role("c", 1, {"cat \"$PAI_CODE_DIR/file\""}),
        plugins({"{plugin: git, taskroles: [a], parameters: {repo_uri: '" + uri + "', clone_dir: my code}}",
            "{plugin: git, taskroles: [b], parameters: {repo_uri: '" + uri
                + "', options: ['--branch dev', '--depth 1']}}",
            "{plugin: git, taskroles: [c], parameters: {repo_uri: '" + uri + "', options: ['--revision=one']}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QVERIFY2(f.job(uuid).state == State::Succeeded,
        QByteArray(f.output(uuid, u"a"_s, 0) + f.output(uuid, u"b"_s, 0) + f.output(uuid, u"c"_s, 0)).constData());
    for (int i = 0; i < 4; ++i) {
        QVERIFY2(f.output(uuid, u"a"_s, i).contains(QByteArray("second\n" + f.path(u"work/my code"_s).toUtf8())),
            f.output(uuid, u"a"_s, i));
    }
    QVERIFY2(f.output(uuid, u"b"_s, 0).contains("third\ndev\n"), f.output(uuid, u"b"_s, 0));
    QVERIFY2(f.output(uuid, u"c"_s, 0).contains("first\n"), f.output(uuid, u"c"_s, 0));
    // Nothing is left beside it.
    QCOMPARE(QDir(f.path(u"work"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList{u"my code"_s});
    // The same job once more finds it there.
    QFile own(f.path(u"work/my code/mine"_s));
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.close();
    const QString again = f.submit(EngineFixture::document("again", EngineFixture::role("a", 1, {"ls 'my code'"}),
        plugins({"{plugin: git, parameters: {repo_uri: '" + uri + "', clone_dir: my code}}"})));
    QVERIFY(f.waitForEnd(again));
    QCOMPARE(f.job(again).state, State::Succeeded);
    QVERIFY(f.output(again, u"a"_s, 0).contains("mine\n"));
}

void TstPlugins::gitFails_data()
{
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no repository") << QByteArray("repo_uri: 'file:///nowhere/at/all'") << u"exit.git-repository"_s;
    QTest::newRow("no branch") << QByteArray("repo_uri: 'file://ORIGIN', options: [--branch, nothing]")
                               << u"exit.git-revision"_s;
    QTest::newRow("no revision") << QByteArray("repo_uri: 'file://ORIGIN', options: [--revision, nothing]")
                                 << u"exit.git-revision"_s;
    QTest::newRow("a full folder") << QByteArray("repo_uri: 'file://ORIGIN', clone_dir: full") << u"exit.git-folder"_s;
    QTest::newRow("login") << QByteArray("repo_uri: 'ssh://x@y/z'") << u"exit.git-login"_s;
}

void TstPlugins::gitFails()
{
    QFETCH(QByteArray, parameters);
    QFETCH(QString, reason);
    EngineFixture f;
    QVERIFY(f.open());
    const QString origin = f.path(u"origin"_s);
    QDir().mkpath(origin);
    QDir().mkpath(f.path(u"work/full/of"_s));
    QVERIFY(git(origin, {u"init"_s, u"-q"_s}));
    QVERIFY(git(origin, {u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"x"_s}));
    QVERIFY(git(origin, {u"tag"_s, u"one"_s}));
    parameters.replace("ORIGIN", origin.toUtf8());
    // What ssh says of a refused login.
    const QByteArray refuses
        = "{plugin: cmd, parameters: {preCommands: ['export GIT_SSH_COMMAND=\"echo Permission denied >&2; false\"']}}";
    const QString uuid = f.submit(EngineFixture::document("code", EngineFixture::role("a", 1, {"echo began"}),
        plugins({refuses, "{plugin: git, parameters: {" + parameters + "}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const TaskInfo task = f.task(uuid, u"a"_s, 0);
    QCOMPARE(task.reason, reason);
    QCOMPARE(task.exitCode.value_or(0), -2020);
    QVERIFY(!f.output(uuid, u"a"_s, 0).contains("began"));
}

void TstPlugins::gitFolders_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QString>("made");
    QTest::newRow("a slash at its end") << QByteArray("code/") << u"work/code"_s;
    QTest::newRow("of the home folder") << QByteArray("~/all/code//") << u"home/all/code"_s;
}

void TstPlugins::gitFolders()
{
    QFETCH(QByteArray, written);
    QFETCH(QString, made);
    EngineFixture f;
    QVERIFY(f.open());
    const QString origin = f.path(u"origin"_s);
    QDir().mkpath(origin);
    QDir().mkpath(f.path(u"home"_s));
    QVERIFY(git(origin, {u"init"_s, u"-q"_s}));
    QVERIFY(git(origin, {u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"x"_s}));
    const QString uuid = f.submit(EngineFixture::document("code", EngineFixture::role("a", 1, {"echo began"}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['export HOME=" + f.path(u"home"_s).toUtf8() + "']}}",
            "{plugin: git, parameters: {repo_uri: 'file://" + origin.toUtf8() + "', clone_dir: '" + written + "'}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QVERIFY2(f.job(uuid).state == State::Succeeded, f.output(uuid, u"a"_s, 0));
    QVERIFY(QDir(f.path(made + u"/.git"_s)).exists());
    QVERIFY(!QDir(f.path(u"work/~"_s)).exists());
}

void TstPlugins::gitSettingsOfTheUser_data()
{
    QTest::addColumn<bool>("ofTheFolder");
    QTest::newRow("for all") << false;
    QTest::newRow("for the folder") << true;
}

// The ssh that git is set to use has the key. What is cloned is beside its place under a name of this try: a number of
// a process is that of another one in a container, and on another host.
void TstPlugins::gitSettingsOfTheUser()
{
    QFETCH(bool, ofTheFolder);
    EngineFixture f;
    QVERIFY(f.open());
    const auto write = [&f](const QString &name, const QByteArray &text) {
        QFile file(f.path(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size()
            && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    QDir().mkpath(f.path(u"work"_s));
    const QByteArray own = f.path(u"own-ssh"_s).toUtf8();
    QVERIFY(write(u"own-ssh"_s,
        "#!/bin/sh\necho \"$SSH_ASKPASS_REQUIRE\" >'" + own + "-asked'\nls -A '" + f.path(u"work"_s).toUtf8() + "' >'"
            + own + "-saw'\necho Permission denied >&2\nexit 1\n"));
    const QByteArray settings = f.path(u"settings"_s).toUtf8();
    QVERIFY(write(u"ssh-settings"_s, "[core]\n\tsshCommand = " + own + "\n"));
    QVERIFY(write(u"settings"_s,
        (ofTheFolder ? "[includeIf \"gitdir:" + f.path(u"work/"_s).toUtf8() + "\"]" : QByteArray("[include]"))
            + "\n\tpath = ssh-settings\n"));
    const QString uuid = f.submit(EngineFixture::document("code", EngineFixture::role("a", 1, {"echo began"}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['export GIT_CONFIG_GLOBAL=" + settings + "']}}",
            "{plugin: git, parameters: {repo_uri: 'ssh://x@y/z', clone_dir: code}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QCOMPARE(f.task(uuid, u"a"_s, 0).reason, u"exit.git-login"_s);
    QCOMPARE(EngineFixture::contents(f.path(u"own-ssh-asked"_s)), QByteArray("never\n"));
    const QByteArray saw = EngineFixture::contents(f.path(u"own-ssh-saw"_s));
    static const QRegularExpression ofTry(
        u"^\\.code\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.part$"_s, QRegularExpression::MultilineOption);
    QVERIFY2(ofTry.match(QString::fromUtf8(saw)).hasMatch(), saw);
}

// A git that has begun its clone, and ends at a signal as programs do.
void TstPlugins::gitLeavesNothingAfterAStop()
{
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(QDir().mkpath(f.path(u"bin"_s)) && QDir().mkpath(f.path(u"work"_s)));
    QFile program(f.path(u"bin/git"_s));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/sh\n[ \"$1\" = clone ] || exit 1\nfor word; do last=$word; done\n"
                  "mkdir -p \"$last/.git\" && : >\"$last/.git/half\" && : >'"
        + f.path(u"begun"_s).toUtf8() + "'\nexec sleep 600\n");
    program.close();
    QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const QString uuid = f.submit(EngineFixture::document("code", EngineFixture::role("a", 1, {"echo began"}),
        plugins(
            {"{plugin: cmd, parameters: {preCommands: ['export PATH=\"" + f.path(u"bin"_s).toUtf8() + ":$PATH\"']}}",
                "{plugin: git, parameters: {repo_uri: 'ssh://x@y/z', clone_dir: code}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(f.path(u"begun"_s)), 20000);
    const auto parts
        = [&f] { return QDir(f.path(u"work"_s)).entryList({u".code.*.part"_s}, QDir::AllEntries | QDir::Hidden); };
    QCOMPARE(parts().size(), 1);
    QVERIFY(f.engine().stop(uuid));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QCOMPARE(parts(), QStringList());
}

void TstPlugins::tensorBoard()
{
    EngineFixture f;
    QVERIFY(f.open());
    // Listens, and says with what it was called.
    QDir().mkpath(f.path(u"bin"_s));
    QFile fake(f.path(u"bin/tensorboard"_s));
    QVERIFY(fake.open(QIODevice::WriteOnly));
    fake.write("#!/bin/sh\necho \"$@\" >>" + f.path(u"calls"_s).toUtf8()
        + "\nexec /usr/bin/python3 -c 'import sys,socket\n"
          "s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
          "s.bind((sys.argv[2], int(sys.argv[4]))); s.listen(9)\n"
          "while True: s.accept()\n' \"$@\"\n");
    fake.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    fake.close();
    const QString uuid = f.submit(EngineFixture::document("board",
        EngineFixture::role("main", 2, {"until [ -e done ]; do sleep 0.05; done"})
            + EngineFixture::role("other", 1, {"true"}, "    completion: {minSucceededInstances: -1}\n"),
        plugins(
            {"{plugin: cmd, parameters: {preCommands: ['export PATH=\"" + f.path(u"bin"_s).toUtf8() + ":$PATH\"']}}",
                "{plugin: tensorboard, parameters: {port: 10123, logdir: {a: runs/a, b: 'runs/b c'}}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto services = [&] { return f.engine().job(uuid).value_or(JobDetail()).services; };
    QTRY_VERIFY_WITH_TIMEOUT(!services().isEmpty() && !services().first().address.isEmpty(), 20000);
    const ServiceInfo service = services().first();
    QCOMPARE(service.name, u"tensorboard"_s);
    QCOMPARE(service.role, u"main"_s);
    QCOMPARE(service.index, 0);
    const QRegularExpressionMatch address
        = QRegularExpression(u"\\Ahttp://127\\.0\\.0\\.1:(\\d+)/\\z"_s).match(service.address);
    QVERIFY2(address.hasMatch(), qPrintable(service.address));
    QTcpSocket socket;
    socket.connectToHost(u"127.0.0.1"_s, quint16(address.captured(1).toInt()));
    QVERIFY(socket.waitForConnected(5000));
    const QByteArray calls = EngineFixture::contents(f.path(u"calls"_s));
    QVERIFY2(calls.contains("--logdir_spec a:runs/a,b:runs/b c"), calls);
    QFile done(f.path(u"work/done"_s));
    QVERIFY(done.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    // It ended with the task, and is offered no more.
    QTcpSocket late;
    late.connectToHost(u"127.0.0.1"_s, quint16(address.captured(1).toInt()));
    QVERIFY(!late.waitForConnected(5000));
    QVERIFY(services().isEmpty());
    QCOMPARE(EngineFixture::contents(f.path(u"calls"_s)).count('\n'), 1);
}

void TstPlugins::tensorBoardMissing()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("none", EngineFixture::role("main", 1, {"echo trained"}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['mkdir -p bin; for p in bash sh mkdir cat date hostname; do "
                 "ln -sf $(type -P $p) bin/; done; export PATH=$PWD/bin']}}",
            "{plugin: tensorboard, parameters: {port: 10123, logdir: {a: runs}}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const QByteArray out = f.output(uuid, u"main"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    QVERIFY2(out.contains("No TensorBoard: it is not installed"), out);
    QVERIFY2(out.contains("trained"), out);
}

void TstPlugins::storages()
{
    EngineFixture f;
    const QString data = f.path(u"the data"_s);
    QDir().mkpath(data);
    QFile file(data + u"/file"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("of the storage\n");
    file.close();
    f.setSettings({{u"storages.team data"_s, data}, {u"storages.gone"_s, f.path(u"gone"_s)}});
    QVERIFY(f.open());
    const QByteArray place = f.path(u"mnt/x"_s).toUtf8();
    const QByteArray extras
        = "extras:\n  storages:\n    - {name: team data, mountPath: '" + place + "', readOnly: true}\n";
    const QString uuid = f.submit(EngineFixture::document("data",
        EngineFixture::role("main", 2, {"cat '" + place + "/file'", "cat \"$TRAINYARD_STORAGE_TEAM_DATA/file\""}),
        extras));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY2(f.job(uuid).state == State::Succeeded, f.output(uuid, u"main"_s, 0));
    QCOMPARE(f.output(uuid, u"main"_s, 1), "of the storage\nof the storage\n");

    // Two tasks come at the same time, and the other one is faster by a moment.
    QVERIFY(QDir().mkpath(f.path(u"bin"_s)));
    QFile faster(f.path(u"bin/ln"_s));
    QVERIFY(faster.open(QIODevice::WriteOnly));
    faster.write("#!/bin/sh\nfor word; do before=$last last=$word; done\n/bin/ln -s \"$before\" \"$last\"\n"
                 "echo x >>'"
        + f.path(u"asked"_s).toUtf8() + "'\nexec /bin/ln \"$@\"\n");
    faster.close();
    QVERIFY(faster.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const QString second
        = f.submit(EngineFixture::document("second", EngineFixture::role("main", 1, {"cat '" + place + "/file'"}),
            extras + "  trainyard: {environment: 'export PATH=\"" + f.path(u"bin"_s).toUtf8() + ":$PATH\"'}\n"));
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.output(second, u"main"_s, 0), "of the storage\n");
    QVERIFY(QFile::exists(f.path(u"asked"_s)));
    QCOMPARE(QDir(data).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{u"file"_s});

    // Something else is where it should be.
    QDir().mkpath(f.path(u"mnt/y"_s));
    const QString taken = f.submit(EngineFixture::document("taken", EngineFixture::role("main", 1, {"echo began"}),
        "extras:\n  storages:\n    - {name: team data, mountPath: '" + f.path(u"mnt/y"_s).toUtf8() + "'}\n"));
    QVERIFY(f.waitForEnd(taken));
    QCOMPARE(f.task(taken, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QCOMPARE(f.task(taken, u"main"_s, 0).reasonArgs.value(u"about"_s).toString(), u"team data"_s);
    QCOMPARE(f.task(taken, u"main"_s, 0).reasonArgs.value(u"path"_s).toString(), f.path(u"mnt/y"_s));
    QVERIFY(!f.output(taken, u"main"_s, 0).contains("began"));

    // The folder that the setting names is not there.
    const QString gone = f.submit(EngineFixture::document("gone", EngineFixture::role("main", 1, {"echo began"}),
        plugins({"{plugin: teamwise_storage, parameters: {storageConfigNames: [gone]}}"})));
    QVERIFY(f.waitForEnd(gone));
    QCOMPARE(f.task(gone, u"main"_s, 0).reason, u"exit.storage-missing"_s);
}

// A link of ours goes with the last task that uses it, and another folder may take its place then. Others' stay.
void TstPlugins::storageLinks()
{
    EngineFixture f;
    for (const QString &name : {u"A"_s, u"B"_s, u"theirs"_s}) {
        QDir().mkpath(f.path(name));
        QFile file(f.path(name + u"/which"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(name.toUtf8() + '\n');
    }
    f.setSettings({{u"storages.team-data"_s, f.path(u"A"_s)}});
    QVERIFY(f.open());
    const QString place = f.path(u"mnt/x"_s);
    const QByteArray extras = "extras:\n  storages:\n    - {name: team-data, mountPath: '" + place.toUtf8() + "'}\n";
    const auto submit = [&](const QByteArray &command) {
        return f.submit(EngineFixture::document("data", EngineFixture::role("main", 1, {command}), extras));
    };
    const QByteArray show = "cat '" + place.toUtf8() + "/which'";
    const QString first = submit(show);
    QVERIFY(f.waitForEnd(first));
    QCOMPARE(f.output(first, u"main"_s, 0), "A\n");
    QVERIFY(!QFileInfo(place).isSymLink());

    // One task goes on; it must not lose what it uses, and the other one is told why it cannot begin.
    const QByteArray go = f.path(u"go"_s).toUtf8();
    const QString longer = submit(show + "; until [ -e '" + go + "' ]; do sleep 0.05; done; " + show);
    QTRY_VERIFY_WITH_TIMEOUT(f.output(longer, u"main"_s, 0) == "A\n", 20000);
    const QString beside = submit(show);
    QVERIFY(f.waitForEnd(beside));
    QCOMPARE(f.output(beside, u"main"_s, 0), "A\n");
    QCOMPARE(QFileInfo(place).symLinkTarget(), f.path(u"A"_s));
    QVERIFY(f.engine().setSetting(u"storages.team-data"_s, f.path(u"B"_s)));
    const QString other = submit(show);
    QVERIFY(f.waitForEnd(other));
    QCOMPARE(f.task(other, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QFile mark(f.path(u"go"_s));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(longer));
    QCOMPARE(f.output(longer, u"main"_s, 0), "A\nA\n");
    QVERIFY(!QFileInfo(place).isSymLink());
    const QString second = submit(show);
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.output(second, u"main"_s, 0), "B\n");

    // A task that was lost: it has the link as long as its keeper lives, which is more than a process of that number.
    const QString lost = f.path(u"lost"_s),
                  page = f.path(u"state/runs/.links/"_s) + QString(place).replace(u'/', u"%2F"_s);
    QVERIFY(QDir().mkpath(lost) && QDir().mkpath(page + u"/users"_s));
    const auto write = [](const QString &path, const QByteArray &bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    const QByteArray a = f.path(u"A"_s).toUtf8() + '\n';
    QVERIFY(write(page + u"/place"_s, place.toUtf8() + '\n') && write(page + u"/target"_s, a));
    QVERIFY(write(page + u"/users/lost"_s, lost.toUtf8() + '\n' + a));
    QVERIFY(QFile::link(f.path(u"A"_s), place));
    const std::optional<contract::ProcessIdentity> self = contract::identityOf(::getpid());
    QVERIFY(self);
    contract::KeeperRecord keeper{"here", *self, "lost", 1};
    QVERIFY(write(lost + u"/keeper"_s, QByteArray::fromStdString(keeper.format())));
    const QString held = submit(show);
    QVERIFY(f.waitForEnd(held));
    QCOMPARE(f.task(held, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QCOMPARE(QFileInfo(place).symLinkTarget(), f.path(u"A"_s));
    ++keeper.process.startTime;
    QVERIFY(write(lost + u"/keeper"_s, QByteArray::fromStdString(keeper.format())));
    const QString left = submit(show);
    QVERIFY(f.waitForEnd(left));
    QCOMPARE(f.output(left, u"main"_s, 0), "B\n");
    QVERIFY(!QFileInfo(place).isSymLink());

    // Of somebody else: as it was.
    QVERIFY(QFile::link(f.path(u"theirs"_s), place));
    const QString third = submit(show);
    QVERIFY(f.waitForEnd(third));
    QCOMPARE(f.task(third, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QCOMPARE(f.task(third, u"main"_s, 0).reasonArgs.value(u"path"_s).toString(), place);
    QCOMPARE(QFileInfo(place).symLinkTarget(), f.path(u"theirs"_s));
}

void TstPlugins::storageUnmapped()
{
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.submit(EngineFixture::document("none", EngineFixture::role("main", 1, {"true"}),
                         plugins({"{plugin: teamwise_storage, parameters: {storageConfigNames: [team_x]}}"})))
                .isEmpty());
    QCOMPARE(f.error().code, u"storage.unmapped"_s);
    QCOMPARE(f.error().args.value(u"name"_s).toString(), u"team_x"_s);
    // Mounted there by somebody else: it is what it says.
    QDir().mkpath(f.path(u"mounted"_s));
    const QString uuid = f.submit(
        EngineFixture::document("some", EngineFixture::role("main", 1, {"echo \"=$TRAINYARD_STORAGE_TEAM_X\""}),
            "extras:\n  storages:\n    - {name: team_x, mountPath: '" + f.path(u"mounted"_s).toUtf8() + "'}\n"));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY2(f.output(uuid, u"main"_s, 0).contains(QByteArray("=" + f.path(u"mounted"_s).toUtf8())),
        f.output(uuid, u"main"_s, 0));
}

TRAINYARD_TEST(TstPlugins)
#include "tst_plugins.moc"
