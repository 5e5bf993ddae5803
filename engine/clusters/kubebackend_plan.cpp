// SPDX-License-Identifier: GPL-3.0-or-later
// What a cluster can report about a job before it exists.
#include "engine/clusters/kubebackend.h"
#include "model/export/jobset.h"
#include "model/template/pluginsteps.h"

#include <unistd.h>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

Result<void> KubeBackend::accept(Prepared &prepared, const SubmitRequest &request) const
{
    const JobSpec &spec = prepared.spec;
    const QJsonObject target{{u"target"_s, m_target.id()}};
    if (!m_isNamed) {
        return fail(u"kubernetes.removed"_s, target);
    }
    if (!m_target.problem.code.isEmpty()) {
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        return tl::unexpected<Error>(problem);
    }
    const QStringList &options = m_target.options;
    const bool isElsewhere = m_place && !m_place->isEmpty() && !m_sets.empty()
        && std::any_of(options.cbegin(), options.cend(),
            [this](const QString &each) { return kube::saysPlace(each) && !m_place->contains(each); });
    if (isElsewhere) {
        return fail(u"kubernetes.place-busy"_s, target);
    }
    const QString runIn = request.runIn.isEmpty() ? spec.trainyard.runIn : request.runIn;
    if (!runIn.isEmpty()) {
        return fail(u"kubernetes.run-in"_s, {{u"target"_s, m_target.id()}, {u"runIn"_s, runIn}});
    }
    if (wantsSshKey(spec)) {
        return fail(u"kubernetes.no-ssh-plugin"_s, target);
    }
    if (!spec.trainyard.data.isEmpty() || !storagesOf(spec).isEmpty()) {
        return fail(u"kubernetes.no-data"_s, target);
    }
    JobSetRequest wanted;
    wanted.name = kubeSetName({});
    wanted.withSecrets = false;
    for (qsizetype role = 0; role < spec.taskRoles.size(); ++role) {
        wanted.tasks.append({role, 0});
    }
    const Result<JobSetManifest> manifest = jobSetManifest(spec, wanted);
    if (!manifest) {
        Error error = manifest.error();
        const bool isOne = error.code == "export.no-image"_L1;
        if (isOne || error.code == "export.no-images"_L1) {
            error.code = isOne ? u"kubernetes.no-image"_s : u"kubernetes.no-images"_s;
            error.args.insert(u"target"_s, m_target.id());
        }
        return tl::unexpected<Error>(error);
    }
    prepared.document.target = m_target.id();
    prepared.document.runIn.clear();
    prepared.notes.append(JobNote{u"kubernetes.no-copy"_s, target});
    for (const ExportNote &note : manifest->notes) {
        if (note.code == "export.plugin"_L1) {
            prepared.notes.append(JobNote{u"kubernetes.plugin-unused"_s,
                {{u"target"_s, m_target.id()}, {u"plugin"_s, note.args.value("plugin"_L1)},
                    {u"role"_s, note.args.value("role"_L1)}}});
        } else if (note.code == "export.login"_L1) {
            prepared.notes.append(JobNote{u"kubernetes.login-unused"_s,
                {{u"target"_s, m_target.id()}, {u"image"_s, note.args.value("image"_L1)}}});
        }
    }
    return {};
}

Result<void> KubeBackend::settle(Prepared &prepared) const
{
    for (core::RolePolicy &role : prepared.policy.roles) {
        role.needs.gpuType.clear(); // the words of the pool
    }
    return {};
}

Result<PlanReply> KubeBackend::plan(const Prepared &prepared, const core::JobState &state) const
{
    const JobSpec &spec = prepared.spec;
    JobSetRequest wanted;
    wanted.name = kubeSetName(state.uuid);
    wanted.queue = m_target.queue;
    wanted.jobId = state.uuid.toString(QUuid::WithoutBraces);
    wanted.withSecrets = false;
    for (qsizetype role = 0; role < spec.taskRoles.size(); ++role) {
        for (qint64 index = 0; index < spec.taskRoles.at(role).instances; ++index) {
            wanted.tasks.append({role, index});
        }
    }
    const Result<JobSetManifest> manifest = jobSetManifest(spec, wanted);
    if (!manifest) {
        return tl::unexpected<Error>(manifest.error());
    }
    PlanReply reply;
    for (const JobSetRequest::Task &each : std::as_const(wanted.tasks)) {
        const TaskRole &role = spec.taskRoles.at(each.role);
        const Prerequisite *image = spec.prerequisite(u"dockerimage"_s, role.dockerImage);
        PlannedTask task;
        task.role = role.name;
        task.index = int(each.index);
        task.host = m_target.id();
        task.image = image ? image->uri.value(0) : QString();
        task.shmMiB = role.effectiveShmMiB();
        if (reply.tasks.isEmpty()) { // it is all in one text
            task.script = QString::fromUtf8(manifest->text);
        }
        reply.tasks.append(task);
    }
    return reply;
}

} // namespace trainyard
