// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Findings about a running program: detectors take one value after the other and report what they see. They do no I/O,
// and use no clock but the times they are given, in ms UTC. A false alarm is worse than a miss: each waits for more
// than one sign.
namespace trainyard::health
{

// The names of the members are those of the sentence that is made of it.
using Figure = std::variant<double, std::int64_t, std::string>;

struct Finding {
    std::string code; // of a sentence: "health.jump"
    std::string subject; // what of its kind: the name of a metric, or nothing
    std::string metric; // in whose curve it is, or nothing
    std::int64_t at = 0; // since when it is so
    std::optional<double> step; // of the metric
    std::optional<std::uint64_t> line; // of the output, counted from one
    std::vector<std::pair<std::string, Figure>> args;
    friend bool operator==(const Finding &, const Finding &) = default;
};

} // namespace trainyard::health
