// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveline.h"
#include "widgets/plot/stepclock.h"

#include <QObject>

#include <map>
#include <utility>

namespace trainyard
{

class CurveStore;

// By which series a task says when it was where along an axis. Every plot asks for them each time it is drawn, and for
// each of its marks; a program that logs each layer has thousands. So they are looked for once per task and axis, until
// the curves change.
class TrainingClock : public QObject
{
    Q_OBJECT
public:
    explicit TrainingClock(CurveStore *store); // whose child it is
    // For the plot of this metric. Empty: it does not stand on the axis of the others. Holds until the curves change.
    stepclock::Series of(int task, const QString &metric, CurveAlong along);

private:
    bool isOnAxis(int task, const QString &metric, CurveAlong along) const;
    stepclock::Series madeFor(int task, CurveAlong along) const;

    CurveStore *m_store;
    std::map<std::pair<int, CurveAlong>, stepclock::Series> m_made;
};

} // namespace trainyard
