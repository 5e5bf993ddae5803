// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metrics
{

// The line without what loggers and launchers put in front: ranks ("[1,0]<stdout>:", "[rank0]:", "(Actor pid=7)"),
// times, levels, names of loggers and places in the source.
std::string_view withoutPrefix(std::string_view line);

} // namespace trainyard::metrics
