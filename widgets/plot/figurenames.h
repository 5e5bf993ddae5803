// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace trainyard
{

// The displayed name of a figure of a task's host: "GPU 0 use (%)" for "gpu/0/use".
QString figureTitle(const std::string &name);
// The order in which one looks at them: what a training is bound by comes first. Smaller is first.
int figureRank(const std::string &name);

} // namespace trainyard
