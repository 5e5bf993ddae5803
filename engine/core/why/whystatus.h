// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLatin1StringView>

#include <array>
#include <optional>

namespace trainyard::core::whystatus
{

inline constexpr QLatin1StringView certain{"certain"}, likely{"likely"}, unknown{"unknown"};

inline constexpr int endOfTimeout = 124; // what the command `timeout` ends with when it has ended a program

// What the status says if the output says nothing.
struct Meaning {
    int status;
    QLatin1StringView cause, certainty;
    std::optional<bool> transient;
};
inline constexpr std::array meanings{
    Meaning{endOfTimeout, QLatin1StringView{"timeout-command"}, likely, std::nullopt},
    Meaning{126, QLatin1StringView{"not-executable"}, likely, false},
    Meaning{127, QLatin1StringView{"command-missing"}, likely, false},
    Meaning{130, QLatin1StringView{"cancelled"}, likely, std::nullopt},
    Meaning{132, QLatin1StringView{"illegal-instruction"}, certain, false},
    Meaning{134, QLatin1StringView{"abort"}, certain, false},
    Meaning{135, QLatin1StringView{"bus-error"}, likely, false},
    Meaning{136, QLatin1StringView{"arithmetic-fault"}, certain, false},
    Meaning{137, QLatin1StringView{"host-oom"}, likely, false},
    Meaning{139, QLatin1StringView{"segfault"}, certain, false},
    Meaning{141, QLatin1StringView{"broken-pipe"}, likely, false},
    Meaning{143, QLatin1StringView{"cancelled"}, likely, std::nullopt},
    Meaning{152, QLatin1StringView{"cpu-time-limit"}, certain, false},
    Meaning{153, QLatin1StringView{"file-size-limit"}, certain, false},
};

// As a shell reports it: Python and launchers write -9 for the signal 9.
inline std::optional<int> asShell(std::optional<int> status)
{
    return status && *status < 0 && *status > -65 ? std::optional(128 - *status) : status;
}

} // namespace trainyard::core::whystatus
