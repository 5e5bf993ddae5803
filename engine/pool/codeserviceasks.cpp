// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of users to the code service and its questions to them: copies ahead of jobs, and whether a large folder is
// copied.
#include "engine/backend/clock.h"
#include "engine/pool/codeservice.h"

#include <QJsonObject>

#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

// Nothing is copied before the question is answered; other copies go on meanwhile.
void CodeService::ask(const QUuid &job, const Error &tooBig, const QString &asking)
{
    Job &known = m_jobs[job];
    known.question = Error{u"code.asks"_s, tooBig.args};
    drop(known.hosts[asking]);
    for (const auto &[host, there] : known.hosts) {
        Q_EMIT described(job, there.tries);
    }
    Queue &queue = m_queues[asking];
    if (queue.running == job) {
        queue.running = {};
        beginNext(asking);
    }
}

Result<bool> CodeService::answer(const QUuid &job, bool isCopied)
{
    const auto found = m_jobs.find(job);
    if (found == m_jobs.end() || !found->second.question) {
        return fail(u"code.no-question"_s);
    }
    Job &known = found->second;
    const QJsonObject args = known.question->args;
    if (isCopied) {
        m_allowances.allow(known.work, args.value("bytes"_L1).toInteger(), args.value("files"_L1).toInteger(), nowMs());
        goOn([work = known.work](const Job &other) { return other.work == work; }); // all jobs of the folder
        return true;
    }
    known.question.reset();
    known.refused = Error{u"code.refused"_s, args};
    QSet<QUuid> tries;
    for (auto &[host, there] : known.hosts) {
        there.problem = there.folder.isEmpty() && !there.copy ? known.refused : there.problem;
        tries.unite(there.copy ? QSet<QUuid>() : std::exchange(there.tries, {}));
    }
    Q_EMIT ready(job, tries);
    return true;
}

void CodeService::goOn(const QUuid &job)
{
    Job &known = m_jobs[job];
    known.question.reset();
    QStringList waiting;
    for (const auto &[host, there] : known.hosts) {
        if (!there.tries.isEmpty() && !there.copy) {
            waiting.append(host);
        }
    }
    for (const QString &host : std::as_const(waiting)) {
        begin(job, host);
        if (const auto again = m_jobs.find(job); again != m_jobs.end()) {
            Q_EMIT described(job, again->second.hosts[host].tries);
        }
    }
}

// If the folder is still too large, the question comes back.
void CodeService::goOn(const std::function<bool(const Job &)> &isMeant)
{
    QList<QUuid> asked;
    for (const auto &[uuid, job] : m_jobs) {
        if (job.question && isMeant(job)) {
            asked.append(uuid);
        }
    }
    for (const QUuid &uuid : std::as_const(asked)) {
        goOn(uuid);
    }
}

void CodeService::settingsChanged()
{
    goOn([](const Job &) { return true; });
}

QUuid CodeService::copyAhead(const Ahead &ahead)
{
    const QUuid id = QUuid::createUuid();
    Job &known = m_jobs[id];
    known.isAhead = true;
    known.isAllowed = ahead.isAllowed;
    known.work = ahead.folder;
    known.without = ahead.without;
    known.hosts[ahead.host]; // it waits there
    begin(id, ahead.host);
    return id;
}

CodeService::Part CodeService::progressOf(const QUuid &copy, const QString &host) const
{
    const auto known = m_jobs.find(copy);
    if (known == m_jobs.end()) {
        return {};
    }
    const auto there = known->second.hosts.find(host);
    if (there == known->second.hosts.end() || !there->second.copy) {
        return {};
    }
    return {there->second.copy->bytesDone(), there->second.copy->bytesWanted()};
}

} // namespace trainyard
