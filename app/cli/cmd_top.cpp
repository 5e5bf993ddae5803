// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/session.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int drawMs = 1000;
constexpr int barCells = 10;

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

QString bar(double share)
{
    const int filled = int(std::lround(std::clamp(share, 0.0, 1.0) * barCells));
    return u'[' + QString(filled, u'#') + QString(barCells - filled, u'.') + u']';
}

QString percentText(double percent)
{
    return percent < 0 ? QString() : bar(percent / 100) + tr(" %1%").arg(int(std::lround(percent)), 3);
}

QString shareText(qint64 used, qint64 all)
{
    return all <= 0 ? QString()
                    : bar(double(used) / double(all)) + u' ' + tr("%1 of %2").arg(formatMiB(used), formatMiB(all));
}

QString ownerText(const GpuInfo &gpu)
{
    if (gpu.jobId > 0) {
        return u'#' + QString::number(gpu.jobId);
    }
    return gpu.foreign ? tr("another program") : gpu.kept.isEmpty() ? tr("free") : tr("kept for you");
}

QStringList hostLines(const QList<HostInfo> &hosts)
{
    QList<QStringList> rows{{tr("HOST"), tr("STATE"), tr("TASKS"), tr("CPU"), tr("MEMORY"), tr("FOR")}};
    for (const HostInfo &host : hosts) {
        const bool online = host.state == HostState::Online;
        rows.append(QStringList{host.id, hostStateText(host.state), QString::number(host.tasks),
            online ? percentText(host.cpuPercent) : QString(),
            online ? shareText(host.memoryUsedMiB, host.memoryMiB) : reasonText(host.error, host.errorArgs),
            QString()});
        for (const GpuInfo &gpu : host.gpus) {
            rows.append(QStringList{tr("  GPU %1").arg(gpu.index), QString(), QString(),
                online ? percentText(gpu.utilPercent) : QString(),
                online ? shareText(gpu.memoryUsedMiB, gpu.memoryMiB) : QString(), ownerText(gpu)});
        }
    }
    return alignedRows(rows);
}

// What runs, then what waits in the order of the queue.
QList<JobSummary> activeJobs(const QList<JobSummary> &all)
{
    QList<JobSummary> jobs;
    std::copy_if(
        all.cbegin(), all.cend(), std::back_inserter(jobs), [](const JobSummary &job) { return !isFinal(job.state); });
    std::stable_sort(jobs.begin(), jobs.end(), [](const JobSummary &a, const JobSummary &b) {
        const bool aWaits = a.state == State::Waiting;
        const bool bWaits = b.state == State::Waiting;
        if (aWaits != bWaits || !aWaits) {
            return aWaits != bWaits ? bWaits : a.id < b.id;
        }
        return std::tie(b.priority, a.order, a.id) < std::tie(a.priority, b.order, b.id);
    });
    return jobs;
}

QStringList jobLines(const QList<JobSummary> &jobs, qint64 now)
{
    QList<QStringList> rows{{tr("ID"), tr("NAME"), tr("STATE"), tr("TASKS"), tr("TIME"), tr("HOST"), tr("WHY")}};
    for (const JobSummary &job : jobs) {
        rows.append({QString::number(job.id), job.name, stateWord(job.state),
            u"%1/%2"_s.arg(job.counts.running).arg(job.totalTasks), elapsed(job.countedFrom(), {}, now),
            job.hosts.join(u','), whyText(job)});
    }
    return alignedRows(rows);
}

QStringList picture(EngineClient &client)
{
    QStringList lines = hostLines(client.hosts());
    lines.first() = paint(Colour::Bold, lines.first());
    lines.append(QString());
    const QList<JobSummary> jobs = activeJobs(client.jobs());
    if (jobs.isEmpty()) {
        lines.append(tr("No job runs or waits."));
        return lines;
    }
    QStringList table = jobLines(jobs, QDateTime::currentMSecsSinceEpoch());
    table.first() = paint(Colour::Bold, table.first());
    return lines + table;
}

int runTop(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOption({u"once"_s, {}});
    if (!parse(parser, u"top"_s, arguments)) {
        return exitUnusable;
    }
    if (!parser.positionalArguments().isEmpty()) {
        return usageError(u"top"_s,
            tr("It shows all hosts and jobs. To put a waiting job first, use 'move %1 --first'.")
                .arg(parser.positionalArguments().first()));
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    if (parser.isSet(u"once"_s) || !stdoutIsTerminal()) {
        const QStringList lines = picture(session.client());
        for (const QString &line : lines) {
            outLine(line);
        }
        return exitOk;
    }
    QEventLoop loop;
    Interrupts interrupts;
    QTimer timer;
    Screen screen;
    int status = exitOk;
    const auto draw = [&] { screen.draw(picture(session.client())); };
    QObject::connect(&timer, &QTimer::timeout, &loop, draw);
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
    QObject::connect(&session.client(), &EngineClient::statusChanged, &loop, [&](EngineClient::Status now) {
        if (now == EngineClient::Status::Failed || now == EngineClient::Status::Offline) {
            status = report(
                now == EngineClient::Status::Failed ? session.client().lastError() : Error{u"engine.stopped"_s, {}});
            loop.quit();
        }
    });
    timer.start(drawMs);
    draw();
    loop.exec();
    return status;
}

} // namespace

Command topCommand()
{
    return {u"top"_s, tr("Watch hosts, GPUs and the jobs that run or wait"),
        tr("top [--once]\n\n"
           "Shows how busy the hosts are, which job has which GPU, and the jobs that run or wait, in the order of the\n"
           "queue; anew each second until Ctrl+C. Where the output is no terminal, once.\n\n"
           "  --once  print it once\n\n"
           "Examples:\n"
           "  trainyardctl top\n"
           "  trainyardctl top --once | grep GPU\n\n"
           "Exit status: 0 ok; 2 wrong usage; 3 no engine."),
        runTop};
}

} // namespace trainyard::cli
