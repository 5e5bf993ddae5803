// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"
#include "engine/contract/taskfolder.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::agent
{

std::int64_t monotonicMs();
std::int64_t sinceBootMs(); // goes on while the computer sleeps
std::int64_t utcMs();

// Writes the output of one try: output.log, output.idx, and output.tail beyond the limit. A full disk blocks it: the
// caller then stops reading, so that the task waits, and calls retry() each second. Nothing is dropped.
class Pump
{
public:
    Pump(const contract::Secrets &secrets, std::int64_t limit);
    ~Pump();
    Pump(const Pump &) = delete;
    Pump &operator=(const Pump &) = delete;

    int open(); // in the current folder; 0 or errno

    void take(contract::Stream stream, std::string_view bytes);
    void finishStream(contract::Stream stream); // shows what was held back
    void flushIndex();
    std::int64_t flushDue() const { return m_flushDue; } // monotonic ms, or -1

    int blocked() const { return m_blocked; } // errno of the write that failed, or 0
    void retry();
    // Stops waiting for the rest of the output: what is not written and what still comes is only counted.
    void giveUp();

    std::uint64_t bytes() const { return m_offset; }
    std::uint64_t lost() const { return m_lost; }
    std::uint64_t masked() const { return m_maskers[0].count() + m_maskers[1].count(); }
    bool isCut() const { return m_tail >= 0; }
    void sync();

private:
    static constexpr std::int64_t mergeMs = 50;
    static constexpr std::size_t mergeBytes = 64 * 1024;

    const contract::Secrets &m_secrets;
    contract::Masker m_maskers[2];
    int m_log = -1, m_index = -1, m_tail = -1;
    std::uint64_t m_limit = 0; // 0: not decided yet
    std::uint64_t m_offset = 0;
    contract::TailHeader m_ring;
    std::int64_t m_utcOffsetNs = 0; // UTC at the start less CLOCK_BOOTTIME then
    std::int64_t m_clockStep = 0; // last seen difference, in seconds
    bool m_lineStart[2] = {true, true};
    contract::IndexRecord m_record; // growing; length 0: none
    std::int64_t m_recordBegan = 0;
    std::int64_t m_flushDue = -1;
    std::string m_logPending, m_indexPending, m_shown;
    int m_blocked = 0;
    bool m_hasGivenUp = false;
    std::uint64_t m_lost = 0;

    void emitBytes(contract::Stream stream, std::string_view bytes);
    void addRecord(contract::Stream stream, std::string_view bytes, bool cut);
    void closeRecord();
    void decideLimit();
    void writeTail(std::string_view bytes);
    void writePending();
    std::int64_t nowNs(std::uint8_t *flags);
};

} // namespace trainyard::agent
