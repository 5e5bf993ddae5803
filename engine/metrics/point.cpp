// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/point.h"

namespace trainyard::metrics
{

std::string_view axisName(Axis axis)
{
    switch (axis) {
    case Axis::None:
        return "none";
    case Axis::Step:
        return "step";
    case Axis::Iteration:
        return "iteration";
    case Axis::Batch:
        return "batch";
    case Axis::Epoch:
        return "epoch";
    case Axis::Episode:
        return "episode";
    case Axis::Update:
        return "update";
    case Axis::Round:
        return "round";
    case Axis::Tick:
        return "tick";
    case Axis::Time:
        return "time";
    case Axis::Row:
        return "row";
    }
    return "none";
}

} // namespace trainyard::metrics
