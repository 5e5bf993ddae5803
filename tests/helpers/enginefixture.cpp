// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>

using namespace trainyard;
using namespace Qt::StringLiterals;

EngineFixture::EngineFixture(const QJsonObject &settings)
{
    QDir().mkpath(path(u"config"_s));
    QDir().mkpath(path(u"work"_s));
    QDir(path({})).mkdir(u"run"_s, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    setSettings(settings);
}

EngineFixture::~EngineFixture() { close(); }

void EngineFixture::setSettings(const QJsonObject &settings)
{
    // Tests of anything else must not wait for room on the disk of whoever runs them, nor until somebody releases a
    // host on which they let tasks fail.
    QJsonObject all{{u"hosts.quarantineAfter"_s, 0}, {u"stop.graceSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s},
        {u"retry.pauseSeconds"_s, 0}, {u"disk.holdMiB"_s, 0}, {u"disk.warnMiB"_s, 0}};
    for (auto it = settings.begin(); it != settings.end(); ++it) {
        all.insert(it.key(), it.value());
    }
    QFile file(path(u"config/engine.json"_s));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QJsonDocument(all).toJson());
    }
}

Engine::Options EngineFixture::options() const
{
    Engine::Options options;
    options.stateFolder = path(u"state"_s);
    options.configFolder = path(u"config"_s);
    options.runtimeFolder = m_runtimeFolder;
    options.agentProgram = m_agentProgram;
    options.removals = m_removals;
    return options;
}

bool EngineFixture::open()
{
    Result<std::unique_ptr<Engine>> opened = Engine::open(options());
    if (!opened) {
        m_error = opened.error();
        qWarning() << m_error.code << m_error.args;
        return false;
    }
    m_engine = std::move(*opened);
    bool ready = false;
    m_engine->whenReady(m_engine.get(), [&ready] { ready = true; });
    return QTest::qWaitFor([&ready] { return ready; }, 15000);
}

QString EngineFixture::submit(const QByteArray &yaml, SubmitRequest request)
{
    request.yaml = yaml;
    if (request.file.isNull()) {
        request.file = path(u"work/job.yaml"_s);
    }
    const Result<SubmitReply> reply = m_engine->submit(request);
    if (!reply) {
        m_error = reply.error();
        return {};
    }
    return reply->uuid;
}

JobSummary EngineFixture::job(const QString &uuid) { return m_engine->summary(uuid).value_or(JobSummary()); }

bool EngineFixture::waitFor(const QString &uuid, const std::function<bool(const JobSummary &)> &wanted, int ms)
{
    const bool came = QTest::qWaitFor([&] { return wanted(job(uuid)); }, ms);
    if (!came) {
        qWarning() << "waited in vain:" << job(uuid).toJson();
        const QList<TaskInfo> all = m_engine->tasks(uuid, -1, 0, 10).value_or(QList<TaskInfo>());
        for (const TaskInfo &one : all) {
            qWarning() << one.toJson();
        }
    }
    return came;
}

bool EngineFixture::waitForEnd(const QString &uuid, int ms)
{
    return waitFor(
        uuid, [](const JobSummary &summary) { return isFinal(summary.state); }, ms);
}

bool EngineFixture::isBrought(const QString &uuid, int files)
{
    const Result<JobDetail> detail = m_engine->job(uuid);
    return detail && !detail->brought.isEmpty() && !detail->brought.constFirst().isPending
        && detail->brought.constFirst().files == files;
}

TaskInfo EngineFixture::task(const QString &uuid, const QString &role, int index, int attempt)
{
    const QList<TaskInfo> all = m_engine->tasks(uuid, attempt).value_or(QList<TaskInfo>());
    for (const TaskInfo &one : all) {
        if (one.role == role && one.index == index) {
            return one;
        }
    }
    return {};
}

QByteArray EngineFixture::contents(const QString &name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray EngineFixture::output(const QString &uuid, const QString &role, int index, int attempt)
{
    return contents(task(uuid, role, index, attempt).logFolder + u"/output.log"_s);
}

QByteArray EngineFixture::runtimeLog(const QString &uuid, const QString &role, int index)
{
    return contents(task(uuid, role, index).logFolder + u"/runtime.log"_s);
}

QByteArray EngineFixture::document(const QByteArray &name, const QByteArray &roles, const QByteArray &more)
{
    return "protocolVersion: 2\nname: " + name + "\ntype: job\n"
        + (more.contains("prerequisites:")
                ? QByteArray()
                : QByteArray("prerequisites:\n"
                             "  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"))
        + more + "taskRoles:\n" + roles;
}

QByteArray EngineFixture::job(
    const QByteArray &name, const QByteArrayList &commands, int instances, const QByteArray &more)
{
    return document(name, role("worker", instances, commands), more);
}

QByteArray EngineFixture::role(const QByteArray &name, int instances, const QByteArrayList &commands,
    const QByteArray &more, const QByteArray &resources)
{
    QByteArray text = "  " + name + ":\n    instances: " + QByteArray::number(instances)
        + "\n    dockerImage: image\n    resourcePerInstance: " + resources + '\n' + more + "    commands:\n";
    for (const QByteArray &command : commands) {
        text += "      - |\n";
        for (const QByteArray &line : command.split('\n')) {
            text += "        " + line + '\n';
        }
    }
    return text;
}
