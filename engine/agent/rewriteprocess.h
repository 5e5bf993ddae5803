// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/thinning.h"
#include "engine/series/writer.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::agent
{

// A process that rewrites one file of series (engine/series/rewriting.h), as that takes about a second and some
// hundred MiB for a large one. From start() until it has ended, its writer is not flushed.
class RewriteProcess
{
public:
    RewriteProcess() = default;
    ~RewriteProcess() { stop(); }
    RewriteProcess(const RewriteProcess &) = delete;
    RewriteProcess &operator=(const RewriteProcess &) = delete;

    // Whether it may be started again: it was not for half an hour. Until then the file has some small blocks.
    bool isRested(std::int64_t now) const; // ms UTC, as below
    // No rewrite begins on a full disk.
    void start(series::Writer &writer, std::int64_t now, const std::vector<series::ThinRule> &rules = {});
    bool isRunning() const { return m_process > 0; }
    bool isLate(std::int64_t now) const; // it is to be stopped
    // The new file replaces the old one, if it was that process that has ended and it says that the file is whole.
    void reaped(pid_t process, int status, std::unique_ptr<series::Writer> &writer);
    void stop(); // its end is seen where the agent waits for processes, too

private:
    std::string m_path; // of the file
    std::int64_t m_began = 0; // the last time
    pid_t m_process = 0;
};

} // namespace trainyard::agent
