// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace trainyard::contract
{

// The state of a secret that may begin at a position of a text.
struct SecretMatch {
    std::size_t end = 0; // of the longest that is certain, or the place itself when there is none
    bool isOpen = false; // with more text there may be one, or a longer one
};

} // namespace trainyard::contract
