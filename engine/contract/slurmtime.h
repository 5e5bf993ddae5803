// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// The time that Slurm gives a job, and how its last part is used. Pure. Standard library only.
namespace trainyard::contract
{

// Seconds of a time as Slurm writes it: "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
// "days-hours:minutes", "days-hours:minutes:seconds". Nothing: it is not a time ("UNLIMITED", "INVALID").
std::optional<std::int64_t> slurmSeconds(std::string_view text);

// How long before the end tasks are asked to end, so that they have their grace period: but never before half of the
// time has passed. `limit` 0: it is not known, or there is none.
std::int64_t noticeSeconds(std::int64_t graceMs, std::int64_t limit);

// What a job with a time limit of its own asks for, in minutes: its limit begins when a task runs, so there is room for
// the preparation of the nodes before, and for the notice and the grace period behind.
constexpr std::int64_t preparationSeconds = 300;
std::int64_t minutesToAsk(std::int64_t limitMs, std::int64_t graceMs);
// After how long the lead ends the tasks, which the engine does at the limit, unless it is away. 0: never.
std::int64_t leadLimitMs(std::int64_t limitMs);

// What Slurm's notice means. It may come a minute early, and at once where the time is short; and a site may also send
// it to a job that has to make room.
struct EndOfTime {
    enum class What { Wait, Time, Room } what = What::Time;
    std::int64_t ms = 0; // to wait before it is asked again; or the grace period that is left
};
// `left` and `limit` in seconds; nothing: Slurm does not say. `isNotice`: it has just come.
EndOfTime endOfTime(
    std::optional<std::int64_t> left, std::optional<std::int64_t> limit, std::int64_t graceMs, bool isNotice);

// What was left of the time when Slurm said so the last time, for when it does not answer: a controller that is started
// again is not an end of the time. Both in seconds, by a clock that goes on while the computer sleeps.
class LeftOfTime
{
public:
    struct Known {
        std::optional<std::int64_t> left, limit;
    };
    // What is known now, where Slurm says this, or nothing.
    Known know(const Known &said, std::int64_t now);

private:
    Known m_said;
    std::int64_t m_at = 0;
};

} // namespace trainyard::contract
