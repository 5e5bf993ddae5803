// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

// The differences between two sequences of any items: the part of a diff that does not depend on text. Pure.
namespace trainyard
{

using ItemSequence = std::vector<int>; // equal items have equal numbers, from 0

// Marks the items of each that the other one does not have at that point: `kinds` is how many numbers there are. The
// result is a shortest script, except for thousands of items with little in common, where it may be somewhat longer.
void markChanges(
    const ItemSequence &a, const ItemSequence &b, int kinds, std::vector<char> &changedA, std::vector<char> &changedB);

// A run of changes can often slide: of "b }" + "a }" either brace may count as new. It slides down as far as it goes,
// so that an inserted block ends with its own last line, as people see it.
void slideDown(const ItemSequence &items, std::vector<char> &changed, const std::vector<char> &otherChanged);

} // namespace trainyard
