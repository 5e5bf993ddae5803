// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobqueue.h"

#include <algorithm>
#include <tuple>

namespace trainyard
{

JobQueue::JobQueue(const ActiveJobs &jobs, Store &store, core::Scheduler &scheduler, Backends &backends, Tick &tick,
    Publisher &publisher, const JobQueries &queries)
    : m_jobs(jobs), m_store(store), m_scheduler(scheduler), m_backends(backends), m_tick(tick), m_publisher(publisher),
      m_queries(queries)
{
}

// Where the waiting jobs stood, to put them back when a change of it cannot be written down.
class JobQueue::Before
{
public:
    explicit Before(JobQueue &queue) : m_queue(queue), m_order(queue.m_scheduler.order())
    {
        for (const auto &[uuid, job] : queue.m_jobs) {
            m_places.push_back({job.get(), job->state.priority, job->state.order});
        }
    }
    void restore() const
    {
        m_queue.m_scheduler.restore(*m_order);
        for (const Place &place : m_places) {
            core::JobState &state = place.job->state;
            if (state.priority != place.priority || state.order != place.order) {
                state.priority = place.priority;
                state.order = place.order;
                m_queue.m_store.saveJob(state); // what could not be written may be in the store nevertheless
            }
        }
        m_queue.m_store.commit();
    }

private:
    struct Place {
        ActiveJob *job = nullptr;
        int priority = 0;
        std::optional<double> order;
    };
    JobQueue &m_queue;
    std::shared_ptr<const core::Scheduler::Order> m_order;
    std::vector<Place> m_places;
};

void JobQueue::put(ActiveJob &job, int priority, std::optional<double> order)
{
    job.state.priority = priority;
    job.state.order = order;
    m_store.saveJob(job.state);
    m_publisher.mark(job);
}

Result<bool> JobQueue::move(const QString &uuid, const QString &before)
{
    if (const Result<void> ready = m_tick.writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    for (const QString &each : {uuid, before}) {
        if (const Result<qint64> id = each.isEmpty() ? Result<qint64>(0) : m_queries.idOf(each); !id) {
            return tl::unexpected<Error>(id.error());
        }
    }
    const Before places(*this);
    const QUuid moved = QUuid::fromString(uuid);
    const QUuid other = QUuid::fromString(before);
    if (!m_scheduler.move(moved, other) && !moveAmongAll(moved, other)) {
        return false;
    }
    // The jobs behind it may have freed capacity.
    for (const auto &[key, job] : m_jobs) {
        const auto place = m_scheduler.placeByHand(job->state.uuid);
        if (place && (job->state.priority != place->first || job->state.order != place->second)) {
            put(*job, place->first, place->second);
        }
    }
    if (const Result<void> written = m_store.commit(true); !written) {
        places.restore();
        return tl::unexpected<Error>(written.error());
    }
    m_backends.wantPlacing();
    return true;
}

// In the order in which all waiting jobs are shown. The scheduler knows only those that could start now; the others,
// which wait for jobs or were paused before their start, take their place along.
bool JobQueue::moveAmongAll(const QUuid &uuid, const QUuid &before)
{
    constexpr double gap = 0.001;
    const auto orderOf = [](const ActiveJob *job) { return job->state.order.value_or(double(job->state.submitted)); };
    std::vector<ActiveJob *> queue;
    ActiveJob *moved = nullptr;
    for (const auto &[key, job] : m_jobs) {
        const core::JobState &state = job->state;
        const bool waits = core::publicState(core::jobSubState(state), core::jobCode(state)).state == State::Waiting;
        const bool isHalted = state.pausedAt && state.allocatedTasks > 0; // else it has its place, and waits there
        if (!waits || isHalted || !std::holds_alternative<core::Active>(state.phase)) {
            continue;
        }
        if (state.uuid == uuid) {
            moved = job.get();
        } else {
            queue.push_back(job.get());
        }
    }
    std::sort(queue.begin(), queue.end(), [&](const ActiveJob *a, const ActiveJob *b) {
        return std::tuple(b->state.priority, orderOf(a), a->state.meta.id)
            < std::tuple(a->state.priority, orderOf(b), b->state.meta.id);
    });
    const auto place = before.isNull()
        ? queue.end()
        : std::find_if(queue.begin(), queue.end(), [&](const ActiveJob *job) { return job->state.uuid == before; });
    if (!moved || queue.empty() || (!before.isNull() && place == queue.end())) {
        return false;
    }
    // It takes the class of what it stands before, or of the last one; those behind it make room where there is none.
    const int priority = (place == queue.end() ? queue.back() : *place)->state.priority;
    const bool isFirst = place == queue.begin() || (*std::prev(place))->state.priority != priority;
    double order = isFirst ? orderOf(*place) - 1 : orderOf(*std::prev(place)) + gap;
    const auto take = [&](ActiveJob *job) {
        m_scheduler.setPlace(job->state.uuid, priority, order);
        put(*job, priority, order);
    };
    take(moved);
    for (auto it = place; it != queue.end() && (*it)->state.priority == priority; ++it) {
        if (orderOf(*it) >= order + gap / 2) {
            break;
        }
        order += gap;
        take(*it);
    }
    return true;
}

Result<bool> JobQueue::setPriority(const QString &uuid, int priority)
{
    if (const Result<void> ready = m_tick.writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    ActiveJob *job = m_jobs.find(uuid);
    if (!job) {
        const Result<qint64> id = m_queries.idOf(uuid);
        return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
    }
    const Before places(*this);
    // Where the hand had put it is forgotten in any case.
    const bool isQueued = m_scheduler.setPriority(job->state.uuid, priority);
    if (!isQueued && (!job->state.isBlocked() || job->state.allocatedTasks > 0)) {
        return false;
    }
    job->state.priority = priority;
    job->state.order.reset();
    m_store.saveJob(job->state);
    if (const Result<void> written = m_store.commit(true); !written) {
        places.restore();
        return tl::unexpected<Error>(written.error());
    }
    m_publisher.mark(*job);
    m_backends.wantPlacing();
    return true;
}

} // namespace trainyard
