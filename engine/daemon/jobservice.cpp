// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobservice.h"

#include "engine/api/joblabels.h"
#include "engine/backend/clock.h"
#include "engine/backend/ownuser.h"
#include "engine/core/report.h"
#include "engine/daemon/listedcommand.h"
#include "engine/daemon/proposedcommands.h"
#include "engine/daemon/rehearsals.h"
#include "model/protocol/jobname.h"

#include <QRandomGenerator>

#include <unistd.h>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int longestKey = 255;
constexpr int longestListed = 1000; // a parameter that is a longer text is none that runs are compared by

// Time first, so that the folders of jobs sort by age.
QUuid makeJobUuid(qint64 ms)
{
    quint32 words[4];
    QRandomGenerator::system()->fillRange(words);
    QByteArray bytes(reinterpret_cast<const char *>(words), 16);
    for (int i = 0; i < 6; ++i) {
        bytes[i] = char((quint64(ms) >> (40 - 8 * i)) & 0xff);
    }
    bytes[6] = char((quint8(bytes.at(6)) & 0x0f) | 0x70);
    bytes[8] = char((quint8(bytes.at(8)) & 0x3f) | 0x80);
    return QUuid::fromRfc4122(bytes);
}

QString userName()
{
    const QString name = ownUserName();
    return name.isEmpty() ? QString::number(::getuid()) : name;
}

// They were made before the job had a number.
QList<JobNote> notesFor(qint64 id, QList<JobNote> notes)
{
    for (JobNote &note : notes) {
        if (note.code.startsWith("results.on-host"_L1)) {
            note.args.insert(u"job"_s, id);
        }
    }
    return notes;
}

QString virtualClusterOf(const JobSpec &spec)
{
    return spec.virtualCluster.isEmpty() ? u"default"_s : spec.virtualCluster;
}

// The parameters that a list can show and a comparison can compare.
QJsonObject listedParameters(const JobSpec &spec)
{
    QJsonObject listed;
    if (const Value::Map *parameters = spec.parameters.asMap()) {
        for (const auto &[name, value] : *parameters) {
            const bool isPlain = value.asBool() || value.asInt() || value.asDouble()
                || (value.asString() && value.asString()->size() <= longestListed);
            if (isPlain) {
                listed.insert(name, value.toJson());
            }
        }
    }
    return listed;
}

ListedFacts listedFacts(const SubmitRequest &request, const JobSpec &spec)
{
    ListedFacts facts;
    facts.labels.tags = normalTags(separateTags(request.tags));
    facts.labels.note = request.note;
    facts.group = request.group;
    facts.parameters = listedParameters(spec);
    facts.command = listedCommand(spec);
    return facts;
}

bool hasSecrets(const JobSpec &spec) { return spec.secrets.asMap() && !spec.secrets.asMap()->isEmpty(); }

} // namespace

JobService::JobService(ActiveJobs &jobs, Store &store, StoreReserve &reserve, SecretKeeper &secrets, Backends &backends,
    const ExitRulesFile &exitRules, Tick &tick, Publisher &publisher, const JobPreparation &preparation,
    const JobQueries &queries)
    : m_jobs(jobs), m_store(store), m_reserve(reserve), m_secrets(secrets), m_backends(backends),
      m_exitRules(exitRules), m_tick(tick), m_publisher(publisher), m_preparation(preparation), m_queries(queries)
{
    connect(&m_tick, &Tick::jobEnded, this, [this](ActiveJob *job) { m_secrets.forget(job->state.uuid); });
}

// A client that does not know whether an answer got lost asks again with the same key, and there is one job.
Result<std::optional<SubmitReply>> JobService::submittedBefore(const SubmitRequest &request) const
{
    if (request.key.size() > longestKey) {
        return fail(u"submit.bad-key"_s, {{u"most"_s, longestKey}});
    }
    const std::optional<qint64> id = request.key.isEmpty() ? std::nullopt : m_store.idOfKey(request.key);
    if (const std::optional<Error> error = m_store.readError();
        error && (!request.key.isEmpty() || error->code == "store.damaged"_L1)) { // nothing was read without a key
        return tl::unexpected<Error>(*error);
    }
    const std::optional<JobSummary> job = id ? m_store.job(*id) : std::nullopt;
    if (!job) {
        return std::nullopt;
    }
    const std::optional<StoredDocument> document = m_store.document(*id);
    const Result<QByteArray> masked = maskSecrets(withJobName(request.yaml, request.name));
    if (!document || !masked || document->yaml != *masked || document->parameters != request.parameters) {
        return fail(u"submit.other-job"_s, {{u"key"_s, request.key}, {u"job"_s, job->id}, {u"name"_s, job->name}});
    }
    return SubmitReply{job->id, job->uuid,
        {JobNote{u"submit.known"_s, {{u"key"_s, request.key}, {u"job"_s, job->id}, {u"name"_s, job->name}}}}};
}

core::Step JobService::submitted(const Prepared &prepared) const
{
    const qint64 now = nowMs();
    core::JobMeta meta;
    meta.name = prepared.spec.name;
    meta.runName = m_store.freeRunName(prepared.spec.name);
    meta.user = userName();
    meta.file = prepared.document.file;
    meta.virtualCluster = virtualClusterOf(prepared.spec);
    meta.target = prepared.target;
    return core::submitted(makeJobUuid(now), meta, prepared.policy, now, prepared.priority, prepared.after);
}

// A job that joins a group without a limit of its own, such as the best one again with another seed, keeps to the limit
// that the group has.
Result<Prepared> JobService::prepare(const SubmitRequest &request, bool needSecrets) const
{
    Result<Prepared> prepared = m_preparation.prepare(request, needSecrets);
    if (prepared && !prepared->group.isEmpty() && prepared->document.groupLimit == 0) {
        JobsQuery newest;
        newest.group = prepared->group;
        newest.limit = 1;
        const QList<JobSummary> members = m_store.jobs(newest);
        const std::optional<StoredDocument> known
            = members.isEmpty() ? std::nullopt : m_store.document(members.constFirst().id);
        prepared->document.groupLimit = known ? known->groupLimit : 0;
    }
    return prepared;
}

Result<JobOutlook> JobService::outlook(const SubmitRequest &request) const
{
    const Result<Prepared> prepared = prepare(request, false);
    if (!prepared) {
        return tl::unexpected<Error>(prepared.error());
    }
    const core::JobState job = submitted(*prepared).job;
    if (const std::optional<Error> never
        = m_backends.of(prepared->target).neverFits(job, prepared->spec, prepared->document)) {
        return tl::unexpected<Error>(*never);
    }
    const Result<QList<api::ProposedCommands>> commands = proposedCommands(prepared->spec);
    if (!commands) {
        return tl::unexpected<Error>(commands.error());
    }
    return JobOutlook{core::summaryOf(job), prepared->document.yaml,
        prepared->host.isEmpty() ? prepared->target : prepared->host, prepared->document.work, prepared->document.runIn,
        {}, *commands};
}

Result<void> JobService::check(const SubmitRequest &request) const
{
    const Result<Prepared> prepared = prepare(request, true);
    return prepared ? Result<void>() : Result<void>(tl::unexpected<Error>(prepared.error()));
}

Result<SubmitReply> JobService::submit(const SubmitRequest &request, const QJsonObject &assistant)
{
    const Result<std::optional<SubmitReply>> before = submittedBefore(request);
    if (!before) {
        return tl::unexpected<Error>(before.error());
    }
    if (*before) {
        return **before;
    }
    Result<Prepared> prepared = prepare(request, true);
    if (!prepared) {
        return tl::unexpected<Error>(prepared.error());
    }
    Rehearsals rehearsals(m_jobs, m_store);
    if (const Result<void> known = rehearsals.take(request.rehearsal); !known) {
        return tl::unexpected<Error>(known.error());
    }
    auto job = std::make_unique<ActiveJob>();
    core::Step first = submitted(*prepared);
    job->state = std::move(first.job);
    if (const std::optional<Error> never
        = m_backends.of(*job).neverFits(job->state, prepared->spec, prepared->document)) {
        return tl::unexpected<Error>(*never);
    }
    job->document = prepared->document;
    job->document.assistant = assistant;
    job->state.meta.assistant = assistant;
    job->spec = std::move(prepared->spec);
    job->listed = listedFacts(request, *job->spec);
    m_store.addJob(job->state, job->document, job->listed);
    rehearsals.write(job->uuid());
    if (const Result<void> written = m_store.commit(true); !written) {
        // It may be in the store nevertheless: after "no", a client must not find it running at the next start.
        if (!m_store.mayBeWritten()) {
            return tl::unexpected<Error>(written.error());
        }
        m_store.removeJob(job->state.meta.id);
        m_store.writeAnything(); // over what may be in the log of the store, also if the job is not seen there
        if (m_store.commit()) {
            return tl::unexpected<Error>(written.error());
        }
        if (!m_store.idOf(job->uuid())) {
            Error unsure = written.error();
            unsure.code = u"store.write-unsure"_s;
            unsure.args.insert(u"name"_s, job->state.meta.name);
            return tl::unexpected<Error>(unsure);
        }
        // It cannot be taken back either, so it is what the store says: it runs.
    }
    rehearsals.noteWritten();
    const SubmitReply reply{job->state.meta.id, job->uuid(), notesFor(job->state.meta.id, prepared->notes)};
    begin(std::move(job), first.effects); // addJob has written all of it
    return reply;
}

void JobService::begin(std::unique_ptr<ActiveJob> job, const std::vector<core::Effect> &effects)
{
    if (hasSecrets(*job->spec)) {
        m_secrets.keep(job->state.uuid, job->spec->secrets);
    }
    m_tick.applyWritten(m_jobs.add(std::move(job)), effects);
    m_publisher.noteIdle();
    m_tick.want();
}

// What waits for its next attempt or try need not wait longer. False when nothing of the job does.
Result<bool> JobService::retryNow(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    std::vector<core::event::RetryDue> due;
    if (std::holds_alternative<core::Backoff>(job.state.phase)) {
        due.push_back({job.state.attempt(), {}, 0});
    }
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskRef ref = job.state.refAt(i);
        const auto *waiting = std::get_if<core::Waiting>(&job.state.task(ref).state);
        const bool isWanted = tasks.empty() || std::find(tasks.cbegin(), tasks.cend(), ref) != tasks.cend();
        if (waiting && waiting->notBefore && isWanted) {
            due.push_back({job.state.attempt(), ref, 0});
        }
    }
    if (due.empty()) {
        return false;
    }
    if (const Result<void> ready = m_tick.writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    for (const core::event::RetryDue &each : due) {
        m_tick.post(job, each);
    }
    m_tick.run(); // written down before the caller is told
    return m_tick.whetherWritten();
}

// The job comes back as it was left; the core opens one more attempt, and from then on it is as any other.
Result<bool> JobService::retry(const RetryRequest &request)
{
    const Result<qint64> id = m_queries.idOf(request.uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    ActiveJob *active = m_jobs.find(request.uuid);
    if (active && request.yaml.isEmpty() && request.secrets.isEmpty()) {
        RetryRequest named;
        named.uuid = request.uuid;
        named.tasks = request.tasks;
        const Result<core::event::RetryRequested> wanted = JobPreparation::tasksOf(named, active->state);
        if (!wanted) {
            return tl::unexpected<Error>(wanted.error());
        }
        if (const Result<bool> begun = retryNow(*active, wanted->tasks); !begun || *begun) {
            return begun;
        }
        if (request.tasks.isEmpty() && m_backends.of(*active).handOverNow(*active)) {
            return true;
        }
    }
    std::optional<StoredJob> stored = active ? std::nullopt : m_store.load(*id);
    const std::optional<JobSummary> listed = active ? std::nullopt : m_store.job(*id);
    if (const std::optional<Error> damaged = m_store.readError()) {
        return tl::unexpected<Error>(*damaged);
    }
    if (!stored || !listed || !stored->state.isFinished() || stored->state.attempts.empty()) {
        return tl::unexpected<Error>(stillActive(request.uuid));
    }
    const StoredJob before = *stored;
    auto job = std::make_unique<ActiveJob>();
    job->state = std::move(stored->state);
    job->document = std::move(stored->document);
    job->listed = std::move(stored->listed);
    Result<core::event::RetryRequested> wanted = JobPreparation::tasksOf(request, job->state);
    if (!wanted) {
        return tl::unexpected<Error>(wanted.error());
    }
    if (!request.yaml.isEmpty()) {
        Result<Prepared> prepared = m_preparation.prepareAgain(request, *job);
        if (!prepared) {
            return tl::unexpected<Error>(prepared.error());
        }
        job->state.policy = std::move(prepared->policy);
        job->state.priority = prepared->priority;
        job->state.meta.virtualCluster = virtualClusterOf(prepared->spec);
        job->document = std::move(prepared->document);
        job->document.assistant = job->state.meta.assistant; // it began with that
        job->document.promoted = before.document.promoted;
        job->document.textFile
            = request.file.isEmpty() ? u"-"_s : request.file; // it still works where it was submitted
        job->spec = std::move(prepared->spec);
        job->listed.parameters = listedParameters(*job->spec);
        job->listed.command = listedCommand(*job->spec);
    } else {
        loadSpec(*job, request.secrets);
    }
    if (!job->spec) {
        return tl::unexpected<Error>(job->specError);
    }
    core::Step first = core::next(std::move(job->state), {nowMs(), std::move(*wanted)}, m_exitRules.rules());
    job->state = std::move(first.job);
    if (const std::optional<Error> never = m_backends.of(*job).neverFits(job->state, *job->spec, job->document)) {
        return tl::unexpected<Error>(*never);
    }
    if (!request.yaml.isEmpty()) {
        // The logs and the ends of earlier attempts are read by the texts that they ran with.
        if (job->document.yaml != before.document.yaml || job->listed.parameters != before.listed.parameters) {
            m_store.saveEarlierText(
                *id, {before.state.attempt(), true, before.document.yaml, before.listed.parameters});
        }
        m_store.saveDocument(job->state, job->document);
        m_store.saveTextFacts(*id, job->listed);
    }
    m_store.saveRemoval(*id, std::nullopt); // the job is active again
    if (std::exchange(job->listed.labels.isArchived, false)) { // lists are to show what runs
        m_store.saveLabels(*id, job->listed.labels);
    }
    // Its outputs are read again. If no engine runs at its end, this mark tells the next one to do so.
    m_store.dropReadings(*id);
    m_store.saveJob(job->state);
    m_store.saveAttempt(job->state, job->state.attempt());
    m_store.saveTasks(job->state);
    if (const Result<void> written = m_store.commit(true); !written) {
        // It may be in the store nevertheless: after "no", a client must not find it running at the next start.
        const auto isOver = [&] {
            const std::optional<JobSummary> now = m_store.job(*id);
            return now && isFinal(now->state);
        };
        if (!isOver() || m_store.mayBeWritten()) {
            m_store.restoreJob(before);
            m_store.saveRemoval(*id, listed->removal);
            m_store.saveLabels(*id, before.listed.labels);
            if (!listed->results.isEmpty()) { // else they are read again
                m_store.saveResults(*id, listed->results);
            }
            m_store.saveHealth(*id, listed->health);
            m_store.commit();
        }
        if (isOver()) {
            return tl::unexpected<Error>(written.error());
        }
        // It cannot be taken back either, so it is what the store says: it runs.
    }
    for (std::size_t at = 0; at < job->state.tasks.size(); ++at) {
        job->unpublished.tasks.insert(job->state.refAt(at));
    }
    Q_EMIT runsAgain(job->uuid());
    begin(std::move(job), first.effects);
    return true;
}

void JobService::loadSpec(ActiveJob &job, const QMap<QString, QString> &given)
{
    Result<JobSpec> spec = JobPreparation::specOf(job.document, m_secrets.secretsOf(job.state.uuid), given);
    if (spec) {
        job.spec = std::move(*spec);
    } else {
        job.specError = spec.error();
    }
}

void JobService::restore(StoredJob &&stored)
{
    auto job = std::make_unique<ActiveJob>();
    job->state = std::move(stored.state);
    job->document = std::move(stored.document);
    job->listed = std::move(stored.listed);
    loadSpec(*job);
    m_backends.of(*job).resume(*job);
    m_tick.post(m_jobs.add(std::move(job)), core::event::Reconcile{}); // returns every outstanding effect again
}

void JobService::takeUp(const QString &target)
{
    for (const auto &[uuid, job] : m_jobs) {
        if (job->state.meta.target == target) {
            m_backends.of(*job).resume(*job);
            m_tick.post(*job, core::event::Reconcile{});
        }
    }
}

Result<PlanReply> JobService::plan(const SubmitRequest &request) const
{
    const Result<Prepared> prepared = prepare(request, false);
    if (!prepared) {
        return tl::unexpected<Error>(prepared.error());
    }
    Result<PlanReply> reply = m_backends.of(prepared->target).plan(*prepared, submitted(*prepared).job);
    if (!reply) {
        return reply;
    }
    reply->notes = prepared->notes;
    if (!prepared->after.empty()) { // whatever there is room for
        const Error why = core::dependencyReason(prepared->after);
        reply->waitReason = why.code;
        reply->waitArgs = why.args;
    }
    return reply;
}

} // namespace trainyard
