// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubebackend.h"

#include "engine/backend/clock.h"
#include "engine/clusters/kubecheck.h"
#include "engine/core/placedtasks.h"
#include "engine/launch/launchplan.h"
#include "model/base/shortdigest.h"
#include "model/base/threads.h"

#include <QDir>

#include <unistd.h>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int kubeTickMs = 500;
constexpr int firstPodPort = 20'000; // as the script of the manifest counts them: each pod has all ports for itself

// The label of the engine that makes something there. Two engines with the same label would see more than theirs, and
// take nothing of it.
QString engineLabelValue(const QString &stateFolder)
{
    const QByteArray text = (QString::number(::getuid()) + u'@' + stateFolder).toUtf8();
    return shortDigest(text);
}

} // namespace

KubeBackend::KubeBackend(const KubeTarget &target, const QString &stateFolder, const Settings &settings,
    KubeCommands &commands, ExitRulesFile &exitRules)
    : m_target(target), m_stateFolder(stateFolder), m_engine(engineLabelValue(stateFolder)), m_settings(settings),
      m_commands(commands), m_judge(exitRules), m_book(stateFolder + u"/kubernetes/"_s + target.name)
{
    m_timer.setInterval(kubeTickMs);
    connect(&m_timer, &QTimer::timeout, this, &KubeBackend::tick);
    connect(&m_judge, &ExitJudge::judged, this, [this](const core::event::TryEnded &event) {
        if (LiveTask *entry = live(event.tryUuid)) {
            post(*entry->job, event);
        }
    });
    readBook();
    if (!m_sets.empty() || m_unread != 0) {
        m_timer.start();
    }
}

KubeBackend::~KubeBackend() = default;

void KubeBackend::settingsChanged()
{
    m_isNamed = false;
    for (const KubeTarget &each : kubeTargetsOf(m_settings)) {
        if (each.name == m_target.name) {
            m_target = each;
            m_isNamed = true;
        }
    }
}

ClusterInfo KubeBackend::clusterInfo() const
{
    QString options = m_target.options.join(u' ');
    if (!m_target.queue.isEmpty()) {
        options += (options.isEmpty() ? u"queue "_s : u", queue "_s) + m_target.queue;
    }
    ClusterInfo info{
        m_target.id(), QString(kubernetesKind), m_target.name, options, {}, {}, m_isNamed, {}, {}, int(m_sets.size())};
    const Error &trouble = m_target.problem.code.isEmpty() ? m_problem : m_target.problem;
    if (!m_target.problem.code.isEmpty() || !isIdle()) {
        info.error = trouble.code;
        info.errorArgs = trouble.args;
    }
    return info;
}

void KubeBackend::check(const std::function<void(const ClusterInfo &)> &then)
{
    KubeCheck::run(m_commands, m_target, clusterInfo(), then);
}

void KubeBackend::post(ActiveJob &job, decltype(core::Event::what) what)
{
    Q_EMIT happened(&job, core::Event{nowMs(), std::move(what)});
}

QString KubeBackend::taskFolder(const ActiveJob &job, core::TaskRef task) const
{
    return RunFolders(m_stateFolder)
        .ofTry(job.uuid(), job.state.attempt(), job.state.roleName(task), task.index, job.state.task(task).tryIndex);
}

KubeBackend::LiveTask *KubeBackend::live(const QUuid &tryUuid)
{
    const auto it = m_tries.find(tryUuid);
    return it == m_tries.end() ? nullptr : &it->second;
}

KubeBackend::LiveTask &KubeBackend::enter(ActiveJob &job, core::TaskRef task)
{
    LiveTask &entry = m_tries[core::tryUuid(job.state, task)];
    entry.job = &job;
    entry.task = task;
    entry.folder = taskFolder(job, task);
    return entry;
}

// ---- places ----

void KubeBackend::reserve(ActiveJob &job, const core::Effect &effect)
{
    if (m_wanted.take(job, effect)) {
        return;
    }
    if (const auto *gone = std::get_if<core::effect::ReleaseTry>(&effect)) {
        if (const auto it = m_tries.find(gone->tryUuid); it != m_tries.end()) {
            leave(it->second);
            m_tries.erase(it);
            tellIfIdle();
        }
    }
}

// All at once: the cluster does the scheduling.
std::vector<JobEvent> KubeBackend::place()
{
    return m_wanted.grantAll(
        m_target.id(), [this](ActiveJob &job, core::TaskRef task, const QUuid &) { enter(job, task); });
}

void KubeBackend::resume(ActiveJob &job)
{
    core::forEachPlaced(job.state, [&](core::TaskRef ref, const core::TaskState &state, const core::Allocation &) {
        LiveTask &entry = enter(job, ref);
        entry.isStarted = std::holds_alternative<core::Running>(state);
        entry.isResumed = true;
        attach(entry, core::tryUuid(job.state, ref));
    });
}

bool KubeBackend::attach(LiveTask &entry, const QUuid &tryUuid)
{
    if (!entry.set.isEmpty()) {
        return true;
    }
    for (auto &[name, set] : m_sets) {
        for (qsizetype position = 0; position < set.entry.tasks.size(); ++position) {
            if (set.entry.tasks.at(position).tryUuid == tryUuid) {
                entry.set = name;
                entry.position = int(position);
                set.job = entry.job;
                ++set.tries;
                return true;
            }
        }
    }
    return false;
}

// A set of which no try is left is not to be there any more.
void KubeBackend::leave(const LiveTask &entry)
{
    const auto it = m_sets.find(entry.set);
    if (it != m_sets.end() && --it->second.tries <= 0) {
        it->second.job = nullptr;
        unwant(it->second);
    }
}

void KubeBackend::forget(ActiveJob &job)
{
    m_wanted.forget(job);
    std::vector<QUuid> left;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (entry.job == &job) {
            left.push_back(tryUuid);
        }
    }
    for (const QUuid &tryUuid : left) {
        leave(m_tries.at(tryUuid));
        m_tries.erase(tryUuid);
    }
    for (auto &[name, set] : m_sets) {
        set.job = set.job == &job ? nullptr : set.job;
    }
    tellIfIdle();
}

// ---- after the commit ----

void KubeBackend::perform(const std::vector<JobEffect> &effects)
{
    std::vector<std::pair<ActiveJob *, std::vector<core::TaskRef>>> launches; // in their order
    for (const JobEffect &each : effects) {
        ActiveJob &job = *each.job;
        std::visit(Overloaded{
                       [&](const core::effect::DrawPorts &wanted) { draw(job, wanted); },
                       [&](const core::effect::LaunchTry &wanted) {
                           if (launches.empty() || launches.back().first != &job) {
                               launches.emplace_back(&job, std::vector<core::TaskRef>());
                           }
                           launches.back().second.push_back(wanted.task);
                       },
                       [&](const core::effect::ObserveTry &seen) {
                           LiveTask *entry = live(seen.tryUuid);
                           if (entry && attach(*entry, seen.tryUuid)) {
                               advance(m_sets.at(entry->set));
                           } else if (entry && isUnseen(*entry)) {
                               seek(*entry);
                           } else if (entry) {
                               end(*entry, seen.tryUuid,
                                   {kube::codeLost, {}, u"kubernetes.gone"_s, {{u"target"_s, m_target.id()}}});
                           }
                       },
                       [&](const core::effect::StopTry &stopping) { stop(job, stopping.task, stopping.tryUuid); },
                       [](const auto &) {},
                   },
            each.effect);
    }
    for (const auto &[job, tasks] : launches) {
        launch(*job, tasks);
    }
}

// The numbers that the script gives by itself, so that people see the same.
void KubeBackend::draw(ActiveJob &job, const core::effect::DrawPorts &wanted)
{
    const std::set<core::TaskRef> asked(wanted.tasks.begin(), wanted.tasks.end());
    core::event::PortsDrawn drawn;
    int port = firstPodPort;
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskRef task = job.state.refAt(i);
        core::PortTable table;
        for (const Port &each : job.state.policy.roles[std::size_t(task.role)].needs.ports) {
            QList<int> numbers;
            for (qint64 n = 0; n < each.count; ++n) {
                numbers.append(port++);
            }
            table.append({each.label, numbers});
        }
        if (asked.contains(task)) {
            std::sort(table.begin(), table.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
            drawn.tasks.push_back({task, core::tryUuid(job.state, task), table});
        }
    }
    post(job, drawn);
}

void KubeBackend::end(LiveTask &entry, const QUuid &tryUuid, const core::TryResult &result)
{
    if (entry.isEndKnown) {
        return;
    }
    entry.isEndKnown = true;
    post(*entry.job, core::event::TryEnded{entry.task, tryUuid, result, 0, nowMs(), entry.isStarted});
}

// ---- reports ----

Error KubeBackend::waitReason(const ActiveJob &job) const
{
    if (const Error unread = whyUnread(job); !unread.code.isEmpty()) {
        return unread;
    }
    for (const auto &[name, set] : m_sets) {
        if (set.job == &job) {
            if (const Error why = reasonNow(set); !why.code.isEmpty()) {
                return why;
            }
        }
    }
    return {};
}

void KubeBackend::describe(const ActiveJob &job, JobSummary &summary) const
{
    const Error unread = whyUnread(job);
    const Error unheard = !unread.code.isEmpty() ? unread
        : summary.state == State::Stopping       ? unheardStop(job)
                                                 : Error();
    if (!unheard.code.isEmpty()) { // whatever it was stopped for
        summary.reason = unheard.code;
        summary.reasonArgs = unheard.args;
        return;
    }
    if (isFinal(summary.state) || !summary.reason.isEmpty()) {
        return;
    }
    Error why;
    if (summary.state == State::Waiting) {
        why = waitReason(job);
    } else if (!m_problem.code.isEmpty()) {
        why = unseenReason(true);
    } else if (lacksRoom(job)) {
        why = {u"task.copy-waits"_s, {{u"host"_s, m_target.id()}}};
    }
    summary.reason = why.code;
    summary.reasonArgs = why.args;
}

void KubeBackend::describe(const ActiveJob &job, core::TaskRef, TaskInfo &info) const
{
    const auto it = m_tries.find(core::tryUuid(job.state.uuid, info.attempt, info.role, info.index, info.tries));
    if (it != m_tries.end() && !it->second.node.isEmpty()) {
        info.host = m_target.id() + u'/' + it->second.node;
        info.address = it->second.address;
    }
}

LogSource KubeBackend::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {RunFolders(m_stateFolder).ofTry(job, attempt, role, index, taskTry)};
}

// Files that a pod has written are gone with it.
Result<TaskFolder> KubeBackend::filesOf(const QString &, const QString &logFolder, const StoredDocument &) const
{
    return TaskFolder{u"local"_s, {}, logFolder, logFolder + u"/work"_s};
}

void KubeBackend::removeRun(const QString &job, const QStringList &)
{
    threads::runOnPool([folder = RunFolders(m_stateFolder).ofJob(job)] { QDir(folder).removeRecursively(); });
}

} // namespace trainyard
