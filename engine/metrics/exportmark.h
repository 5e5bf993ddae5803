// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::metrics
{

// The last column of tables that Trainyard exports, with the version of their form in each row. A work folder may have
// such a table, and a program one of its own with the same other columns: by this one they are told apart.
inline constexpr char exportMark[] = "trainyard";
inline constexpr char exportVersion[] = "1";

} // namespace trainyard::metrics
