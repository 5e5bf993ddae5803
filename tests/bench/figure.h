// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>

// Prints a figure and its bound; true when it keeps it.
inline bool figure(const char *what, double value, const char *unit, double bound, bool mostly = true)
{
    const bool good = mostly ? value <= bound : value >= bound;
    std::printf("%-52s %9.2f %s  (%s %g)%s\n", what, value, unit, mostly ? "at most" : "at least", bound,
        good ? "  met" : "  MISSED");
    std::fflush(stdout);
    return good;
}
