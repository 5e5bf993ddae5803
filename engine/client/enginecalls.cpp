// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/usage.h"
#include "engine/client/pendingcall.h"

namespace trainyard
{

template <typename Call>
void EngineClient::call(const typename Call::Request &request, QObject *context, Reply<typename Call::Reply> reply)
{
    send(pendingFor<Call>(context ? context : this, std::move(reply)), api::encodedRequest<Call>(request));
}

#define TRAINYARD_CALL(name)                                                                                           \
    template void EngineClient::call<api::name>(const api::name::Request &, QObject *, Reply<api::name::Reply>);

TRAINYARD_CALL(AddHost)
TRAINYARD_CALL(Answer)
TRAINYARD_CALL(AnswerCopy)
TRAINYARD_CALL(ApproveProposal)
TRAINYARD_CALL(ChangeClusterTags)
TRAINYARD_CALL(ChangeHost)
TRAINYARD_CALL(CheckHost)
TRAINYARD_CALL(CheckTarget)
TRAINYARD_CALL(CleanHost)
TRAINYARD_CALL(FindJob)
TRAINYARD_CALL(ForwardPort)
TRAINYARD_CALL(GetClusterDocument)
TRAINYARD_CALL(GetHostEnvironments)
TRAINYARD_CALL(GetHostFiles)
TRAINYARD_CALL(GetHostHistory)
TRAINYARD_CALL(GetJob)
TRAINYARD_CALL(GetLogPath)
TRAINYARD_CALL(GetOutline)
TRAINYARD_CALL(GetProposal)
TRAINYARD_CALL(GetRemovals)
TRAINYARD_CALL(GetSettings)
TRAINYARD_CALL(GetStatus)
TRAINYARD_CALL(GetSyncProgress)
TRAINYARD_CALL(GetTaskFolder)
TRAINYARD_CALL(GetUsage)
TRAINYARD_CALL(HandOver)
TRAINYARD_CALL(Hello)
TRAINYARD_CALL(ListAttempts)
TRAINYARD_CALL(ListClusterJobs)
TRAINYARD_CALL(ListContexts)
TRAINYARD_CALL(ListHosts)
TRAINYARD_CALL(ListJobs)
TRAINYARD_CALL(ListPendingFiles)
TRAINYARD_CALL(ListPorts)
TRAINYARD_CALL(ListProposals)
TRAINYARD_CALL(ListTargets)
TRAINYARD_CALL(ListTaskFiles)
TRAINYARD_CALL(ListTasks)
TRAINYARD_CALL(ListTries)
TRAINYARD_CALL(LogInToTarget)
TRAINYARD_CALL(Move)
TRAINYARD_CALL(Pause)
TRAINYARD_CALL(Ping)
TRAINYARD_CALL(Plan)
TRAINYARD_CALL(ProposeJob)
TRAINYARD_CALL(ProposeStop)
TRAINYARD_CALL(ReadTaskFile)
TRAINYARD_CALL(RefuseProposal)
TRAINYARD_CALL(Release)
TRAINYARD_CALL(ReleaseHost)
TRAINYARD_CALL(Remove)
TRAINYARD_CALL(RemoveHost)
TRAINYARD_CALL(Retry)
TRAINYARD_CALL(SetHost)
TRAINYARD_CALL(SetLabels)
TRAINYARD_CALL(SetPriority)
TRAINYARD_CALL(SetSetting)
TRAINYARD_CALL(SetTargetToken)
TRAINYARD_CALL(Stop)
TRAINYARD_CALL(StopEngine)
TRAINYARD_CALL(StopForward)
TRAINYARD_CALL(Submit)
TRAINYARD_CALL(SubmitProposal)
TRAINYARD_CALL(Subscribe)
TRAINYARD_CALL(SyncCode)
TRAINYARD_CALL(Watch)

#undef TRAINYARD_CALL

} // namespace trainyard
