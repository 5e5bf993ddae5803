// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobresults.h"

#include "engine/api/outputtries.h"
#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"
#include "engine/client/settings.h"
#include "model/protocol/jobdocument.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int resultsEveryMs = 500;
constexpr int mostLeft = 200; // ended jobs that are still to be read
// With outputs of an ended job that are not complete: they may still come from its host, and never do for a lost task.
constexpr qint64 patienceMs = 60'000;
constexpr qint64 leftPatienceMs = 3000; // when the job ended before this engine began

// Kinds of health marks that the job does not want: extras.trainyard.health.silence.
QStringList silencedBy(const JobSpec &spec)
{
    const Value *found = &spec.extras;
    for (const QString &key : {u"trainyard"_s, u"health"_s, u"silence"_s}) {
        found = found ? found->find(key) : nullptr;
    }
    QStringList kinds;
    const Value::List *list = found ? found->asList() : nullptr;
    for (const Value &kind : list ? *list : Value::List()) {
        kinds.append(kind.toText());
    }
    return kinds;
}

bool hasRun(const core::JobState &job)
{
    return std::any_of(job.attempts.begin(), job.attempts.end(),
        [](const core::AttemptRecord &attempt) { return attempt.launched.has_value(); });
}

void noteGroup(JobReadings::Job &job, const QString &group, const QString &stopWorse)
{
    job.group = group;
    if (const Result<WorseRule> rule = worseRule(stopWorse)) {
        job.rule = *rule;
    }
}

} // namespace

JobResults::JobResults(ActiveJobs &jobs, Store &store, const JobQueries &queries, const JobViews &views,
    JobReadings &readings, const Settings &settings, Publisher &publisher, Tick &tick, std::size_t most)
    : m_jobs(jobs), m_store(store), m_queries(queries), m_views(views), m_readings(readings), m_settings(settings),
      m_publisher(publisher), m_tick(tick), m_most(most)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(resultsEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &JobResults::look);
    connect(&m_watch, &OutputWatch::told, this, &JobResults::take);
    connect(&m_watch, &OutputWatch::advanced, this, &JobResults::advance);
    connect(&m_tick, &Tick::jobEnded, this, &JobResults::end);
    connect(&m_publisher, &Publisher::jobChanged, this, &JobResults::want);
}

void JobResults::begin()
{
    m_readings.silenced = m_settings.list(u"health.silence"_s);
    for (const JobSummary &job : m_store.withoutResults(mostLeft)) {
        m_left.insert(m_left.begin(), job);
    }
    want();
}

void JobResults::want()
{
    if (!m_timer.isActive()) {
        m_timer.start();
    }
}

void JobResults::look()
{
    for (const auto &[uuid, job] : m_jobs) {
        lookAt(uuid, *job);
    }
    storeEnded();
    readNextLeft();
    if (!m_readings.jobs.empty() || !m_left.empty()) {
        want();
    }
}

// Beside the outputs of other jobs: its own ones make room for those that replace them.
bool JobResults::hasRoomFor(const QString &uuid) const
{
    std::size_t others = m_tasks.size();
    if (const auto known = m_readings.jobs.find(uuid); known != m_readings.jobs.end()) {
        for (const auto &[ref, task] : known->second.tasks) {
            others -= m_tasks.contains(task.key) ? 1 : 0;
        }
    }
    return others + JobReadings::mostTasksRead <= m_most;
}

void JobResults::lookAt(const QString &uuid, const ActiveJob &job)
{
    const auto known = m_readings.jobs.find(uuid);
    if (!hasRun(job.state) || (known != m_readings.jobs.end() && known->second.version == job.version)
        || !hasRoomFor(uuid)) {
        return;
    }
    const bool isBegun = job.state.attempts.back().launched.has_value();
    const bool isNew = known == m_readings.jobs.end();
    JobReadings::Job &entry = m_readings.jobs[uuid];
    if (entry.isOfFormer && isBegun) { // what the attempt before said no longer counts
        for (const auto &[ref, task] : entry.tasks) {
            unwatch(task);
        }
        entry = {};
    }
    entry.isOfFormer = !isBegun && (isNew || entry.isOfFormer);
    entry.id = job.state.meta.id;
    entry.version = job.version;
    entry.silenced = job.spec ? silencedBy(*job.spec) : QStringList();
    entry.waitsUntil = 0; // it may run again
    entry.hasSucceeded = false;
    noteGroup(entry, job.listed.group, job.document.stopWorse);
    if (!isBegun) {
        watchFormer(uuid, entry, job);
        return;
    }
    const std::size_t count = std::min(job.state.tasks.size(), JobReadings::mostTasksRead);
    for (std::size_t i = 0; i < count; ++i) {
        const core::TaskRef ref = job.state.refAt(i);
        if (const TaskInfo info = m_views.taskInfoOf(job, ref); !info.logFolder.isEmpty()) {
            watch(uuid, entry, ref, info, job.spec ? &*job.spec : nullptr);
        }
    }
}

// Until something of a retry begins, the results are those of the attempt before it; and they stay if nothing ever
// does.
void JobResults::watchFormer(const QString &uuid, JobReadings::Job &entry, const ActiveJob &job)
{
    const QList<TaskInfo> former
        = m_queries.tasks(uuid, newestThatRan, 0, int(JobReadings::mostTasksRead)).value_or(QList<TaskInfo>());
    for (const TaskInfo &task : former) {
        if (const std::optional<core::TaskRef> ref = job.state.find(task.role, task.index);
            ref && !task.logFolder.isEmpty()) {
            watch(uuid, entry, *ref, task, job.spec ? &*job.spec : nullptr);
        }
    }
}

OutputRules JobResults::rulesOf(const JobSpec *spec, const QString &role) const
{
    constexpr qint64 minuteMs = 60'000;
    OutputRules rules;
    rules.patterns = MetricPatterns::of(m_settings);
    if (spec) {
        rules.patterns = rules.patterns.with(MetricPatterns::of(*spec));
    }
    rules.limits.silentMs = m_settings.integer(u"health.silentMinutes"_s) * minuteMs;
    rules.limits.gpuIdleMs = m_settings.integer(u"health.gpuIdleMinutes"_s) * minuteMs;
    if (const TaskRole *found = spec ? spec->role(role) : nullptr) {
        rules.limits.cores = double(found->resources.cpu);
        rules.limits.memoryMiB = double(found->resources.memoryMiB);
    }
    return rules;
}

QStringList JobResults::earlierFolders(const QString &uuid, const TaskInfo &task) const
{
    QList<TaskInfo> all;
    for (int attempt = std::max(0, task.attempt - int(mostEarlierTries)); attempt <= task.attempt; ++attempt) {
        all += m_queries.earlierTries(uuid, attempt, 0, 0).value_or(QList<TaskInfo>());
        if (attempt < task.attempt) {
            all += m_queries.tasks(uuid, attempt, 0, int(JobReadings::mostTasksRead)).value_or(QList<TaskInfo>());
        }
    }
    QStringList folders;
    for (const OutputTry &each : outputTries(all).value(taskLabel(task))) {
        if (each.folder != task.logFolder) {
            folders.append(each.folder);
        }
    }
    return folders.mid(std::max<qsizetype>(0, folders.size() - mostEarlierTries));
}

void JobResults::watch(
    const QString &uuid, JobReadings::Job &job, core::TaskRef ref, const TaskInfo &info, const JobSpec *spec)
{
    JobReadings::Task &task = job.tasks[ref];
    if (task.folder == info.logFolder) {
        return;
    }
    unwatch(task);
    task = {m_nextKey++, info.logFolder, info.role, {}};
    m_tasks[task.key] = {uuid, ref};
    OutputRules rules = rulesOf(spec, info.role);
    rules.worse = job.rule;
    if (info.attempt > 0 || info.tries > 0) {
        rules.earlier = earlierFolders(uuid, info);
    }
    m_watch.watch(task.key, info.logFolder, rules);
    if (m_inSight.contains(uuid)) {
        m_watch.follow(task.key, true);
    }
}

void JobResults::setInSight(const QSet<QString> &uuids)
{
    const QSet<QString> before = std::exchange(m_inSight, uuids);
    for (const auto &[uuid, job] : m_readings.jobs) {
        if (before.contains(uuid) == m_inSight.contains(uuid)) {
            continue;
        }
        for (const auto &[ref, task] : job.tasks) {
            m_watch.follow(task.key, m_inSight.contains(uuid));
        }
    }
}

void JobResults::unwatch(const JobReadings::Task &task)
{
    if (m_tasks.erase(task.key) > 0) {
        m_watch.forget(task.key);
    }
}

void JobResults::take(quint64 key, const OutputReading &reading)
{
    const auto place = m_tasks.find(key);
    if (place == m_tasks.end()) {
        return;
    }
    const auto [uuid, ref] = place->second;
    if (reading.isOver) {
        m_tasks.erase(place);
    }
    const auto job = m_readings.jobs.find(uuid);
    if (job == m_readings.jobs.end()) {
        return;
    }
    job->second.tasks[ref].reading = reading;
    job->second.mergeResults();
    const bool isDone = job->second.waitsUntil != 0 && job->second.isOver();
    Q_EMIT changed(uuid);
    if (ActiveJob *active = m_jobs.find(uuid)) {
        m_publisher.mark(*active, ref);
        m_publisher.publish();
    }
    if (isDone) {
        storeEnded(); // clients may wait for them
    }
    want();
}

void JobResults::advance(quint64 key, const ProgressRate &progress)
{
    const auto place = m_tasks.find(key);
    const auto job = place == m_tasks.end() ? m_readings.jobs.end() : m_readings.jobs.find(place->second.first);
    if (job == m_readings.jobs.end()) {
        return;
    }
    const core::TaskRef ref = place->second.second;
    job->second.tasks[ref].reading.progress = progress;
    if (ActiveJob *active = m_jobs.find(job->first)) {
        m_publisher.mark(*active, ref);
        m_publisher.publish();
    }
}

void JobResults::end(ActiveJob *job)
{
    const QString uuid = job->uuid();
    lookAt(uuid, *job);
    const auto entry = m_readings.jobs.find(uuid);
    if (entry != m_readings.jobs.end() && entry->second.version == job->version) {
        entry->second.waitsUntil = steadyMs() + patienceMs;
        entry->second.hasSucceeded = m_views.summaryOf(*job).state == State::Succeeded;
        entry->second.noteUnreached();
        for (const auto &[ref, task] : entry->second.tasks) {
            m_watch.hurry(task.key);
        }
    } else {
        // There was no room for its newest outputs, and what it said before does not stand for them. Their turn comes
        // when others have ended, and be it with the next engine.
        forget(uuid);
        if (hasRun(job->state) && m_left.size() < mostLeft) {
            m_left.insert(m_left.begin(), m_views.summaryOf(*job));
        }
    }
    want();
}

// What cannot be written stays here, and is written after a later look: in a commit together with others, it would be
// lost with that.
void JobResults::storeEnded()
{
    std::vector<QString> ended;
    for (const auto &[uuid, job] : m_readings.jobs) {
        const bool isEnough = job.isOver() || (job.isCaughtUp() && steadyMs() >= job.waitsUntil);
        const ActiveJob *active = m_jobs.find(uuid);
        const bool runsAgain = active && !active->state.isFinished(); // which the next look notices
        if (job.waitsUntil != 0 && isEnough && !runsAgain) {
            ended.push_back(uuid);
        }
    }
    if (ended.empty() || !m_tick.writable()) {
        return;
    }
    for (const QString &uuid : ended) {
        const JobReadings::Job &job = m_readings.jobs.at(uuid);
        m_store.saveResults(job.id, job.results);
        m_store.saveHealth(job.id, job.health());
    }
    if (!m_store.commit()) {
        return;
    }
    for (const QString &uuid : ended) {
        const auto found = m_readings.jobs.find(uuid);
        for (const auto &[ref, task] : found->second.tasks) {
            unwatch(task);
        }
        m_readings.jobs.erase(found);
    }
    for (const QString &uuid : ended) {
        Q_EMIT stored(uuid);
    }
}

// One at a time: no client waits for it.
void JobResults::readNextLeft()
{
    const bool isReading = std::any_of(
        m_readings.jobs.begin(), m_readings.jobs.end(), [](const auto &each) { return each.second.waitsUntil != 0; });
    if (isReading || m_left.empty() || !hasRoomFor(m_left.back().uuid)) {
        return;
    }
    const JobSummary job = m_left.back();
    m_left.pop_back();
    if (m_jobs.find(job.uuid)) {
        return; // it runs again
    }
    const Result<QList<TaskInfo>> tasks = m_queries.tasks(job.uuid, newestThatRan, 0, int(JobReadings::mostTasksRead));
    if (!tasks) {
        return; // it was removed, or cannot be read
    }
    JobReadings::Job &entry = m_readings.jobs[job.uuid];
    entry.id = job.id;
    entry.waitsUntil = steadyMs() + leftPatienceMs;
    entry.hasSucceeded = job.state == State::Succeeded;
    noteGroup(entry, job.group, m_store.document(job.id).value_or(StoredDocument()).stopWorse);
    std::optional<JobSpec> spec;
    if (const Result<JobDetail> detail = m_queries.job(job.uuid)) {
        spec = parseJob(detail->yaml, CheckMode::Friendly).spec;
    }
    entry.silenced = spec ? silencedBy(*spec) : QStringList();
    core::TaskRef ref{-1, 0};
    QString role;
    for (const TaskInfo &task : *tasks) { // by role and index
        ref = {ref.role < 0 || task.role != role ? ref.role + 1 : ref.role, task.index};
        role = task.role;
        if (!task.logFolder.isEmpty()) {
            watch(job.uuid, entry, ref, task, spec ? &*spec : nullptr);
        }
    }
}

void JobResults::settingsChanged()
{
    constexpr int mostTold = 1000;
    const QStringList silenced = m_settings.list(u"health.silence"_s);
    if (silenced == m_readings.silenced) {
        return;
    }
    m_readings.silenced = silenced;
    for (const auto &[uuid, job] : m_jobs) {
        m_publisher.mark(*job);
    }
    m_publisher.publish();
    const QStringList marked = m_store.withHealth(mostTold);
    for (const QString &uuid : marked) {
        if (!m_jobs.find(uuid)) {
            Q_EMIT stored(uuid);
        }
    }
}

void JobResults::forget(const QString &uuid)
{
    if (const auto found = m_readings.jobs.find(uuid); found != m_readings.jobs.end()) {
        for (const auto &[ref, task] : found->second.tasks) {
            unwatch(task);
        }
        m_readings.jobs.erase(found);
    }
    m_left.erase(std::remove_if(m_left.begin(), m_left.end(), [&](const JobSummary &job) { return job.uuid == uuid; }),
        m_left.end());
}

} // namespace trainyard
