// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/changedsince.h"
#include "engine/agent/gitfind.h"
#include "engine/agent/pump.h"
#include "engine/agent/pythonfind.h"
#include "engine/agent/taskvariables.h"
#include "engine/contract/environmentrecord.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace trainyard;
using namespace trainyard::contract;

// What a try found when it started, as its agent records it.
class TstCaptures : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void packagesHaveNames_data();
    void packagesHaveNames();
    void valuesAreVetted_data();
    void valuesAreVetted();
    void repositoriesAreLookedForUpwards();
    void whatIsAboveIsRemembered();
    void shortRecordComesBack();
    void statusIsRead();
    void recordComesBack();
    void namesOfOtherTriesAreChecked_data();
    void namesOfOtherTriesAreChecked();
    void ownChangesAreLeftOut();
    void changesOfTheTaskAreLeftOut();
    void workFolderIsRecorded();
    void sharedVariablesAreRecorded();
    void secretsAreMasked();
    void copiedFolderHasAnOrigin();
    void virtualEnvironmentIsFound();
    void alikeTasksShareARecord();
    void ownFoldersShareARecord();
    void followWaitsForIt();
    void withoutRepositoryAndPython();

private:
    QString path(const char *below) const { return m_fixture.home->path() + u'/' + QLatin1StringView(below); }
    bool write(const QString &file, const QByteArray &text)
    {
        QDir().mkpath(file.left(file.lastIndexOf(u'/')));
        QFile out(file);
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size();
    }
    bool git(const QStringList &arguments)
    {
        QProcess process;
        process.setWorkingDirectory(path("code"));
        process.start(QStringLiteral("git"),
            QStringList{QStringLiteral("-c"), QStringLiteral("user.name=t"), QStringLiteral("-c"),
                QStringLiteral("user.email=t@t")}
                + arguments);
        return process.waitForFinished() && process.exitCode() == 0;
    }
    bool makeRepository()
    {
        return QDir().mkpath(path("code"))
            && git({QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"), QStringLiteral("tuning")})
            && write(path("code/train.py"), "lr = 1\n") && git({QStringLiteral("add"), QStringLiteral(".")})
            && git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"), QStringLiteral("first")});
    }
    Launch inRepository(const char *name) const
    {
        Launch launch = m_fixture.launchOf(name, ":");
        launch.cwd = path("code").toStdString();
        return launch;
    }
    std::optional<EnvironmentRecord> recordOf(const std::string &dir)
    {
        const auto isThere = [&] { return !fileText(dir, file::environment).isEmpty(); };
        return QTest::qWaitFor(isThere, 20000) ? parseEnvironment(fileText(dir, file::environment).toStdString())
                                               : std::nullopt;
    }
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstCaptures)

void TstCaptures::packagesHaveNames_data()
{
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("package"); // "name version", or nothing
    const auto row = [](const char *entry, const char *package) {
        QTest::newRow(entry) << QString::fromLatin1(entry) << QString::fromLatin1(package);
    };
    row("numpy-1.26.4.dist-info", "numpy 1.26.4");
    row("torch-2.3.0+cu121.dist-info", "torch 2.3.0+cu121");
    row("six-1.16.0-py3.11.egg-info", "six 1.16.0");
    row("old-name-0.1-py2.7-linux-x86_64.egg-info", "old-name 0.1");
    row("numpy-1.24.2.egg-info", "numpy 1.24.2");
    row("mine.egg-info", "mine ");
    row("numpy", "");
    row("~umpy-1.26.4.dist-info", "");
    row(".dist-info", "");
    row("readme-1.0.txt", "");
}

void TstCaptures::packagesHaveNames()
{
    QFETCH(QString, entry);
    QFETCH(QString, package);
    const std::optional<NamedText> found = agent::packageOf(entry.toStdString());
    QCOMPARE(found ? QString::fromStdString(found->name + ' ' + found->text) : QString(), package);
}

void TstCaptures::valuesAreVetted_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("isShown");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const char *value, bool isShown, const char *text) {
        QTest::addRow("%s=%s", name, value)
            << QString::fromLatin1(name) << QString::fromLatin1(value) << isShown << QString::fromLatin1(text);
    };
    row("CUDA_VISIBLE_DEVICES", "0,1", true, "0,1");
    row("PATH", "/usr/bin", true, "/usr/bin");
    row("PAI_TASK_INDEX", "3", true, "3");
    row("COMPANY_LOGIN", "hunter2", false, "hunter2");
    row("HF_TOKEN", "hf_abc", false, "******");
    row("WANDB_API_KEY", "abc", false, "******");
    row("AWS_SECRET_ACCESS_KEY", "abc", false, "******");
    row("PYTHON_KEYRING_PASSWORD", "abc", true, "******");
    row("TOKENIZERS_PARALLELISM", "false", true, "false");
    row("PYTHONPATH", "http://jo:secret@host/x, ftp://h/y", true, "http://jo:******@host/x, ftp://h/y");
    row("PYTHONPATH", "git://jo@host/x:y", true, "git://jo@host/x:y");
    row("DB_PASSWORD", "", false, "");
}

void TstCaptures::valuesAreVetted()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(bool, isShown);
    QFETCH(QString, text);
    QCOMPARE(agent::isShownVariable(name.toStdString()), isShown);
    QCOMPARE(QString::fromStdString(agent::shownValue(name.toStdString(), value.toStdString())), text);
}

void TstCaptures::repositoriesAreLookedForUpwards()
{
    QVERIFY(QDir().mkpath(path("code/.git")) && QDir().mkpath(path("code/a/b")));
    QCOMPARE(agent::repositoryOf(path("code/a/b").toStdString()), path("code").toStdString());
    for (const char *none : {"", "/", ".", "..", "relative", "a/b", "//"}) {
        QCOMPARE(agent::repositoryOf(none), std::string()); // it comes to an end, whatever it is given
    }
}

// Tries that start together ask for the folders above them one after the other.
void TstCaptures::whatIsAboveIsRemembered()
{
    QVERIFY(QDir().mkpath(path("code/.git")) && QDir().mkpath(path("code/a/b")) && QDir().mkpath(path("code/a/.git")));
    agent::FoundAbove repositories{agent::repositoryAt};
    QCOMPARE(repositories.of(path("code/a/b").toStdString()), path("code/a").toStdString());
    QCOMPARE(repositories.of(path("code").toStdString()), path("code").toStdString());
    QCOMPARE(repositories.of(path("code/none").toStdString()), path("code").toStdString());
    QVERIFY(QDir().rmdir(path("code/a/.git")));
    QCOMPARE(repositories.of(path("code/a/c").toStdString()), path("code/a").toStdString()); // it is not asked again
    for (const char *none : {"", "/", ".", "..", "relative", "a/b", "//"}) {
        QCOMPARE(repositories.of(none), std::string());
    }
}

// It is written without a tree of JSON, and has to be what a tree gives: other agents and clients read it.
void TstCaptures::shortRecordComesBack()
{
    EnvironmentRecord record;
    record.at = 1700000000123;
    record.gpus = {"NVIDIA \"A\"", "B"};
    record.sameAs = "main-0/0";
    record.workFolder = "/w/\u00e4\t\\x";
    record.variables = {{"PATH", "/bin:/usr/bin"}, {"PAI_X", "two\nlines \xff"}, {"EMPTY", ""}};
    const std::string text = environmentJson(record);
    QCOMPARE(text.back(), '\n');
    const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    QVERIFY(json.isObject());
    QCOMPARE(json.object().keys(),
        QStringList({QStringLiteral("at"), QStringLiteral("gpus"), QStringLiteral("sameAs"),
            QStringLiteral("variables"), QStringLiteral("version"), QStringLiteral("workFolder")}));
    const std::optional<EnvironmentRecord> back = parseEnvironment(text);
    QVERIFY(back);
    QCOMPARE(back->at, record.at);
    QCOMPARE(back->gpus, record.gpus);
    QCOMPARE(back->sameAs, record.sameAs);
    QCOMPARE(back->workFolder, record.workFolder);
    QCOMPARE(back->variables.size(), record.variables.size());
    QCOMPARE(back->variables[1].text, std::string("two\nlines \xef\xbf\xbd")); // what is not UTF-8 is replaced
    QCOMPARE(back->variables[2].name, std::string("EMPTY"));
    record.gpus.clear();
    record.variables.clear();
    QVERIFY(parseEnvironment(environmentJson(record)));
}

void TstCaptures::statusIsRead()
{
    std::vector<agent::GitChange> changes;
    const auto read = [&changes](std::string text) {
        std::replace(text.begin(), text.end(), '\n', '\0');
        GitRecord record;
        changes = agent::readGitStatus(text, record);
        return record;
    };
    GitRecord record = read("# branch.oid 1234abcd\n# branch.head main\n# branch.upstream origin/main\n");
    QCOMPARE(record.commit, std::string("1234abcd"));
    QCOMPARE(record.branch, std::string("main"));
    QVERIFY(!record.dirty);
    // The old name of a renamed file is no line of its own, whatever it looks like.
    record
        = read("# branch.oid (initial)\n# branch.head (detached)\n2 R. N... 1 1 1 a b R100 new\n# branch.head odd\n");
    QVERIFY(record.commit.empty() && record.branch.empty());
    QVERIFY(record.dirty);
    QCOMPARE(changes.size(), std::size_t(1));
    QCOMPARE(changes[0].path, std::string("new"));
    QCOMPARE(changes[0].oldPath, std::string("# branch.head odd"));
    read("1 .M N... 100644 100644 100644 a b a file with blanks\nu UU N... 1 2 3 4 a b c both\n1 .M\n");
    QCOMPARE(changes.size(), std::size_t(3));
    QCOMPARE(changes[0].path, std::string("a file with blanks"));
    QCOMPARE(changes[1].path, std::string("both"));
}

void TstCaptures::recordComesBack()
{
    EnvironmentRecord record;
    record.at = 1700000000000;
    record.gpus = {"NVIDIA A100"};
    record.variables = {{"PATH", "/usr/bin"}};
    record.host = {"lab1", "6.1", "Debian", "a processor", "535.1", 8, 64000};
    record.workFolder = "/home/jo";
    record.runtime = "podman";
    record.image = "pytorch:2";
    record.git = GitRecord{"/home/jo", "abc", "main", true, "+a \"b\"\n", true, {"x", "y/"}, 12};
    record.python = PythonRecord{"/usr/bin/python3", "/usr/bin/python3.11", "3.11", {{"numpy", "1.26.4"}}};
    record.gaps = {"untracked.slow"};
    const std::string text = environmentJson(record);
    QCOMPARE(parseEnvironment(text), record);
    for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
        QVERIFY(!parseEnvironment(std::string_view(text).substr(0, size)));
    }
    QVERIFY(!parseEnvironment("{\"version\": 99}"));
    EnvironmentRecord other = record;
    other.at = 5;
    other.variables = {{"RANK", "1"}};
    EnvironmentRecord named = other;
    named.sameAs = "worker-0/0";
    QCOMPARE(joined(*parseEnvironment(environmentJson(named)), record), other);
    record.git->diff = "\xff";
    QVERIFY(parseEnvironment(environmentJson(record)));
}

void TstCaptures::namesOfOtherTriesAreChecked_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("folder");
    const auto row = [](const char *name, const char *folder) {
        QTest::addRow("'%s'", name) << QString::fromLatin1(name) << QString::fromLatin1(folder);
    };
    row("worker-0/0", "/runs/job/1/worker-0/0");
    row("", "");
    row("worker-0", "");
    row("../0", "");
    row("worker-0/..", "");
    row("/etc", "");
    row("a/b/c", "");
}

void TstCaptures::namesOfOtherTriesAreChecked()
{
    QFETCH(QString, name);
    QFETCH(QString, folder);
    QCOMPARE(QString::fromStdString(folderOfSame("/runs/job/1/worker-3/2", name.toStdString())), folder);
    QCOMPARE(QString::fromStdString(folderOfSame("/runs/job/1/worker-3/2/", name.toStdString())), folder);
}

// What was changed after a moment: by its own time, or by that of the folder from which it is gone.
void TstCaptures::changesOfTheTaskAreLeftOut()
{
    QVERIFY(makeRepository());
    QVERIFY(write(path("code/sub/gone.py"), "x\n") && write(path("code/late.py"), "lr = 1\n"));
    QVERIFY(git({QStringLiteral("add"), QStringLiteral(".")}));
    QVERIFY(git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("-m"), QStringLiteral("second")}));
    QVERIFY(write(path("code/train.py"), "lr = 2\n") && write(path("code/notes.txt"), "n"));
    const std::int64_t moment = agent::fileClockNs();
    agent::awaitLaterStamps(moment);
    QVERIFY(write(path("code/late.py"), "lr = 3\n") && write(path("code/made.txt"), "m"));
    QVERIFY(QFile::remove(path("code/sub/gone.py")));
    std::vector<std::string> gaps;
    const std::string folder = path("code").toStdString();
    const std::int64_t until = agent::monotonicMs() + 60000;
    const auto found = agent::findGit(folder, until, moment, gaps);
    QVERIFY(found && found->dirty);
    QVERIFY(found->diff.find("+lr = 2") != std::string::npos);
    QVERIFY(found->diff.find("late.py") == std::string::npos && found->diff.find("gone.py") == std::string::npos);
    QCOMPARE(found->untracked, std::vector<std::string>{"notes.txt"});
    QCOMPARE(found->untrackedCount, std::int64_t(1));
    QCOMPARE(gaps, std::vector<std::string>{"git.later"});

    gaps.clear();
    const auto all = agent::findGit(folder, until, agent::noMoment, gaps);
    QVERIFY(all && all->diff.find("late.py") != std::string::npos && all->diff.find("gone.py") != std::string::npos);
    QCOMPARE(all->untrackedCount, std::int64_t(2));
    QVERIFY(gaps.empty());
}

// A task that changes its own repository at once.
void TstCaptures::ownChangesAreLeftOut()
{
    QVERIFY(makeRepository());
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("changing", "echo modified >> train.py; echo x > made.txt");
    launch.cwd = path("code").toStdString();
    QVERIFY(m_fixture.runToEnd(launch));
    const auto record = recordOf(launch.dir);
    QVERIFY(record && record->git);
    QVERIFY(!record->git->dirty);
    QVERIFY(record->git->diff.empty() && record->git->untracked.empty());
    QCOMPARE(record->gaps, std::vector<std::string>{"git.later"});
}

void TstCaptures::workFolderIsRecorded()
{
    QVERIFY(makeRepository());
    QVERIFY(write(path("code/train.py"), "lr = 2\n"));
    QVERIFY(write(path("code/notes.txt"), "n"));
    QVERIFY(m_fixture.agent->start());
    Launch launch = inRepository("seen");
    launch.env = {{"PAI_TASK_INDEX", "0"}, {"MY_TOKEN", "x"}};
    QVERIFY(m_fixture.runToEnd(launch));
    const auto record = recordOf(launch.dir);
    QVERIFY(record && record->git);
    QCOMPARE(record->git->branch, std::string("tuning"));
    QCOMPARE(record->git->commit.size(), std::size_t(40));
    QVERIFY(record->git->dirty);
    QVERIFY(record->git->diff.find("-lr = 1\n+lr = 2\n") != std::string::npos);
    QVERIFY(!record->git->diffCut);
    QCOMPARE(record->git->untracked, std::vector<std::string>{"notes.txt"});
    QCOMPARE(record->workFolder, launch.cwd);
    QVERIFY(!record->host.name.empty() && !record->host.kernel.empty() && record->host.cpus > 0);
    QVERIFY(std::find(record->variables.begin(), record->variables.end(), NamedText{"PAI_TASK_INDEX", "0"})
        != record->variables.end());
    QVERIFY(std::find(record->variables.begin(), record->variables.end(), NamedText{"MY_TOKEN", "******"})
        != record->variables.end());
    QVERIFY(record->gaps.empty());
}

// Those that all tasks of an attempt share have any name, as the task's own have, and values that may be secret.
void TstCaptures::sharedVariablesAreRecorded()
{
    QVERIFY(QDir().mkpath(path("code")));
    QVERIFY(m_fixture.agent->start());
    m_fixture.agent->send(
        Share{"job/0", false, {}, {{"HADOOP_USER_NAME", "ada"}, {"APP_ID", "u"}, {"OWN", "all"}, {"MY_TOKEN", "x"}}});
    Launch launch = inRepository("shared");
    launch.env = {{"OWN", "one"}};
    launch.sharedEnv = "job/0";
    QVERIFY(m_fixture.runToEnd(launch));
    const auto record = recordOf(launch.dir);
    QVERIFY(record);
    for (const NamedText &expected : {NamedText{"HADOOP_USER_NAME", "ada"}, NamedText{"APP_ID", "u"},
             NamedText{"OWN", "one"}, NamedText{"MY_TOKEN", "******"}}) {
        QVERIFY2(std::find(record->variables.begin(), record->variables.end(), expected) != record->variables.end(),
            expected.name.c_str());
    }
}

void TstCaptures::secretsAreMasked()
{
    QVERIFY(makeRepository());
    QVERIFY(write(path("code/train.py"), "password = 'correct horse'\n"));
    QVERIFY(m_fixture.agent->start());
    Launch launch = inRepository("secret");
    launch.maskValues = {"correct horse"};
    launch.env = {{"PAI_NOTE", "the correct horse"}};
    QVERIFY(m_fixture.runToEnd(launch));
    QVERIFY(recordOf(launch.dir));
    const QByteArray text = fileText(launch.dir, file::environment);
    QVERIFY(text.contains("password = '"));
    QVERIFY(!text.contains("horse"));
}

// A copy of a folder of another computer has no repository: what was found there lies beside it. It goes over that of a
// repository that the copy happens to be in.
void TstCaptures::copiedFolderHasAnOrigin()
{
    QVERIFY(makeRepository());
    EnvironmentRecord there;
    there.git.emplace();
    there.git->top = "/home/ada/project";
    there.git->commit = std::string(40, 'c');
    there.git->branch = "main";
    there.git->dirty = true;
    there.git->diff = "+lr = 3\n+word = 'correct horse'\n";
    there.gaps = {"untracked.slow"};
    QVERIFY(QDir().mkpath(path("code/copy/sub")));
    QVERIFY(write(path("code/copy.origin.json"), QByteArray::fromStdString(environmentJson(there))));
    QVERIFY(m_fixture.agent->start());
    Launch launch = inRepository("copied");
    launch.cwd = path("code/copy/sub").toStdString();
    launch.maskValues = {"correct horse"};
    QVERIFY(m_fixture.runToEnd(launch));
    const auto record = recordOf(launch.dir);
    QVERIFY(record && record->git);
    QCOMPARE(record->git->commit, there.git->commit);
    QCOMPARE(record->git->top, there.git->top);
    QCOMPARE(record->git->diff, std::string("+lr = 3\n+word = '******'\n"));
    QVERIFY(std::find(record->gaps.begin(), record->gaps.end(), "untracked.slow") != record->gaps.end());

    QVERIFY(write(path("code/copy.origin.json"), "{\"version\": 1, \"gi"));
    launch = inRepository("damaged");
    launch.cwd = path("code/copy").toStdString();
    QVERIFY(m_fixture.runToEnd(launch));
    const auto damaged = recordOf(launch.dir);
    QVERIFY(damaged && !damaged->git);
    QVERIFY(std::find(damaged->gaps.begin(), damaged->gaps.end(), "git.failed") != damaged->gaps.end());
}

void TstCaptures::virtualEnvironmentIsFound()
{
    const QString venv = path("venv");
    const QString program = venv + QStringLiteral("/bin/python");
    QVERIFY(write(program, "\177ELF"));
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner));
    QVERIFY(write(venv + QStringLiteral("/pyvenv.cfg"), "home = /usr/bin\nversion = 3.12.4\n"));
    QVERIFY(QDir().mkpath(venv + QStringLiteral("/lib/python3.12/site-packages/numpy-1.26.4.dist-info")));
    QVERIFY(QDir().mkpath(venv + QStringLiteral("/lib/python3.12/site-packages/numpy")));
    QVERIFY(QDir().mkpath(path("mine/numpy-9.9.dist-info"))); // PYTHONPATH comes first
    QVERIFY(QDir().mkpath(path("mine/tool-0.1.dist-info")));
    std::vector<std::string> gaps;
    const std::string search = "PATH=/nothing:" + venv.toStdString() + "/bin:/usr/bin";
    const auto plain = agent::findPython({search}, INT64_MAX, gaps);
    QVERIFY(plain);
    QCOMPARE(plain->executable, program.toStdString());
    QCOMPARE(plain->version, std::string("3.12.4"));
    QCOMPARE(plain->packages, (std::vector<NamedText>{{"numpy", "1.26.4"}}));
    const auto more = agent::findPython({search, "PYTHONPATH=" + path("mine").toStdString()}, INT64_MAX, gaps);
    QCOMPARE(more->packages, (std::vector<NamedText>{{"numpy", "9.9"}, {"tool", "0.1"}}));
    QVERIFY(gaps.empty());

    QVERIFY(QFile::remove(program));
    QVERIFY(write(program, "#!/bin/sh\nexec something\n"));
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner));
    const auto wrapper = agent::findPython({search}, INT64_MAX, gaps);
    QVERIFY(wrapper && wrapper->packages.empty());
    QCOMPARE(gaps, std::vector<std::string>{"python.wrapper"});
}

void TstCaptures::alikeTasksShareARecord()
{
    QVERIFY(makeRepository());
    QVERIFY(write(path("code/train.py"), QByteArray(10000, 'x') + '\n'));
    QVERIFY(m_fixture.agent->start());
    const Launch first = inRepository("job/0/worker-0/0"), second = inRepository("job/0/worker-1/0"),
                 otherAttempt = inRepository("job/1/worker-0/0");
    for (const Launch &launch : {first, second, otherAttempt}) {
        QVERIFY(m_fixture.runToEnd(launch));
        QVERIFY(recordOf(launch.dir));
    }
    QVERIFY(recordOf(first.dir)->sameAs.empty() && recordOf(first.dir)->git);
    QCOMPARE(recordOf(second.dir)->sameAs, std::string("worker-0/0"));
    QVERIFY(fileText(second.dir, file::environment).size() < 10000);
    QVERIFY(recordOf(otherAttempt.dir)->git); // its folder can be removed by itself
    // What has changed since is recorded again.
    QVERIFY(write(path("code/train.py"), "lr = 3\n"));
    const Launch third = inRepository("job/0/worker-2/0");
    QVERIFY(m_fixture.runToEnd(third));
    const auto changed = recordOf(third.dir);
    QVERIFY(changed && changed->git);
    QVERIFY(changed->git->diff.find("+lr = 3") != std::string::npos);
}

// The copy on another computer is whole when it is said to be, however short the task.
void TstCaptures::ownFoldersShareARecord()
{
    QVERIFY(m_fixture.agent->start());
    const Launch first = m_fixture.launchOf("job/0/worker-0/0", ":"),
                 second = m_fixture.launchOf("job/0/worker-1/0", ":");
    for (const Launch &launch : {first, second}) {
        QVERIFY(m_fixture.runToEnd(launch));
        QVERIFY(recordOf(launch.dir));
    }
    const auto whole = recordOf(first.dir), part = recordOf(second.dir);
    QVERIFY(whole->sameAs.empty() && !whole->host.name.empty());
    QCOMPARE(part->sameAs, std::string("worker-0/0"));
    QCOMPARE(part->workFolder, second.dir + "/work");
    const EnvironmentRecord both = joined(*part, *whole);
    QCOMPARE(both.workFolder, second.dir + "/work");
    QCOMPARE(both.host, whole->host);
    // A record of an earlier version names no folder when it is that of the other one.
    EnvironmentRecord earlier = *part;
    earlier.workFolder.clear();
    QCOMPARE(joined(earlier, *whole).workFolder, whole->workFolder);
}

void TstCaptures::followWaitsForIt()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("short", ":");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::string copy;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
        copy += chunk->file == file::environment ? chunk->bytes : std::string();
    }
    QVERIFY(parseEnvironment(copy));
    QCOMPARE(copy, fileText(launch.dir, file::environment).toStdString());
}

void TstCaptures::withoutRepositoryAndPython()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("bare", ":");
    launch.shell = "/bin/bash";
    QVERIFY(QDir().mkpath(path("empty")));
    launch.env = {{"PATH", path("empty").toStdString()}};
    QVERIFY(m_fixture.runToEnd(launch));
    const auto record = recordOf(launch.dir);
    QVERIFY(record);
    QVERIFY(!record->git);
    QVERIFY(!record->python);
    QVERIFY(record->gaps.empty());
}

#include "tst_captures.moc"
