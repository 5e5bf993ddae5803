// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmretries.h"
#include "engine/contract/slurmtime.h"
#include "engine/contract/swappable.h"
#include "engine/contract/taskfolder.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <unistd.h>

#include <algorithm>
#include <cstring>

// Where a job is, and how its tasks become allocations.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr std::size_t elementsOfAnArray = 1000; // MaxArraySize is 1001 unless a site has another one

} // namespace

QString SlurmBackend::folderNote(const QString &job) const
{
    return RunFolders(m_options.stateFolder).ofJob(job) + u"/cluster-folder"_s;
}

// A job stays where it has begun, whatever the setting says since.
RunFolders SlurmBackend::foldersThere(const QString &job) const
{
    const std::optional<std::string> noted = contract::readWhole(pathBytes(folderNote(job)));
    if (noted && noted->starts_with('/')) {
        return RunFolders(QString::fromStdString(*noted));
    }
    return m_site ? RunFolders(m_site->rootFor(m_target.folder)) : foldersOf(m_target, m_options.stateFolder);
}

RunFolders SlurmBackend::foldersOfJob(const QString &job) const
{
    return m_site ? RunFolders(m_options.stateFolder) : foldersThere(job);
}

Result<void> SlurmBackend::noteFolder(const QString &job) const
{
    const QString file = folderNote(job), folder = QFileInfo(file).path();
    if (QFileInfo::exists(file)) {
        return {};
    }
    int error = contract::makeFolders(pathBytes(folder));
    error = error != 0 ? error
                       : contract::writeAtomically(pathBytes(file), foldersThere(job).state().toStdString(), true);
    return error == 0 ? Result<void>()
                      : fail(u"slurm.folder"_s,
                          {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

// The file system that it is on has perhaps not been mounted yet: what is not seen there may be there nevertheless.
bool SlurmBackend::isAway(const ActiveJob &job) const { return !QFileInfo(foldersOfJob(job.uuid()).state()).isDir(); }

// Nodes would start programs of another user from there, if that user could replace the folder.
Result<void> SlurmBackend::checkFolder(const RunFolders &folders) const
{
    const std::optional<contract::SwappableFolder> found = m_settings.flag(u"clusters.trustFolders"_s)
        ? std::nullopt
        : contract::swappableFolder(pathBytes(folders.state()), ::geteuid());
    return found
        ? Result<void>(fail(u"slurm.folder-swappable"_s,
            {{u"folder"_s, folders.state()}, {u"part"_s, QFile::decodeName(QByteArray::fromStdString(found->part))}}))
        : Result<void>();
}

SlurmLaunches SlurmBackend::launchesOf(const ActiveJob &job) const
{
    return SlurmLaunches(m_target, foldersOfJob(job.uuid()), m_settings);
}

// ---- allocations ----

void SlurmBackend::launch(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    std::map<int, std::vector<core::TaskRef>> fresh; // by role; those of a gang together
    const SlurmLaunches launches = launchesOf(job);
    for (const core::TaskRef task : tasks) {
        const QUuid tryUuid = core::tryUuid(job.state, task);
        LiveTask &entry = enter(job, task, tryUuid);
        entry.folder = launches.folderOf(job, task);
        if (attach(entry, tryUuid)) {
            advance(*submissionOf(entry));
        } else if (isUnseen(entry)) {
            seek(entry);
        } else {
            fresh[job.state.policy.gang ? 0 : task.role].push_back(task);
        }
    }
    if (m_site && !fresh.empty() && !m_site->isOnline()) {
        for (const auto &[role, together] : fresh) {
            hold(job, together);
        }
        return;
    }
    if (m_site) {
        std::erase_if(fresh, [this, &job](const auto &each) { return isHeldForCode(job, each.second); });
    }
    std::erase_if(fresh, [this, &job](const auto &each) { return isHeldForSupply(job, each.second); });
    for (const auto &[role, together] : fresh) {
        const std::size_t most = job.state.policy.gang ? together.size() : elementsOfAnArray;
        for (std::size_t from = 0; from < together.size(); from += most) {
            const auto begin = together.begin() + std::ptrdiff_t(from);
            const auto end = begin + std::ptrdiff_t(std::min(most, together.size() - from));
            if (Submission *made = allocate(job, {begin, end})) {
                submit(*made);
            }
        }
    }
}

bool SlurmBackend::attach(LiveTask &entry, const QUuid &tryUuid)
{
    if (!entry.allocation.isEmpty()) {
        return true;
    }
    entry.folder = launchesOf(*entry.job).folderOf(*entry.job, entry.task);
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(entry.folder);
    if (!link || SlurmAllocation::isSplit(link->folder)) { // it was about to get another one
        return false;
    }
    auto it = m_allocations.find(link->folder);
    std::unique_ptr<Submission> loaded;
    if (it == m_allocations.end()) {
        std::optional<SlurmAllocation> allocation = SlurmAllocation::load(link->folder);
        if (!allocation) {
            return false;
        }
        loaded = std::make_unique<Submission>(std::move(*allocation), *entry.job);
    }
    SlurmAllocation &allocation = loaded ? loaded->allocation : it->second->allocation;
    const bool fits = link->position >= 0 && std::size_t(link->position) < allocation.plan().tasks.size()
        && allocation.takeUp(link->position, tryUuid);
    if (!fits) {
        return false;
    }
    if (loaded) {
        enter(std::move(loaded));
    }
    join(entry, link->folder, link->position);
    m_led.erase(tryUuid);
    m_ledBook.remove(link->folder, link->position); // what follows this try is noted when it has ended
    return true;
}

// In an image it does not find the libraries of this computer, so the static one is used if both exist. The target's
// present settings apply to jobs that are submitted from now on.
QString SlurmBackend::helperProgram(const ActiveJob &job) const
{
    const QString alone = m_options.agentProgram + u"-static"_s;
    return job.document.runIn == pyxisImages && QFileInfo(alone).isExecutable() ? alone : m_options.agentProgram;
}

// With what its tasks need beside the document of the job.
SlurmLaunches SlurmBackend::makerFor(const ActiveJob &job) const
{
    SlurmLaunches maker = m_site ? elsewhere(job) : launchesOf(job);
    supply(maker, foldersThere(job.uuid()));
    return maker;
}

SlurmBackend::Submission *SlurmBackend::allocate(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    if (!m_target.problem.code.isEmpty()) { // since it was accepted
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        refuse(job, tasks, problem, slurm::codeRefused);
        return nullptr;
    }
    const RunFolders thereFolders = foldersThere(job.uuid());
    if (const Result<void> safe = m_site ? Result<void>() : checkFolder(thereFolders); !safe) {
        refuse(job, tasks, safe.error(), slurm::codeRefused);
        return nullptr;
    }
    const std::optional<Result<QString>> program = m_site
        ? Result<QString>(m_site->helperIn(thereFolders.state()))
        : m_helpers.in(thereFolders.state() + u"/cluster"_s, helperProgram(job));
    if (!program) { // it is being copied
        QDir().mkpath(thereFolders.state()); // or an engine that starts meanwhile takes its file system for away
        hold(job, tasks);
        return nullptr;
    }
    if (!*program) {
        refuse(job, tasks, program->error(), slurm::codeNotStarted);
        return nullptr;
    }
    SlurmLaunches maker = makerFor(job);
    const Result<std::vector<contract::Launch>> launches = maker.make(job, tasks);
    if (!launches) {
        refuse(job, tasks, launches.error(), slurm::codeNotStarted);
        return nullptr;
    }
    if (const Result<void> noted = noteFolder(job.uuid()); !noted) {
        refuse(job, tasks, noted.error(), slurm::codeNotStarted);
        return nullptr;
    }
    const RunFolders folders = foldersOfJob(job.uuid());
    const core::JobPolicy &policy = job.state.policy;
    slurm::ScriptInput input = inputFor(policy, tasks, job.spec ? &*job.spec : nullptr);
    input.program = **program;
    contract::LeadPlan plan;
    const QString allFolder = SlurmAllocation::allocationsOf(folders.ofJob(job.uuid())) + u'/';
    QString name = core::tryUuid(job.state, tasks.front()).toString(QUuid::WithoutBraces);
    if (SlurmAllocation::isSplit(allFolder + name)) { // the cluster may not take anything else for it
        name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    }
    plan.allocation = name.toStdString();
    plan.isArray = input.isArray;
    plan.components = int(input.layout.components.size());
    if (job.spec) {
        const StopRule &rule = job.spec->trainyard.stop;
        plan.stopSignal = rule.signal > 0 ? int(rule.signal) : plan.stopSignal;
        plan.stopsOnlyMain = rule.onlyMain;
    }
    plan.stopGraceMs = input.graceMs;
    plan.loginMs = m_settings.integer(u"environment.loginSeconds"_s) * 1000;
    plan.limitMs = contract::leadLimitMs(policy.timeLimitMs);
    if (policy.gang) {
        // If a job is run again in part, the other tasks have ended already.
        const auto left
            = [](qint64 limit, int ended) { return limit > 0 ? std::max<qint64>(1, limit - ended) : limit; };
        plan.completedLimit = left(policy.completedLimit, job.state.endedTasks);
        for (std::size_t i = 0; i < policy.roles.size(); ++i) {
            const core::RolePolicy &role = policy.roles[i];
            const core::RoleCounters &counted = job.state.counters[i];
            plan.roles.push_back({role.name.toStdString(), left(role.minFailed, counted.failed),
                left(role.minSucceeded, counted.succeeded)});
        }
    }
    if (!policy.gang) { // the task is alone in its part of the allocation
        m_exitRules.read();
        plan.retries = slurm::leadRetriesOf(m_exitRules.rules(), policy.roles[std::size_t(tasks.front().role)],
            policy.guards, job.spec && isStrict(*job.spec));
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const Result<std::vector<std::string>> image = maker.imageOptions(job, tasks[i]);
        if (!image) {
            refuse(job, tasks, image.error(), slurm::codeNotStarted);
            return nullptr;
        }
        const QString role = job.state.roleName(tasks[i]);
        const int component = input.layout.ofTask[i];
        plan.tasks.push_back({role.toStdString(), tasks[i].index, component, launches->at(i).dir,
            launches->at(i).plan.tryUuid, SlurmLaunches::addressWord(role, tasks[i].index).toStdString(),
            slurm::stepOptions(input.layout.components[std::size_t(component)]), !image->empty()});
        std::vector<std::string> &options = plan.tasks.back().stepOptions;
        options.insert(options.end(), image->begin(), image->end());
        if (plan.retries) {
            const core::Task &task = job.state.task(tasks[i]);
            plan.tasks.back().tryNumber = task.tryIndex;
            plan.tasks.back().furtherTries = slurm::furtherTriesOf(job.state, tasks[i]);
            plan.tasks.back().charged = task.chargedRetries;
            plan.tasks.back().consecutiveFreeRetries = task.consecutiveFreeRetries;
            const core::Allocation *place = core::placeOf(task.state);
            for (const auto &[label, numbers] : place ? place->ports : core::PortTable()) {
                plan.tasks.back().ports[label.toStdString()].assign(numbers.cbegin(), numbers.cend());
            }
        }
    }
    const QString folder = allFolder + name;
    input.folder = there(job.uuid(), folder);
    QDir().mkpath(folders.checkpoint(job.uuid()));
    auto submission = std::make_unique<Submission>(SlurmAllocation(folder, std::move(plan)), job);
    if (!m_site) {
        submission->script = slurm::jobScript(input);
        submission->launches = *launches;
    } else if (const Result<void> packed = pack(*submission, slurm::jobScript(input), *launches); !packed) {
        refuse(job, tasks, packed.error(), slurm::codeNotStarted);
        return nullptr;
    }
    enter(std::move(submission));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        join(m_tries.at(core::tryUuid(job.state, tasks[i])), folder, int(i));
    }
    return m_allocations.at(folder).get();
}

// The request to the cluster for a job with these tasks, without the paths of its files.
slurm::ScriptInput SlurmBackend::inputFor(
    const core::JobPolicy &policy, const std::vector<core::TaskRef> &tasks, const JobSpec *spec) const
{
    slurm::ScriptInput input;
    input.isArray = !policy.gang && tasks.size() > 1;
    input.layout = slurm::layoutOf(policy, tasks);
    input.options = m_target.options;
    input.limitMs = policy.timeLimitMs;
    input.graceMs = m_settings.integer(u"stop.graceSeconds"_s) * 1000;
    if (spec && spec->trainyard.stop.graceSeconds) {
        input.graceMs = *spec->trainyard.stop.graceSeconds * 1000;
    }
    return input;
}

// The request to the cluster, rebuilt for one that was made before.
slurm::ScriptInput SlurmBackend::inputOf(const Submission &submission) const
{
    const SlurmAllocation &allocation = submission.allocation;
    const core::JobPolicy &policy = submission.job->state.policy;
    std::vector<core::TaskRef> tasks;
    for (const contract::LeadTask &task : allocation.plan().tasks) {
        const auto role = std::find_if(policy.roles.begin(), policy.roles.end(),
            [&task](const core::RolePolicy &each) { return each.name.toStdString() == task.role; });
        tasks.push_back({role == policy.roles.end() ? 0 : int(role - policy.roles.begin()), task.index});
    }
    slurm::ScriptInput input;
    input.folder = there(submission.job->uuid(), allocation.folder());
    input.isArray = allocation.plan().isArray;
    input.graceMs = allocation.plan().stopGraceMs;
    input.limitMs = policy.timeLimitMs;
    input.options = m_target.options;
    input.layout = slurm::layoutOf(policy, tasks);
    return input;
}

} // namespace trainyard
