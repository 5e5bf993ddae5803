// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codeservice.h"

#include "engine/launch/launchplan.h"

#include <QCryptographicHash>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

} // namespace

CodeService::CodeService(
    const AgentFolders &folders, const Settings &settings, const HostPool &hosts, const QString &allowances)
    : m_folders(folders), m_settings(settings), m_hosts(hosts), m_allowances(allowances), m_notes(folders.local()),
      m_shared(folders.local().state() + u"/shared-folders.json"_s)
{
    m_threads.setMaxThreadCount(1); // it is the disk that counts
}

CodeService::~CodeService()
{
    m_isClosing = true;
    m_threads.clear();
    m_threads.waitForDone();
}

QString CodeService::placeOn(const QString &uuid, const StoredDocument &document, const PoolHost &at) const
{
    constexpr qsizetype digits = 8;
    const QByteArray hash
        = QCryptographicHash::hash(document.workHere().toUtf8(), QCryptographicHash::Sha256).toHex().first(digits);
    return m_folders.on(at, m_folders.local().ofJob(uuid) + u"/code-"_s + QString::fromLatin1(hash));
}

QString CodeService::workedOn(
    const QString &uuid, const StoredDocument &document, const PoolHost &at, const QString &logFolder) const
{
    const auto known = m_jobs.find(QUuid::fromString(uuid));
    if (known != m_jobs.end() && known->second.work == document.workHere()) {
        const auto there = known->second.hosts.find(at.id);
        if (there != known->second.hosts.end() && !there->second.folder.isEmpty()) {
            return there->second.folder;
        }
    }
    if (const std::optional<QString> noted = m_notes.read(uuid, at.id, document.workHere())) {
        return *noted;
    }
    const std::optional<QString> found
        = logFolder.isEmpty() ? std::nullopt : WorkNotes::foundIn(logFolder, document.workHere());
    return found.value_or(placeOn(uuid, document, at));
}

bool CodeService::worksInCopy(const ActiveJob &job, const PoolHost &at, const QString &logFolder) const
{
    return !at.isLocal() && job.document.copiesWork
        && !isWorkHere(workedOn(job.uuid(), job.document, at, logFolder), job.document);
}

// placeOn() is not used: the host may keep its copies elsewhere by now, but the recorded one is a copy nevertheless.
bool CodeService::isWorkHere(const QString &folder, const StoredDocument &document)
{
    return WorkNotes::isShared(folder, document.workHere());
}

bool CodeService::isAwaited(const ActiveJob &job, const PoolHost &at, const QUuid &tryUuid)
{
    if (at.isLocal() || !job.document.copiesWork) {
        return false;
    }
    Job &known = m_jobs[job.state.uuid];
    known.document.work = job.document.work;
    known.document.file = job.document.file;
    known.work = job.document.workHere();
    const bool hasSecrets = job.document.yaml.contains("******"); // which stands for them in what is stored
    known.without = hasSecrets ? job.document.file : QString(); // they reach no disk
    known.secrets = job.spec ? std::optional(launch::secretValues(*job.spec)) : std::nullopt;
    There &there = known.hosts[at.id];
    if (known.refused && there.folder.isEmpty()) {
        there.problem = known.refused; // also for its next attempts: the question is not asked twice
    }
    if (!there.folder.isEmpty() || there.problem) {
        return false;
    }
    there.tries.insert(tryUuid);
    if (!there.copy && !known.question) {
        begin(job.state.uuid, at.id);
    }
    return true;
}

const CodeService::There *CodeService::find(const ActiveJob &job, const QString &host) const
{
    const auto known = m_jobs.find(job.state.uuid);
    if (known == m_jobs.end()) {
        return nullptr;
    }
    const auto there = known->second.hosts.find(host);
    return there == known->second.hosts.end() ? nullptr : &there->second;
}

QString CodeService::folderOn(const ActiveJob &job, const PoolHost &at) const
{
    const There *there = find(job, at.id);
    return there ? there->folder : QString();
}

std::optional<Error> CodeService::problemOn(const ActiveJob &job, const PoolHost &at) const
{
    const There *there = find(job, at.id);
    return there ? there->problem : std::nullopt;
}

Error CodeService::reasonOf(const ActiveJob &job, const QString &host) const
{
    const There *there = find(job, host);
    if (!there || there->tries.isEmpty()) {
        return {};
    }
    if (const std::optional<Error> &question = m_jobs.at(job.state.uuid).question) {
        Error asked = *question;
        asked.args.insert(u"host"_s, host);
        return asked;
    }
    const CodeCopy *copy = there->copy.get();
    return {u"launch.copying"_s,
        {{u"folder"_s, job.document.workHere()}, {u"host"_s, host}, {u"bytes"_s, copy ? copy->bytesDone() : 0},
            {u"ofBytes"_s, copy ? copy->bytesWanted() : 0}}};
}

void CodeService::hostChanged(const PoolHost &at)
{
    if (at.agent->isOnline()) {
        return;
    }
    Queue &queue = m_queues[at.id];
    queue.next.clear(); // resumed tries ask again
    QList<QUuid> cut; // copies ahead of jobs that had not begun
    for (auto &[uuid, job] : m_jobs) {
        if (const auto there = job.hosts.find(at.id); there != job.hosts.end()) {
            there->second.tries.clear();
            if (job.isAhead && uuid != queue.running) {
                cut.append(uuid);
            }
        }
        if (std::all_of(
                job.hosts.cbegin(), job.hosts.cend(), [](const auto &each) { return each.second.tries.isEmpty(); })) {
            job.question.reset(); // no caller waits for the answer; a try that comes back asks again
        }
    }
    for (const QUuid &copy : std::as_const(cut)) {
        end(copy, at.id, {}, Error{u"host.gone"_s, {}});
    }
    if (!queue.running.isNull()) {
        const auto found = m_jobs.find(queue.running);
        if (found != m_jobs.end() && found->second.hosts[at.id].copy) {
            end(queue.running, at.id, {}, Error{u"host.gone"_s, {}});
        }
        queue.running = {};
    }
}

void CodeService::attemptOpened(const ActiveJob &job)
{
    if (const auto found = m_jobs.find(job.state.uuid); found != m_jobs.end()) {
        for (auto &[host, there] : found->second.hosts) {
            there.problem.reset();
            if (!there.copy) {
                there.folder.clear(); // the host is asked again, which costs little
            }
        }
        found->second.snapshot.reset(); // for hosts that it has not been on: they get the files as they are now
        found->second.question.reset();
    }
}

void CodeService::forget(const QUuid &job)
{
    const auto found = m_jobs.find(job);
    if (found == m_jobs.end()) {
        return;
    }
    QStringList freed;
    for (auto &[host, queue] : m_queues) {
        if (queue.running == job) {
            queue.running = {};
            freed.append(host);
        }
    }
    for (auto &[host, there] : found->second.hosts) {
        drop(there);
    }
    m_jobs.erase(found);
    for (const QString &host : std::as_const(freed)) {
        beginNext(host);
    }
}

} // namespace trainyard
