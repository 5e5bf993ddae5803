// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/barstates.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostBars = 8;

} // namespace

// A bar is drawn before and after its count moves, and again when it closes: the text tells whether it says something
// new.
BarStates::Taken BarStates::take(const Record &record, std::string_view text)
{
    auto found = std::find_if(m_bars.begin(), m_bars.end(), [&](const State &b) { return b.total == record.barTotal; });
    if (found == m_bars.end()) {
        if (m_bars.size() >= mostBars) {
            m_bars.pop_back();
        }
        found = m_bars.insert(m_bars.begin(), State{});
    }
    std::rotate(m_bars.begin(), found, found + 1);
    State &bar = m_bars.front();
    const double at = record.barAt.value_or(-1);
    Taken taken;
    if (at < bar.at) {
        taken.closed = close(bar); // it begins again
    }
    const bool goesOn = bar.total == record.barTotal && at >= bar.at;
    const bool same = goesOn && bar.text == text && !(record.isBarOfKeras && record.isBarDone);
    bar.moves = !same ? 0 : bar.moves + (at > bar.at ? 1 : 0);
    bar.hadText = (goesOn && bar.hadText) || (!record.pairs.empty() && at < record.barTotal.value_or(at + 1));
    bar.at = at;
    bar.fraction = record.barFraction;
    bar.secondsLeft = record.secondsLeft;
    bar.total = record.barTotal;
    if (!same) {
        bar.text = text;
    }
    taken.isRedrawn = same;
    return taken;
}

std::optional<BarStates::Held> BarStates::hold(const Record &record, const Place &place, std::uint64_t line)
{
    State &bar = m_bars.front();
    bar.held = {record, place, line};
    return record.barTotal && record.barAt.value_or(0) >= *record.barTotal ? close(bar) : std::nullopt;
}

// Values that did not change up to its end: their curves reach as far as the bar has come. A state that is drawn twice
// for one step says nothing of the next one.
std::optional<BarStates::Held> BarStates::close(State &bar)
{
    constexpr int leastMoves = 2;
    Held held = std::exchange(bar.held, {});
    if (std::exchange(bar.moves, 0) < leastMoves || held.record.isBarOfKeras) {
        return {};
    }
    held.record.barTotal.reset(); // where it ends is one more of its steps
    return held;
}

std::vector<BarStates::Held> BarStates::closeAll()
{
    std::vector<Held> all;
    for (State &bar : m_bars) {
        if (std::optional<Held> held = close(bar)) {
            all.push_back(std::move(*held));
        }
    }
    return all;
}

std::optional<BarStates::Share> BarStates::ofOuter(double total) const
{
    for (const State &bar : m_bars) {
        if (bar.total && *bar.total > total && bar.at < *bar.total && bar.at > 0) {
            return Share{bar.fraction ? *bar.fraction : bar.at / *bar.total, bar.secondsLeft};
        }
    }
    return {};
}

} // namespace trainyard::metrics
