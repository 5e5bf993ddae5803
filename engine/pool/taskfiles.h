// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskfiles.h"
#include "engine/api/values.h"
#include "engine/pool/hostpool.h"

namespace trainyard
{

// The files of a task on the host where it ran, for users who need some of them. The hosts read them, and nothing here
// waits for that.
class TaskFiles
{
public:
    template <typename T> using Answer = std::function<void(const Result<T> &)>; // not called when its context is gone

    explicit TaskFiles(const HostPool &hosts) : m_hosts(hosts) { }
    // host.unknown, host.files-away {host}, host.gone, results.no-folder {folder}, results.unreadable {path,
    // reason}.
    void list(const TaskFolder &place, const api::FilesWanted &wanted, QObject *context,
        const Answer<api::TaskFileList> &answer) const;
    // The same, and results.vanished {path}.
    void read(const TaskFolder &place, const api::PieceWanted &wanted, QObject *context,
        const Answer<api::FilePiece> &answer) const;

private:
    Result<AgentConnection *> agentOf(const TaskFolder &place) const;
    const HostPool &m_hosts;
};

} // namespace trainyard
