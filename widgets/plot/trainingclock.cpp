// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/trainingclock.h"

#include "widgets/plot/curvestore.h"

namespace trainyard
{

TrainingClock::TrainingClock(CurveStore *store) : QObject(store), m_store(store)
{
    const auto forget = [this] { m_made.clear(); };
    connect(store, &CurveStore::reset, this, forget); // the series may be gone
    connect(store, &CurveStore::grew, this, forget);
}

stepclock::Series TrainingClock::of(int task, const QString &metric, CurveAlong along)
{
    if (task < 0 || task >= m_store->tasks().size() || !isOnAxis(task, metric, along)) {
        return {};
    }
    const std::pair key{task, along};
    auto known = m_made.find(key);
    if (known == m_made.end()) {
        known = m_made.emplace(key, madeFor(task, along)).first;
    }
    return known->second;
}

bool TrainingClock::isOnAxis(int task, const QString &metric, CurveAlong along) const
{
    return along == CurveAlong::Epoch || m_store->standsAtSteps(task, metric);
}

// All metrics of the task that count what the axis counts. Those of files have the times at which they were read: they
// say when it was only where nothing is printed.
stepclock::Series TrainingClock::madeFor(int task, CurveAlong along) const
{
    stepclock::Series printed, ofFiles;
    const QStringList names = m_store->names();
    for (const QString &name : names) {
        const series::Series *told
            = m_store->isFigure(name) || !isOnAxis(task, name, along) ? nullptr : m_store->series(task, name, along);
        if (told && !told->isEmpty()) {
            (m_store->sourceOf(name).isEmpty() ? printed : ofFiles).append(told);
        }
    }
    return printed.isEmpty() ? ofFiles : printed;
}

} // namespace trainyard
