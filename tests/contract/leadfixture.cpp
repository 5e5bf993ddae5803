// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/leadfixture.h"

#include "engine/contract/messages.h"
#include "tests/helpers/agentfixture.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <signal.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

bool LeadFixture::prepare()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_lead = std::make_unique<QProcess>();
    m_rules = contract::LeadRetries();
    m_mayRetry = true;
    m_limitMs = 0;
    m_tasks = 1;
    m_rules.steadyMs = 600'000;
    m_rules.freeCap = 3;
    m_rules.rules = {{{137, 143}, {}, true, contract::LeadExitClass::Transient},
        {{136}, {}, true, contract::LeadExitClass::Permanent},
        {{}, "NameError", false, contract::LeadExitClass::Permanent}};
    const QByteArray agent = QFile::encodeName(builtProgram(u"trainyard-agent"_s));
    return QDir().mkpath(path(u"bin"_s))
        && writeProgram(u"srun"_s, "while [ \"$1\" != '" + agent + "' ]; do shift; done\nexec \"$@\"\n")
        && writeProgram(u"scontrol"_s, "echo n1\n") && writeProgram(u"getent"_s, "echo 10.0.0.7 STREAM n1\n")
        && writeProgram(u"squeue"_s, "echo '50:00 1:00:00'\n");
}

void LeadFixture::tidy()
{
    if (m_lead->state() == QProcess::Running) { // its test has failed
        ::kill(pid_t(m_lead->processId()), SIGUSR2);
        m_lead->waitForFinished(30'000);
    }
    m_lead.reset();
    m_home.reset();
}

bool LeadFixture::writeProgram(const QString &name, const QByteArray &text) const
{
    QFile file(path(u"bin/"_s + name));
    return file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + text) > 0
        && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

bool LeadFixture::write(const std::string &script, std::int64_t budget, bool isArray)
{
    m_rules.budget = budget;
    contract::LeadPlan plan;
    plan.allocation = "a";
    plan.isArray = isArray;
    plan.stopGraceMs = 5000;
    plan.limitMs = m_limitMs;
    plan.loginMs = m_loginMs > 0 ? m_loginMs : plan.loginMs;
    if (m_mayRetry) {
        plan.retries = m_rules;
    }
    contract::LeadTask task;
    task.role = "w";
    task.folder = tryFolder(0);
    task.tryUuid = uuidOf(0);
    task.address = contract::addressWord("w", 0);
    task.furtherTries = {uuidOf(1), uuidOf(2), uuidOf(3)};
    plan.tasks.push_back(task);
    if (isArray) {
        contract::LeadTask other = task;
        other.folder = path(u"runs/job/0/w-1/0"_s).toStdString();
        plan.tasks.insert(plan.tasks.begin(), other);
    }
    contract::Launch launch;
    launch.dir = task.folder;
    launch.plan.job = "job";
    launch.plan.role = "w";
    launch.plan.tryUuid = task.tryUuid;
    launch.script = script;
    launch.cleanEnvironment = m_loginMs == 0;
    launch.env = {{"TRAINYARD_TASK_TRY", "0"}, {"TRAINYARD_TASK_FOLDER", task.folder}, {"SECRET", "s3cret-value"}};
    contract::Envelope envelope;
    envelope.id = 1;
    envelope.message = launch;
    const std::optional<std::string> bytes = contract::encode(envelope);
    const std::string folder = path(u"runs/job/allocations/a"_s).toStdString();
    for (int i = 1; i < m_tasks; ++i) {
        task.index = i;
        task.folder = tryFolder(0, i);
        task.tryUuid = uuidOf(3 + i);
        task.address = contract::addressWord("w", i);
        task.furtherTries.clear();
        plan.tasks.push_back(task);
        launch.dir = task.folder;
        launch.plan.index = i;
        launch.plan.tryUuid = task.tryUuid;
        launch.env[1].value = task.folder;
        envelope.message = launch;
        const std::optional<std::string> more = contract::encode(envelope);
        if (!more || contract::makeFolders(folder) != 0
            || contract::writeAtomically(folder + "/launch-" + std::to_string(i), *more, false) != 0) {
            return false;
        }
    }
    return bytes && contract::makeFolders(folder) == 0
        && contract::writeAtomically(folder + (isArray ? "/launch-1" : "/launch-0"), *bytes, false) == 0
        && contract::writeAtomically(folder + "/plan.json", plan.toText(), false) == 0;
}

void LeadFixture::start()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_home->path());
    environment.insert(u"XDG_STATE_HOME"_s, path(u"state"_s));
    environment.insert(u"PATH"_s, path(u"bin"_s) + u":/usr/local/bin:/usr/bin:/bin"_s);
    environment.insert(u"SLURM_JOB_ID"_s, u"7"_s);
    environment.insert(u"SLURM_ARRAY_JOB_ID"_s, u"7"_s);
    environment.insert(u"SLURM_ARRAY_TASK_ID"_s, u"1"_s);
    environment.insert(u"SLURM_JOB_NODELIST"_s, u"n1"_s);
    environment.insert(u"SLURM_TASKS_PER_NODE"_s, QString::number(m_tasks));
    environment.remove(u"TRAINYARD_TRY"_s);
    m_lead->setProcessEnvironment(environment);
    m_lead->setProcessChannelMode(QProcess::ForwardedChannels);
    m_lead->start(builtProgram(u"trainyard-agent"_s), {u"--lead"_s, path(u"runs/job/allocations/a"_s)});
    QVERIFY(m_lead->waitForStarted());
}

bool LeadFixture::waitForEnd(int ms)
{
    return QTest::qWaitFor([this] { return m_lead->state() == QProcess::NotRunning; }, ms);
}

std::optional<contract::LeadEnd> LeadFixture::end(const QString &name) const
{
    const std::optional<std::string> text
        = contract::readWhole(path(u"runs/job/allocations/a/"_s + name).toStdString());
    return text ? contract::LeadEnd::parse(*text) : std::nullopt;
}

int LeadFixture::again(const QString &name) const
{
    const std::optional<std::string> text
        = contract::readWhole(path(u"runs/job/allocations/a/"_s + name).toStdString());
    const std::optional<contract::LeadAgain> again = text ? contract::LeadAgain::parse(*text) : std::nullopt;
    return again ? again->count : 0;
}

int LeadFixture::status(int number) const
{
    const std::optional<contract::ExitRecord> exit = contract::readExitRecord(tryFolder(number));
    return exit ? exit->shellStatus() : -1;
}
