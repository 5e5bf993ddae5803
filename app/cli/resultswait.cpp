// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/resultswait.h"

#include "app/cli/console.h"
#include "app/cli/interrupts.h"
#include "app/cli/watch.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/broughttexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/sentences.h"

#include <QElapsedTimer>
#include <QHash>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int resultsLookMs = 1000; // how much has come is not in the events
constexpr int resultsSoonMs = 100; // after an event: others often follow
constexpr int arrivingPatienceMs = 30000; // without a byte, from hosts that can be reached
constexpr int awayResultsPatienceMs = 5000; // and from those that cannot: a line that was cut is often back soon
constexpr qsizetype namedJobs = 5;

struct PendingResults {
    JobSummary job;
    api::PendingFiles files;
};

// One question about all of them: a large group is asked about for as long as its results arrive.
void lookAt(Session &session, QList<PendingResults> &pending)
{
    api::JobIds wanted;
    for (const PendingResults &each : std::as_const(pending)) {
        wanted.ids.append(each.job.uuid);
    }
    QHash<QString, api::PendingFiles> files;
    if (const auto told = session.call<api::ListPendingFiles>(wanted)) {
        for (const api::PendingFiles &each : *told) {
            files.insert(each.id, each);
        }
    }
    pending.removeIf([&files](const PendingResults &each) { return !files.contains(each.job.uuid); });
    for (PendingResults &each : pending) {
        each.files = files.value(each.job.uuid);
    }
}

QStringList awayHosts(const JobSummary &job, const QList<HostInfo> &hosts)
{
    QStringList away = job.hosts;
    away.removeIf([&hosts](const QString &id) {
        return std::any_of(hosts.cbegin(), hosts.cend(),
            [&id](const HostInfo &host) { return host.id == id && host.state == HostState::Online; });
    });
    return away;
}

QString arrivingText(const QList<PendingResults> &pending)
{
    int tasks = 0;
    qint64 arrived = 0, expected = 0;
    for (const PendingResults &each : pending) {
        tasks += each.files.tasks;
        arrived += each.files.arrived;
        expected += each.files.expected;
    }
    const api::PendingFiles &first = pending.constFirst().files;
    const QString whose = tasks == 1 ? taskLabel(first.role, first.index) : tr("%1 tasks").arg(tasks);
    return expected > 0 ? tr("The results of %1 are being brought (%2 of %3) ...")
                              .arg(whose, formatBytes(arrived), formatBytes(expected))
                        : tr("The results of %1 are being brought ...").arg(whose);
}

QList<api::PendingFiles> filesOf(const QList<PendingResults> &pending)
{
    QList<api::PendingFiles> files;
    for (const PendingResults &each : pending) {
        files.append(each.files);
    }
    return files;
}

bool isAllHeldHere(const QList<PendingResults> &pending)
{
    return std::all_of(pending.cbegin(), pending.cend(),
        [](const PendingResults &each) { return each.files.heldHere == each.files.tasks; });
}

void sayWhatIsLeft(Session &session, const PendingResults &left, const QList<HostInfo> &hosts)
{
    QStringList why;
    QList<BroughtFiles> tasks;
    if (left.files.heldHere > 0) {
        const Result<JobDetail> detail = session.call<api::GetJob>({left.job.uuid});
        tasks = detail ? detail->brought : tasks;
    }
    for (const BroughtFiles &task : std::as_const(tasks)) {
        if (task.isPending && isHeldHere(task)) {
            why.append(broughtProblems(task).constFirst());
        }
    }
    const QStringList away = awayHosts(left.job, hosts);
    for (const QString &host : away) {
        why.append(sentence(u"results.host-away"_s, {{u"host"_s, host}}));
    }
    why.removeDuplicates();
    for (const QString &line : std::as_const(why)) {
        errorLine(tr("%1: %2").arg(jobTitle(left.job), line));
    }
    if (why.isEmpty()) {
        errorLine(tr("The results of %1 are still being brought; 'trainyardctl wait %2' waits for them, and "
                     "'trainyardctl show %2' says what is here.")
                      .arg(jobTitle(left.job), QString::number(left.job.id)));
    }
}

} // namespace

void waitForResults(Session &session, const QList<JobSummary> &jobs)
{
    QList<PendingResults> pending;
    for (const JobSummary &job : jobs) {
        if (isFinal(job.state) && !job.hosts.isEmpty()) {
            pending.append({job, {}});
        }
    }
    if (pending.isEmpty()) {
        return;
    }
    Interrupts interrupts;
    lookAt(session, pending);
    if (pending.isEmpty()) {
        return;
    }
    {
        Progress progress(arrivingText(pending));
        QEventLoop loop;
        QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
        QTimer timer;
        timer.setSingleShot(true);
        QObject::connect(&timer, &QTimer::timeout, &loop, &QEventLoop::quit);
        bool isDue = false; // also by an event that comes with an answer
        const auto lookSoon = [&timer, &isDue] {
            isDue = true;
            if (timer.remainingTime() > resultsSoonMs) {
                timer.start(resultsSoonMs);
            }
        };
        QObject::connect(&session.client(), &EngineClient::reset, &loop, lookSoon);
        QObject::connect(&session.client(), &EngineClient::jobChanged, &loop, [&](const JobSummary &job) {
            const auto isOfIt = [&job](const PendingResults &each) { return each.job.uuid == job.uuid; };
            if (std::any_of(pending.cbegin(), pending.cend(), isOfIt)) {
                lookSoon();
            }
        });
        QList<api::PendingFiles> last = filesOf(pending);
        QElapsedTimer still;
        still.start();
        while (!pending.isEmpty() && interrupts.count() == 0 && !isAllHeldHere(pending)) {
            const QList<HostInfo> hosts = session.client().hosts();
            const bool areAway = std::all_of(pending.cbegin(), pending.cend(),
                [&](const PendingResults &each) { return awayHosts(each.job, hosts).size() == each.job.hosts.size(); });
            if (still.hasExpired(areAway ? awayResultsPatienceMs : arrivingPatienceMs)) {
                break;
            }
            timer.start(isDue ? resultsSoonMs : resultsLookMs);
            loop.exec();
            isDue = false;
            lookAt(session, pending);
            if (QList<api::PendingFiles> files = filesOf(pending); files != last) {
                last = files;
                still.start();
            }
            if (!pending.isEmpty()) {
                progress.setText(arrivingText(pending));
            }
        }
    }
    const QList<HostInfo> hosts = session.client().hosts();
    for (const PendingResults &left : std::as_const(pending).first(std::min(namedJobs, pending.size()))) {
        sayWhatIsLeft(session, left, hosts);
    }
    if (const qsizetype more = pending.size() - namedJobs; more > 0) {
        errorLine(more == 1 ? tr("Results of 1 more job are not here yet.")
                            : tr("Results of %1 more jobs are not here yet.").arg(more));
    }
}

} // namespace trainyard::cli
