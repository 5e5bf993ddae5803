// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

// Only the sources of LogView include this: logview.cpp has what it shows, logview_paint.cpp how, and logview_input.cpp
// what the user does with it.
namespace trainyard::logview
{
inline constexpr int timeWidth = 110;
inline constexpr int markWidth = 26; // which stream it is, and beside it that the line still changes
inline constexpr int markStrip = 8; // where hits are, beside the scroll bar
inline constexpr qint64 copyLimit = 64 << 20;
} // namespace trainyard::logview
