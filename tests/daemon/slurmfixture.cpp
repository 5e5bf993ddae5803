// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/slurmfixture.h"

#include <QDir>
#include <QDirIterator>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

QJsonObject settingsOfTargets(const QMap<QString, QString> &targets, const QJsonObject &more)
{
    QJsonObject settings{{u"slurm.lab"_s, u"--partition=main"_s}, {u"clusters.pollSeconds"_s, 1},
        {u"retry.pauseSeconds"_s, 0}, {u"stop.graceSeconds"_s, 5}};
    for (auto it = targets.cbegin(); it != targets.cend(); ++it) {
        settings.insert(u"slurm."_s + it.key(), it.value());
    }
    for (auto it = more.constBegin(); it != more.constEnd(); ++it) {
        settings.insert(it.key(), it.value());
    }
    return settings;
}

} // namespace

SlurmFixture::SlurmFixture(SlurmCluster &slurm, const QMap<QString, QString> &targets, const QJsonObject &more)
    : engine(settingsOfTargets(targets, more)), m_slurm(slurm), m_path(qgetenv("PATH"))
{
}

SlurmFixture::~SlurmFixture()
{
    qputenv("PATH", m_path);
    engine.close();
    m_slurm.run(u"scancel"_s, {u"--user=root"_s});
    if (!QTest::qWaitFor([this] { return queue().isEmpty(); }, 60'000)) {
        qWarning("jobs are left in the queue: %s", queue(u"%i %T %r"_s).constData());
    }
}

QString SlurmFixture::submit(const QByteArray &yaml, const QString &target)
{
    SubmitRequest request;
    request.target = target;
    const QString uuid = engine.submit(yaml, request);
    if (uuid.isEmpty()) {
        qWarning() << engine.error().code << engine.error().args;
    }
    return uuid;
}

bool SlurmFixture::runs(const QString &uuid)
{
    return engine.waitFor(
        uuid, [](const JobSummary &job) { return job.state == State::Running; }, 30'000);
}

bool SlurmFixture::says(const QString &uuid, const QByteArray &word, int index, int attempt)
{
    return QTest::qWaitFor([&] { return engine.output(uuid, u"worker"_s, index, attempt).contains(word); }, 40'000);
}

bool SlurmFixture::ends(const QString &uuid, State state, int ms)
{
    const bool isOver = engine.waitForEnd(uuid, ms);
    const JobSummary job = engine.job(uuid);
    if (!isOver || job.state != state) {
        qWarning() << "the job is" << int(job.state) << job.reason << job.reasonArgs << queue(u"%i %T %r"_s);
        QDirIterator logs(
            engine.path(u"."_s), {u"lead*.log"_s, u"runtime.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (logs.hasNext()) {
            qWarning() << logs.next() << EngineFixture::contents(logs.filePath());
        }
    }
    return isOver && job.state == state;
}

bool SlurmFixture::touch(const QString &name) const
{
    QFile file(engine.path(u"work/"_s + name));
    return file.open(QIODevice::WriteOnly);
}

QByteArray SlurmFixture::queue(const QString &format) const
{
    return m_slurm.run(u"squeue"_s, {u"-h"_s, u"-o"_s, format}).out;
}

QByteArrayList SlurmFixture::submissions() const
{
    QByteArrayList ids;
    QDirIterator files(engine.path(u"."_s), {u"submitted"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        ids.append(EngineFixture::contents(files.next()).trimmed());
    }
    return ids;
}

bool SlurmFixture::waitForSubmissions(int count)
{
    return QTest::qWaitFor([&] { return submissions().size() >= count; }, 60'000);
}

bool SlurmFixture::replaceSubmit(const QByteArray &script)
{
    const QString bin = engine.path(u"bin"_s), real = QStandardPaths::findExecutable(u"sbatch"_s);
    QDir().mkpath(bin);
    QFile fake(bin + u"/sbatch"_s);
    if (!fake.open(QIODevice::WriteOnly)) {
        return false;
    }
    fake.write("#!/bin/sh\nSBATCH='" + QFile::encodeName(real) + "'\ncd '" + QFile::encodeName(bin) + "' || exit 1\n"
        + script);
    fake.close();
    qputenv("PATH", QFile::encodeName(bin) + ':' + m_path);
    return fake.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
}

bool SlurmFixture::addOnNodes(const QMap<QString, QByteArray> &programs)
{
    // The batch script sets its PATH itself.
    if (!replaceSubmit(
            "bin=$PWD\nfor script; do :; done\n"
            "[ ! -f \"$script\" ] || sed -i \"s|^PATH=.*|PATH=$bin:/usr/local/bin:/usr/bin:/bin|\" \"$script\"\n"
            "exec \"$SBATCH\" \"$@\"\n")) {
        return false;
    }
    for (auto it = programs.cbegin(); it != programs.cend(); ++it) {
        QFile program(engine.path(u"bin/"_s + it.key()));
        const QByteArray folder = QFile::encodeName(engine.path(u"bin"_s));
        if (!program.open(QIODevice::WriteOnly) || program.write("#!/bin/sh\nbin='" + folder + "'\n" + it.value()) < 0
            || !program.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner)) {
            return false;
        }
    }
    return true;
}
