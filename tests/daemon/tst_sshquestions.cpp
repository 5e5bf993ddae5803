// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that ask, or that do not answer. A real sshd in a network namespace.
#include "engine/client/engineclient.h"
#include "engine/daemon/inprocess.h"
#include "engine/hosts/hostsfile.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QSignalSpy>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstSshQuestions : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }
    void saysWhenLoginIsNeeded();
    void asksAPerson();
    void saysThatThePassPhraseIsMissing();
    void asksOnlyAboutHostsThatAreNeeded();
    void saysThatAKeyWasNotUnlocked();
    void removedWhileItAsks();
    void checkFindsAHungAgent();
    void checkMakesAConnectionOfItsOwn();
    void saysThatItWasNotReached();
    void saysThatACommandDidNotRun();
};

void TstSshQuestions::saysWhenLoginIsNeeded()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    // A config without the key.
    QByteArray config = EngineFixture::contents(hosts.configFile());
    config.replace("IdentityFile ", "IdentityFile /nonexistent");
    QFile file(hosts.configFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(config);
    file.close();
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0)));
    QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().last().state == HostState::NeedsLogin; }, 10000));
    const HostInfo refused = f.engine().hosts().last();
    QVERIFY2(refused.error.startsWith(u"host.needs-login."_s), qPrintable(refused.error));
    QVERIFY(!refused.errorArgs.value(u"user"_s).toString().isEmpty());
    QVERIFY(refused.errorArgs.value(u"methods"_s).toArray().contains(u"publickey"_s));
}

// A key with a pass phrase, and a host whose key is not known yet: both are asked for, and nothing of the answers is in
// an argument, an environment or a file.
void TstSshQuestions::asksAPerson()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString phrase = u"open-sesame-4711"_s;
    const QString folder = QFileInfo(hosts.configFile()).path();
    QCOMPARE(QProcess::execute(
                 u"ssh-keygen"_s, {u"-q"_s, u"-p"_s, u"-P"_s, {}, u"-N"_s, phrase, u"-f"_s, folder + u"/id"_s}),
        0);
    QByteArray config = EngineFixture::contents(hosts.configFile());
    config.replace("StrictHostKeyChecking yes", "StrictHostKeyChecking ask");
    QFile file(hosts.configFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(config);
    file.close();
    QVERIFY(QFile::remove(folder + u"/known"_s));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());

    EngineFixture f;
    QVERIFY(f.open());
    const auto state = [&] { return f.engine().hosts().last().state; };
    // Nobody is there to be asked.
    const Result<HostInfo> added = f.engine().addHost(hosts.name(0), u"far"_s);
    QVERIFY(added);
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::NeedsLogin; }, 10000));
    QCOMPARE(f.engine().hosts().last().error, u"host.key-unknown"_s);

    EngineClient client;
    client.setAnswersQuestions(true);
    QSignalSpy gone(&client, &EngineClient::questionGone);
    QStringList kinds;
    bool refuses = true;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        kinds.append(question.kind);
        QCOMPARE(question.host, u"far"_s);
        const std::optional<QString> text = refuses ? std::nullopt
            : question.kind == u"hostKey"_s         ? std::optional(u"yes"_s)
                                                    : std::optional(phrase);
        client.call<api::Answer>({question.id, text}, &client, [](const Result<bool> &) {});
    });
    client.startWith(connectInProcess(f.engine()));
    // Its coming is reason enough to try again.
    QVERIFY(QTest::qWaitFor([&] { return !kinds.isEmpty() && state() == HostState::NeedsLogin; }, 10000));
    QCOMPARE(kinds, QStringList(u"hostKey"_s));
    QTRY_COMPARE(gone.size(), 1);
    std::optional<QString> unknown;
    client.call<api::Answer>({u"x"_s, u"y"_s}, &client,
        [&](const Result<bool> &answered) { unknown = answered ? QString() : answered.error().code; });
    QTRY_COMPARE(unknown.value_or(QString()), u"question.unknown"_s);

    refuses = false;
    QVERIFY(f.engine().checkHost(u"far"_s));
    QVERIFY2(QTest::qWaitFor([&] { return state() == HostState::Online; }, 15000),
        qPrintable(f.engine().hosts().last().error));
    // Each once, though it takes three connections to get the agent there.
    QCOMPARE(kinds, (QStringList{u"hostKey"_s, u"hostKey"_s, u"passphrase"_s}));
    QVERIFY(f.engine().questions().isEmpty());
    const QStringList processes = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &process : processes) {
        for (const QString &name : {u"/cmdline"_s, u"/environ"_s}) {
            QVERIFY(process.toInt() == 0
                || !EngineFixture::contents(u"/proc/"_s + process + name).contains(phrase.toUtf8()));
        }
    }
    QDirIterator it(f.path({}), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        QVERIFY2(!EngineFixture::contents(name).contains(phrase.toUtf8()), qPrintable(name));
    }
}

// The server would take the key: it is not looked for there.
void TstSshQuestions::saysThatThePassPhraseIsMissing()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString key = QFileInfo(hosts.configFile()).path() + u"/id"_s;
    QCOMPARE(QProcess::execute(
                 u"ssh-keygen"_s, {u"-q"_s, u"-p"_s, u"-P"_s, {}, u"-N"_s, u"open-sesame-4712"_s, u"-f"_s, key}),
        0);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    const auto host = [&] { return f.engine().hosts().last(); };
    const auto isRefused = [&](const QString &code) {
        return host().state == HostState::NeedsLogin && host().error == code
            && host().errorArgs.value(u"key"_s).toString() == key;
    };
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s)); // nobody is there to be asked
    QTRY_VERIFY2_WITH_TIMEOUT(isRefused(u"host.needs-login.locked"_s), qPrintable(host().error), 15000);
    EngineClient client;
    client.setAnswersQuestions(true);
    std::optional<QString> phrase = u"wrong"_s;
    int asked = 0;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        ++asked;
        QCOMPARE(question.kind, u"passphrase"_s);
        client.call<api::Answer>({question.id, phrase}, &client, [](const Result<bool> &) {});
    });
    client.startWith(connectInProcess(f.engine()));
    QTRY_VERIFY2_WITH_TIMEOUT(isRefused(u"host.needs-login.locked-wrong"_s), qPrintable(host().error), 15000);
    // It is not asked for again and again: the next attempt, with the variables of another client, makes do without.
    f.engine().setClientEnvironment({});
    QTRY_VERIFY2_WITH_TIMEOUT(isRefused(u"host.needs-login.locked"_s), qPrintable(host().error), 15000);
    QCOMPARE(asked, 1);
    phrase.reset(); // Cancel
    QVERIFY(f.engine().checkHost(u"far"_s));
    QTRY_COMPARE_WITH_TIMEOUT(asked, 2, 15000);
    QTRY_VERIFY2_WITH_TIMEOUT(isRefused(u"host.needs-login.locked"_s), qPrintable(host().error), 15000);
}

// After a start of the engine nobody is asked about a host before a job waits for it.
void TstSshQuestions::asksOnlyAboutHostsThatAreNeeded()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString phrase = u"open-sesame-4713"_s;
    QCOMPARE(
        QProcess::execute(u"ssh-keygen"_s,
            {u"-q"_s, u"-p"_s, u"-P"_s, {}, u"-N"_s, phrase, u"-f"_s, QFileInfo(hosts.configFile()).path() + u"/id"_s}),
        0);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    f.close();
    QVERIFY(f.open());
    EngineClient client;
    client.setAnswersQuestions(true);
    int asked = 0;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        ++asked;
        client.call<api::Answer>({question.id, phrase}, &client, [](const Result<bool> &) {});
    });
    client.startWith(connectInProcess(f.engine()));
    const auto state = [&] { return f.engine().hosts().last().state; };
    QTRY_COMPARE_WITH_TIMEOUT(client.status(), EngineClient::Status::Ready, 10000);
    QTRY_COMPARE_WITH_TIMEOUT(state(), HostState::NeedsLogin, 15000);
    QCOMPARE(f.engine().hosts().last().error, u"host.needs-login.locked"_s);
    // A job that needs another host makes no difference.
    const QString here = f.submit(EngineFixture::document("here", EngineFixture::role("main", 1, {"true"})));
    QVERIFY(f.waitForEnd(here));
    QCOMPARE(state(), HostState::NeedsLogin);
    QCOMPARE(asked, 0);
    SubmitRequest there;
    there.target = u"far"_s;
    const QString job
        = f.submit(EngineFixture::document("there", EngineFixture::role("main", 1, {"echo there"})), there);
    QVERIFY2(f.waitForEnd(job, 60000), qPrintable(f.engine().hosts().last().error));
    QCOMPARE(f.job(job).state, State::Succeeded);
    QCOMPARE(asked, 1);
}

// A pass phrase is mistyped. What is wrong is not that the host does not know the key.
void TstSshQuestions::saysThatAKeyWasNotUnlocked()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString phrase = u"open-sesame-4711"_s;
    const QString key = QFileInfo(hosts.configFile()).path() + u"/id"_s;
    QCOMPARE(QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-p"_s, u"-P"_s, {}, u"-N"_s, phrase, u"-f"_s, key}), 0);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    EngineClient client;
    client.setAnswersQuestions(true);
    QString text = u"open-sesame"_s;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        client.call<api::Answer>({question.id, text}, &client, [](const Result<bool> &) {});
    });
    client.startWith(connectInProcess(f.engine()));
    QTRY_COMPARE_WITH_TIMEOUT(
        client.status(), EngineClient::Status::Ready, 10000); // else there is no client that answers
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    const auto host = [&] { return f.engine().hosts().last(); };
    QVERIFY(QTest::qWaitFor([&] { return host().state == HostState::NeedsLogin; }, 15000));
    QCOMPARE(host().error, u"host.needs-login.locked-wrong"_s);
    QCOMPARE(host().errorArgs.value("key"_L1).toString(), key);
    text = phrase; // as the sentence says
    QVERIFY(f.engine().checkHost(u"far"_s));
    QVERIFY2(QTest::qWaitFor([&] { return host().state == HostState::Online; }, 15000), qPrintable(host().error));
}

// The question of its ssh is still open: nothing of the host may be looked at again when its ssh has ended.
void TstSshQuestions::removedWhileItAsks()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    QByteArray config = EngineFixture::contents(hosts.configFile());
    config.replace("StrictHostKeyChecking yes", "StrictHostKeyChecking ask");
    QFile file(hosts.configFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(config);
    file.close();
    QVERIFY(QFile::remove(QFileInfo(hosts.configFile()).path() + u"/known"_s));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    f.engine().setCanAsk(true);
    QSignalSpy gone(&f.engine(), &Engine::questionGone);
    for (int i = 0; i < 2; ++i) { // the list has moved when the second one goes
        QVERIFY(f.engine().addHost(hosts.name(0), u"asking%1"_s.arg(i)));
    }
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().questions().size(), 2, 15000);
    for (int i = 0; i < 2; ++i) {
        QVERIFY(f.engine().removeHost(u"asking%1"_s.arg(i)));
        QTRY_COMPARE(f.engine().questions().size(), 1 - i);
        QTRY_COMPARE(gone.size(), i + 1);
        QCOMPARE(f.engine().hosts().size(), 2 - i);
    }
    // It goes on as before.
    const QString uuid = f.submit(EngineFixture::document("after", EngineFixture::role("main", 1, {"echo on"})));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
}

// It is asked, and its silence is an answer.
void TstSshQuestions::checkFindsAHungAgent()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto agents = [] {
        QFile children(u"/proc/self/task/%1/children"_s.arg(QCoreApplication::applicationPid()));
        QList<qint64> pids;
        const QByteArrayList words
            = children.open(QIODevice::ReadOnly) ? children.readAll().split(' ') : QByteArrayList();
        for (const QByteArray &word : words) {
            const QString program = QFile::symLinkTarget(u"/proc/"_s + QString::fromLatin1(word) + u"/exe"_s);
            if (program.endsWith(u"/trainyard-agent"_s)) {
                pids.append(word.toLongLong());
            }
        }
        return pids;
    };
    QCOMPARE(agents().size(), 1);
    QObject here;
    std::optional<Result<HostInfo>> checked;
    const auto check = [&] {
        checked.reset();
        f.engine().checkHost(u"local"_s, &here, [&](const Result<HostInfo> &host) { checked = host; });
    };
    check();
    QTRY_VERIFY(checked.has_value());
    QCOMPARE((*checked)->state, HostState::Online);
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    QCOMPARE(::kill(pid_t(agents().first()), SIGSTOP), 0);
    check();
    QVERIFY(!checked.has_value());
    QTRY_VERIFY_WITH_TIMEOUT(checked.has_value(), 40000);
    QVERIFY((*checked)->state != HostState::Online);
    QCOMPARE((*checked)->error, u"host.not-answering"_s);
    const qint64 since = (*checked)->errorArgs.value(u"since"_s).toInteger();
    QVERIFY2(since >= before - 5000 && since < QDateTime::currentMSecsSinceEpoch(), qPrintable(QString::number(since)));
    QVERIFY(!reasonText((*checked)->error, (*checked)->errorArgs).contains(u'{'));
    // Another one takes its place.
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().first().state, HostState::Online, 15000);
    const QString uuid = f.submit(EngineFixture::document("after", EngineFixture::role("main", 1, {"echo on"})));
    QVERIFY(f.waitForEnd(uuid));
    check();
    QTRY_VERIFY(checked.has_value());
    QCOMPARE((*checked)->state, HostState::Online);
    f.engine().checkHost(u"nobody"_s, &here, [&](const Result<HostInfo> &host) { checked = host; });
    QVERIFY(!*checked && checked->error().code == u"host.unknown"_s);
}

// No new login works: that is what the command says, by its exit status as well, and the task goes on.
void TstSshQuestions::checkMakesAConnectionOfItsOwn()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QByteArray config = EngineFixture::contents(hosts.configFile());
    const auto write = [&hosts](const QByteArray &text) {
        QFile file(hosts.configFile());
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QByteArray task = EngineFixture::document("long", EngineFixture::role("main", 1, {"echo began; sleep 600"}));
    QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"far"_s}, task, 60000).status, 0);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out.contains("began"), 30000);
    QByteArray locked = config;
    locked.replace("IdentityFile ", "IdentityFile /nonexistent");
    QVERIFY(write(locked));
    const auto failed = f.ctl({u"hosts"_s, u"check"_s, u"far"_s}, {}, 60000);
    QCOMPARE(failed.status, 3);
    QVERIFY2(failed.err.contains("The last check could make no new connection to far: ")
            && failed.err.contains("The connection in use still answers."),
        failed.err.constData());
    QVERIFY2(failed.out.contains("failed"), failed.out.constData());
    QVERIFY(f.ctl({u"hosts"_s, u"list"_s}).out.contains("online"));
    QVERIFY(write(config));
    const auto passed = f.ctl({u"hosts"_s, u"check"_s, u"far"_s}, {}, 60000);
    QVERIFY2(passed.status == 0 && passed.out.contains("far is online"), passed.err.constData());
    QVERIFY2(!passed.out.contains("failed"), passed.out.constData());
    QCOMPARE(f.ctl({u"stop"_s, u"1"_s}, {}, 60000).status, 0);
    f.ctl({u"wait"_s, u"1"_s}, {}, 60000);
}

// A mistyped host is not left behind without a word.
void TstSshQuestions::saysThatItWasNotReached()
{
    ProgramsFixture f;
    qputenv("TRAINYARD_SSH_CONFIG", f.write(u"ssh_config"_s, "Host pool\n  HostName 127.0.0.1\n").toUtf8());
    const auto added = f.ctl({u"hosts"_s, u"add"_s, u"root@127.0.0.1:1"_s, u"--name"_s, u"typo"_s}, {}, 60000);
    QCOMPARE(added.status, 3);
    QVERIFY2(added.err.contains("trainyardctl hosts remove typo"), added.err.constData());
    for (const QString &taken : {u"any"_s, u"pool"_s}) {
        const auto refused = f.ctl({u"hosts"_s, u"add"_s, u"lab"_s, u"--name"_s, taken});
        QCOMPARE(refused.status, 4);
        const QByteArray why = taken.toUtf8() + "' cannot name a host.";
        QVERIFY2(refused.err.contains(why), refused.err.constData());
    }
    QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().size(), 2);
    QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"typo"_s}).status, 0);
    // A name that comes from the address gives way to those that are taken, and that is said.
    const auto adjusted = f.ctl({u"hosts"_s, u"add"_s, u"root@pool:1"_s}, {}, 60000);
    QVERIFY2(adjusted.err.contains("added as pool-2, because the name 'pool' is taken"), adjusted.err.constData());
    QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"pool-2"_s}).status, 0);
    QVERIFY(!added.err.contains("is taken"));
    QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().size(), 1);
}

// What ssh and tar say of a host that is down is for their experts.
void TstSshQuestions::saysThatACommandDidNotRun()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QString file = f.write(u"work/runs.yaml"_s,
        EngineFixture::document(
            "runs", EngineFixture::role("main", 1, {"echo there >made", "until [ -e go ]; do sleep 0.02; done"})));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    const QStringList enter{u"exec"_s, u"runs"_s, u"main/0"_s, u"--"_s};
    QTRY_COMPARE_WITH_TIMEOUT(f.ctl(enter + QStringList{u"true"_s}).status, 0, 20000);
    QCOMPARE(f.ctl(enter + QStringList{u"cat"_s}, "what comes in\n").out, "what comes in\n");
    const auto own = f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"echo own >&2; exit 255"_s});
    QCOMPARE(own.status, 255);
    QCOMPARE(own.err, "own\n");
    QCOMPARE(f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"kill -9 $$"_s}).status, 137); // as on this computer
    // A folder that is on no host: the end of the task says on which one it was looked for.
    const auto lost = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--on"_s, u"far"_s, u"--work"_s, u"/no/such/folder"_s},
        EngineFixture::document("lost", EngineFixture::role("main", 1, {"true"})), 60000);
    QVERIFY2(lost.err.contains("The work folder /no/such/folder does not exist on far."), lost.err.constData());
    // For these commands nothing listens there any more; the engine has its connection.
    const QString down = f.write(u"down"_s,
        "Host " + hosts.name(0).toUtf8()
            + "\n  HostName 127.0.0.1\n  Port 1\n  IdentityFile none\n  UserKnownHostsFile /dev/null\n");
    qputenv("TRAINYARD_SSH_CONFIG", down.toUtf8());
    const QString here = f.path(u"here"_s);
    for (const QStringList &words : {enter + QStringList{u"true"_s}, QStringList{u"cp"_s, u"runs:made"_s, here}}) {
        const auto failed = f.ctl(words);
        QCOMPARE(failed.status, 3);
        // What failed is said: not that a host cannot be reached whose tasks the engine is watching.
        const QByteArray why = "because it needs a new connection by ssh. ssh could not connect to far ("
            + hosts.name(0).toUtf8() + "): ";
        QVERIFY2(failed.err.contains(why) && failed.err.contains("onnection refused")
                && failed.err.contains("The connection that the engine has still works. As soon as 'ssh "),
            failed.err.constData());
        QVERIFY2(!failed.err.contains("cannot be reached"), failed.err.constData());
        QVERIFY2(failed.err.count('\n') == 1 && !failed.err.contains("tar:"), failed.err.constData());
    }
    QVERIFY(!QFile::exists(here));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    // While the line is cut, and the engine has not noticed it yet, nothing is said to work.
    hosts.setLink(0, false);
    const auto cut = f.ctl(enter + QStringList{u"true"_s}, {}, 60000);
    hosts.setLink(0, true);
    QVERIFY2(cut.status == 3 && !cut.err.contains("still works"), cut.err.constData());
    // Its end is what the task waits for: it is not done twice.
    QTRY_COMPARE_WITH_TIMEOUT(f.ctl(enter + QStringList{u"true"_s}, {}, 30000).status, 0, 60000);
    QCOMPARE(f.ctl(enter + QStringList{u"touch"_s, u"go"_s}, {}, 30000).status, 0);
    QCOMPARE(f.ctl({u"wait"_s, u"runs"_s}, {}, 60000).status, 0);
}

TRAINYARD_TEST(TstSshQuestions)
#include "tst_sshquestions.moc"
