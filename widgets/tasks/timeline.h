// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runstory.h"

namespace trainyard
{

// A run over time, as bars in rows. Values only: what is drawn is decided here, how it is drawn in TimelineView.
struct TimelineBar {
    enum class Kind {
        Waits, // for its host, or for the pause before a retry
        Prepares, // its prerequisites run
        Runs, // its commands, or all of it where nothing is known about prerequisites
        Paused // lies over the part of its run in which the job was paused by hand
    };
    Kind kind = Kind::Runs;
    qint64 from = 0, to = 0; // ms UTC
    bool isOpen = false; // it goes on
    qsizetype of = -1; // the try in RunStory::tries
};

struct TimelineRow {
    QString role;
    int index = 0;
    QList<TimelineBar> bars; // by time; those that lie over another one come after it
};

struct TimelineAttempt {
    int number = 0; // from 0
    qint64 from = 0, to = 0;
    bool isOpen = false;
    State state = State::Unknown;
    std::optional<int> exitCode;
    std::optional<int> rawExit; // of the task that ended it
    bool isPaused = false; // now
};

// A time in which nothing happened, as before an attempt that was begun days after the last one: it is drawn as if it
// had been shorter.
struct TimeGap {
    qint64 from = 0, to = 0;
    qint64 drawn = 0; // ms that it takes of the picture
    friend bool operator==(const TimeGap &, const TimeGap &) = default;
};

struct Timeline {
    QList<TimelineAttempt> attempts;
    QList<TimelineRow> rows; // roles in the order of the job, tasks by their numbers
    qint64 from = 0, to = 0; // of all
    QList<TimeGap> gaps; // those that would take most of the picture, by time
    bool isEmpty() const { return rows.isEmpty() && attempts.isEmpty(); }
};

// Waiting and running bars continue until `now`.
Timeline timelineOf(const RunStory &story, qint64 now);

// The mapping of time to positions.
struct TimeScale {
    qint64 from = 0, to = 1; // ms UTC
    double left = 0, right = 1; // pixels
    QList<TimeGap> gaps = {}; // by time

    qint64 span() const; // from end to end, as long as it is drawn
    double x(qint64 time) const;
    qint64 time(double x) const;
    // The same pixels with a span so many times as long; what is at `x` stays there. Within the limits, and never less
    // than a tenth of a second.
    TimeScale zoomed(double factor, double x, qint64 least, qint64 most) const;
    TimeScale moved(double pixels, qint64 least, qint64 most) const;
    friend bool operator==(const TimeScale &, const TimeScale &) = default;

private:
    // Places on an axis on which gaps are as long as they are drawn.
    qint64 drawnAt(qint64 time) const;
    qint64 timeAt(qint64 drawn) const;
    TimeScale shown(qint64 from, qint64 span, qint64 least, qint64 most) const;
};

// The distance of the marks of a ruler, ms: a round number with which they are `pixels` apart at the least.
qint64 tickStep(const TimeScale &scale, double pixels);

// The times of the marks, so far apart and counted from `origin`. Gaps have none.
QList<qint64> ticksOf(const TimeScale &scale, qint64 origin, qint64 step);
QString tickText(qint64 sinceOrigin, qint64 step); // distinguishable from the one before it

// The gap at this place; null: there is none.
const TimeGap *gapAt(const TimeScale &scale, double x);

// The bar of a row at this place: the one that was drawn last where several share it, and narrow ones from a few pixels
// beside them. -1: none.
qsizetype barAt(const TimelineRow &row, const TimeScale &scale, double x);

} // namespace trainyard
