// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/containerparts.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmnodes.h"
#include "engine/clusters/slurmquota.h"
#include "engine/clusters/slurmunheard.h"
#include "engine/contract/slurmtime.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

// Before there is a job: whether a Slurm cluster can take it, and how it would run there.
namespace trainyard
{

using namespace Qt::StringLiterals;

Result<void> SlurmBackend::accept(Prepared &prepared, const SubmitRequest &request) const
{
    const JobSpec &spec = prepared.spec;
    if (!m_isNamed) {
        return fail(u"slurm.removed"_s, {{u"target"_s, m_target.id()}});
    }
    if (!m_target.problem.code.isEmpty()) {
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        return tl::unexpected<Error>(problem);
    }
    if (m_site && !m_site->isKnown()) {
        return tl::unexpected<Error>(m_site->absence());
    }
    if (const Result<void> safe = m_site ? Result<void>() : checkFolder(foldersOf(m_target, m_options.stateFolder));
        !safe) {
        return safe;
    }
    const QString runIn = request.runIn.isEmpty() ? spec.trainyard.runIn : request.runIn;
    const bool isWanted = !runIn.isEmpty() && runIn != "host"_L1; // by the job itself, and not only by its images
    if (isWanted && runIn != m_target.images) {
        return fail(
            u"slurm.no-containers"_s, {{u"target"_s, m_target.id()}, {u"runIn"_s, runIn}, {u"name"_s, m_target.name}});
    }
    const QString images = runIn == "host"_L1 ? QString() : m_target.images;
    const bool hasImage = std::any_of(spec.taskRoles.cbegin(), spec.taskRoles.cend(),
        [](const TaskRole &role) { return !role.dockerImage.isEmpty(); });
    if (!images.isEmpty()) {
        // A run again and a retry ask for what was used, although the text says nothing of it: roles without an image
        // are started as they were then.
        const bool isForAll = isWanted && (!spec.trainyard.runIn.isEmpty() || !hasImage);
        if (const Result<void> good = checkImages(spec, images, isForAll); !good) {
            return tl::unexpected<Error>(good.error());
        }
    }
    if (const Result<void> good = acceptPlugins(spec, hasImage ? images : QString()); !good) {
        return good;
    }
    const QMap<QString, QString> folders = m_settings.texts(u"storages."_s);
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        if (!folders.contains(storage.name) && !m_site && !QFileInfo(storage.place).isDir()) {
            return fail(u"storage.unmapped"_s, {{u"name"_s, storage.name}});
        }
    }
    for (const TaskRole &role : spec.taskRoles) {
        if (const Result<launch::RoleProgram> program = launch::programOf(spec, role); !program) {
            return tl::unexpected<Error>(program.error());
        }
    }
    prepared.document.target = m_target.id();
    prepared.document.runIn = u"host"_s;
    if (hasImage && !images.isEmpty()) {
        prepared.document.runIn = images;
        noteLogins(prepared);
    } else if (hasImage) {
        prepared.notes.append(
            JobNote{u"slurm.image-unused"_s, {{u"target"_s, m_target.id()}, {u"name"_s, m_target.name}}});
    }
    return {};
}

// Pyxis has logins of its own, in a file of the user on the nodes: a password here is not handed to it.
void SlurmBackend::noteLogins(Prepared &prepared) const
{
    if (prepared.document.runIn != pyxisImages) {
        return;
    }
    for (const TaskRole &role : prepared.spec.taskRoles) {
        const Prerequisite *image = prepared.spec.prerequisite(u"dockerimage"_s, role.dockerImage);
        if (image && image->auth) {
            prepared.notes.append(JobNote{u"slurm.image-login"_s, {{u"target"_s, m_target.id()}}});
            return;
        }
    }
}

static std::vector<core::TaskRef> tasksOf(const core::JobPolicy &policy)
{
    std::vector<core::TaskRef> tasks;
    for (std::size_t role = 0; role < policy.roles.size(); ++role) {
        for (int index = 0; index < policy.roles[role].instances; ++index) {
            tasks.push_back({int(role), index});
        }
    }
    return tasks;
}

// Slurm takes also a job that asks for more time than its partition allows, and never starts it.
void SlurmBackend::noteTime(Prepared &prepared) const
{
    const slurm::ScriptInput input = inputFor(prepared.policy, tasksOf(prepared.policy), &prepared.spec);
    QJsonObject args = slurm::timeOfJobThatNeverFits(input, m_partitions);
    if (args.isEmpty()) {
        return;
    }
    args.insert(u"target"_s, m_target.id());
    if (input.limitMs == 0) {
        prepared.notes.append(JobNote{u"slurm.time-too-long"_s, args});
        return;
    }
    args.insert(u"minutes"_s, qint64(contract::minutesToAsk(input.limitMs, input.graceMs)));
    args.insert(u"spare"_s, qint64(contract::minutesToAsk(0, 0)));
    prepared.notes.append(JobNote{u"slurm.job-time-too-long"_s, args});
}

// A note of a gang whose roles ask for different resources: Slurm takes it also when it never starts.
void SlurmBackend::noteComponents(Prepared &prepared) const
{
    const slurm::Layout layout = slurm::layoutOf(prepared.policy, tasksOf(prepared.policy));
    if (prepared.policy.gang && layout.components.size() > 1) {
        const QJsonArray known = slurm::partitionsOf(m_partitions, m_target.options);
        prepared.notes.append(JobNote{u"slurm.components"_s,
            {{u"target"_s, m_target.id()}, {u"components"_s, int(layout.components.size())},
                {u"needed"_s, slurm::leastNodesFor(layout, slurm::largestOf(known))}}});
    }
}

Result<void> SlurmBackend::settle(Prepared &prepared) const
{
    if (const Result<void> good = settleData(prepared); !good) {
        return good;
    }
    noteComponents(prepared);
    prepared.notes.append(slurm::unheardNotes(prepared.policy, m_target.id()));
    noteTime(prepared);
    if (m_site) {
        return settleElsewhere(prepared);
    }
    const QString &work = prepared.document.work;
    const QString folder = work.startsWith("~/"_L1) ? QDir::homePath() + work.mid(1) : work;
    if (!folder.isEmpty() && !QFileInfo(folder).isDir()) {
        return fail(
            QFileInfo::exists(folder) ? u"job.work-no-folder"_s : u"job.work-missing"_s, {{u"folder"_s, folder}});
    }
    if (const ResultsRule &rule = prepared.spec.trainyard.results;
        !rule.files.isEmpty() && !rule.to.isEmpty() && !folder.isEmpty()) {
        prepared.notes.append(JobNote{u"results.stay"_s, {{u"folder"_s, folder}, {u"to"_s, rule.to}}});
    }
    for (core::RolePolicy &role : prepared.policy.roles) {
        role.needs.gpuType.clear(); // the words of the pool; the target's options choose among the cluster's
    }
    return {};
}

Result<PlanReply> SlurmBackend::plan(const Prepared &prepared, const core::JobState &job) const
{
    SlurmLaunches launches(m_target, foldersOf(m_target, m_options.stateFolder), m_settings);
    if (m_site) {
        const QString root = m_site->rootFor(m_target.folder);
        if (root.isEmpty()) {
            return tl::unexpected<Error>(m_site->absence());
        }
        launches = SlurmLaunches(m_target, RunFolders(root), m_settings);
        launches.setElsewhere(m_site->home(), {});
    }
    supply(
        launches, m_site ? RunFolders(m_site->rootFor(m_target.folder)) : foldersOf(m_target, m_options.stateFolder));
    Result<PlanReply> reply = launches.plan(prepared, job);
    if (reply) {
        std::vector<core::TaskRef> tasks;
        for (std::size_t i = 0; i < job.tasks.size(); ++i) {
            tasks.push_back(job.refAt(i));
        }
        slurm::ScriptInput input = inputFor(job.policy, tasks, &prepared.spec);
        input.folder = u"…"_s;
        input.program = u"…/trainyard-agent"_s;
        reply->submission = QString::fromUtf8(slurm::submissionText(input, nameAtCluster(job), u"…"_s));
    }
    return reply;
}

} // namespace trainyard
