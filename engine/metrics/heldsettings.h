// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/place.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace trainyard::metrics
{

// Dictionaries of settings beside a step, until another one of the same names has a later step.
class HeldSettings
{
public:
    struct Answer {
        bool waits = false; // the record says nothing yet
        std::optional<Record> first; // that has waited, and counts now
        Place at;
        std::uint64_t line = 0;
    };
    Answer take(const Record &record, const Place &own, std::uint64_t line);

private:
    struct Held {
        Record record;
        Place at;
        std::uint64_t line = 0;
        bool isSeries = false;
    };
    std::unordered_map<std::string, Held> m_held; // by their names
};

} // namespace trainyard::metrics
