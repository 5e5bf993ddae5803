// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metrics
{

// The messages of commits, as "git log" prints them: what they tell of values is about other runs.
class CommitMessages
{
public:
    // Whether the line belongs to a commit.
    bool take(std::string_view line);

private:
    bool m_isInside = false;
};

} // namespace trainyard::metrics
