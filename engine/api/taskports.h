// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QList>
#include <QString>

namespace trainyard::api
{

// A port of a running task: one that the job has for it, or one that is forwarded to this computer.
struct TaskPort {
    QString role;
    int index = 0;
    QString host; // id
    bool isHere = false; // it runs on this computer: `port` is reached as it is, and nothing is forwarded
    QString label; // that the job has for it; empty: a port that the job does not name
    int port = 0; // on the host
    int localPort = 0; // on this computer; 0: it is not forwarded
    int connections = 0; // through the forward, now
    friend bool operator==(const TaskPort &, const TaskPort &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, TaskPort> &m)
{
    members(io, "role", m.role, "index", m.index, "host", m.host, "isHere", m.isHere, "label", m.label, "port", m.port,
        "localPort", m.localPort, "connections", m.connections);
}

struct PortsOf {
    QString id; // UUID of the job
    QString role; // empty: all tasks
    int index = 0;
    bool withUnasked = false; // also the ports for ssh and http that each task gets
};
template <typename Io> void fields(Io &io, Of<Io, PortsOf> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "withUnasked", m.withUnasked);
}

struct PortToForward {
    QString id, role;
    int index = 0;
    int port = 0;
    int local = 0; // 0: the same number, or the next one that is free
};
template <typename Io> void fields(Io &io, Of<Io, PortToForward> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "port", m.port, "local", m.local);
}

struct ForwardToStop {
    QString id;
    QString role; // empty: those of all tasks
    int index = 0;
    int port = 0; // 0: all
};
template <typename Io> void fields(Io &io, Of<Io, ForwardToStop> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "port", m.port);
}

} // namespace trainyard::api
