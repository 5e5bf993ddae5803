// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/client.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTest>

#include <signal.h>

#include <algorithm>

using namespace trainyard::contract;

// How a keeper fetches images with a login, with container programs that only note what they were asked.
class TstImagePull : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_fixture.end(); }

    void pullInTheContextOfTheUser();
    void loginOfAKilledKeeper_data();
    void loginOfAKilledKeeper();
    void linesWithoutEnd();

private:
    AgentFixture m_fixture;

    QString path(const char *name) const { return m_fixture.home->filePath(QLatin1String(name)); }
    bool isThere(const char *name) const { return QFile::exists(path(name)); }
    bool makeProgram(const char *name, const QByteArray &text) const;
    Launch launchIn(const char *runtime) const;
};
TRAINYARD_TEST(TstImagePull)

void TstImagePull::init()
{
    QVERIFY(m_fixture.begin());
    QCOMPARE(makeFolders(path("bin").toStdString()), 0);
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), path("bin") + QStringLiteral(":/usr/bin:/bin"));
}

bool TstImagePull::makeProgram(const char *name, const QByteArray &text) const
{
    QFile program(m_fixture.home->filePath(QLatin1String("bin/") + QLatin1String(name)));
    return program.open(QIODevice::WriteOnly) && program.write(text) == text.size()
        && program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

Launch TstImagePull::launchIn(const char *runtime) const
{
    Launch launch = m_fixture.launchOf("pulls", "true");
    launch.plan.container.runtime = runtime;
    launch.plan.container.image = "image";
    launch.plan.container.name = "trainyard-" + launch.plan.tryUuid;
    launch.plan.container.run = {runtime, "run", "-d", "image"};
    launch.plan.container.pullImage = "registry.example.org/image";
    launch.registry = {"registry.example.org", "ada", "password"};
    return launch;
}

// The login of a pull takes the place of docker's configuration, but the service stays the user's.
void TstImagePull::pullInTheContextOfTheUser()
{
    QVERIFY(makeProgram("docker",
        "#!/bin/bash\ncd \"${0%/*}/..\"\n"
        "case \"$*\" in\n"
        "  'context inspect '*) echo lab;;\n"
        "  'image inspect '*) exit 1;;\n"
        "  *' login '*) cat >/dev/null; echo \"$2 $3 $4\" >login; cat \"$2/contexts/of\" >>login;;\n"
        "  *' pull '*) echo \"$2 $3 $4\" >pull; echo 'manifest unknown' >&2; exit 1;;\n"
        "esac\n"));
    const std::string contexts = path("config/contexts").toStdString();
    QCOMPARE(makeFolders(contexts), 0);
    QCOMPARE(writeAtomically(contexts + "/of", "the user\n", false), 0);
    m_fixture.agent->environment.insert(QStringLiteral("DOCKER_CONFIG"), path("config"));
    QVERIFY(m_fixture.agent->start());
    const Launch launch = launchIn("docker");
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->exit);
    QCOMPARE(launched->exit->reason, std::string("launch.image-missing registry.example.org/image"));
    const std::string login = readWhole(path("login").toStdString()).value_or("");
    const std::string folder = login.substr(0, login.find(' '));
    QCOMPARE(login, folder + " --context lab\nthe user\n");
    QCOMPARE(readWhole(path("pull").toStdString()).value_or(""), folder + " --context lab\n");
    QVERIFY(!QFile::exists(QString::fromStdString(folder)));
    QVERIFY(QFile::exists(path("config/contexts/of")));
}

void TstImagePull::loginOfAKilledKeeper_data()
{
    QTest::addColumn<bool>("withAgent");
    QTest::newRow("the agent sees it") << false;
    QTest::newRow("another agent finds it") << true;
}

// It is in memory, but for as long as the computer runs.
void TstImagePull::loginOfAKilledKeeper()
{
    QFETCH(bool, withAgent);
    QVERIFY(makeProgram("podman",
        "#!/bin/bash\ncd \"${0%/*}/..\"\n"
        "case $1 in\n"
        "  image) exit 1;;\n"
        "  login) cat >/dev/null; echo secret >\"$3\";;\n"
        "  pull) echo \"${3%/*}\" >pulls.new; mv pulls.new pulls; exec sleep "
            + m_fixture.nap + ";;\nesac\n"));
    QVERIFY(m_fixture.agent->start());
    const Launch launch = launchIn("podman");
    const std::int64_t id = m_fixture.agent->send(launch);
    QTRY_VERIFY(isThere("pulls"));
    const QString folder = QString::fromStdString(readWhole(path("pulls").toStdString()).value_or("")).trimmed();
    QVERIFY(QFile::exists(folder + QStringLiteral("/config.json")));
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    if (withAgent) {
        m_fixture.agent->kill9();
    }
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    if (withAgent) {
        QTRY_VERIFY(!isAlive(keeper->process));
        m_fixture.agent = m_fixture.newAgent();
        QVERIFY(m_fixture.agent->start());
        QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir}));
    } else {
        const auto launched = m_fixture.agent->answer<Launched>(id);
        QVERIFY(launched && launched->exit);
        QCOMPARE(launched->exit->reason, std::string("launch.keeper-died"));
    }
    QVERIFY(!QFile::exists(folder));
}

// What is pulled comes from a stranger, and so does what is said of it.
void TstImagePull::linesWithoutEnd()
{
    std::size_t longest = 0, all = 0;
    std::string last;
    trainyard::agent::ClientOptions options;
    options.onLine = [&](const std::string &line) {
        longest = std::max(longest, line.size());
        all += line.size();
        last = line;
    };
    const auto result = trainyard::agent::runClient(
        {"/bin/sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo; printf end"}, {"PATH=/usr/bin:/bin"},
        options);
    QCOMPARE(result.status, 0);
    QVERIFY2(longest < 100'000, qPrintable(QString::number(longest)));
    QCOMPARE(all, std::size_t(3'000'003));
    QCOMPARE(last, std::string("end"));
}

#include "tst_imagepull.moc"
