// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QList>
#include <QString>

namespace trainyard::api
{

// How much a host was used in the last hour: one average for each step, the oldest first. Percent, 0 to 100; -1 where
// nothing is known, because the host or the engine was not there.
struct GpuHistory {
    QString uuid;
    QList<double> use; // of the GPU's time
};
template <typename Io> void fields(Io &io, Of<Io, GpuHistory> &m) { members(io, "uuid", m.uuid, "use", m.use); }

struct HostHistory {
    QString host; // id
    int stepSeconds = 60;
    QList<double> cpu, memory; // of all cores together; of all memory
    QList<GpuHistory> gpus; // those that were seen in this hour
};
template <typename Io> void fields(Io &io, Of<Io, HostHistory> &m)
{
    members(io, "host", m.host, "stepSeconds", m.stepSeconds, "cpu", m.cpu, "memory", m.memory, "gpus", m.gpus);
}

} // namespace trainyard::api
