// SPDX-License-Identifier: GPL-3.0-or-later
// The copies of work folders: when one begins, what it is made of, and how it ends.
#include "engine/backend/clock.h"
#include "engine/code/codeorigin.h"
#include "engine/pool/codeplaces.h"
#include "engine/pool/codeservice.h"
#include "model/base/threads.h"

#include <QTimer>

#include <algorithm>
#include <chrono>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 tellCopyEveryMs = 500;
constexpr auto passingRest = std::chrono::seconds(5);
constexpr int mostBusyCopies = 5, mostAwayCopies = 60; // one after the other: as long as tries wait for their folders

// Contents that are copied without a question.
CodeLimits limitsBy(const Settings &settings)
{
    constexpr int mib = 20;
    return {settings.integer(u"code.maxMiB"_s) << mib, settings.integer(u"code.maxFiles"_s)};
}

bool isTooBig(const Result<CodeSnapshot> &made) { return !made && made.error().code == "code.too-big"_L1; }

bool fits(const Error &tooBig, const CodeLimits &limits)
{
    return (limits.bytes <= 0 || tooBig.args.value("bytes"_L1).toInteger() <= limits.bytes)
        && (limits.files <= 0 || tooBig.args.value("files"_L1).toInteger() <= limits.files);
}

} // namespace

void CodeService::begin(const QUuid &job, const QString &host)
{
    Queue &queue = m_queues[host];
    const bool isQueued = std::find(queue.next.begin(), queue.next.end(), job) != queue.next.end();
    if (!isQueued && queue.running != job) {
        queue.next.push_back(job);
    }
    beginNext(host);
}

void CodeService::beginNext(const QString &host)
{
    Queue &queue = m_queues[host];
    if (!queue.running.isNull() || queue.next.empty()) {
        return;
    }
    const QUuid job = queue.next.front();
    queue.next.pop_front();
    const auto known = m_jobs.find(job);
    const PoolHost *found = m_hosts.find(host);
    if (known == m_jobs.end() || !found || known->second.question) {
        if (known != m_jobs.end() && known->second.isAhead) {
            end(job, host, {}, Error{u"host.unknown"_s, {{u"host"_s, host}}});
        }
        beginNext(host);
        return;
    }
    queue.running = job;
    const PoolHost &at = *found;
    There &there = known->second.hosts[host];
    there.copy = std::make_unique<CodeCopy>(*at.agent,
        CodeCopy::Wanted{
            known->second.isAhead ? QString() : placeOn(job.toString(QUuid::WithoutBraces), known->second.document, at),
            QString::fromStdString(at.agent->hello().stateFolder),
            [this, job, host](bool isNew) { takeSnapshot(job, host, isNew); }, m_folders.epoch()});
    connect(there.copy.get(), &CodeCopy::done, this,
        [this, job, host](const QString &folder) { end(job, host, folder, std::nullopt); });
    connect(
        there.copy.get(), &CodeCopy::failed, this, [this, job, host](const Error &why) { end(job, host, {}, why); });
    connect(there.copy.get(), &CodeCopy::progressed, this, [this, job, host] {
        There &of = m_jobs[job].hosts[host];
        if (steadyMs() - of.toldMs >= tellCopyEveryMs) {
            of.toldMs = steadyMs();
            Q_EMIT described(job, of.tries);
        }
    });
    there.copy->start();
}

// The hosts of a job get the same files, as long as these do not change while they are sent.
void CodeService::takeSnapshot(const QUuid &job, const QString &host, bool isNew)
{
    const auto found = m_jobs.find(job);
    if (found == m_jobs.end()) {
        return;
    }
    Job &known = found->second;
    if (known.snapshot && !isNew) {
        known.hosts[host].copy->setSnapshot(known.snapshot);
        return;
    }
    known.wanting.insert(host);
    if (known.isReading) {
        return;
    }
    known.isReading = true;
    CodeLimits limits = known.isAllowed ? CodeLimits() : m_allowances.widened(limitsBy(m_settings), known.work);
    limits.without = known.without;
    limits.secrets = known.secrets.value_or(QStringList());
    threads::runOnPool(
        [this, job, limits, work = known.work, secrets = known.secrets, isAhead = known.isAhead] {
            auto made = std::make_shared<Made>(Made{snapshotOf(work, limits, m_names, &m_isClosing), {}});
            if (made->snapshot && !isAhead && secrets) {
                made->snapshot->origin = codeOriginOf(made->snapshot->code, *secrets, &m_isClosing);
            } else if (isTooBig(made->snapshot)) {
                const Result<CodeFiles> all = codeFilesOf(work, {0, 0, limits.without, limits.secrets}, &m_isClosing);
                made->probed = all ? probedPaths(*all) : QStringList();
            }
            threads::callLater(this, [this, job, made] { snapshotMade(job, *made); });
        },
        &m_threads);
}

void CodeService::snapshotMade(const QUuid &job, const Made &made)
{
    const auto found = m_jobs.find(job);
    if (found == m_jobs.end()) {
        return;
    }
    const Result<CodeSnapshot> &snapshot = made.snapshot;
    found->second.isReading = false;
    found->second.snapshot = snapshot ? std::make_shared<const CodeSnapshot>(*snapshot) : nullptr;
    const QSet<QString> wanting = std::exchange(found->second.wanting, {});
    const Job &known = found->second;
    if (known.isAllowed && snapshot) {
        const CodeLimits limits = limitsBy(m_settings);
        const CodeFiles &code = snapshot->code;
        if (code.bytes > limits.bytes || code.files.size() > limits.files) {
            m_allowances.allow(known.work, code.bytes, code.files.size(), nowMs());
        }
    }
    for (const QString &host : wanting) {
        const auto again = m_jobs.find(job); // the receiver of the signal may remove it
        if (again == m_jobs.end() || !again->second.hosts[host].copy) {
            continue;
        }
        if (snapshot) {
            again->second.hosts[host].copy->setSnapshot(again->second.snapshot);
        } else if (isTooBig(snapshot) && !made.probed.isEmpty()) {
            // A host that has the folder gets no copy of it, so there is nothing to ask.
            again->second.hosts[host].copy->lookForShared(made.probed, again->second.work,
                [this, job, host, error = snapshot.error()] { isTooLarge(job, host, error); });
        } else {
            isTooLarge(job, host, snapshot.error());
        }
    }
}

// Or cannot be read for another reason.
void CodeService::isTooLarge(const QUuid &job, const QString &host, const Error &tooBig)
{
    const auto found = m_jobs.find(job);
    if (found == m_jobs.end()) {
        return;
    }
    const Job &known = found->second;
    const CodeLimits limits = m_allowances.widened(limitsBy(m_settings), known.work);
    const bool isAsked
        = tooBig.code == "code.too-big"_L1 && !known.isAhead && m_settings.text(u"code.overLimit"_s) == "ask"_L1;
    if (isAsked && known.refused) {
        end(job, host, {}, known.refused);
    } else if (isAsked && fits(tooBig, limits)) {
        takeSnapshot(job, host, false); // it was allowed meanwhile
    } else if (isAsked) {
        ask(job, tooBig, host);
    } else {
        end(job, host, {}, tooBig);
    }
}

// A failed copy may succeed later. For a copy ahead of jobs, the user sees the failure and decides.
bool CodeService::isTriedAgain(const QUuid &job, const QString &host)
{
    const auto found = m_jobs.find(job);
    There *there = found == m_jobs.end() ? nullptr : &found->second.hosts[host];
    if (!there || found->second.isAhead || !there->copy || there->copy->passing() == CodeCopy::Passing::No) {
        return false;
    }
    const int most = there->copy->passing() == CodeCopy::Passing::Away ? mostAwayCopies : mostBusyCopies;
    if (++there->failures >= most) {
        return false;
    }
    found->second.wanting.remove(host);
    drop(*there); // it is the caller of this
    QTimer::singleShot(passingRest, this, [this, job, host] {
        const auto again = m_jobs.find(job);
        if (again == m_jobs.end()) {
            return;
        }
        const There &waiting = again->second.hosts[host];
        if (!waiting.copy && !waiting.tries.isEmpty() && !again->second.question) {
            begin(job, host);
        }
    });
    return true;
}

void CodeService::end(const QUuid &job, const QString &host, const QString &folder, const std::optional<Error> &problem)
{
    if (problem && isTriedAgain(job, host)) {
        Queue &queue = m_queues[host];
        if (queue.running == job) {
            queue.running = {};
            beginNext(host);
        }
        return;
    }
    const auto found = m_jobs.find(job);
    if (const PoolHost *at = m_hosts.find(host); at && found != m_jobs.end() && !problem) {
        const Job &known = found->second;
        const QString work = known.isAhead ? known.work : known.document.workHere();
        m_shared.note(at->target, work, WorkNotes::isShared(folder, work));
    }
    std::optional<Result<AheadDone>> ahead;
    if (found != m_jobs.end() && found->second.isAhead) {
        const Job &known = found->second;
        There &there = found->second.hosts[host];
        AheadDone done{known.work, folder, 0, 0, there.copy ? there.copy->bytesSent() : 0, false};
        if (known.snapshot) {
            done.bytes = known.snapshot->code.bytes;
            done.files = known.snapshot->code.files.size();
            done.isOfGit = known.snapshot->code.isOfGit;
        }
        ahead = problem ? Result<AheadDone>(tl::unexpected<Error>(*problem)) : Result<AheadDone>(done);
        drop(there); // it is the caller of this
        m_jobs.erase(found);
    } else if (found != m_jobs.end()) {
        There &there = found->second.hosts[host];
        there.folder = folder;
        there.failures = 0;
        const bool isCut = problem && problem->code == "host.gone"_L1;
        there.problem = isCut ? std::nullopt : problem;
        if (!folder.isEmpty()) {
            m_notes.write(job.toString(QUuid::WithoutBraces), host, found->second.document.workHere(), folder);
        }
        const QSet<QUuid> tries = std::exchange(there.tries, {});
        found->second.wanting.remove(host);
        drop(there); // it is the caller of this
        const auto &hosts = found->second.hosts;
        if (std::all_of(hosts.begin(), hosts.end(),
                [](const auto &each) { return !each.second.copy && each.second.tries.isEmpty(); })) {
            found->second.snapshot.reset(); // of many jobs they would take much room
        }
        if (!isCut) {
            Q_EMIT ready(job, tries);
            if (const auto again = m_jobs.find(job); again != m_jobs.end()) {
                again->second.hosts[host].problem.reset(); // it was reported; the next try may find room
            }
        }
    }
    Queue &queue = m_queues[host];
    if (queue.running == job) {
        queue.running = {};
        beginNext(host);
    }
    if (ahead) {
        Q_EMIT aheadEnded(job, *ahead);
    }
}

void CodeService::drop(There &there)
{
    if (there.copy) {
        there.copy->disconnect(this);
        there.copy->cancel();
        there.copy.release()->deleteLater();
    }
}

} // namespace trainyard
