// SPDX-License-Identifier: GPL-3.0-or-later
// The decisions before a job exists: whether it can be accepted, where it works, and which notes it gets.
#include "engine/backend/clock.h"
#include "engine/client/paths.h"
#include "engine/pool/codeplaces.h"
#include "engine/pool/dataservice.h"
#include "engine/pool/launchmaker.h"
#include "engine/pool/poolplanner.h"
#include "engine/pool/wantedfolder.h"
#include "model/protocol/gpunames.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <climits>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// Tasks in a folder of the user on this computer write there, so a folder for results gets nothing.
void noteResults(Prepared &prepared, const PoolHost &here)
{
    const ResultsRule &rule = prepared.spec.trainyard.results;
    const QString folder = AgentFolders::workOn(here, prepared.document);
    if (!rule.files.isEmpty() && !rule.to.isEmpty() && !folder.isEmpty()) {
        prepared.notes.append(JobNote{u"results.stay"_s, {{u"folder"_s, folder}, {u"to"_s, rule.to}}});
    }
}

// Nothing comes back from a copy by itself unless the job says so. The number of the job is not known yet: the reply to
// its submission has it in this place.
void noteStaying(Prepared &prepared)
{
    const StoredDocument &document = prepared.document;
    if (document.copiesWork && prepared.spec.trainyard.results.files.isEmpty()) {
        prepared.notes.append(JobNote{document.target.isEmpty() ? u"results.on-hosts"_s : u"results.on-host"_s,
            {{u"host"_s, document.target}, {u"job"_s, u"JOB"_s}}});
    }
}

} // namespace

Result<void> PoolPlanner::accept(Prepared &prepared, const SubmitRequest &request) const
{
    const JobSpec &spec = prepared.spec;
    // An older engine may have let hosts have these names.
    const bool isKnown = m_hosts.find(prepared.host);
    prepared.isAnywhere = prepared.host == anyHost && !isKnown;
    const bool isAny = prepared.isAnywhere || (prepared.host == core::poolTarget && !isKnown);
    const QString target = isAny ? QString() : prepared.host;
    if (!target.isEmpty() && !m_hosts.find(target)) {
        return fail(u"host.unknown"_s, {{u"host"_s, target}});
    }
    const Result<QString> runIn
        = m_images.checkRunIn(spec, request.runIn.isEmpty() ? spec.trainyard.runIn : request.runIn, target);
    if (!runIn) {
        return tl::unexpected<Error>(runIn.error());
    }
    for (const TaskRole &role : spec.taskRoles) {
        if (const Result<launch::RoleProgram> program = launch::programOf(spec, role); !program) {
            return tl::unexpected<Error>(program.error());
        }
    }
    const bool mayBeHere = target.isEmpty() || target == "local"_L1;
    const QMap<QString, QString> folders = m_settings.texts(u"storages."_s);
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        // Elsewhere it may be mounted already; the task looks.
        if (mayBeHere && !folders.contains(storage.name) && !QFileInfo(storage.place).isDir()) {
            return fail(u"storage.unmapped"_s, {{u"name"_s, storage.name}});
        }
    }
    prepared.document.target = target;
    prepared.document.runIn = *runIn;
    return {};
}

Result<void> PoolPlanner::settle(Prepared &prepared) const
{
    settleGpuTypes(prepared);
    noteHosts(prepared);
    const StoredDocument &document = prepared.document;
    const bool isHere = document.target == "local"_L1 || (document.target.isEmpty() && m_hosts.all().size() <= 1);
    if (const Result<void> isThere = checkWantedFolder(prepared, *m_hosts.all().front(), isHere); !isThere) {
        return isThere;
    }
    settlePlace(prepared);
    if (isHere || document.target == "local"_L1) { // which it may be only now
        noteResults(prepared, *m_hosts.all().front());
    }
    const Result<void> workFits = checkWork(prepared);
    return workFits ? checkData(prepared) : workFits;
}

// The reasons for which no task could begin in its work folder, or for which the folder does not stay, are known now.
Result<void> PoolPlanner::checkWork(const Prepared &prepared) const
{
    const StoredDocument &document = prepared.document;
    const PoolHost *at = m_hosts.find(document.target);
    const PoolHost &host = at ? *at : *m_hosts.all().front();
    const QString folder = QDir::cleanPath(AgentFolders::workOn(host, document));
    if (!folder.startsWith(u'/')) {
        return {};
    }
    const QList<TaskRole> &roles = prepared.spec.taskRoles;
    const bool inContainer = std::any_of(roles.cbegin(), roles.cend(),
        [&](const TaskRole &role) { return !m_images.runtimeOf(document.runIn, role, &host).isEmpty(); });
    if (inContainer && launch::isSystemFolder(folder)) {
        return fail(u"launch.container-work"_s, {{u"detail"_s, folder}});
    }
    if (!host.isLocal()) {
        return {};
    }
    const QString real = QFileInfo(folder).canonicalFilePath();
    const auto isBelow = [&real](const QString &own) {
        const QString place = QFileInfo(own).canonicalFilePath();
        return !place.isEmpty() && (real == place || real.startsWith(place + u'/'));
    };
    for (const QString &own :
        {m_folders.state(), paths::stateFolder(), paths::runtimeFolder(), paths::configFolder()}) {
        // Files that a task of an earlier job left in its own folder may be of use.
        if (isBelow(own) && !isBelow(m_folders.runs())) {
            return fail(u"job.work-own"_s, {{u"folder"_s, folder}, {u"own"_s, own}});
        }
    }
    return {};
}

// Data that no host can have fails every try of its tasks. Files that an earlier job may make here are not reported as
// missing yet, and data that hosts have themselves is checked there.
Result<void> PoolPlanner::checkData(const Prepared &prepared) const
{
    const auto problemAt = [&](const launch::DataWant &want, const PoolHost &host) {
        const bool isHere = want.isCopied || host.isLocal();
        if (!want.problem.code.isEmpty() || !isHere || !prepared.after.empty() || QFileInfo::exists(want.path)) {
            return want.problem;
        }
        return Error{u"data.missing"_s,
            {{u"name"_s, want.name}, {u"path"_s, want.path}, {u"on"_s, u"local"_s}, {u"host"_s, host.id}}};
    };
    for (const TaskRole &role : prepared.spec.taskRoles) {
        QMap<QString, std::optional<Error>> problems; // by the name of data; nothing: a host can have it
        for (const auto &host : m_hosts.all()) {
            const QString &only = prepared.document.target;
            if (!only.isEmpty() && host->id != only) {
                continue;
            }
            const QList<launch::DataWant> wants
                = dataWantsOf(prepared.spec, prepared.document, role.name, dataPlaceOf(*host).named);
            for (const launch::DataWant &want : wants) {
                const Error problem = problemAt(want, *host);
                if (problem.code.isEmpty()) {
                    problems.insert(want.name, std::nullopt);
                } else if (!problems.contains(want.name)) {
                    problems.insert(want.name, problem);
                }
            }
        }
        for (const std::optional<Error> &problem : std::as_const(problems)) {
            if (problem) {
                return tl::unexpected<Error>(*problem);
            }
        }
    }
    return {};
}

// A job that has a work folder here stays here, unless a host was chosen or it can never run here. Then a copy of the
// folder goes along, or a note says that it does not.
void PoolPlanner::settlePlace(Prepared &prepared) const
{
    StoredDocument &document = prepared.document;
    if (document.target == "local"_L1) {
        return;
    }
    const bool isNamed = !document.work.isEmpty();
    const QString folder = isNamed ? document.work
        : document.file.isEmpty()  ? QString()
                                   : QFileInfo(document.file).path();
    if (!folder.startsWith(u'/') || !QFileInfo(folder).isDir()) {
        return; // one of each host's own
    }
    if (document.target.isEmpty() && !prepared.isAnywhere) {
        const core::JobState asked = core::submitted(QUuid::createUuid(), {}, prepared.policy, nowMs()).job;
        core::NodeSelector here = whereOf(document, &prepared.spec);
        here.onlyHost = u"local"_s;
        if (!neverFits(asked, prepared.spec, here)) {
            document.target = u"local"_s; // also for hosts that are added while it waits
            return;
        }
    }
    const bool hasFiles = isNamed || hasOtherFiles(document.file);
    document.copiesWork = hasFiles && copiesWork(prepared.spec)
        && mayBeCopied(folder, {m_folders.state(), paths::runtimeFolder(), paths::configFolder()});
    const PoolHost *only = document.target.isEmpty() ? nullptr : m_hosts.find(document.target);
    if (document.copiesWork && only && m_code.wasShared(*only, folder)) {
        prepared.notes.append(JobNote{u"work.shared"_s, {{u"folder"_s, folder}, {u"host"_s, document.target}}});
    } else if (hasFiles && m_hosts.all().size() > 1) {
        const QString code = document.copiesWork ? u"work.copied"_s : u"work.stays"_s;
        const QString which = document.target.isEmpty()        ? u"-anywhere"_s
            : document.copiesWork && awayHost(document.target) ? u"-later"_s
                                                               : QString();
        prepared.notes.append(JobNote{QString(code + which), {{u"folder"_s, folder}, {u"host"_s, document.target}}});
        noteStaying(prepared);
    }
}

// A type of GPU binds when a host where the job may run has one, or may have: one that was not reached yet. Otherwise
// it is taken to be a cluster's own word, which says nothing about the GPUs here, and a note says so.
void PoolPlanner::settleGpuTypes(Prepared &prepared) const
{
    const core::NodeSelector where = whereOf(prepared.document, &prepared.spec);
    QStringList names;
    bool allKnown = true;
    for (const auto &one : m_hosts.all()) {
        if (!where.onlyHost.isEmpty() && one->id != where.onlyHost) {
            continue;
        }
        allKnown = allKnown && one->agent->wasOnline();
        for (const core::GpuSlot &gpu : one->capacity.gpus) {
            if (!gpu.excluded && !names.contains(gpu.name)) {
                names.append(gpu.name);
            }
        }
    }
    for (core::RolePolicy &role : prepared.policy.roles) {
        QString &type = role.needs.gpuType;
        const bool isHere = std::any_of(
            names.cbegin(), names.cend(), [&type](const QString &name) { return isGpuOfType(name, type); });
        if (!type.isEmpty() && !isHere && allKnown && !names.isEmpty()) {
            prepared.notes.append(JobNote{
                u"gpu.type-nowhere"_s, {{u"role"_s, role.name}, {u"type"_s, type}, {u"names"_s, names.join(u", "_s)}}});
            type.clear();
        }
    }
}

// Notes that are possible at once: the requested host is away, or there are fewer cores than one task, or all tasks
// together, ask for.
void PoolPlanner::noteHosts(Prepared &prepared) const
{
    const QString &target = prepared.document.target;
    if (const PoolHost *away = awayHost(target)) {
        const Error &why = away->agent->error();
        prepared.notes.append(JobNote{u"host.away"_s,
            {{u"host"_s, target}, {u"error"_s, QJsonObject{{u"code"_s, why.code}, {u"args"_s, why.args}}}}});
    }
    const core::NodeSelector where = whereOf(prepared.document, &prepared.spec);
    const PoolHost *widest = nullptr;
    qint64 cores = 0;
    for (const auto &one : m_hosts.all()) {
        if (!one->agent->wasOnline() || !where.allows(one->capacity)) {
            continue;
        }
        cores += one->capacity.cpus;
        if (!widest || one->capacity.cpus > widest->capacity.cpus) {
            widest = one.get();
        }
    }
    if (!widest) {
        return;
    }
    const qsizetype before = prepared.notes.size();
    qint64 together = 0;
    for (const TaskRole &role : prepared.spec.taskRoles) {
        together += role.instances * std::min<qint64>(role.resources.cpu, INT_MAX); // no product overflows
        if (role.resources.cpu > widest->capacity.cpus) {
            prepared.notes.append(JobNote{u"cpu.more-than-there"_s,
                {{u"role"_s, role.name}, {u"wanted"_s, role.resources.cpu}, {u"most"_s, widest->capacity.cpus},
                    {u"host"_s, widest->id}}});
        }
    }
    if (together > cores && prepared.notes.size() == before) {
        prepared.notes.append(
            JobNote{u"cpu.more-than-there-together"_s, {{u"wanted"_s, together}, {u"most"_s, cores}}});
    }
}

} // namespace trainyard
