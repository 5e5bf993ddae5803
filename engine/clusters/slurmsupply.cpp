// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/pathbytes.h"
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/contract/datatree.h"
#include "engine/contract/datause.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

// The supplies before an allocation is made: the data that a job names, and the key with which its tasks log in
// to each other (docs/adr/0029-data-and-keys-on-a-slurm-cluster.md).
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1StringView supplyHere{"local"};

} // namespace

// The helper of a step in an image runs as the user of the image, whose name the others would have to know.
Result<void> SlurmBackend::acceptPlugins(const JobSpec &spec, const QString &images) const
{
    return wantsSshKey(spec) && images == pyxisImages ? fail(u"slurm.ssh-pyxis"_s, {{u"target"_s, m_target.id()}})
                                                      : Result<void>();
}

// Data that is not here fails every try of its tasks. Files that an earlier job may make are not reported as missing
// yet, and data that the cluster has itself is checked there.
Result<void> SlurmBackend::settleData(const Prepared &prepared) const
{
    if (!m_options.supply || prepared.spec.trainyard.data.isEmpty()) {
        return {};
    }
    const SupplyPlace place = supplyPlace(RunFolders());
    for (const TaskRole &role : prepared.spec.taskRoles) {
        const QList<launch::DataWant> wants
            = m_options.supply->dataWants(prepared.spec, prepared.document, role.name, place.named);
        for (const launch::DataWant &want : wants) {
            if (!want.problem.code.isEmpty()) {
                return tl::unexpected<Error>(want.problem);
            }
            if (want.isCopied && prepared.after.empty() && !QFileInfo::exists(want.path)) {
                return fail(u"data.missing"_s,
                    {{u"name"_s, want.name}, {u"path"_s, want.path}, {u"on"_s, QString(supplyHere)},
                        {u"host"_s, m_target.id()}});
            }
        }
    }
    return {};
}

// Copies of one engine are in a folder of its own, so that only one computer at a time removes any of them.
SupplyPlace SlurmBackend::supplyPlace(const RunFolders &there) const
{
    SupplyPlace place;
    place.named = {m_target.id(), {m_target.name}, false, m_site ? m_site->home() : QDir::homePath()};
    place.host = m_site ? m_site->host() : QString(supplyHere);
    place.cache = QDir::cleanPath(m_site ? there.state() : there.state() + u"/cluster/"_s + m_options.ownName);
    if (m_site) {
        place.named.labels.append(m_site->host());
        place.named.home = place.named.home.isEmpty() ? u"~"_s : place.named.home;
    }
    return place;
}

void SlurmBackend::supply(SlurmLaunches &launches, const RunFolders &there) const
{
    if (m_options.supply) {
        const SupplyPlace place = supplyPlace(there);
        launches.setSupply(m_options.supply, place, m_options.supply->user(place.host));
    }
}

// Its tasks go to the cluster when all of it is there; those of a gang together.
bool SlurmBackend::isHeldForSupply(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    const bool hasData = job.spec && !job.spec->trainyard.data.isEmpty();
    if (!m_options.supply || !m_options.supply->beginResults || !job.spec || (!hasData && !wantsSshKey(*job.spec))) {
        return false;
    }
    if (hasData) {
        // Whatever the settings say by the time when it is there.
        if (const Result<void> noted = noteFolder(job.uuid()); !noted) {
            refuse(job, tasks, noted.error(), slurm::codeNotStarted);
            return true;
        }
        if (!m_site) {
            QDir().mkpath(
                foldersThere(job.uuid()).state()); // or it is taken for away by an engine that starts meanwhile
        }
    }
    const SupplyPlace place = supplyPlace(foldersThere(job.uuid()));
    // The host reports the user there when it is reached.
    bool isAwaited = wantsSshKey(*job.spec) && m_options.supply->user(place.host).isEmpty();
    std::optional<Error> problem;
    for (const core::TaskRef task : tasks) {
        const QUuid tryUuid = core::tryUuid(job.state, task);
        isAwaited = m_options.supply->isKeyAwaited(job, tryUuid) || isAwaited;
        if (hasData) {
            isAwaited = m_options.supply->isDataAwaited(job, task, place, tryUuid) || isAwaited;
            problem = problem ? problem : m_options.supply->dataProblem(tryUuid);
        }
    }
    if (problem) {
        refuse(job, tasks, *problem, slurm::codeNoFolder);
        return true;
    }
    if (isAwaited) {
        hold(job, tasks);
    }
    return isAwaited;
}

// The job has ended: its key is useless, and copies that it needed may be removed when there is no more room.
void SlurmBackend::endSupply(const ActiveJob &job)
{
    if (m_options.supply) {
        m_options.supply->forgetKey(job.state.uuid);
        dropDataUses(job.uuid());
    }
}

// A login node is asked to, with what is removed there at the end of a job.
void SlurmBackend::dropDataUses(const QString &job) const
{
    if (!m_site && QFileInfo::exists(folderNote(job))) {
        const QString cache = supplyPlace(foldersThere(job)).cache;
        contract::dropDataUses(contract::dataFolder(pathBytes(cache)), job.toStdString());
    }
}

// Its files are brought here, if its job asks for that and they are not here already.
void SlurmBackend::noteResults(const LiveTask &entry, const QUuid &tryUuid) const
{
    const ActiveJob &job = *entry.job;
    if (!m_options.supply || !job.spec || job.spec->trainyard.results.files.isEmpty()) {
        return;
    }
    const Result<TaskFolder> files = filesOf({}, entry.folder, job.document);
    const bool isSeenHere = m_site && job.document.copiesWork && !m_code->isWorkCopied(job, entry.folder);
    if (files && !files->isHere && !isSeenHere) {
        m_options.supply->beginResults(job, entry.task, tryUuid, entry.folder, *files);
    }
}

QList<BroughtFiles> SlurmBackend::broughtFiles(const QString &job) const
{
    return m_options.supply && m_options.supply->results ? m_options.supply->results(job) : QList<BroughtFiles>();
}

} // namespace trainyard
