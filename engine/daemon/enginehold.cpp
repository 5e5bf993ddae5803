// SPDX-License-Identifier: GPL-3.0-or-later
// What holds jobs: pauses, jobs that others wait for, and timers.
#include "engine/core/report.h"
#include "engine/daemon/engineprivate.h"

#include <algorithm>
#include <tuple>

namespace trainyard
{

using namespace Qt::StringLiterals;

void Engine::Private::later(qint64 due, const ActiveJob &job, decltype(core::Event::what) what)
{
    // By a clock that nobody sets: one that jumps must neither hurry what waits nor put it off. A time of the store may
    // be of a clock that was set since: nothing waits for longer than it was meant to.
    qint64 meant = job.state.policy.guards.maxPauseMs;
    if (std::holds_alternative<core::event::LimitDue>(what)) {
        meant = job.state.policy.timeLimitMs;
    } else if (const auto *retry = std::get_if<core::event::RetryDue>(&what);
               retry && !retry->task && !job.state.attempts.empty() && job.state.attempts.back().completed) {
        meant = due - *job.state.attempts.back().completed;
    }
    const qint64 wait = std::clamp<qint64>(due - nowMs(), 0, std::max<qint64>(0, meant));
    m_due.emplace(steadyMs() + wait, std::pair(job.state.uuid.toString(QUuid::WithoutBraces), std::move(what)));
    startTimer();
}

Result<std::vector<core::Dependency>> Engine::Private::dependenciesOf(
    const JobSpec &spec, const SubmitRequest &request) const
{
    QList<JobAfter> wanted = spec.trainyard.after;
    for (const QString &word : request.after) {
        JobAfter after{word, false};
        if (const qsizetype colon = word.lastIndexOf(u':'); colon > 0) {
            after.job = word.left(colon);
            after.whenEnded = word.mid(colon + 1) == "ended"_L1;
            if (!after.whenEnded && word.mid(colon + 1) != "succeeded"_L1) {
                return fail(u"after.unknown"_s, {{u"job"_s, word}});
            }
        }
        wanted.append(after);
    }
    std::vector<core::Dependency> dependencies;
    for (const JobAfter &after : std::as_const(wanted)) {
        const Result<JobSummary> other = q->findJob(after.job);
        if (!other) {
            return fail(u"after.unknown"_s, {{u"job"_s, after.job}});
        }
        const core::Dependency dependency{QUuid::fromString(other->uuid), other->id, other->name, after.whenEnded};
        if (dependency.isMetBy(other->state)) {
            continue;
        }
        if (isFinal(other->state)) {
            return fail(u"after.failed"_s,
                {{u"job"_s, other->id}, {u"name"_s, other->name}, {u"state"_s, stateWord(other->state)}});
        }
        dependencies.push_back(dependency);
    }
    return dependencies;
}

void Engine::Private::tellDependents(const core::JobState &over)
{
    const State state = core::publicState(core::jobSubState(over), core::jobCode(over)).state;
    for (const auto &[uuid, job] : m_jobs) {
        for (const core::Dependency &dependency : job->state.after) {
            if (dependency.job == over.uuid) {
                post(*job, {nowMs(), core::event::AfterEnded{over.uuid, state, true}});
                break;
            }
        }
    }
}

void Engine::Private::askForDependencies(ActiveJob &job)
{
    for (const core::Dependency &dependency : job.state.after) {
        const QString uuid = dependency.job.toString(QUuid::WithoutBraces);
        if (find(uuid)) {
            continue; // it tells when it is over
        }
        const std::optional<qint64> id = m_store->idOf(uuid);
        const std::optional<JobSummary> stored = id ? m_store->job(*id) : std::nullopt;
        m_events.emplace_back(&job,
            core::Event{nowMs(),
                core::event::AfterEnded{dependency.job, stored ? stored->state : State::Unknown, stored.has_value()}});
    }
}

void Engine::Private::pauseTry(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, bool on)
{
    const LiveTry *entry = live(job, task, tryUuid);
    if (entry) { // otherwise when its host is back
        host(entry->host)->agent->request(contract::Pause{entry->folder.toStdString(), on});
    }
}

Result<bool> Engine::pause(const QString &uuid, bool on)
{
    if (const Result<void> ready = d->writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    ActiveJob *job = d->find(uuid);
    if (!job) {
        const Result<qint64> id = d->storedId(uuid);
        return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
    }
    const bool was = job->state.pausedAt.has_value();
    if (const Result<void> written = d->stepWritten(*job, {nowMs(), core::event::PauseRequested{on}}); !written) {
        return tl::unexpected<Error>(written.error());
    }
    d->turn();
    job = d->find(uuid);
    return job && job->state.pausedAt.has_value() == on && was != on;
}

// Whether what happened so far is written down. When it was not, it is tried again, and not only at its time.
Result<void> Engine::Private::writable()
{
    if (m_writeFailed) {
        rewrite();
    }
    return m_writeFailed ? Result<void>(tl::unexpected<Error>(m_writeError)) : Result<void>();
}

// A wish of a person: written down, or it changes nothing.
Result<void> Engine::Private::stepWritten(ActiveJob &job, const core::Event &event)
{
    core::JobState before = job.state;
    core::Step step = core::next(std::move(job.state), event);
    job.state = std::move(step.job);
    const auto save = [&] {
        for (const core::Effect &effect : step.effects) {
            std::visit(
                Overloaded{
                    [&](const core::effect::SaveJob &) { m_store->saveJob(job.state); },
                    [&](const core::effect::SaveAttempt &each) { m_store->saveAttempt(job.state, each.attempt); },
                    [&](const core::effect::SaveTask &each) { m_store->saveTask(job.state, each.task); },
                    [&](const core::effect::SaveTry &each) { m_store->saveTry(job.state, each.task, *each.over); },
                    [&](const core::effect::SaveTasks &) { m_store->saveTasks(job.state); },
                    [](const auto &) {},
                },
                effect);
        }
    };
    save();
    if (m_store->inTransaction()) {
        if (const Result<void> written = m_store->commit(true); !written) {
            // It may be in the store nevertheless.
            job.state = std::move(before);
            save();
            m_store->commit();
            return written;
        }
    }
    for (const core::Effect &effect : step.effects) {
        if (const auto *saved = std::get_if<core::effect::SaveTask>(&effect)) {
            job.changedTasks.insert(saved->task);
        }
    }
    applyWritten(job, step.effects);
    return {};
}

Engine::Private::Places::Places(Private &engine) : m_engine(engine), m_order(engine.m_scheduler.order())
{
    for (const auto &[uuid, job] : engine.m_jobs) {
        m_places.push_back({job.get(), job->state.priority, job->state.order});
    }
}

void Engine::Private::Places::restore() const
{
    m_engine.m_scheduler.restore(*m_order);
    for (const Place &place : m_places) {
        core::JobState &state = place.job->state;
        if (state.priority != place.priority || state.order != place.order) {
            state.priority = place.priority;
            state.order = place.order;
            m_engine.m_store->saveJob(state); // what could not be written may be in the store nevertheless
        }
    }
    m_engine.m_store->commit();
}

// In the order in which all waiting jobs are shown. The scheduler knows only those that could start now; the others,
// which wait for jobs, take their place along.
bool Engine::Private::moveAmongAll(const QString &uuid, const QString &before)
{
    constexpr double gap = 0.001;
    const auto orderOf = [](const ActiveJob *job) { return job->state.order.value_or(double(job->state.submitted)); };
    std::vector<ActiveJob *> queue;
    ActiveJob *moved = nullptr;
    for (const auto &[key, job] : m_jobs) {
        const core::JobState &state = job->state;
        const bool waits = core::publicState(core::jobSubState(state), core::jobCode(state)).state == State::Waiting;
        if (!waits || state.pausedAt || !std::holds_alternative<core::Active>(state.phase)) {
            continue;
        }
        if (state.uuid == QUuid::fromString(uuid)) {
            moved = job.get();
        } else {
            queue.push_back(job.get());
        }
    }
    std::sort(queue.begin(), queue.end(), [&](const ActiveJob *a, const ActiveJob *b) {
        return std::tuple(-a->state.priority, orderOf(a), a->state.meta.id)
            < std::tuple(-b->state.priority, orderOf(b), b->state.meta.id);
    });
    const auto place
        = before.isEmpty() ? queue.end() : std::find_if(queue.begin(), queue.end(), [&](const ActiveJob *job) {
              return job->state.uuid == QUuid::fromString(before);
          });
    if (!moved || queue.empty() || (!before.isEmpty() && place == queue.end())) {
        return false;
    }
    // It takes the class of what it stands before, or of the last one; those behind it make room where there is none.
    const int priority = (place == queue.end() ? queue.back() : *place)->state.priority;
    const bool isFirst = place == queue.begin() || (*std::prev(place))->state.priority != priority;
    double order = isFirst ? orderOf(*place) - 1 : orderOf(*std::prev(place)) + gap;
    const auto put = [&](ActiveJob *job) {
        job->state.priority = priority;
        job->state.order = order;
        m_scheduler.setPlace(job->state.uuid, priority, order);
        m_store->saveJob(job->state);
        job->changed = true;
        m_untold.insert(job);
    };
    put(moved);
    for (auto it = place; it != queue.end() && (*it)->state.priority == priority; ++it) {
        if (orderOf(*it) >= order + gap / 2) {
            break;
        }
        order += gap;
        put(*it);
    }
    return true;
}

Result<bool> Engine::release(const QString &uuid, const QStringList &tasks)
{
    ActiveJob *job = d->find(uuid);
    if (!job) {
        const Result<qint64> id = d->storedId(uuid);
        return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
    }
    bool any = false;
    const QList<HeldTask> held = d->heldTasksOf(*job);
    for (const HeldTask &task : held) {
        const std::optional<core::TaskRef> ref = job->state.find(task.role, task.index);
        if (!ref || (!tasks.isEmpty() && !tasks.contains(task.role + u'/' + QString::number(task.index)))) {
            continue;
        }
        const QUuid tryUuid = core::tryUuid(
            job->state.uuid, job->state.attempt(), task.role, task.index, job->state.task(*ref).tryIndex);
        if (const LiveTry *entry = d->live(*job, *ref, tryUuid)) { // otherwise when its time is over
            contract::Put letGo;
            letGo.path = entry->folder.toStdString() + "/release";
            d->host(entry->host)->agent->request(letGo);
            any = true;
        }
    }
    return any;
}

Result<bool> Engine::setPriority(const QString &uuid, int priority)
{
    if (const Result<void> ready = d->writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    ActiveJob *job = d->find(uuid);
    if (!job) {
        const Result<qint64> id = d->storedId(uuid);
        return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
    }
    const Private::Places before(*d);
    // Where the hand had put it is forgotten in any case.
    const bool isQueued = d->m_scheduler.setPriority(job->state.uuid, priority);
    if (!isQueued && (!job->state.isHeld() || job->state.heldTasks > 0)) {
        return false;
    }
    job->state.priority = priority;
    job->state.order.reset();
    d->m_store->saveJob(job->state);
    if (const Result<void> written = d->m_store->commit(true); !written) {
        before.restore();
        return tl::unexpected<Error>(written.error());
    }
    job->changed = true;
    d->m_untold.insert(job);
    d->m_scheduleWanted = true;
    d->wantTurn();
    return true;
}

} // namespace trainyard
