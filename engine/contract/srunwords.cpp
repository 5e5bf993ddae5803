// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/srunwords.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace trainyard::contract
{
namespace
{

constexpr std::int64_t bytesOfMiB = std::int64_t(1) << 20;

template <std::size_t count> bool saysOneOf(std::string_view line, const std::array<std::string_view, count> &words)
{
    return std::any_of(words.begin(), words.end(),
        [line](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

// Slurm's own polling, the cgroup of the step, and what srun makes of the latter.
constexpr std::array<std::string_view, 5> overMemory{
    "exceeded memory limit", "Exceeded job memory limit", "Exceeded step memory limit", "oom_kill event", "oom-kill"};

// By the controller, or by the node where the step was to be launched.
constexpr std::array<std::string_view, 8> noAnswer{"Unable to contact slurm controller",
    "Socket timed out on send/recv operation", "Zero Bytes were transmitted or received",
    "Communication connection failure", "Connection refused", "Connection timed out", "Connection reset by peer",
    "in standby mode"};

// The controller has made the step, which has not come to its node.
constexpr std::array<std::string_view, 2> ofNode{"Task launch for ", "Application launch failed"};

constexpr std::string_view memoryTaken = "Memory required by task is not available";

std::optional<std::int64_t> numberAt(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

// "StepId=97.0 exceeded memory limit (474939392 > 104857600), being killed", in bytes.
void takeAmounts(std::string_view line, SrunWords *words)
{
    constexpr std::string_view before = " memory limit (", between = " > ";
    const std::size_t at = line.find(before);
    const std::size_t middle = at == std::string_view::npos ? at : line.find(between, at);
    if (middle == std::string_view::npos) {
        return;
    }
    const std::optional<std::int64_t> used = numberAt(line.substr(at + before.size()));
    const std::optional<std::int64_t> limit = numberAt(line.substr(middle + between.size()));
    if (used && limit) {
        words->usedMiB = *used / bytesOfMiB;
        words->limitMiB = *limit / bytesOfMiB;
    }
}

} // namespace

SrunWords srunWords(std::string_view runtimeLog)
{
    SrunWords words;
    while (!runtimeLog.empty()) {
        const std::size_t end = std::min(runtimeLog.find('\n'), runtimeLog.size());
        const std::string_view line = runtimeLog.substr(0, end);
        runtimeLog.remove_prefix(std::min(end + 1, runtimeLog.size()));
        const bool isOfSrun = line.starts_with("srun: ");
        if (!isOfSrun && !line.starts_with("slurmstepd")) {
            continue;
        }
        if (saysOneOf(line, overMemory) || (isOfSrun && line.ends_with(": Out Of Memory"))) {
            words.isOverMemory = true;
            takeAmounts(line, &words);
        } else if (isOfSrun && saysOneOf(line, noAnswer)) {
            (saysOneOf(line, ofNode) ? words.isNodeAway : words.isControllerAway) = true;
        } else if (isOfSrun && line.find(memoryTaken) != std::string_view::npos) {
            words.isMemoryTaken = true;
        }
    }
    return words;
}

} // namespace trainyard::contract
