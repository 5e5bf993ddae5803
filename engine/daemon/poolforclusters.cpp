// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/poolforclusters.h"

#include "engine/client/paths.h"
#include "engine/clusters/jobsupply.h"
#include "engine/clusters/sitecode.h"
#include "engine/pool/codeplaces.h"
#include "engine/pool/poolbackend.h"
#include "engine/pool/sshkeys.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

SiteCode siteCodeOf(PoolBackend &backend, const QString &host, const QString &stateFolder, const QString &epoch)
{
    const auto at = [&backend, host] { return backend.hosts().find(host); };
    SiteCode code;
    code.isWanted = [stateFolder](const Prepared &prepared, const QString &folder) {
        const bool hasFiles = !prepared.document.work.isEmpty() || hasOtherFiles(prepared.document.file);
        return hasFiles && mayBeCopied(folder, {stateFolder, paths::runtimeFolder(), paths::configFolder()});
    };
    code.isAwaited = [&backend, at](const ActiveJob &job, const QUuid &tryUuid) {
        const PoolHost *there = at();
        return there && backend.code().isAwaited(job, *there, tryUuid);
    };
    code.problem = [&backend, at](const ActiveJob &job) {
        const PoolHost *there = at();
        return there ? backend.code().problemOn(job, *there) : std::nullopt;
    };
    code.reason = [&backend, host](const ActiveJob &job) { return backend.code().reasonOf(job, host); };
    code.folder = [&backend, at](const ActiveJob &job) {
        const PoolHost *there = at();
        return there ? backend.code().folderOn(job, *there) : QString();
    };
    code.place = [&backend, at](const QString &job, const StoredDocument &document) {
        const PoolHost *there = at();
        return there ? backend.code().workedOn(job, document, *there, {}) : QString();
    };
    code.isWorkCopied = [&backend, at](const ActiveJob &job, const QString &logFolder) {
        const PoolHost *there = at();
        return there && backend.code().worksInCopy(job, *there, logFolder);
    };
    code.attemptOpened = [&backend](const ActiveJob &job) { backend.code().attemptOpened(job); };
    code.forget = [&backend](const QUuid &job) { backend.code().forget(job); };
    code.remove = [stateFolder, epoch, at](const QString &job) {
        const RunFolders runs(stateFolder);
        if (const PoolHost *there = at(); there && there->mirrors) {
            there->mirrors->removeRemote(AgentFolders(runs, epoch).belowState(runs.ofJob(job)));
        }
    };
    return code;
}

JobSupply jobSupplyOf(PoolBackend &backend)
{
    JobSupply supply;
    supply.dataWants = dataWantsOf;
    supply.isDataAwaited
        = [&backend](const ActiveJob &job, core::TaskRef task, const SupplyPlace &at, const QUuid &tryUuid) {
              return backend.data().isAwaited(job, task, {at.named, at.host, at.cache}, tryUuid);
          };
    supply.dataProblem = [&backend](const QUuid &tryUuid) { return backend.data().problemOf(tryUuid); };
    supply.data = [&backend](const QUuid &tryUuid) { return backend.data().variablesOf(tryUuid); };
    supply.dataReason = [&backend](const ActiveJob &job) { return backend.data().reasonOf(job); };
    supply.endData = [&backend](const QUuid &tryUuid) {
        backend.data().end(tryUuid);
        backend.forwards().end(tryUuid);
    };
    supply.forgetData = [&backend](const ActiveJob &job) { backend.data().forget(job); };
    supply.beginResults = [&backend](const ActiveJob &job, core::TaskRef task, const QUuid &tryUuid,
                              const QString &folder, const TaskFolder &files) {
        backend.beginResults(job, {task, tryUuid, folder, files.host, files.work});
    };
    supply.endResults = [&backend](const QUuid &tryUuid) { backend.endResults(tryUuid); };
    supply.results = [&backend](const QString &job) { return backend.results().of(job); };
    supply.isKeyAwaited
        = [&backend](const ActiveJob &job, const QUuid &tryUuid) { return backend.sshKeys().isAwaited(job, tryUuid); };
    supply.key = [&backend](const QUuid &job) {
        const JobSshKeys::Pair pair = backend.sshKeys().pairOf(job);
        return JobKey{pair.privateKey, pair.publicKey, pair.problem};
    };
    supply.forgetKey = [&backend](const QUuid &job) { backend.sshKeys().forget(job); };
    supply.user = [&backend](const QString &host) {
        const PoolHost *there = backend.hosts().find(host);
        return there && there->agent->wasOnline() ? QString::fromStdString(there->agent->hello().user) : QString();
    };
    return supply;
}

} // namespace trainyard
