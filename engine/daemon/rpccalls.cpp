// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/rpccalls.h"

#include "engine/api/valuetext.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/lingering.h"
#include "engine/daemon/rpcsession.h"

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int mostTasksAtOnce = 5000; // in one answer
constexpr int mostJobs = 5000;
constexpr int mostOutlined = 500; // of each role and state
constexpr qsizetype mostBytesOfPlan = 4 << 20;
constexpr qsizetype mostBytesOfJobs = 12 << 20;

// A limit as a client gives it, inside what one message can bear.
int within(int limit, int most) { return limit <= 0 ? most : std::min(limit, most); }

template <typename Call> using Answer = std::function<void(const Result<typename Call::Reply> &)>;

// A handler takes the engine or the session, and the request. It returns the reply, or takes what it is to answer
// later.
template <typename Call, typename Handler> std::pair<QString, RpcRow> row(Handler handler)
{
    using Request = typename Call::Request;
    const auto handle = [handler](RpcSession &session, const QJsonObject &params, const RpcAnswer &answer) {
        const Result<Request> request = api::decodedRequest<Call>(params);
        if (!request) {
            answer(tl::unexpected(request.error()));
            return;
        }
        const Answer<Call> reply = [answer](const Result<typename Call::Reply> &result) {
            if (result) {
                answer(api::encodedReply<Call>(*result));
            } else {
                answer(tl::unexpected(result.error()));
            }
        };
        if constexpr (std::is_invocable_v<Handler, RpcSession &, const Request &, const Answer<Call> &>) {
            std::invoke(handler, session, *request, reply);
        } else if constexpr (std::is_invocable_v<Handler, RpcSession &, const Request &>) {
            reply(std::invoke(handler, session, *request));
        } else {
            reply(handler(session.engine(), *request));
        }
    };
    return {Call::name, {Call::isBeforeGreeting, Call::isReading, Call::isForAssistants, handle}};
}

// Submissions wait until the inventory is known: before, it cannot be told what is impossible here. Meanwhile someone
// may have asked for the end of all jobs, which would not know of one more.
template <typename Call, typename Begin>
void beginWhenReady(
    RpcSession &session, const typename Call::Request &request, const Answer<Call> &answer, const Begin &begin)
{
    const auto beginNow = [&session, request, answer, begin] {
        if (session.host().isStopping()) {
            answer(fail(u"engine.leaving"_s));
        } else {
            answer(std::invoke(begin, session.engine(), request));
        }
    };
    if (session.host().isStopping()) {
        beginNow(); // is refused at once
    } else {
        session.engine().whenReady(&session, beginNow);
    }
}

// Ten thousand tasks with their scripts do not fit into one message; the first ones tell what is to be seen.
Result<PlanReply> shortPlan(const Engine &engine, const SubmitRequest &request)
{
    Result<PlanReply> reply = engine.plan(request);
    const qsizetype all = reply ? reply->tasks.size() : 0;
    qsizetype bytes = 0;
    for (qsizetype i = 0; i < all; ++i) {
        const PlannedTask &task = reply->tasks.at(i);
        bytes += task.script.size() + 200;
        for (const auto &[name, value] : task.environment) {
            bytes += name.size() + value.size() + 8;
        }
        if (bytes > mostBytesOfPlan && i > 0) {
            reply->tasks.resize(i);
            reply->omittedTasks = all - i;
            break;
        }
    }
    return reply;
}

// Without a limit of the client, one message decides how many there are.
QList<JobSummary> fittingJobs(QList<JobSummary> jobs)
{
    qsizetype bytes = 0;
    for (qsizetype i = 0; i < jobs.size(); ++i) {
        bytes += jsonText(jobs.at(i)).size();
        if (bytes > mostBytesOfJobs) {
            jobs.resize(std::max<qsizetype>(1, i));
        }
    }
    return jobs;
}

void tellStatus(RpcSession &session, const api::Nothing &, const Answer<api::GetStatus> &answer)
{
    askForLingering(&session, [&session, answer](std::optional<bool> lingers) {
        EngineStatus status = session.engine().status();
        status.clients = session.host().clientCount();
        status.version = session.host().version();
        status.lingers = lingers;
        answer(status);
    });
}

} // namespace

const QHash<QString, RpcRow> &rpcRows()
{
    static const QHash<QString, RpcRow> rows{
        row<api::Hello>(&RpcSession::greet),
        row<api::Ping>([](Engine &, const api::Nothing &) { return true; }),
        row<api::Subscribe>(&RpcSession::subscribe),
        row<api::Watch>(&RpcSession::watch),

        row<api::Submit>([](RpcSession &s, const SubmitRequest &request, const Answer<api::Submit> &answer) {
            beginWhenReady<api::Submit>(s, request, answer, &Engine::submit);
        }),
        row<api::Retry>([](RpcSession &s, const RetryRequest &request, const Answer<api::Retry> &answer) {
            beginWhenReady<api::Retry>(s, request, answer, &Engine::retry);
        }),
        row<api::Plan>([](RpcSession &s, const SubmitRequest &request, const Answer<api::Plan> &answer) {
            s.engine().whenReady(&s, [&s, request, answer] { answer(shortPlan(s.engine(), request)); });
        }),

        row<api::ListJobs>([](Engine &engine, const api::JobPage &page) {
            const Result<QList<JobSummary>> jobs = engine.jobs(page.filter, page.before, within(page.limit, mostJobs));
            return jobs && page.limit <= 0 ? Result<QList<JobSummary>>(fittingJobs(*jobs)) : jobs;
        }),
        row<api::GetJob>([](Engine &engine, const api::Id &job) { return engine.job(job.id); }),
        row<api::FindJob>([](Engine &engine, const api::Word &job) { return engine.findJob(job.word); }),
        row<api::ListTasks>([](Engine &engine, const api::TaskPage &page) {
            return engine.tasks(page.id, page.attempt, std::max(0, page.from), within(page.limit, mostTasksAtOnce));
        }),
        row<api::ListTries>([](Engine &engine, const api::TaskPage &page) {
            return engine.earlierTries(
                page.id, page.attempt, std::max(0, page.from), within(page.limit, mostTasksAtOnce));
        }),
        row<api::GetOutline>([](Engine &engine, const api::OutlineOf &of) {
            return engine.outline(of.id, of.attempt, within(of.limit, mostOutlined));
        }),
        row<api::ListAttempts>([](Engine &engine, const api::Id &job) {
            return engine.job(job.id).map([](const JobDetail &detail) { return detail.attempts; });
        }),
        row<api::GetLogPath>([](Engine &engine, const api::TryOf &of) {
            return engine.logFolder(of.id, of.role, of.index, of.attempt, of.taskTry);
        }),
        row<api::GetTaskFolder>([](Engine &engine, const api::TaskOfAttempt &of) {
            return engine.taskFolder(of.id, of.role, of.index, of.attempt);
        }),

        row<api::ListTaskFiles>(
            [](RpcSession &s, const api::FilesWanted &wanted, const Answer<api::ListTaskFiles> &answer) {
                s.engine().filesOfTask(wanted, &s, answer);
            }),
        row<api::ReadTaskFile>(
            [](RpcSession &s, const api::PieceWanted &wanted, const Answer<api::ReadTaskFile> &answer) {
                s.engine().pieceOfFile(wanted, &s, answer);
            }),

        row<api::ListPendingFiles>(
            [](Engine &engine, const api::JobIds &jobs) { return engine.pendingFiles(jobs.ids); }),

        row<api::Stop>([](Engine &engine, const api::EndOfJob &job) {
            return job.giveUp ? engine.giveUp(job.id) : engine.stop(job.id, job.now);
        }),
        row<api::Pause>([](Engine &engine, const api::Switch &job) { return engine.pause(job.id, job.on); }),
        row<api::Release>([](Engine &engine, const api::TasksOf &of) { return engine.release(of.id, of.tasks); }),
        row<api::SetPriority>(
            [](Engine &engine, const api::NewPriority &job) { return engine.setPriority(job.id, job.value); }),
        row<api::Move>([](Engine &engine, const api::QueuePosition &job) { return engine.move(job.id, job.before); }),
        row<api::GetUsage>([](Engine &engine, const UsageTimes &times) { return engine.usage(times); }),
        row<api::SetLabels>([](Engine &engine, const api::LabelChange &change) { return engine.setLabels(change); }),
        row<api::Remove>([](Engine &engine, const api::Id &job) { return engine.remove(job.id); }),

        row<api::GetRemovals>([](RpcSession &s, const api::Nothing &, const Answer<api::GetRemovals> &answer) {
            s.engine().whenRemovalsKnown(&s, [answer](const RemovalOutlook &outlook) { answer(outlook); });
        }),

        row<api::Answer>([](Engine &engine, const api::AnswerText &to) { return engine.answer(to.id, to.text); }),
        row<api::GetSettings>([](Engine &engine, const api::Nothing &) { return engine.settings(); }),
        row<api::SetSetting>([](Engine &engine, const api::NewSetting &setting) {
            return engine.setSetting(setting.key, setting.value);
        }),

        row<api::ListHosts>([](Engine &engine, const api::Nothing &) { return engine.hosts(); }),
        row<api::AddHost>(
            [](Engine &engine, const api::NewHost &host) { return engine.addHost(host.target, host.name); }),
        row<api::CheckHost>([](RpcSession &s, const api::Id &host, const Answer<api::CheckHost> &answer) {
            s.engine().checkHost(host.id, &s, answer);
        }),
        row<api::SetHost>(
            [](Engine &engine, const api::NewAddress &host) { return engine.setHost(host.id, host.target); }),
        row<api::ChangeHost>([](Engine &engine, const api::HostChange &change) { return engine.changeHost(change); }),
        row<api::ReleaseHost>(
            [](Engine &engine, const api::HostToRelease &host) { return engine.releaseHost(host.id, host.gpu); }),
        row<api::RemoveHost>(
            [](Engine &engine, const api::HostToRemove &host) { return engine.removeHost(host.id, host.force); }),
        row<api::GetHostHistory>([](Engine &engine, const api::Id &host) { return engine.historyOfHost(host.id); }),
        row<api::GetHostEnvironments>(
            [](RpcSession &s, const api::Id &host, const Answer<api::GetHostEnvironments> &answer) {
                s.engine().environmentsOfHost(host.id, &s, answer);
            }),
        row<api::GetHostFiles>([](RpcSession &s, const api::Id &host, const Answer<api::GetHostFiles> &answer) {
            s.engine().filesOfHost(host.id, &s, answer);
        }),
        row<api::CleanHost>([](RpcSession &s, const api::HostToClean &host, const Answer<api::CleanHost> &answer) {
            s.engine().cleanHost(host, &s, answer);
        }),

        row<api::ListTargets>([](Engine &engine, const api::Nothing &) { return engine.targets(); }),
        row<api::CheckTarget>([](RpcSession &s, const api::Id &target, const Answer<api::CheckTarget> &answer) {
            s.engine().checkTarget(target.id, &s, answer);
        }),
        row<api::ListClusterJobs>([](RpcSession &s, const api::Id &target, const Answer<api::ListClusterJobs> &answer) {
            s.engine().jobsOfTarget(target.id, &s, answer);
        }),
        row<api::GetClusterDocument>(
            [](RpcSession &s, const api::JobOfTarget &job, const Answer<api::GetClusterDocument> &answer) {
                s.engine().documentOfTarget(job, &s, answer);
            }),
        row<api::ChangeClusterTags>(
            [](RpcSession &s, const TagChange &change, const Answer<api::ChangeClusterTags> &answer) {
                s.engine().changeTagsAtTarget(change, &s, answer);
            }),
        row<api::ListContexts>([](RpcSession &s, const api::Nothing &, const Answer<api::ListContexts> &answer) {
            s.engine().contexts(&s, answer);
        }),
        row<api::SetTargetToken>(
            [](Engine &engine, const api::TokenOfTarget &its) { return engine.setTargetToken(its.id, its.token); }),
        row<api::LogInToTarget>(
            [](RpcSession &s, const api::PasswordOfTarget &its, const Answer<api::LogInToTarget> &answer) {
                s.engine().logInAtTarget(its, &s, answer);
            }),

        row<api::ListPorts>([](Engine &engine, const api::PortsOf &of) { return engine.ports(of); }),
        row<api::ForwardPort>([](Engine &engine, const api::PortToForward &port) { return engine.forwardPort(port); }),
        row<api::StopForward>([](Engine &engine, const api::ForwardToStop &port) { return engine.stopForward(port); }),

        row<api::SyncCode>([](RpcSession &s, const api::FolderToSync &wanted, const Answer<api::SyncCode> &answer) {
            s.engine().syncCode(wanted, &s, answer);
        }),
        row<api::GetSyncProgress>([](Engine &engine, const api::Id &sync) { return engine.syncProgress(sync.id); }),
        row<api::AnswerCopy>([](Engine &engine, const api::CopyAnswer &answer) {
            return engine.answerCopy(answer.id, answer.isCopied);
        }),

        row<api::ProposeJob>([](RpcSession &s, const SubmitRequest &request, const Answer<api::ProposeJob> &answer) {
            beginWhenReady<api::ProposeJob>(
                s, request, answer, [who = s.assistant()](Engine &engine, const SubmitRequest &given) {
                    return engine.approvals().propose(who, given);
                });
        }),
        row<api::ProposeStop>([](RpcSession &s, const api::ProposedStop &job) {
            return s.engine().approvals().proposeStop(s.assistant(), job.id);
        }),
        row<api::GetProposal>([](RpcSession &s, const api::Id &proposal) {
            return s.engine().approvals().proposal(s.assistant(), proposal.id);
        }),
        row<api::SubmitProposal>(
            [](RpcSession &s, const api::ApprovedPlan &plan, const Answer<api::SubmitProposal> &answer) {
                beginWhenReady<api::SubmitProposal>(
                    s, plan, answer, [who = s.assistant()](Engine &engine, const api::ApprovedPlan &approved) {
                        return engine.approvals().submit(who, approved);
                    });
            }),
        row<api::ListProposals>([](Engine &engine, const api::Nothing &) -> Result<QList<api::Proposal>> {
            return engine.approvals().proposals();
        }),
        row<api::ApproveProposal>(
            [](RpcSession &s, const api::Approval &approval, const Answer<api::ApproveProposal> &answer) {
                beginWhenReady<api::ApproveProposal>(s, approval, answer,
                    [](Engine &engine, const api::Approval &given) { return engine.approvals().approve(given); });
            }),
        row<api::RefuseProposal>(
            [](Engine &engine, const api::ApprovalRefused &refusal) { return engine.approvals().refuse(refusal); }),

        row<api::GetStatus>(&tellStatus),
        row<api::StopEngine>([](RpcSession &s, const api::EndOfEngine &wanted, const Answer<api::StopEngine> &answer) {
            s.host().stopRequested(wanted.jobs, [answer] { answer(true); });
        }),
        row<api::HandOver>([](RpcSession &s, const api::Nothing &, const Answer<api::HandOver> &answer) {
            s.host().handoverRequested([answer] { answer(true); });
        }),
    };
    return rows;
}

} // namespace trainyard
