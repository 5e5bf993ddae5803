// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/agentfixture.h"

#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QFile>
#include <QUuid>
#include <QtCore/qtestsupport_core.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace trainyard::contract;

static constexpr const char *fifo = "fifo";

std::string workFile(const Launch &launch, const char *name) { return launch.dir + '/' + file::work + '/' + name; }

bool makeWorkFile(const Launch &launch, const char *name)
{
    return QFile(QString::fromStdString(workFile(launch, name))).open(QIODevice::WriteOnly);
}

bool makeFifo(const Launch &launch)
{
    return makeFolders(launch.dir + '/' + file::work) == 0 && ::mkfifo(workFile(launch, fifo).c_str(), 0600) == 0;
}

bool writeToFifo(const Launch &launch)
{
    QFile writer(QString::fromStdString(workFile(launch, fifo)));
    return writer.open(QIODevice::WriteOnly) && writer.write("\n") == 1;
}

QByteArray fileText(const std::string &folder, const char *name)
{
    QFile opened(QString::fromStdString(folder) + QLatin1Char('/') + QLatin1String(name));
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

QByteArray outputOf(const std::string &folder) { return fileText(folder, file::output); }

std::vector<IndexRecord> indexOf(const std::string &folder)
{
    const QByteArray bytes = fileText(folder, file::index);
    std::vector<IndexRecord> records;
    for (qsizetype at = 0; at + qsizetype(indexRecordSize) <= bytes.size(); at += indexRecordSize) {
        records.push_back(decodeIndexRecord(bytes.constData() + at));
    }
    return records;
}

bool indexIsWhole(const std::string &folder, quint64 size)
{
    quint64 offset = 0;
    for (const IndexRecord &record : indexOf(folder)) {
        if (record.offset != offset || record.length == 0) {
            return false;
        }
        offset += record.length;
    }
    return offset == size;
}

bool AgentFixture::begin()
{
    home = std::make_unique<QTemporaryDir>();
    agent = newAgent();
    static int count = 0;
    nap = QByteArray::number(qint64(::getpid()) * 1000 + ++count + 100000000000);
    return home->isValid();
}

void AgentFixture::end()
{
    agent.reset();
    const QDir runs(home->filePath(QStringLiteral("runs")));
    const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        const std::string dir = runs.filePath(name).toStdString();
        const auto keeper = readKeeperRecord(dir);
        if (keeper && !readExitRecord(dir) && isAlive(keeper->process)) {
            writeAtomically(dir + '/' + file::stop, StopRecord{15, 0, false, 0}.format(), false);
            ::kill(static_cast<pid_t>(keeper->process.pid), SIGUSR1);
            // Without its folder it would not know what is wanted.
            static_cast<void>(QTest::qWaitFor([&keeper] { return !isAlive(keeper->process); }));
        }
    }
    home.reset();
}

std::unique_ptr<AgentDriver> AgentFixture::newAgent() const
{
    auto made = std::make_unique<AgentDriver>();
    made->environment.insert(QStringLiteral("HOME"), home->path());
    made->environment.insert(QStringLiteral("XDG_STATE_HOME"), home->filePath(QStringLiteral("state")));
    made->environment.insert(QStringLiteral("SHELL"), QStringLiteral("/bin/bash"));
    made->environment.remove(QStringLiteral("TRAINYARD_TRY"));
    return made;
}

std::string AgentFixture::folder(const char *name) const
{
    return home->filePath(QLatin1String("runs/") + QLatin1String(name)).toStdString();
}

Launch AgentFixture::launchOf(const char *name, const std::string &script) const
{
    Launch launch;
    launch.dir = folder(name);
    launch.plan.job = "1";
    launch.plan.role = "main";
    launch.plan.tryUuid = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    launch.script = QByteArray::fromStdString(script).replace("NAP", nap).toStdString();
    launch.cleanEnvironment = true;
    return launch;
}

std::optional<Exited> AgentFixture::runToEnd(const Launch &launch, int ms)
{
    const auto launched = agent->ask<Launched>(launch, ms);
    if (!launched || launched->state != "launched") {
        return std::nullopt;
    }
    return agent->exited(launch.dir, ms);
}

bool AgentFixture::runUntil(const Launch &launch, const QByteArray &output)
{
    const auto launched = agent->ask<Launched>(launch);
    return launched && launched->state == "launched"
        && QTest::qWaitFor([&] { return outputOf(launch.dir) == output; }, 15000);
}

bool AgentFixture::waitForSamples(int count)
{
    const auto isSample = [](const Envelope &e) { return std::holds_alternative<Sample>(e.message); };
    for (int i = 0; i < count; ++i) {
        if (!agent->wait(isSample)) {
            return false;
        }
    }
    return true;
}

std::optional<Observed> AgentFixture::stop(const Launch &launch, std::int64_t graceMs)
{
    Stop wish;
    wish.dir = launch.dir;
    wish.graceMs = graceMs;
    return agent->ask<Observed>(wish);
}
