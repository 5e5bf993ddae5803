// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>

namespace trainyard
{

// The texts for a cause of a failure. The first sentence whose {names} are all known counts; the rest is null.
struct WhyWords {
    const char *cause; // a name of resources/failure-causes.json, or one of the engine's own; behind '.': a case of it
    std::array<const char *, 6> sentences; // QT_TRANSLATE_NOOP("Why", "...")
    std::array<const char *, 3> remedies; // what to do, one sentence or two each
};
std::span<const WhyWords> whyWords();

} // namespace trainyard
