// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobqueries.h"

#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"
#include "engine/backend/workfolder.h"
#include "engine/core/report.h"
#include "engine/daemon/waittrail.h"

#include <algorithm>
#include <map>

namespace trainyard
{

using namespace Qt::StringLiterals;

Result<qint64> JobQueries::idOf(const QString &uuid) const
{
    if (const ActiveJob *job = m_jobs.find(uuid)) {
        return job->state.meta.id;
    }
    if (const std::optional<qint64> id = m_store.idOf(uuid)) {
        return *id;
    }
    return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
}

Result<QList<JobSummary>> JobQueries::jobs(const QString &filter, qint64 beforeId, int limit) const
{
    JobsQuery query;
    query.before = beforeId;
    query.now = nowMs();
    query.silenced = m_views.silenced();
    const Result<JobFilter> parsed = JobFilter::parse(filter, query.now);
    if (!parsed) {
        return tl::unexpected<Error>(parsed.error());
    }
    query.filter = *parsed;
    const qsizetype most = limit > 0 ? limit : 1 << 30;
    // The data of active jobs are newer than those in the store. The same number of additional rows makes up for active
    // jobs that do not match after all.
    const bool hasFilter = !parsed->isEmpty();
    query.limit = int(most + (hasFilter ? qsizetype(m_jobs.size()) : 0));
    QList<JobSummary> list = m_store.jobs(query);
    if (const std::optional<Error> error = m_store.readError(); error && error->code != "store.damaged"_L1) {
        return tl::unexpected<Error>(*error); // a list that was cut short would look whole
    }
    if (hasFilter) {
        list.removeIf([this](const JobSummary &job) { return m_jobs.find(job.uuid) != nullptr; });
        for (const auto &[uuid, job] : m_jobs) {
            if (beforeId > 0 && job->state.meta.id >= beforeId) {
                continue;
            }
            if (const JobSummary live = m_views.summaryOf(*job); parsed->matches(live, query.now)) {
                list.append(live);
            }
        }
        std::sort(list.begin(), list.end(), [](const JobSummary &a, const JobSummary &b) { return a.id > b.id; });
        list.resize(std::min(list.size(), most));
    }
    for (JobSummary &summary : list) {
        if (ActiveJob *job = m_jobs.find(summary.uuid)) {
            m_publisher.workOutWaits(*job);
            summary = m_views.summaryOf(*job);
        } else {
            m_views.complete(summary);
        }
    }
    return list;
}

QList<JobSummary> JobQueries::activeJobs() const
{
    QList<JobSummary> list;
    for (const auto &[uuid, job] : m_jobs) {
        m_publisher.workOutWaits(*job);
        list.append(m_views.summaryOf(*job));
    }
    std::sort(list.begin(), list.end(), [](const JobSummary &a, const JobSummary &b) { return a.id > b.id; });
    return list;
}

Result<JobSummary> JobQueries::summary(const QString &uuid) const
{
    if (ActiveJob *job = m_jobs.find(uuid)) {
        m_publisher.workOutWaits(*job);
        return m_views.summaryOf(*job);
    }
    const Result<qint64> id = idOf(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    if (std::optional<JobSummary> stored = m_store.job(*id)) {
        m_views.complete(*stored);
        return *stored;
    }
    return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
}

Result<JobSummary> JobQueries::findJob(const QString &word) const
{
    const std::optional<qint64> id = m_store.findJob(word);
    const std::optional<JobSummary> stored = id ? m_store.job(*id) : std::nullopt;
    if (!stored) {
        return fail(u"job.unknown"_s, {{u"job"_s, word}});
    }
    return summary(stored->uuid);
}

std::optional<OtherJob> JobQueries::otherJob(const QString &uuid) const
{
    if (uuid.isEmpty()) {
        return std::nullopt;
    }
    const Result<JobSummary> known = summary(uuid);
    return known ? OtherJob{known->id, uuid, known->name, known->state, known->completed, known->reason}
                 : OtherJob{0, uuid, {}};
}

void JobQueries::describe(const StoredDocument &document, JobDetail &detail) const
{
    detail.yaml = document.yaml;
    detail.runIn = document.runIn;
    detail.work = workBesideText(document);
    detail.original = document.original;
    detail.rehearsal = otherJob(document.rehearsal);
    detail.promoted = otherJob(document.promoted);
    detail.documentName = document.documentName;
    detail.host = document.target;
    detail.textFile = document.textFile;
}

Result<JobDetail> JobQueries::job(const QString &uuid) const
{
    Result<JobSummary> known = summary(uuid);
    if (!known) {
        return tl::unexpected<Error>(known.error());
    }
    JobDetail detail;
    detail.summary = *known;
    detail.runFolder = m_folders.ofJob(known->uuid);
    detail.waits = known->target == core::poolTarget ? QList<WaitNote>() : WaitTrail::read(detail.runFolder);
    if (const ActiveJob *active = m_jobs.find(uuid)) {
        describe(active->document, detail);
        detail.services = m_views.servicesOf(*active);
        detail.held = m_backends.of(*active).keptTasks(*active);
        detail.brought = m_backends.of(*active).broughtFiles(uuid);
        detail.clusterJobs = m_backends.of(*active).clusterJobs(uuid);
        for (const core::AttemptRecord &attempt : active->state.attempts) {
            detail.attempts.append(core::attemptInfoOf(active->state, attempt.index));
        }
    } else {
        if (const std::optional<StoredDocument> document = m_store.document(known->id)) {
            describe(*document, detail);
        }
        detail.attempts = m_store.attempts(known->id);
        detail.brought = backendOf(known->id).broughtFiles(known->uuid);
        detail.clusterJobs = backendOf(known->id).clusterJobs(known->uuid);
    }
    detail.earlierTexts = m_store.earlierTexts(known->id);
    return whole(std::move(detail));
}

// A retry that was stopped before anything of it began has no results, and does not take the place of those before it.
int JobQueries::attemptThatRan(const QString &uuid) const
{
    constexpr int newest = -1;
    if (const ActiveJob *active = m_jobs.find(uuid)) {
        const std::vector<core::AttemptRecord> &all = active->state.attempts;
        const auto begun = std::find_if(
            all.rbegin(), all.rend(), [](const core::AttemptRecord &each) { return each.launched.has_value(); });
        return begun == all.rend() ? newest : begun->index;
    }
    const Result<qint64> id = idOf(uuid);
    const QList<AttemptInfo> all = id ? m_store.attempts(*id) : QList<AttemptInfo>();
    const auto begun
        = std::find_if(all.crbegin(), all.crend(), [](const AttemptInfo &each) { return each.launched.has_value(); });
    return begun == all.crend() ? newest : begun->index;
}

Result<QList<TaskInfo>> JobQueries::tasks(const QString &uuid, int attempt, int from, int limit) const
{
    from = qMax(0, from);
    attempt = attempt == newestThatRan ? attemptThatRan(uuid) : attempt;
    const ActiveJob *active = m_jobs.find(uuid);
    if (active && (attempt < 0 || attempt == active->state.attempt())) {
        QList<TaskInfo> list;
        const std::size_t size = active->state.tasks.size();
        const std::size_t end = limit > 0 ? std::min(size, std::size_t(from) + std::size_t(limit)) : size;
        for (std::size_t i = std::size_t(from); i < end; ++i) {
            list.append(m_views.taskInfoOf(*active, active->state.refAt(i)));
        }
        return list;
    }
    const Result<qint64> id = idOf(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    QList<TaskInfo> list = m_store.tasks(*id, attempt, from, limit > 0 ? limit : 1 << 30);
    findLogs(*id, uuid, list);
    explainFailures(uuid, list);
    return whole(std::move(list));
}

Result<QList<TaskInfo>> JobQueries::earlierTries(const QString &uuid, int attempt, int from, int limit) const
{
    const Result<qint64> id = idOf(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    QList<TaskInfo> list = m_store.earlierTries(*id, attempt, qMax(0, from), limit > 0 ? limit : 1 << 30);
    const Backend &backend = backendOf(*id);
    for (TaskInfo &task : list) {
        if (!task.host.isEmpty()) {
            task.logFolder = backend.log(uuid, task.attempt, task.role, task.index, task.tries).folder;
            backend.describeStored(task);
        }
    }
    explainFailures(uuid, list);
    return whole(std::move(list));
}

void JobQueries::explainFailures(const QString &uuid, QList<TaskInfo> &tasks) const
{
    const bool hasFailed = std::any_of(
        tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) { return task.reasonArgs.contains(failureKey); });
    const Result<JobSummary> job = hasFailed ? summary(uuid) : Result<JobSummary>();
    for (TaskInfo &task : tasks) {
        if (job && !job->health.isEmpty()) {
            explainByHealth(job->health, task);
        }
    }
}

void JobQueries::findLogs(qint64 id, const QString &uuid, QList<TaskInfo> &tasks) const
{
    const Backend &backend = backendOf(id);
    for (TaskInfo &task : tasks) {
        if (!task.host.isEmpty() || task.tries > 0) {
            const int shown = task.host.isEmpty() ? task.tries - 1 : task.tries;
            const int attempt = task.keptFrom.value_or(task.attempt);
            task.logFolder = backend.log(uuid, attempt, task.role, task.index, shown).folder;
            backend.describeStored(task);
        }
    }
}

const Backend &JobQueries::backendOf(qint64 id) const
{
    const std::optional<JobSummary> stored = m_store.job(id);
    return m_backends.of(stored ? stored->target : QString());
}

Result<TaskOutline> JobQueries::outline(const QString &uuid, int attempt, int most) const
{
    const ActiveJob *active = m_jobs.find(uuid);
    if (active && (attempt < 0 || attempt == active->state.attempt())) {
        TaskOutline result;
        std::map<std::pair<int, State>, int> seen;
        int role = -1;
        for (std::size_t i = 0; i < active->state.tasks.size(); ++i) {
            const core::TaskRef ref = active->state.refAt(i);
            if (ref.role != role) {
                role = ref.role;
                result.roles.append({active->state.roleName(ref), {}});
            }
            const State state = core::taskPublicState(active->state.task(ref).state);
            countState(result.roles.last().counts, state);
            if (++seen[{role, state}] <= most) {
                result.tasks.append(m_views.taskInfoOf(*active, ref));
            }
        }
        return result;
    }
    const Result<qint64> id = idOf(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    TaskOutline result = m_store.outline(*id, attempt, most);
    findLogs(*id, uuid, result.tasks);
    return whole(std::move(result));
}

Result<QString> JobQueries::logFolder(
    const QString &uuid, const QString &role, int index, int attempt, int taskTry) const
{
    const Result<qint64> id = idOf(uuid);
    const Result<QList<TaskInfo>> list = tasks(uuid, attempt, 0, 0);
    if (!id || !list) {
        return tl::unexpected<Error>(id ? list.error() : id.error());
    }
    for (const TaskInfo &task : *list) {
        if (task.role == role && task.index == index) {
            const int of = task.keptFrom.value_or(task.attempt);
            return taskTry < 0 ? task.logFolder : backendOf(*id).log(uuid, of, role, index, taskTry).folder;
        }
    }
    return fail(u"task.unknown"_s, {{u"job"_s, uuid}, {u"task"_s, taskLabel(role, index)}});
}

// A task that waits for its next try has no host, and the files of the try before.
QString JobQueries::hostOf(const QString &uuid, const TaskInfo &task) const
{
    if (!task.host.isEmpty() || task.logFolder.isEmpty()) {
        return task.host;
    }
    const QList<TaskInfo> tries = earlierTries(uuid, task.attempt, 0, 0).value_or(QList<TaskInfo>());
    const auto shown = std::find_if(
        tries.cbegin(), tries.cend(), [&task](const TaskInfo &each) { return each.logFolder == task.logFolder; });
    return shown == tries.cend() ? QString() : shown->host;
}

Result<TaskFolder> JobQueries::taskFolder(const QString &uuid, const QString &role, int index, int attempt) const
{
    const QString name = taskLabel(role, index);
    const Result<QList<TaskInfo>> list = tasks(uuid, attempt, 0, 0);
    if (!list) {
        return tl::unexpected<Error>(list.error());
    }
    const auto task = std::find_if(
        list->cbegin(), list->cend(), [&](const TaskInfo &each) { return each.role == role && each.index == index; });
    if (task == list->cend()) {
        return fail(u"task.unknown"_s, {{u"job"_s, uuid}, {u"task"_s, name}});
    }
    const QString host = hostOf(uuid, *task);
    if (task->logFolder.isEmpty() || host.isEmpty()) {
        return fail(u"task.not-started"_s, {{u"task"_s, name}});
    }
    const ActiveJob *active = m_jobs.find(uuid);
    const Result<qint64> id = idOf(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    const StoredDocument document = active ? active->document : m_store.document(*id).value_or(StoredDocument());
    const Result<TaskFolder> files = backendOf(*id).filesOf(host, task->logFolder, document);
    return files ? whole(*files) : files;
}

Result<SubmitRequest> JobQueries::submissionOf(const QString &uuid) const
{
    const Result<JobSummary> job = summary(uuid);
    if (!job) {
        return tl::unexpected<Error>(job.error());
    }
    const std::optional<StoredDocument> document = m_store.document(job->id);
    if (!document) {
        return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
    }
    SubmitRequest request;
    request.yaml = document->yaml;
    request.name = job->name;
    request.file = document->file;
    request.parameters = document->parameters;
    request.target = document->target.isEmpty() ? QString(anyHost) : document->target; // it did not stay here either
    request.work = document->work;
    request.runIn = document->runIn;
    request.documentName = document->documentName;
    request.priority = job->priority;
    request.group = job->group;
    request.groupLimit = document->groupLimit;
    request.stopWorse = document->stopWorse;
    request.original = document->original;
    return request;
}

} // namespace trainyard
