// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitrulesfile.h"
#include "engine/daemon/jobtimers.h"
#include "engine/daemon/publisher.h"
#include "engine/store/storereserve.h"

#include <QTimer>

namespace trainyard
{

// The tick of the engine: events go through the pure core, its changes are saved in one transaction, the back end
// performs the effects only after the commit, and then the clients that watch are informed. After a crash in between,
// the effects are performed again. While the store cannot be written, nothing happens at all; the write is repeated
// until there is room.
class Tick : public QObject
{
    Q_OBJECT
public:
    Tick(ActiveJobs &jobs, Store &store, StoreReserve &reserve, Backends &backends, const ExitRulesFile &exitRules,
        Publisher &publisher);

    void post(ActiveJob &job, decltype(core::Event::what) what); // for the next tick, soon
    void post(ActiveJob &job, core::Event event);
    void want(); // a tick soon
    void run(); // one now: what was posted is written down when it returns, unless isBlocked()

    // Whether a wish may use the room that is kept on a full disk.
    enum class Reserve { Keep, Use };
    // A wish of a person: written down, or it changes nothing (store.write, store.full).
    Result<void> stepWritten(ActiveJob &job, decltype(core::Event::what) what, Reserve reserve);
    // The effects of a step that the caller has written: all but the saving.
    void applyWritten(ActiveJob &job, const std::vector<core::Effect> &effects);
    // Whether what happened so far is written down. When it was not, it is tried again, and not only at its time.
    Result<void> writable(Reserve reserve = Reserve::Keep);
    bool isBlocked() const { return m_isBlocked; } // the newest tick could not be written
    // For the answer to a wish that a tick has taken: true, or store.later. What could not be written comes later.
    Result<bool> whetherWritten() const;
    void rewrite(); // again what it could not write

Q_SIGNALS:
    // In the tick in which it ends: what is posted now belongs to it, and comes before the allocations that it releases
    // are given to others.
    void jobEnding(trainyard::ActiveJob *job);
    void jobEnded(trainyard::ActiveJob *job); // that is written down

private:
    void takeEvents();
    void step(ActiveJob &job, const core::Event &event);
    void apply(ActiveJob &job, const core::Effect &effect);
    void takeDownFormer(ActiveJob &job);
    void touch(ActiveJob &job);
    void save(ActiveJob &job);
    void saveWhole();
    bool commit();
    void perform();
    void dropFinished();

    ActiveJobs &m_jobs;
    Store &m_store;
    StoreReserve &m_reserve;
    Backends &m_backends;
    const ExitRulesFile &m_exitRules;
    Publisher &m_publisher;
    JobTimers m_timers;
    std::vector<JobEvent> m_events;
    std::vector<JobEffect> m_effects; // that wait for the commit
    std::vector<ActiveJob *> m_touched;
    QTimer m_rewrite; // after a commit that failed
    Error m_writeError; // why it did
    bool m_isWanted = false, m_isRunning = false, m_isBlocked = false, m_anyFinished = false;
};

} // namespace trainyard
