// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaibackend.h"

#include "engine/backend/clock.h"
#include "engine/clusters/openpaicheck.h"
#include "engine/clusters/openpaidocument.h"
#include "engine/clusters/openpailist.h"
#include "engine/clusters/openpailogin.h"
#include "engine/clusters/openpaitags.h"
#include "model/base/threads.h"
#include "model/template/render.h"

#include <QDir>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int mostListedJobs = 1000; // the list of a user of years is long, and they want one of the last

bool isOfToken(const Error &why)
{
    return why.code.startsWith("openpai.no-token"_L1) || why.code.startsWith("openpai.unauthorized"_L1);
}

} // namespace

OpenPaiBackend::OpenPaiBackend(const OpenPaiTarget &target, const QString &stateFolder, const Settings &settings)
    : m_target(target), m_folders(stateFolder), m_settings(settings), m_client(target),
      m_late(m_client,
          {stateFolder + u"/openpai-late/"_s + target.name, [this] { return placeNow(); },
              [this](const QString &name) { return isWanted(name); }, [this] { Q_EMIT infoChanged(); },
              [this] { tellIfIdle(); }})
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &OpenPaiBackend::look);
}

OpenPaiBackend::~OpenPaiBackend() = default;

void OpenPaiBackend::settingsChanged()
{
    const bool wasNamed = std::exchange(m_isNamed, false);
    const QString former = placeNow();
    for (const OpenPaiTarget &each : openPaiTargetsOf(m_settings)) {
        if (each.name == m_target.name) {
            m_target = each;
            m_isNamed = true;
        }
    }
    m_client.setTarget(m_target);
    if (m_isNamed != wasNamed || placeNow() != former) {
        for (const auto &[job, run] : m_runs) {
            advance(*run);
        }
        m_late.goOn();
    }
}

ClusterInfo OpenPaiBackend::clusterInfo() const
{
    ClusterInfo info{m_target.id(), QString(openPaiKind), m_target.name, m_target.address, {}, {}, m_isNamed, {}, {},
        int(m_runs.size())};
    Error why = m_target.problem;
    if (why.code.isEmpty() && !m_client.hasToken()) {
        why = *whyNotAsked();
    }
    if (why.code.isEmpty() && !m_runs.empty()) {
        why = m_trouble;
    }
    if (why.code.isEmpty()) {
        why = asRemoved(m_late.trouble());
    }
    info.error = why.code;
    info.errorArgs = why.args;
    if (!why.code.isEmpty()) {
        info.errorArgs.insert(u"target"_s, m_target.id());
    }
    return info;
}

void OpenPaiBackend::check(const std::function<void(const ClusterInfo &)> &then)
{
    m_late.goOn(); // its earlier answers are not findings of this check
    ClusterInfo info = clusterInfo();
    if (!m_target.problem.code.isEmpty()) {
        info.steps.append({u"answers"_s, false, info.error, info.errorArgs});
        then(info);
        return;
    }
    OpenPaiCheck::run(m_client, m_target, info, then);
}

std::optional<Error> OpenPaiBackend::whyNotAsked() const
{
    if (!m_target.problem.code.isEmpty()) {
        return m_target.problem;
    }
    return m_client.hasToken() ? std::nullopt
                               : std::optional(asRemoved({u"openpai.no-token"_s, {{u"target"_s, m_target.id()}}}));
}

Error OpenPaiBackend::asRemoved(Error why) const
{
    why.code = m_isNamed                        ? why.code
        : why.code == "openpai.no-token"_L1     ? u"openpai.no-token-removed"_s
        : why.code == "openpai.unauthorized"_L1 ? u"openpai.unauthorized-removed"_s
                                                : why.code;
    return why;
}

void OpenPaiBackend::listJobs(const std::function<void(const Result<ClusterJobs> &)> &then)
{
    if (const std::optional<Error> why = whyNotAsked()) {
        then(tl::unexpected(*why));
        return;
    }
    m_client.jobs(mostListedJobs, [id = m_target.id(), then](const OpenPaiClient::Answer &answer) {
        then(answer.isGood() ? openpai::jobsIn(answer.body, id, mostListedJobs) : tl::unexpected(answer.failure.error));
    });
}

void OpenPaiBackend::findDocument(const QString &name, const std::function<void(const Result<ClusterDocument> &)> &then)
{
    if (const std::optional<Error> why = whyNotAsked()) {
        then(tl::unexpected(*why));
        return;
    }
    m_client.jobConfig(name, [name, then](const OpenPaiClient::Answer &answer) {
        if (answer.isGood()) {
            then(ClusterDocument{
                openpai::nameWithoutSuffix(name), QString::fromUtf8(openpai::documentToOpen(answer.body))});
        } else {
            then(tl::unexpected(answer.failure.error));
        }
    });
}

void OpenPaiBackend::changeTags(const TagChange &change, const std::function<void(const Result<ClusterTags> &)> &then)
{
    if (const std::optional<Error> why = whyNotAsked()) {
        then(tl::unexpected(*why));
        return;
    }
    openpai::changeTags(m_client, m_target.id(), change, then);
}

void OpenPaiBackend::logIn(const QString &password, const std::function<void(const Result<QString> &token)> &then)
{
    if (!m_target.problem.code.isEmpty()) {
        then(tl::unexpected(m_target.problem));
        return;
    }
    openpai::logIn(m_client, m_target, password, [this, then](const Result<QString> &token) {
        if (token) {
            takeToken(*token);
        }
        then(token);
    });
}

bool OpenPaiBackend::takeToken(const QString &token)
{
    m_client.setToken(token);
    m_trouble = {};
    for (const auto &[job, run] : m_runs) {
        run->failures = 0;
        run->trouble = {};
        advance(*run);
        Q_EMIT described(job, std::nullopt);
    }
    m_late.goOn();
    return true;
}

// ---- before there is a job ----

Result<void> OpenPaiBackend::accept(Prepared &prepared, const SubmitRequest &request) const
{
    const JobSpec &spec = prepared.spec;
    const QJsonObject here{{u"target"_s, m_target.id()}};
    if (!m_isNamed) {
        return fail(u"openpai.removed"_s, here);
    }
    if (!m_target.problem.code.isEmpty()) {
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        return tl::unexpected<Error>(problem);
    }
    if (!spec.trainyard.data.isEmpty()) {
        return fail(u"openpai.no-data"_s, here);
    }
    for (const TaskRole &role : spec.taskRoles) {
        if (role.dockerImage.isEmpty()) {
            return fail(u"openpai.no-image"_s, {{u"target"_s, m_target.id()}, {u"role"_s, role.name}});
        }
    }
    prepared.document.target = m_target.id();
    QStringList names = openpai::withoutEffect(spec);
    if (!request.runIn.isEmpty() && !names.contains("runIn"_L1)) {
        names.prepend(u"runIn"_s);
    }
    if (!names.isEmpty()) {
        prepared.notes.append(
            JobNote{u"openpai.no-effect"_s, {{u"target"_s, m_target.id()}, {u"names"_s, names.join(u", "_s)}}});
    }
    if (spec.trainyard.timeLimitSeconds) {
        prepared.notes.append(JobNote{u"openpai.time-limit"_s, here});
    }
    return {};
}

Result<void> OpenPaiBackend::settle(Prepared &prepared) const
{
    // Retries are the cluster's, all tasks are handed over together, and it alone knows its GPUs.
    core::JobPolicy &policy = prepared.policy;
    policy.gang = true;
    policy.maxParallelTasks = 0;
    policy.jobRetry = 0;
    policy.guards.freeRetryCap = 0;
    for (core::RolePolicy &role : policy.roles) {
        role.taskRetry = 0;
        role.needs.gpuType.clear();
    }
    // A folder that is not writable is reported now, and not only in the middle of the night.
    openpai::DocumentInput input{prepared.document.yaml, prepared.spec.name, m_target.virtualCluster, &prepared.spec,
        prepared.document.parameters.keys()};
    if (const Result<QByteArray> document = openpai::documentFor(input); !document) {
        return tl::unexpected<Error>(document.error());
    }
    return {};
}

std::optional<Error> OpenPaiBackend::neverFits(const core::JobState &job, const JobSpec &, const StoredDocument &) const
{
    const bool isPart = std::any_of(
        job.tasks.cbegin(), job.tasks.cend(), [](const core::Task &task) { return task.keptFrom.has_value(); });
    return isPart ? std::optional(Error{u"openpai.retry-whole"_s, {{u"target"_s, m_target.id()}}}) : std::nullopt;
}

Result<PlanReply> OpenPaiBackend::plan(const Prepared &prepared, const core::JobState &) const
{
    const JobSpec &spec = prepared.spec;
    PlanReply reply;
    for (const TaskRole &role : spec.taskRoles) {
        const Result<ComposedRole> composed = composeRole(spec, role);
        if (!composed) {
            return tl::unexpected<Error>(composed.error());
        }
        const Prerequisite *image = spec.prerequisite(u"dockerimage"_s, role.dockerImage);
        for (int index = 0; index < role.instances; ++index) {
            PlannedTask task;
            task.role = role.name;
            task.index = index;
            task.host = m_target.id();
            task.prerequisites = composed->prerequisiteOrder;
            task.image = image ? image->uri.value(0) : QString();
            if (index == 0) {
                task.script = composed->userScript;
            }
            reply.tasks.append(task);
        }
    }
    return reply;
}

// ---- places ----

void OpenPaiBackend::reserve(ActiveJob &job, const core::Effect &effect)
{
    if (m_wanted.take(job, effect)) {
        return;
    }
    if (const auto *gone = std::get_if<core::effect::ReleaseTry>(&effect)) {
        const auto it = m_runs.find(&job);
        if (it == m_runs.end()) {
            return;
        }
        std::erase_if(it->second->tasks, [gone](const auto &each) { return each.second.tryUuid == gone->tryUuid; });
        if (it->second->tasks.empty()) {
            m_runs.erase(it);
            tellIfIdle();
        }
    }
}

std::vector<JobEvent> OpenPaiBackend::place()
{
    return m_wanted.grantAll(m_target.id(), [](ActiveJob &, core::TaskRef, const QUuid &) {});
}

void OpenPaiBackend::forget(ActiveJob &job)
{
    m_wanted.forget(job);
    m_runs.erase(&job);
    tellIfIdle();
}

// ---- reports ----

Error OpenPaiBackend::waitReason(const ActiveJob &job) const
{
    const auto it = m_runs.find(const_cast<ActiveJob *>(&job));
    if (it == m_runs.end()) {
        return {};
    }
    const Run &run = *it->second;
    if (!run.trouble.code.isEmpty()) {
        return run.trouble;
    }
    QJsonObject args{{u"target"_s, m_target.id()}};
    if (!run.isTaken || run.known.state.isEmpty()) {
        return {u"wait.openpai-new"_s, args};
    }
    if (run.known.retryDelaySec) {
        args.insert(u"seconds"_s, *run.known.retryDelaySec);
        return {u"wait.openpai-retry"_s, args};
    }
    if (!run.words.isEmpty()) {
        args.insert(u"words"_s, run.words);
        return {u"wait.openpai-words"_s, args};
    }
    return {u"wait.openpai"_s, args};
}

void OpenPaiBackend::describe(const ActiveJob &job, JobSummary &summary) const
{
    const auto it = m_runs.find(const_cast<ActiveJob *>(&job));
    if (isFinal(summary.state) || it == m_runs.end()) {
        return;
    }
    const Run &run = *it->second;
    summary.retries += run.known.retries;
    summary.userRetries += run.known.userRetries;
    summary.platformRetries += run.known.platformRetries;
    const bool isUnheard = summary.state == State::Stopping && isUnheardStop(run);
    if (!summary.reason.isEmpty() && !isUnheard) {
        return;
    }
    Error why = summary.state == State::Waiting ? waitReason(job) : run.trouble;
    if (isUnheard && !isOfToken(why) && why.code != "openpai.elsewhere"_L1) {
        why.code = run.isTaken ? u"stop.target-silent"_s : u"stop.target-unsure"_s;
        why.args.insert(u"target"_s, m_target.id());
    }
    if (why.code.isEmpty() && job.state.pausedAt) {
        why = {u"job.openpai-no-pause"_s, {{u"target"_s, m_target.id()}}};
    }
    const bool lacksRoom
        = std::any_of(run.tasks.cbegin(), run.tasks.cend(), [](const auto &each) { return each.second.lacksRoom; });
    if (why.code.isEmpty() && lacksRoom) {
        why = {u"task.copy-waits"_s, {{u"host"_s, m_target.id()}}};
    }
    summary.reason = why.code;
    summary.reasonArgs = why.args;
}

void OpenPaiBackend::describe(const ActiveJob &job, core::TaskRef, TaskInfo &info) const
{
    const auto it = m_runs.find(const_cast<ActiveJob *>(&job));
    if (it == m_runs.end() || it->second->attempt != info.attempt) {
        return;
    }
    const openpai::TaskThere *there = it->second->known.task(info.role, info.index);
    if (!there) {
        return;
    }
    if (!there->node.isEmpty()) {
        info.host = m_target.id() + u'/' + there->node;
    }
    info.address = there->address;
    const int retries = it->second->known.retriesOf(info.role, info.index);
    if (retries > 0 && info.reason.isEmpty()) {
        info.reason = u"openpai.retried"_s;
        info.reasonArgs = {{u"target"_s, m_target.id()}, {u"retries"_s, retries}};
        if (const QStringList former = it->second->formerEnds(); !former.isEmpty()) {
            info.reasonArgs.insert(u"former"_s, QJsonArray::fromStringList(former));
        }
    }
}

LogSource OpenPaiBackend::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {m_folders.ofTry(job, attempt, role, index, taskTry)};
}

Result<TaskFolder> OpenPaiBackend::filesOf(const QString &, const QString &, const StoredDocument &) const
{
    return fail(u"openpai.files-there"_s, {{u"target"_s, m_target.id()}});
}

void OpenPaiBackend::removeRun(const QString &job, const QStringList &)
{
    threads::runOnPool([folder = m_folders.ofJob(job)] { QDir(folder).removeRecursively(); });
}

} // namespace trainyard
