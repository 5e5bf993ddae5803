// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/waittrail.h"

#include "engine/api/valuefields.h"
#include "engine/api/valuejson.h"
#include "engine/backend/clock.h"
#include "engine/core/report.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype mostWaits = 200;
constexpr qint64 mostWaitBytes = 256 << 10; // of which the newest notes stay

QString fileOf(const QString &runFolder) { return runFolder + u"/waits"_s; }

} // namespace

// Arguments that change with other jobs all the time do not make a new reason, and neither does what a cluster adds
// while it has not reported on the job.
bool WaitTrail::isSame(const Error &a, const Error &b)
{
    if (a.code == b.code && a.code.endsWith("-new"_L1)) {
        return true;
    }
    const auto lasting = [](QJsonObject args) {
        for (const QLatin1StringView name : {"partition"_L1, "position"_L1, "length"_L1, "start"_L1, "numbers"_L1}) {
            args.remove(name);
        }
        return args;
    };
    return a.code == b.code && lasting(a.args) == lasting(b.args);
}

static QByteArray lineOf(const WaitNote &note)
{
    return QJsonDocument(valuejson::objectOf(note)).toJson(QJsonDocument::Compact) + '\n';
}

WaitTrail::WaitTrail(const RunFolders &folders, const ActiveJobs &jobs, Backends &backends)
    : m_folders(folders), m_jobs(jobs), m_backends(backends)
{
    connect(&backends, &Backends::described, this, [this](ActiveJob *job, std::optional<core::TaskRef> task) {
        if (!task && job->state.meta.target != core::poolTarget) {
            look(*job);
        }
    });
}

QList<WaitNote> WaitTrail::read(const QString &runFolder)
{
    QFile file(fileOf(runFolder));
    QList<WaitNote> notes;
    if (!file.open(QIODevice::ReadOnly)) {
        return notes;
    }
    const QByteArrayList lines = file.read(2 * mostWaitBytes).split('\n');
    for (const QByteArray &line : lines) {
        WaitNote note;
        if (valuejson::readObject(QJsonDocument::fromJson(line).object(), note) && !note.reason.isEmpty()) {
            notes.append(note); // a line that is cut off is none
        }
    }
    return notes.mid(std::max<qsizetype>(0, notes.size() - mostWaits));
}

// On a full disk it is lost: nothing else depends on it.
void WaitTrail::append(const QString &runFolder, const WaitNote &note)
{
    QFile file(fileOf(runFolder));
    if (file.size() > mostWaitBytes) {
        const QList<WaitNote> notes = read(runFolder);
        if (file.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
            for (const WaitNote &each : notes.mid(notes.size() / 2)) {
                file.write(lineOf(each));
            }
            file.close();
        }
    }
    if (QDir().mkpath(runFolder) && file.open(QIODevice::WriteOnly | QIODevice::Append)) {
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        file.write(lineOf(note));
    }
}

void WaitTrail::look(const ActiveJob &job)
{
    const bool isWaiting
        = core::summaryOf(job.state).state == State::Waiting && !job.state.pausedAt && !job.state.stopRequested;
    const Error why = isWaiting ? m_backends.of(job).waitReason(job) : Error();
    const QString uuid = job.uuid(), folder = m_folders.ofJob(uuid);
    if (!m_newest.contains(uuid)) { // of a former run of the engine
        const QList<WaitNote> notes = why.code.isEmpty() ? QList<WaitNote>() : read(folder);
        m_newest.insert(uuid, notes.isEmpty() ? Error() : Error{notes.last().reason, notes.last().args});
        if (std::size_t(m_newest.size()) > 2 * m_jobs.size() + mostWaits) {
            m_newest.removeIf([this](const auto &each) { return !m_jobs.find(each.key()); });
        }
    }
    Error &newest = m_newest[uuid];
    if (!isSame(newest, why)) {
        newest = why;
        if (!why.code.isEmpty()) {
            append(folder, {nowMs(), why.code, why.args});
        }
    }
}

} // namespace trainyard
