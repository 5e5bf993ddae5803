// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/timeline.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace trainyard
{
namespace
{

constexpr qint64 shortestSpan = 100;
constexpr double nearPixels = 3;
// A gap is drawn shorter when it is at least so long, and longer than such a part of all in which something happened.
constexpr qint64 shortestGap = 60'000, gapOfBusy = 3;
constexpr qint64 shareOfGap = 12, gapsTogether = 4; // then it takes such a part, and all of them together such a part

// The rows by role and index, and in each the tries in their order.
class RowMaker
{
public:
    RowMaker(const RunStory &story, qint64 now) : m_story(story), m_now(now)
    {
        for (const AttemptInfo &attempt : story.attempts) {
            m_attempts.insert(attempt.index, &attempt);
        }
        m_pauses = story.job.pauses;
        if (story.job.paused) {
            m_pauses.append({clockEnd(story.job, now), std::numeric_limits<qint64>::max(), false});
        }
    }

    QList<TimelineRow> rows()
    {
        QList<qsizetype> order(m_story.tries.size()), roles(m_story.tries.size());
        for (qsizetype i = 0; i < order.size(); ++i) {
            order[i] = i;
            const QString &role = m_story.tries.at(i).role;
            if (!m_roles.contains(role)) {
                m_roles.insert(role, m_roles.size());
            }
            roles[i] = m_roles.value(role);
        }
        const auto place = [this, &roles](qsizetype i) {
            const TaskInfo &task = m_story.tries.at(i);
            return std::tuple(roles.at(i), task.index, task.attempt, task.tries);
        };
        std::sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) { return place(a) < place(b); });
        QList<TimelineRow> rows;
        const TaskInfo *before = nullptr;
        for (const qsizetype i : std::as_const(order)) {
            const TaskInfo &task = m_story.tries.at(i);
            if (rows.isEmpty() || rows.constLast().role != task.role || rows.constLast().index != task.index) {
                rows.append({task.role, task.index, {}});
                before = nullptr;
            }
            addTry(rows.last(), i, before);
            before = &task;
        }
        return rows;
    }

private:
    std::optional<qint64> waitsFrom(const TaskInfo &task, const TaskInfo *before) const
    {
        if (before && before->attempt == task.attempt && before->completed) {
            return before->completed;
        }
        if (task.created) {
            return task.created;
        }
        const AttemptInfo *attempt = m_attempts.value(task.attempt);
        return attempt && attempt->created ? attempt->created : attempt ? attempt->started : std::nullopt;
    }

    void addTry(TimelineRow &row, qsizetype i, const TaskInfo *before) const
    {
        const TaskInfo &task = m_story.tries.at(i);
        if (task.keptFrom) {
            return; // nothing of it happened in this attempt
        }
        const std::optional<qint64> began = task.tryLaunched ? task.tryLaunched
            : task.tries == 0                                ? task.launched
                                                             : std::nullopt;
        const bool isOver = isFinal(task.state) || task.completed;
        const auto add = [&row, i](TimelineBar::Kind kind, qint64 from, qint64 to, bool isOpen) {
            if (to >= from) {
                row.bars.append({kind, from, to, isOpen, i});
            }
        };
        if (const std::optional<qint64> from = waitsFrom(task, before)) {
            const qint64 to = began ? *began : task.completed.value_or(isOver ? *from : m_now);
            if (to > *from) {
                add(TimelineBar::Kind::Waits, *from, to, !began && !isOver);
            }
        }
        if (!began) {
            return;
        }
        const qint64 end = task.completed.value_or(isOver ? *began : std::max(m_now, *began));
        const auto commands = m_story.commandsBegan.constFind(task.logFolder);
        qint64 from = *began;
        if (commands != m_story.commandsBegan.constEnd() && *commands > from && *commands < end) {
            add(TimelineBar::Kind::Prepares, from, *commands, false);
            from = *commands;
        }
        add(TimelineBar::Kind::Runs, from, end, !isOver);
        for (const PauseSpan &pause : m_pauses) {
            const qint64 paused = std::max(pause.from, *began), resumed = std::min(pause.until, end);
            if (resumed > paused) {
                add(TimelineBar::Kind::Paused, paused, resumed, !isOver && pause.until > end);
            }
        }
    }

    const RunStory &m_story;
    qint64 m_now;
    QList<PauseSpan> m_pauses; // the one that goes on, too
    QHash<int, const AttemptInfo *> m_attempts;
    QHash<QString, qsizetype> m_roles;
};

// Where neither an attempt nor a bar is, for so long that little room would be left for what happened.
QList<TimeGap> gapsOf(const Timeline &timeline)
{
    QList<std::pair<qint64, qint64>> spans;
    for (const TimelineAttempt &attempt : timeline.attempts) {
        spans.append({attempt.from, attempt.to});
    }
    for (const TimelineRow &row : timeline.rows) {
        for (const TimelineBar &bar : row.bars) {
            spans.append({bar.from, bar.to});
        }
    }
    std::sort(spans.begin(), spans.end());
    QList<TimeGap> gaps;
    qint64 reached = timeline.from, busy = timeline.to - timeline.from;
    for (const auto &[from, to] : std::as_const(spans)) {
        if (from > reached) {
            gaps.append({reached, from, 0});
            busy -= from - reached;
        }
        reached = std::max(reached, to);
    }
    gaps.removeIf([busy](const TimeGap &gap) {
        const qint64 length = gap.to - gap.from;
        return length < shortestGap || length <= busy / gapOfBusy;
    });
    const qint64 share = std::max<qint64>(shareOfGap, gaps.size() * gapsTogether);
    for (TimeGap &gap : gaps) {
        gap.drawn = std::clamp<qint64>(busy / share, 1, gap.to - gap.from);
    }
    return gaps;
}

} // namespace

Timeline timelineOf(const RunStory &story, qint64 now)
{
    Timeline timeline;
    timeline.rows = RowMaker(story, now).rows();
    for (const AttemptInfo &attempt : story.attempts) {
        const std::optional<qint64> from = attempt.created ? attempt.created : attempt.started;
        if (from) {
            const bool isOpen = !attempt.completed && !isFinal(attempt.state);
            timeline.attempts.append({attempt.index, *from, attempt.completed.value_or(isOpen ? now : *from), isOpen,
                attempt.state, attempt.exitCode, attempt.triggerRawExit,
                isOpen && story.job.paused && attempt.state == State::Running});
        }
    }
    qint64 from = std::numeric_limits<qint64>::max(), to = 0;
    const auto widen = [&from, &to](qint64 begin, qint64 end) {
        from = std::min(from, begin);
        to = std::max(to, end);
    };
    for (const TimelineAttempt &attempt : std::as_const(timeline.attempts)) {
        widen(attempt.from, attempt.to);
    }
    for (const TimelineRow &row : std::as_const(timeline.rows)) {
        for (const TimelineBar &bar : row.bars) {
            widen(bar.from, bar.to);
        }
    }
    if (to >= from) {
        timeline.from = from;
        timeline.to = std::max(to, from + shortestSpan);
        timeline.gaps = gapsOf(timeline);
    }
    return timeline;
}

qint64 TimeScale::drawnAt(qint64 time) const
{
    qint64 cut = 0;
    for (const TimeGap &gap : gaps) {
        const qint64 length = gap.to - gap.from, passed = std::clamp<qint64>(time - gap.from, 0, length);
        cut += passed - qint64(std::llround(double(passed) * double(gap.drawn) / double(length)));
    }
    return time - cut;
}

qint64 TimeScale::timeAt(qint64 drawn) const
{
    qint64 cut = 0;
    for (const TimeGap &gap : gaps) {
        const qint64 length = gap.to - gap.from, passed = drawn + cut - gap.from;
        if (passed < gap.drawn) {
            return passed <= 0 ? drawn + cut
                               : gap.from + qint64(std::llround(double(passed) * double(length) / double(gap.drawn)));
        }
        cut += length - gap.drawn;
    }
    return drawn + cut;
}

qint64 TimeScale::span() const { return std::max<qint64>(1, drawnAt(to) - drawnAt(from)); }

double TimeScale::x(qint64 time) const
{
    return left + double(drawnAt(time) - drawnAt(from)) * (right - left) / double(span());
}

qint64 TimeScale::time(double x) const
{
    return timeAt(drawnAt(from) + qint64(std::llround((x - left) * double(span()) / (right - left))));
}

TimeScale TimeScale::shown(qint64 wanted, qint64 length, qint64 least, qint64 most) const
{
    const qint64 first = drawnAt(least), last = drawnAt(most);
    const qint64 begin = std::clamp(wanted, first, std::max(first, last - length));
    TimeScale scale = *this;
    scale.from = timeAt(begin);
    scale.to = timeAt(begin + length);
    return scale;
}

TimeScale TimeScale::zoomed(double factor, double x, qint64 least, qint64 most) const
{
    const qint64 whole = std::max(drawnAt(most) - drawnAt(least), shortestSpan);
    const qint64 length = std::clamp(qint64(std::llround(double(span()) * factor)), shortestSpan, whole);
    const double share = (x - left) / (right - left);
    return shown(drawnAt(time(x)) - qint64(std::llround(share * double(length))), length, least, most);
}

TimeScale TimeScale::moved(double pixels, qint64 least, qint64 most) const
{
    const qint64 length = span();
    return shown(drawnAt(from) + qint64(std::llround(pixels * double(length) / (right - left))), length, least, most);
}

qint64 tickStep(const TimeScale &scale, double pixels)
{
    constexpr qint64 second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
    constexpr qint64 steps[] = {100, 200, 500, second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
        minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour,
        12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day};
    const double most = std::max(1.0, (scale.right - scale.left) / pixels);
    for (const qint64 step : steps) {
        if (double(scale.span()) / double(step) <= most) {
            return step;
        }
    }
    return qint64(double(scale.span()) / most / double(day) + 1) * day;
}

QList<qint64> ticksOf(const TimeScale &scale, qint64 origin, qint64 step)
{
    QList<qint64> ticks;
    const auto add = [&](qint64 from, qint64 to) {
        for (qint64 tick = (from - origin + step - 1) / step * step; origin + tick <= to; tick += step) {
            ticks.append(origin + tick);
        }
    };
    qint64 from = scale.from;
    for (const TimeGap &gap : scale.gaps) {
        if (gap.to > from && gap.from < scale.to) {
            add(from, gap.from);
            from = gap.to;
        }
    }
    add(from, scale.to);
    return ticks;
}

namespace
{
struct TimelineTexts {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};
} // namespace

QString tickText(qint64 sinceOrigin, qint64 step)
{
    constexpr qint64 second = 1000, minute = 60 * second, day = 24 * 60 * minute;
    if (step < second) {
        const QString seconds = QString::number(double(sinceOrigin % minute) / second, 'f', 1);
        return sinceOrigin < minute
            ? TimelineTexts::tr("%1 s").arg(seconds)
            : QStringLiteral("%1:%2").arg(sinceOrigin / minute).arg(seconds, 4, QLatin1Char('0'));
    }
    // The clock has no seconds any more after a day.
    return sinceOrigin >= day && step < minute
        ? clockText(sinceOrigin) + QStringLiteral(":%1").arg(sinceOrigin / second % 60, 2, 10, QLatin1Char('0'))
        : clockText(sinceOrigin);
}

const TimeGap *gapAt(const TimeScale &scale, double x)
{
    const auto found = std::find_if(scale.gaps.cbegin(), scale.gaps.cend(),
        [&](const TimeGap &gap) { return x > scale.x(gap.from) && x < scale.x(gap.to); });
    return found == scale.gaps.cend() ? nullptr : &*found;
}

qsizetype barAt(const TimelineRow &row, const TimeScale &scale, double x)
{
    qsizetype near = -1;
    double distance = nearPixels;
    for (qsizetype i = row.bars.size() - 1; i >= 0; --i) {
        const double left = scale.x(row.bars.at(i).from), right = scale.x(row.bars.at(i).to);
        const double beside = x < left ? left - x : x > right ? x - right : 0;
        if (beside == 0 && right - left >= 1) {
            return i;
        }
        if (beside <= distance) {
            distance = beside;
            near = near < 0 || beside < distance ? i : near;
        }
    }
    return near;
}

} // namespace trainyard
