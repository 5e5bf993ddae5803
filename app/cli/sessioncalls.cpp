// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"
#include "engine/api/usage.h"

#include <QEventLoop>

namespace trainyard::cli
{

template <typename Call> Result<typename Call::Reply> Session::callOnce(const typename Call::Request &request)
{
    std::optional<Result<typename Call::Reply>> answer;
    QEventLoop loop;
    m_client.call<Call>(request, context(), [&](const Result<typename Call::Reply> &result) {
        answer = result;
        loop.quit();
    });
    if (!answer) {
        loop.exec();
    }
    return *answer;
}

template <typename Call>
Result<typename Call::Reply> Session::call(const typename Call::Request &request, const QString &what)
{
    const Progress progress(what);
    for (int lost = 1;; ++lost) {
        Result<typename Call::Reply> answer = callOnce<Call>(request);
        const bool isLost = !answer && answer.error().code == QLatin1String("engine.gone");
        if (!Call::isReading || !isLost || lost >= EngineClient::mostLosses || !isComingBack()) {
            return answer;
        }
    }
}

#define TRAINYARD_CALL(name)                                                                                           \
    template Result<api::name::Reply> Session::call<api::name>(const api::name::Request &, const QString &);

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
TRAINYARD_CALL(ListClusterJobs)
TRAINYARD_CALL(ListHosts)
TRAINYARD_CALL(ListJobs)
TRAINYARD_CALL(ListPorts)
TRAINYARD_CALL(ListProposals)
TRAINYARD_CALL(ListTargets)
TRAINYARD_CALL(ListTasks)
TRAINYARD_CALL(ListTries)
TRAINYARD_CALL(Move)
TRAINYARD_CALL(Pause)
TRAINYARD_CALL(Ping)
TRAINYARD_CALL(ProposeJob)
TRAINYARD_CALL(ProposeStop)
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
TRAINYARD_CALL(SyncCode)

#undef TRAINYARD_CALL

} // namespace trainyard::cli
