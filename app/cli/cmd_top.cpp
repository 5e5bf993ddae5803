// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/fullscreen.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/session.h"
#include "engine/api/jobfacts.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/whybrief.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int drawPageMs = 1000;
constexpr int barCells = 10;
constexpr int leastWithBars = 72; // columns; with less the figures matter more

QString bar(double share)
{
    const int filled = int(std::lround(std::clamp(share, 0.0, 1.0) * barCells));
    return u'[' + QString(filled, u'#') + QString(barCells - filled, u'.') + u']';
}

QString percentText(double percent, bool withBar)
{
    const QString figure = tr("%1%").arg(int(std::lround(percent)), 3);
    return percent < 0 ? QString() : withBar ? bar(percent / 100) + u' ' + figure : figure;
}

QString shareText(qint64 used, qint64 all, bool withBar)
{
    const QString figures = tr("%1 of %2").arg(formatMiB(used), formatMiB(all));
    return all <= 0 ? QString() : withBar ? bar(double(used) / double(all)) + u' ' + figures : figures;
}

QStringList hostLines(const QList<HostInfo> &hosts, int width)
{
    const bool bars = width == 0 || width >= leastWithBars;
    QList<QStringList> rows{{tr("HOST"), tr("STATE"), tr("TASKS"), tr("CPU"), tr("MEMORY"), tr("FOR")}};
    for (const HostInfo &host : hosts) {
        const bool online = host.state == HostState::Online;
        rows.append(QStringList{host.id, hostStateAndUse(host), QString::number(host.tasks),
            online ? percentText(host.cpuPercent, bars) : QString(),
            online ? shareText(host.memoryUsedMiB, host.memoryMiB, bars) : reasonText(host.error, host.errorArgs),
            QString()});
        for (const GpuInfo &gpu : host.gpus) {
            rows.append(QStringList{tr("  GPU %1").arg(gpu.index), QString(), QString(),
                online ? percentText(gpu.utilPercent, bars) : QString(),
                online ? shareText(gpu.memoryUsedMiB, gpu.memoryMiB, bars) : QString(), ownerText(gpu)});
        }
    }
    return alignedRows(rows, width, {0});
}

// Running jobs, followed by waiting ones in the order of the queue.
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

QStringList jobLines(const QList<JobSummary> &jobs, qint64 now, int width)
{
    QList<QStringList> rows{{tr("ID"), tr("NAME"), tr("STATE"), tr("TASKS"), tr("TIME"), tr("HOST"), tr("WHY")}};
    for (const JobSummary &job : jobs) {
        rows.append({QString::number(job.id), job.name, shownState(job), progressText(job), elapsedInAll(job, now),
            job.hosts.join(u','), width > 0 ? whyBrief(job) : whyText(job)});
    }
    return alignedRows(rows, width, {1, 5});
}

// Shows so many of them, and how many are left out.
QStringList firstLines(const QStringList &lines, qsizetype most)
{
    if (lines.size() <= most || most < 1) {
        return lines.first(std::min(lines.size(), std::max<qsizetype>(0, most)));
    }
    return lines.first(most - 1) << paint(Colour::Dim, tr("... and %1 more").arg(lines.size() - most + 1));
}

// The lines for a screen of this size; 0 means everything. Many GPUs leave half of it to the jobs.
QStringList picture(EngineClient &client, int width = 0, int height = 0)
{
    QStringList hosts = hostLines(client.hosts(), width);
    hosts.first() = paint(Colour::Bold, hosts.first());
    const QList<JobSummary> active = activeJobs(client.jobs());
    QStringList jobs{tr("No job runs or waits.")};
    if (!active.isEmpty()) {
        jobs = jobLines(active, QDateTime::currentMSecsSinceEpoch(), width);
        jobs.first() = paint(Colour::Bold, jobs.first());
    }
    if (height > 0 && hosts.size() + 1 + jobs.size() > height) {
        const qsizetype room = height - 1;
        const qsizetype forJobs = std::max(room / 2, room - hosts.size());
        hosts = firstLines(hosts, room - std::min(jobs.size(), forJobs));
        jobs = firstLines(jobs, room - hosts.size());
    }
    return hosts << QString() << jobs;
}

struct TopValues {
    QStringList words;
    bool once = false;
};

int runTop(const TopValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    if (values.once || !canDraw()) {
        const QStringList lines = picture(session.client());
        for (const QString &line : lines) {
            outLine(line);
        }
        return exitOk;
    }
    std::optional<Error> lost;
    {
        QEventLoop loop;
        const Interrupts interrupts;
        QTimer timer;
        FullScreen screen;
        const auto draw = [&] { screen.draw(picture(session.client(), FullScreen::columns(), FullScreen::rows())); };
        QObject::connect(&timer, &QTimer::timeout, &loop, draw);
        QObject::connect(&screen, &FullScreen::redrawNeeded, &loop, draw);
        QObject::connect(&screen, &FullScreen::quitRequested, &loop, &QEventLoop::quit);
        QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
        QObject::connect(&session.client(), &EngineClient::statusChanged, &loop, [&](EngineClient::Status now) {
            if (now == EngineClient::Status::Failed || now == EngineClient::Status::Offline) {
                lost = now == EngineClient::Status::Failed ? session.client().lastError()
                                                           : Error{u"engine.stopped"_s, {}};
                loop.quit();
            }
        });
        timer.start(drawPageMs);
        draw();
        loop.exec();
    }
    return lost ? report(*lost) : exitOk; // on the page that stays
}

} // namespace

Command topCommand()
{
    static const CommandLine<TopValues> line
        = CommandLine<TopValues>(u"top"_s, tr("Watch the hosts, the GPUs and the active jobs"))
              .runs(runTop,
                  {{}, 0, 0, Word::Other,
                      tr("top takes no job; it shows all of them. 'trainyardctl move' changes the order of waiting "
                         "jobs.")})
              .text(tr("Shows the load of the hosts, the jobs that use each GPU, and the running and waiting jobs in "
                       "the order of the queue. It updates every second until you press q or Ctrl+C. If the output is "
                       "not a terminal, it prints once. TASKS and TIME are those of 'ps'."))
              .option(u"--once"_s, &TopValues::once, tr("print once"))
              .examples({u"trainyardctl top"_s, u"trainyardctl top --once | grep GPU"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")}, {exitNoEngine, tr("no engine")}});
    return line.command();
}

} // namespace trainyard::cli
