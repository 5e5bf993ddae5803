// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobtable.h"

#include "app/cli/console.h"
#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/columns.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/terminaltext.h"
#include "widgets/text/texts.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// The order of the tasks if not all of them fit.
int urgency(State state)
{
    switch (state) {
    case State::Failed:
        return 0;
    case State::Running:
    case State::Stopping:
        return 1;
    case State::Unknown:
        return 2;
    case State::Waiting:
        return 3;
    case State::Stopped:
        return 4;
    case State::Succeeded:
        return 5;
    }
    return 6;
}

QString gpuText(const QList<int> &gpus)
{
    QStringList numbers;
    for (const int gpu : gpus) {
        numbers.append(QString::number(gpu));
    }
    return numbers.isEmpty() ? QString() : tr("GPU %1").arg(numbers.join(u','));
}

QString wordOf(const TaskInfo &task)
{
    return task.reason == reason::JobPaused::code ? u"PAUSED"_s
        : task.reason == reason::TaskKept::code   ? u"KEPT"_s
                                                  : stateWord(task.state);
}

// The resources that it used, if they are known.
QString usageText(const TaskUsage &usage)
{
    QStringList parts;
    if (usage.peakMemoryMiB) {
        parts.append(tr("peak memory %1").arg(formatMiB(*usage.peakMemoryMiB)));
    }
    if (usage.peakGpuMemoryMiB) {
        parts.append(tr("GPU %1, %2%").arg(formatMiB(*usage.peakGpuMemoryMiB)).arg(usage.gpuPercent.value_or(0)));
    }
    return parts.join(u' ');
}

// The end of a task and its reason, unless they are shown above. A sentence that names the status is sufficient.
QString taskEndText(const TaskInfo &task, const QString &saidAbove, bool isStopped)
{
    const bool hasFailed = task.state == State::Failed;
    const bool isRemarkable = task.state != State::Succeeded || task.reason == "slurm.noticed-time"_L1;
    QString why = !isRemarkable ? QString() : reasonText(task.reason, task.reasonArgs);
    why = saidAbove.contains(why) ? QString() : why;
    QStringList parts;
    if (isFinal(task.state) && task.exitCode && task.state != State::Succeeded) {
        const bool isInSentence
            = !why.isEmpty() && exitPhrase(*task.exitCode).isEmpty() && saysStatus(task.reason, task.reasonArgs);
        parts.append(isInSentence ? QString()
                : isStopped && task.exitCode == exitEndedWithJob
                ? tr("Stopped with the job")
                : exitWords(*task.exitCode, hasFailed ? task.rawExit : std::nullopt));
    }
    parts.append(task.tries > 0 ? tr("try %1").arg(task.tries + 1) : QString());
    parts.removeAll(QString());
    const QString end = parts.join(u", "_s);
    return end.isEmpty() || why.isEmpty() ? QString(end + why) : QString(end + u": "_s + why);
}

} // namespace

QString shownState(const JobSummary &job)
{
    return isEndingNow(job) ? stateWord(State::Stopping) : isPausedNow(job) ? u"PAUSED"_s : stateWord(job.state);
}

Colour stateColour(State state)
{
    switch (state) {
    case State::Waiting:
        return Colour::Yellow;
    case State::Running:
        return Colour::Blue;
    case State::Succeeded:
        return Colour::Green;
    case State::Failed:
        return Colour::Red;
    case State::Stopping:
    case State::Stopped:
    case State::Unknown:
        break;
    }
    return Colour::Dim;
}

QString whyText(const JobSummary &job) { return jobReasonText(job); }

QString progressText(const JobSummary &job) { return u"%1/%2"_s.arg(job.counts.succeeded).arg(job.totalTasks); }

QString failedTasksText(const JobSummary &job)
{
    if (job.state != State::Succeeded || job.counts.failed == 0) {
        return {};
    }
    return job.counts.total() == 1
        ? tr("its task failed")
        : tr("%1 of %2 tasks failed").arg(QString::number(job.counts.failed), QString::number(job.counts.total()));
}

QString countsText(const TaskCounts &counts)
{
    QStringList parts;
    const auto add = [&](int count, const QString &text) {
        if (count > 0) {
            parts.append(text.arg(count));
        }
    };
    add(counts.failed, tr("%1 failed"));
    add(counts.running, tr("%1 running"));
    add(counts.waiting, tr("%1 waiting"));
    add(counts.succeeded, tr("%1 succeeded"));
    add(counts.stopped, tr("%1 stopped"));
    return parts.join(u", "_s);
}

QString elapsed(const JobSummary &job, qint64 now) { return formatDuration(countedMs(job, now)); }

QString elapsedInAll(const JobSummary &job, qint64 now) { return formatDuration(allAttemptsMs(job, now)); }

QString elapsed(std::optional<qint64> from, std::optional<qint64> to, qint64 now)
{
    return from ? formatDuration(to.value_or(now) - *from) : QString();
}

bool isJobStopped(const JobSummary &job)
{
    return job.exitCode ? *job.exitCode == exitStoppedByUser : job.stopRequested;
}

bool neverBegan(const JobSummary &job)
{
    return job.state == State::Stopped && job.completed && job.countedFrom() == *job.completed;
}

QStringList taskLines(const QList<TaskInfo> &tasks, const TaskListing &listing)
{
    QList<TaskInfo> shown = tasks;
    if (shown.size() > listing.most) {
        // The tasks are chosen by urgency and shown in the order of the document.
        QList<qsizetype> order;
        for (qsizetype i = 0; i < tasks.size(); ++i) {
            order.append(i);
        }
        std::stable_sort(order.begin(), order.end(),
            [&](qsizetype a, qsizetype b) { return urgency(tasks.at(a).state) < urgency(tasks.at(b).state); });
        order.resize(std::max(1, listing.most - 1));
        std::sort(order.begin(), order.end());
        shown.clear();
        for (const qsizetype i : std::as_const(order)) {
            shown.append(tasks.at(i));
        }
    }
    QList<QStringList> rows;
    for (const TaskInfo &task : std::as_const(shown)) {
        rows.append({taskLabel(task), wordOf(task),
            task.launched ? formatDuration(ranMsIn(listing.pauses, *task.launched, clockEnd(task, listing.now)))
                          : QString(),
            task.host, gpuText(task.gpus), usageText(task.usage),
            taskEndText(task, listing.saidAbove, listing.isStopped)});
    }
    QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString word = wordOf(shown.at(i));
        lines[i].replace(lines.at(i).indexOf(word, shown.at(i).role.size() + 2), word.size(),
            paint(stateColour(shown.at(i).state), word));
        lines[i].prepend(u"  "_s);
    }
    const qsizetype all = std::max<qsizetype>(listing.total, tasks.size());
    if (shown.size() < all) {
        lines.append(u"  "_s + paint(Colour::Dim, tr("... and %1 more").arg(all - shown.size())));
    }
    return lines;
}

QStringList JobTable::linesOf(const JobSummary &job, const QList<TaskInfo> &tasks, qint64 at)
{
    // The news of an end arrives after it. A clock that is so much behind never goes back.
    constexpr qint64 newsMs = 1000;
    const qint64 now = at - newsMs;
    const QString word = shownState(job);
    QStringList lines{(job.id > 0 ? QString(u'#' + QString::number(job.id) + u' ') : QString())
        + paint(Colour::Bold, job.name) + u"  "_s + paint(stateColour(job.state), word) + u"  "_s + elapsed(job, now)
        + u"  "_s + countsText(job.counts)};
    if (!job.reason.isEmpty()) {
        lines.append(u"  "_s + whyText(job));
    }
    lines += taskLines(tasks,
        {.now = now,
            .most = std::max(3, terminalHeight() - static_cast<int>(lines.size()) - 2),
            .saidAbove = job.reason.isEmpty() ? QString() : whyText(job),
            .pauses = job.pauses,
            .isStopped = isJobStopped(job)});
    return lines;
}

void JobTable::draw(const JobSummary &job, const QList<TaskInfo> &tasks)
{
    QStringList below;
    for (const QString &message : std::as_const(m_messages)) {
        below += wrappedAtWords(message, terminalWidth(), 0).split(u'\n');
    }
    m_screen.draw(linesOf(job, tasks, QDateTime::currentMSecsSinceEpoch()), below);
}

void JobTable::say(const QString &message) { m_messages.append(u"trainyardctl: "_s + message); }

void JobTable::finish()
{
    m_screen.leave();
    m_messages.clear();
}

void Screen::draw(const QStringList &lines, const QStringList &below)
{
    QByteArray picture;
    if (m_lines > 0) {
        picture += "\x1b[" + QByteArray::number(m_lines) + 'A';
    }
    const int width = terminalWidth();
    // Lines that do not fit could not be redrawn.
    const qsizetype room = std::max<qsizetype>(3, terminalHeight() - 1 - below.size());
    const QStringList shown = lines.first(std::min(lines.size(), room)) + below;
    for (const QString &line : shown) {
        picture += '\r' + cutToColumns(terminalText(line), width).toUtf8() + "\x1b[K\n";
    }
    picture += "\x1b[J";
    out(picture);
    m_lines = static_cast<int>(shown.size());
}

} // namespace trainyard::cli
