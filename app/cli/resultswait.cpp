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

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int resultsLookMs = 100;
constexpr int arrivingPatienceMs = 30000; // without a byte, from hosts that can be reached
constexpr int awayResultsPatienceMs = 5000; // and from those that cannot: a line that was cut is often back soon
constexpr qsizetype namedJobs = 5;

struct PendingResults {
    JobSummary job;
    QList<BroughtFiles> tasks; // with more to come
};

bool isHeldHere(const BroughtFiles &task)
{
    return std::any_of(task.problems.cbegin(), task.problems.cend(), [](const BringProblem &problem) {
        return problem.code == "results.no-room"_L1 || problem.code == "results.folder-unwritable"_L1;
    });
}

void lookAt(Session &session, QList<PendingResults> &pending)
{
    for (PendingResults &each : pending) {
        const Result<JobDetail> detail = session.call<api::GetJob>({each.job.uuid});
        each.tasks = detail ? detail->brought : QList<BroughtFiles>();
        each.tasks.removeIf([](const BroughtFiles &task) { return !task.isPending; });
    }
    pending.removeIf([](const PendingResults &each) { return each.tasks.isEmpty(); });
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
    qsizetype tasks = 0;
    qint64 arrived = 0, expected = 0;
    for (const PendingResults &each : pending) {
        tasks += each.tasks.size();
        for (const BroughtFiles &task : each.tasks) {
            arrived += task.arrived;
            expected += task.expected;
        }
    }
    const BroughtFiles &first = pending.constFirst().tasks.constFirst();
    const QString whose = tasks == 1 ? taskLabel(first.role, first.index) : tr("%1 tasks").arg(tasks);
    return expected > 0 ? tr("The results of %1 are being brought (%2 of %3) ...")
                              .arg(whose, formatBytes(arrived), formatBytes(expected))
                        : tr("The results of %1 are being brought ...").arg(whose);
}

// Differs when something has arrived.
QList<qint64> marksOf(const QList<PendingResults> &pending)
{
    QList<qint64> marks{pending.size()};
    for (const PendingResults &each : pending) {
        for (const BroughtFiles &task : each.tasks) {
            marks << task.files << task.bytes << task.arrived << task.expected;
        }
    }
    return marks;
}

bool isAllHeldHere(const QList<PendingResults> &pending)
{
    return std::all_of(pending.cbegin(), pending.cend(),
        [](const PendingResults &each) { return std::all_of(each.tasks.cbegin(), each.tasks.cend(), isHeldHere); });
}

void sayWhatIsLeft(const PendingResults &left, const QList<HostInfo> &hosts)
{
    QStringList why;
    for (const BroughtFiles &task : left.tasks) {
        if (isHeldHere(task)) {
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
        QList<qint64> last = marksOf(pending);
        QElapsedTimer still;
        still.start();
        while (!pending.isEmpty() && interrupts.count() == 0 && !isAllHeldHere(pending)) {
            const QList<HostInfo> hosts = session.client().hosts();
            const bool areAway = std::all_of(pending.cbegin(), pending.cend(),
                [&](const PendingResults &each) { return awayHosts(each.job, hosts).size() == each.job.hosts.size(); });
            if (still.hasExpired(areAway ? awayResultsPatienceMs : arrivingPatienceMs)) {
                break;
            }
            timer.start(resultsLookMs);
            loop.exec();
            lookAt(session, pending);
            if (QList<qint64> marks = marksOf(pending); std::exchange(last, marks) != marks) {
                still.start();
            }
            if (!pending.isEmpty()) {
                progress.setText(arrivingText(pending));
            }
        }
    }
    const QList<HostInfo> hosts = session.client().hosts();
    for (const PendingResults &left : std::as_const(pending).first(std::min(namedJobs, pending.size()))) {
        sayWhatIsLeft(left, hosts);
    }
    if (const qsizetype more = pending.size() - namedJobs; more > 0) {
        errorLine(more == 1 ? tr("Results of 1 more job are not here yet.")
                            : tr("Results of %1 more jobs are not here yet.").arg(more));
    }
}

} // namespace trainyard::cli
