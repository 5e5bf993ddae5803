// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>

namespace trainyard
{

// What is said of a cause of a failure. Of the sentences, the first one counts whose {names} are all known; the rest is
// null.
struct WhyWords {
    const char *cause; // a name of resources/failure-causes.json, or one of the engine's own; behind '.': a case of it
    std::array<const char *, 6> sentences; // QT_TRANSLATE_NOOP("Why", "...")
    std::array<const char *, 3> remedies; // what to do, one sentence or two each
};
std::span<const WhyWords> whyWords();

} // namespace trainyard
