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

// The time that a job with its own time limit asks for, in minutes. Its limit begins when a task runs, so the time has
// room for the preparation of the nodes before that, and for the notice and the grace period after it.
constexpr std::int64_t preparationSeconds = 300;
std::int64_t minutesToAsk(std::int64_t limitMs, std::int64_t graceMs);
// After how long the lead ends the tasks, which the engine does at the limit, unless it is away. 0: never.
std::int64_t leadLimitMs(std::int64_t limitMs);

// Interprets Slurm's notice. It may come a minute early, and at once if the time is short. A site may also send it to a
// job that has to make room.
struct EndOfTime {
    enum class What { Wait, Time, Room } what = What::Time;
    std::int64_t ms = 0; // to wait before it is asked again; or the grace period that is left
};
// `left` and `limit` in seconds; nothing: Slurm does not say. `isNotice`: it has just come.
EndOfTime endOfTime(
    std::optional<std::int64_t> left, std::optional<std::int64_t> limit, std::int64_t graceMs, bool isNotice);

// The time that was left by Slurm's last answer, used when it does not answer: a restart of the controller is not the
// end of the time. Both in seconds, by a clock that continues while the computer sleeps.
class LeftOfTime
{
public:
    struct Known {
        std::optional<std::int64_t> left, limit;
    };
    // The time that is left now, if Slurm says this, or nothing.
    Known know(const Known &said, std::int64_t now);

private:
    Known m_said;
    std::int64_t m_at = 0;
};

} // namespace trainyard::contract
