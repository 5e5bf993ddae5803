// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/place.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// The bars that an output draws, by their lengths, and what each has shown last.
class BarStates
{
public:
    // The last state of a bar, which said what the ones before had said.
    struct Held {
        Record record;
        Place at;
        std::uint64_t line = 0;
    };
    // What take() has found: whether the bar says nothing new, and the state in which it was before it began again.
    struct Taken {
        bool isRedrawn = false;
        std::optional<Held> closed;
    };
    Taken take(const Record &record, std::string_view text);
    // Keeps the state that take() has called redrawn; gives it back where the bar has ended.
    std::optional<Held> hold(const Record &record, const Place &place, std::uint64_t line);
    std::vector<Held> closeAll();

    bool hadText() const { return m_bars.front().hadText; } // the bar that was taken last, before its last state

    struct Share {
        double fraction = 0;
        std::optional<double> secondsLeft;
    };
    std::optional<Share> ofOuter(double total) const; // of a bar that goes on around one of this length

private:
    struct State {
        double at = -1;
        std::optional<double> total;
        std::string text;
        std::optional<double> fraction, secondsLeft; // as it said last
        bool hadText = false; // before its last state
        Held held;
        int moves = 0; // of its count since it said something new
    };
    static std::optional<Held> close(State &bar);

    std::vector<State> m_bars; // the last one first
};

} // namespace trainyard::metrics
