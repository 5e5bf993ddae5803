// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/tick.h"

#include "engine/backend/clock.h"

#include <algorithm>
#include <iterator>

namespace trainyard
{

Tick::Tick(ActiveJobs &jobs, Store &store, StoreReserve &reserve, Backends &backends, const ExitRulesFile &exitRules,
    Publisher &publisher)
    : m_jobs(jobs), m_store(store), m_reserve(reserve), m_backends(backends), m_exitRules(exitRules),
      m_publisher(publisher), m_timers(jobs)
{
    m_rewrite.setInterval(1000);
    connect(&m_rewrite, &QTimer::timeout, this, &Tick::rewrite);
    connect(&m_timers, &JobTimers::due, this,
        [this](ActiveJob *job, const core::Event &event) { post(*job, core::Event(event)); });
    connect(&m_backends, &Backends::happened, this,
        [this](ActiveJob *job, const core::Event &event) { post(*job, core::Event(event)); });
    connect(&m_backends, &Backends::placingWanted, this, &Tick::want);
    connect(&m_backends, &Backends::described, this, [this](ActiveJob *job, std::optional<core::TaskRef> task) {
        if (task) {
            m_publisher.mark(*job, *task);
        } else {
            m_publisher.outdateWaits(*job);
            m_publisher.mark(*job);
        }
        want();
    });
}

void Tick::post(ActiveJob &job, decltype(core::Event::what) what) { post(job, core::Event{nowMs(), std::move(what)}); }

void Tick::post(ActiveJob &job, core::Event event)
{
    m_events.push_back({&job, std::move(event)});
    want();
}

void Tick::want()
{
    if (!m_isWanted && !m_isRunning) {
        m_isWanted = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_isWanted = false;
                run();
            },
            Qt::QueuedConnection);
    }
}

void Tick::run()
{
    if (m_isRunning || m_isBlocked) {
        return; // m_rewrite goes on
    }
    m_isRunning = true;
    for (;;) {
        if (!m_events.empty()) {
            takeEvents();
        } else if (m_backends.wantsPlacing()) {
            std::vector<JobEvent> granted = m_backends.place();
            std::move(granted.begin(), granted.end(), std::back_inserter(m_events));
            m_publisher.placed();
        } else {
            break;
        }
    }
    if (commit()) {
        perform();
    }
    m_isRunning = false;
    m_publisher.publish();
    dropFinished();
    if (!m_events.empty() || m_backends.wantsPlacing()) {
        want();
    }
}

void Tick::takeEvents()
{
    // Per job, since the order within a tick is a matter of one job.
    std::vector<std::pair<ActiveJob *, std::vector<core::Event>>> ofJobs;
    std::unordered_map<ActiveJob *, std::size_t> places;
    for (auto &[job, event] : std::exchange(m_events, {})) {
        const auto [it, isNew] = places.try_emplace(job, ofJobs.size());
        if (isNew) {
            ofJobs.emplace_back(job, std::vector<core::Event>());
        }
        ofJobs[it->second].second.push_back(std::move(event));
    }
    for (auto &[job, events] : ofJobs) {
        core::orderTick(events);
        for (core::Event &event : events) {
            event.boot = bootNow();
            step(*job, event);
        }
    }
}

void Tick::step(ActiveJob &job, const core::Event &event)
{
    takeDownFormer(job);
    ActiveJob::Unwritten &unwritten = job.unwritten;
    std::optional<core::JobState> former; // of an attempt that may be replaced before it is written
    if (std::holds_alternative<core::Backoff>(job.state.phase) && !unwritten.tasks.empty()) {
        former = job.state;
    }
    core::Step step = core::next(std::move(job.state), event, m_exitRules.rules());
    job.state = std::move(step.job);
    ++job.version;
    if (former && former->attempt() != job.state.attempt()) {
        unwritten.former.push_back({std::move(*former), std::exchange(unwritten.tries, {})});
    }
    for (const core::Effect &effect : step.effects) {
        apply(job, effect);
    }
}

// A job that rests between two attempts may open the next one with any event.
void Tick::takeDownFormer(ActiveJob &job)
{
    if (std::holds_alternative<core::Backoff>(job.state.phase)) {
        m_publisher.takeDown(job);
    }
}

void Tick::touch(ActiveJob &job)
{
    if (!std::exchange(job.unwritten.isNoted, true)) {
        m_touched.push_back(&job);
    }
}

// Effects that only concern memory are performed at once: a restart rebuilds their results from the store.
void Tick::apply(ActiveJob &job, const core::Effect &effect)
{
    ActiveJob::Unwritten &unwritten = job.unwritten;
    std::visit(Overloaded{
                   [&](const core::effect::SaveJob &save) {
                       unwritten.job = true;
                       unwritten.durable = unwritten.durable || save.durable;
                       touch(job);
                   },
                   [&](const core::effect::SaveAttempt &save) {
                       unwritten.attempts.insert(save.attempt);
                       touch(job);
                   },
                   // Tasks at once: the next event of the same tick may open another attempt, whose tasks take their
                   // places in the state.
                   [&](const core::effect::SaveTask &save) {
                       m_store.saveTask(job.state, save.task);
                       unwritten.tasks.insert(save.task);
                       touch(job);
                   },
                   [&](const core::effect::SaveTry &save) {
                       m_store.saveTry(job.state, save.task, *save.over);
                       unwritten.tries.push_back(save);
                       touch(job);
                   },
                   [&](const core::effect::SaveTasks &) {
                       m_store.saveTasks(job.state);
                       for (std::size_t at = 0; at < job.state.tasks.size(); ++at) {
                           unwritten.tasks.insert(job.state.refAt(at));
                       }
                       touch(job);
                   },
                   [&](const core::effect::RequestPlacement &) {
                       m_backends.of(job).reserve(job, effect);
                       touch(job);
                   },
                   [&](const core::effect::CancelPlacement &) { m_backends.of(job).reserve(job, effect); },
                   [&](const core::effect::ReleaseTry &) {
                       m_backends.of(job).reserve(job, effect);
                       m_effects.push_back({&job, effect});
                   },
                   [&](const core::effect::AttemptOpened &) { m_backends.of(job).reserve(job, effect); },
                   [&](const core::effect::AttemptEnded &) {},
                   [&](const core::effect::StartTimer &timer) { m_timers.start(job, timer); },
                   [&](const core::effect::StartLimit &limit) { m_timers.start(job, limit); },
                   [&](const core::effect::JobEnded &) {
                       m_effects.push_back({&job, effect});
                       Q_EMIT jobEnding(&job);
                   },
                   [&](const auto &) {
                       m_effects.push_back({&job, effect});
                   },
               },
        effect);
}

void Tick::applyWritten(ActiveJob &job, const std::vector<core::Effect> &effects)
{
    for (const core::Effect &effect : effects) {
        const bool isSaved = std::holds_alternative<core::effect::SaveJob>(effect)
            || std::holds_alternative<core::effect::SaveAttempt>(effect)
            || std::holds_alternative<core::effect::SaveTask>(effect)
            || std::holds_alternative<core::effect::SaveTasks>(effect);
        if (!isSaved) {
            apply(job, effect);
        }
    }
    m_publisher.mark(job);
}

Result<void> Tick::stepWritten(ActiveJob &job, decltype(core::Event::what) what, Reserve reserve)
{
    takeDownFormer(job);
    core::JobState before = job.state;
    core::Step step
        = core::next(std::move(job.state), core::Event{nowMs(), std::move(what), bootNow()}, m_exitRules.rules());
    job.state = std::move(step.job);
    ++job.version;
    const auto save = [&] {
        for (const core::Effect &effect : step.effects) {
            std::visit(
                Overloaded{
                    [&](const core::effect::SaveJob &) { m_store.saveJob(job.state); },
                    [&](const core::effect::SaveAttempt &each) { m_store.saveAttempt(job.state, each.attempt); },
                    [&](const core::effect::SaveTask &each) { m_store.saveTask(job.state, each.task); },
                    [&](const core::effect::SaveTry &each) { m_store.saveTry(job.state, each.task, *each.over); },
                    [&](const core::effect::SaveTasks &) { m_store.saveTasks(job.state); },
                    [](const auto &) {},
                },
                effect);
        }
    };
    save();
    if (m_store.inTransaction()) {
        Result<void> written = m_store.commit(true);
        if (!written && reserve == Reserve::Use && m_reserve.give()) {
            save();
            written = m_store.commit(true);
        }
        if (!written) {
            // It may be in the store nevertheless.
            job.state = std::move(before);
            ++job.version;
            save();
            m_store.commit();
            return written;
        }
    }
    for (const core::Effect &effect : step.effects) {
        if (const auto *saved = std::get_if<core::effect::SaveTask>(&effect)) {
            m_publisher.mark(job, saved->task);
        }
    }
    applyWritten(job, step.effects);
    return {};
}

void Tick::save(ActiveJob &job)
{
    if (job.unwritten.job) {
        m_store.saveJob(job.state);
    }
    for (const int attempt : job.unwritten.attempts) {
        m_store.saveAttempt(job.state, attempt);
    }
}

bool Tick::commit()
{
    bool durable = false;
    for (ActiveJob *job : m_touched) {
        save(*job);
        durable = durable || job->unwritten.durable;
    }
    if (m_store.inTransaction()) {
        Result<void> written = m_store.commit(durable);
        const bool mayGive = std::any_of(
            m_touched.cbegin(), m_touched.cend(), [](const ActiveJob *job) { return job->state.stopRequested; });
        if (!written && mayGive && m_reserve.give()) {
            saveWhole();
            for (ActiveJob *job : m_touched) {
                save(*job);
            }
            written = m_store.commit(true);
        }
        if (!written) {
            // Nothing that is not written down may happen. All is tried again until there is room on the disk.
            m_isBlocked = true;
            m_writeError = written.error();
            m_rewrite.start();
            return false;
        }
    }
    for (ActiveJob *job : m_touched) {
        job->unpublished.tasks.merge(job->unwritten.tasks);
        job->unwritten = {};
        m_publisher.mark(*job);
    }
    m_touched.clear();
    m_reserve.keep();
    return true;
}

Result<void> Tick::writable(Reserve reserve)
{
    if (m_isBlocked) {
        rewrite();
    }
    if (m_isBlocked && reserve == Reserve::Use && m_reserve.give()) {
        rewrite();
    }
    return m_isBlocked ? Result<void>(tl::unexpected<Error>(m_writeError)) : Result<void>();
}

Result<bool> Tick::whetherWritten() const
{
    return m_isBlocked ? fail(QStringLiteral("store.later"), m_writeError.args) : Result<bool>(true);
}

// The store has rolled back; whole jobs are written, not only what the tick had changed.
void Tick::rewrite()
{
    m_isBlocked = false;
    saveWhole();
    if (commit()) {
        m_rewrite.stop();
        perform();
        want();
    }
}

void Tick::saveWhole()
{
    for (ActiveJob *job : m_touched) {
        job->unwritten.job = true;
        for (const core::AttemptRecord &attempt : job->state.attempts) {
            job->unwritten.attempts.insert(attempt.index);
        }
        const auto saveTasks = [this](const core::JobState &state, const std::vector<core::effect::SaveTry> &tries) {
            m_store.saveTasks(state);
            for (const core::effect::SaveTry &save : tries) {
                m_store.saveTry(state, save.task, *save.over);
            }
        };
        for (const ActiveJob::Unwritten::Former &former : job->unwritten.former) {
            saveTasks(former.state, former.tries);
        }
        saveTasks(job->state, job->unwritten.tries);
    }
}

void Tick::perform()
{
    const std::vector<JobEffect> effects = std::exchange(m_effects, {});
    m_backends.perform(effects);
    for (const auto &[job, effect] : effects) {
        if (std::holds_alternative<core::effect::JobEnded>(effect)) {
            m_anyFinished = true;
            Q_EMIT jobEnded(job);
        }
    }
}

void Tick::dropFinished()
{
    if (!m_anyFinished || m_isBlocked) {
        return;
    }
    m_anyFinished = false;
    const std::vector<std::unique_ptr<ActiveJob>> finished = m_jobs.takeFinished();
    for (const auto &job : finished) {
        std::erase_if(m_events, [&](const JobEvent &event) { return event.job == job.get(); });
        m_timers.forget(*job);
        m_backends.of(*job).forget(*job);
    }
    m_publisher.dropped(finished);
}

} // namespace trainyard
