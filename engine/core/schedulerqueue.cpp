// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the queue, and how people change it.
#include "engine/core/schedulerdata.h"

namespace trainyard::core
{

bool Scheduler::move(const QUuid &job, const QUuid &before)
{
    const auto own = d->keys.constFind(job);
    if (own == d->keys.constEnd() || job == before || (!before.isNull() && !d->keys.contains(before))) {
        return false;
    }
    QueueKey key = *own;
    d->queue.erase(key);
    d->keys.remove(job);
    if (d->queue.empty()) {
        d->setKey(job, key);
        return true;
    }
    // It takes the class of what it stands before, or of the last one.
    const auto place = before.isNull() ? d->queue.end() : d->queue.find(d->keys.value(before));
    key.minusPriority = (before.isNull() ? d->queue.rbegin()->first : place->first).minusPriority;
    std::vector<std::pair<QueueKey, QUuid>> behind{{key, job}};
    double previous = 0;
    bool isFirst = true;
    for (auto it = d->queue.begin(); it != place; ++it) {
        if (it->first.minusPriority == key.minusPriority) {
            previous = it->first.order;
            isFirst = false;
        }
    }
    for (auto it = place; it != d->queue.end() && it->first.minusPriority == key.minusPriority; ++it) {
        behind.emplace_back(*it);
    }
    // Right behind the one before it; those after it make room where there is none.
    constexpr double gap = 0.001;
    behind.front().first.order = isFirst ? behind[1].first.order - 1 : previous + gap;
    for (std::size_t i = 0; i < behind.size(); ++i) {
        auto &[moved, uuid] = behind[i];
        if (i > 0 && moved.order >= behind[i - 1].first.order + gap / 2) {
            break;
        }
        if (i > 0) {
            d->queue.erase(moved);
            moved.order = behind[i - 1].first.order + gap;
        }
        d->moved.insert(uuid, {int(-moved.minusPriority), moved.order});
        d->setKey(uuid, moved);
    }
    return true;
}

bool Scheduler::setPriority(const QUuid &job, int priority)
{
    d->moved.remove(job);
    const auto own = d->keys.constFind(job);
    if (own == d->keys.constEnd()) {
        return false;
    }
    QueueKey key = *own;
    d->queue.erase(key);
    d->keys.remove(job);
    key.minusPriority = -qint64(priority);
    key.order = double(d->waiters[job].asked.submitted);
    d->setKey(job, key);
    return true;
}

struct Scheduler::Order {
    std::map<QueueKey, QUuid> queue;
    QHash<QUuid, QueueKey> keys;
    QHash<QUuid, std::pair<int, double>> moved;
};

std::shared_ptr<const Scheduler::Order> Scheduler::order() const
{
    return std::make_shared<const Order>(Order{d->queue, d->keys, d->moved});
}

void Scheduler::restore(const Order &order)
{
    d->queue = order.queue;
    d->keys = order.keys;
    d->moved = order.moved;
}

void Scheduler::setPlace(const QUuid &job, int priority, double order)
{
    const auto own = d->keys.constFind(job);
    if (own == d->keys.constEnd()) {
        return;
    }
    QueueKey key = *own;
    d->queue.erase(key);
    d->keys.remove(job);
    key.minusPriority = -qint64(priority);
    key.order = order;
    d->moved.insert(job, {priority, order});
    d->setKey(job, key);
}

std::optional<std::pair<int, double>> Scheduler::placeByHand(const QUuid &job) const
{
    const auto it = d->moved.constFind(job);
    return it == d->moved.constEnd() ? std::nullopt : std::optional<std::pair<int, double>>(*it);
}

QList<QUuid> Scheduler::queue() const
{
    QList<QUuid> jobs;
    for (const auto &[key, job] : d->queue) {
        jobs.append(job);
    }
    return jobs;
}

} // namespace trainyard::core
