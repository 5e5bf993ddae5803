// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/slurmtime.h"

#include <algorithm>
#include <vector>

namespace trainyard::contract
{
namespace
{

constexpr std::int64_t marginSeconds = 60; // beside the grace period: for what is slow
constexpr std::int64_t longestNotice = 65'535; // that sbatch takes
constexpr std::int64_t earliness = 120; // by which a notice may come early: Slurm looks once or twice a minute
constexpr std::int64_t lastSeconds = 5; // for records, before Slurm ends what is left
constexpr std::int64_t longestWait = 600; // the limit may be changed meanwhile

// Numbers between colons; nothing when there is anything else, or too much.
std::optional<std::vector<std::int64_t>> numbersOf(std::string_view text)
{
    std::vector<std::int64_t> numbers(1, 0);
    bool hasDigit = false;
    for (const char each : text) {
        if (each == ':' && hasDigit) {
            numbers.push_back(0);
            hasDigit = false;
        } else if (each >= '0' && each <= '9' && numbers.back() < 1'000'000'000) {
            numbers.back() = numbers.back() * 10 + (each - '0');
            hasDigit = true;
        } else {
            return std::nullopt;
        }
    }
    return hasDigit && numbers.size() <= 3 ? std::optional(numbers) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> slurmSeconds(std::string_view text)
{
    const std::size_t dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto days = numbersOf(text.substr(0, dash)), rest = numbersOf(text.substr(dash + 1));
        if (!days || days->size() != 1 || !rest) {
            return std::nullopt;
        }
        std::int64_t seconds = days->front() * 86'400, unit = 3600;
        for (const std::int64_t number : *rest) {
            seconds += number * unit;
            unit /= 60;
        }
        return seconds;
    }
    const auto numbers = numbersOf(text);
    if (!numbers) {
        return std::nullopt;
    }
    std::int64_t seconds = 0, unit = numbers->size() == 3 ? 3600 : 60;
    for (const std::int64_t number : *numbers) {
        seconds += number * unit;
        unit /= 60;
    }
    return seconds;
}

std::int64_t noticeSeconds(std::int64_t graceMs, std::int64_t limit)
{
    const std::int64_t wanted = std::min((graceMs + 999) / 1000 + marginSeconds, longestNotice);
    return limit > 0 ? std::max<std::int64_t>(1, std::min(wanted, limit / 2)) : wanted;
}

std::int64_t minutesToAsk(std::int64_t limitMs, std::int64_t graceMs)
{
    constexpr std::int64_t minute = 60;
    const std::int64_t limit = (limitMs + 999) / 1000;
    return (limit + noticeSeconds(graceMs, 0) + preparationSeconds + minute - 1) / minute;
}

std::int64_t leadLimitMs(std::int64_t limitMs) { return limitMs > 0 ? limitMs + marginSeconds * 1000 : 0; }

EndOfTime endOfTime(
    std::optional<std::int64_t> left, std::optional<std::int64_t> limit, std::int64_t graceMs, bool isNotice)
{
    if (!left) {
        return {EndOfTime::What::Time, graceMs};
    }
    if (isNotice && *left > noticeSeconds(graceMs, 0) + earliness) {
        return {EndOfTime::What::Room, graceMs}; // this is not about the time
    }
    const std::int64_t notice = noticeSeconds(graceMs, limit.value_or(0));
    if (*left > notice) {
        return {EndOfTime::What::Wait, std::min(*left - notice, longestWait) * 1000};
    }
    return {EndOfTime::What::Time, std::min(graceMs, std::max(lastSeconds, *left - lastSeconds) * 1000)};
}

LeftOfTime::Known LeftOfTime::know(const Known &said, std::int64_t now)
{
    if (said.left) {
        m_said = said;
        m_at = now;
    }
    Known known = m_said;
    if (known.left) {
        *known.left = std::max<std::int64_t>(0, *known.left - (now - m_at));
    }
    return known;
}

} // namespace trainyard::contract
