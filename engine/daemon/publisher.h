// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/jobviews.h"

#include <QTimer>

#include <set>

namespace trainyard
{

// Tells the clients that watch what has changed, at most 20 times a second per job, and why jobs wait. Reasons for
// waiting are worked out when a client watches, and not in every tick: that costs more than placing does.
class Publisher : public QObject
{
    Q_OBJECT
public:
    Publisher(const ActiveJobs &jobs, const Backends &backends, const JobViews &views);

    void mark(ActiveJob &job); // it has changed
    void mark(ActiveJob &job, core::TaskRef task);
    // Before a step that may open another attempt, whose tasks replace those of this one: what is still to be announced
    // about these is recorded as it is.
    void takeDown(ActiveJob &job);
    void publish(); // what has changed, now or as soon as it may be sent
    void dropped(const std::vector<std::unique_ptr<ActiveJob>> &finished); // their final state is sent
    void noteIdle(); // there may be other active jobs than before
    void begin(); // what there is now is known

    void placed(); // another round of placing has ended
    void outdateWaits(ActiveJob &job); // its back end knows more than at the last round of placing
    void workOutWaits(ActiveJob &job); // unless it is known, or has recently taken too much of the engine's time
    void setWatched(bool on); // off: reasons are worked out only when they are asked for

Q_SIGNALS:
    void jobChanged(const trainyard::JobSummary &job);
    void tasksChanged(const QString &uuid, const QList<trainyard::TaskInfo> &tasks);
    void idleChanged(bool idle);

private:
    void tellJob(ActiveJob &job);
    void watchWaits(); // informs the clients that watch, soon
    void tellWaits();

    const ActiveJobs &m_jobs;
    const Backends &m_backends;
    const JobViews &m_views;
    std::set<ActiveJob *> m_changed;
    QTimer m_timer; // changes held back
    bool m_wasIdle = true;

    quint64 m_round = 1; // of placing, the newest
    QTimer m_waitsTimer; // reasons are sent a few times a second
    qint64 m_waitsSpentUs = 0, m_waitsSince = 0; // what working them out has taken since when (steady)
    bool m_isWatched = true;
};

} // namespace trainyard
