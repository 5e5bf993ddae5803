// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

namespace trainyard::core
{

// Takes the words of the lines of texts that programs print whole, by the marks at their ends: a page of help, commits,
// what stands in a frame between two steps of the work, the output of an earlier run below a heading that says so.
// Where nothing marks the end, as with mails and files that `tail` shows, the lines are only marked as shown.
void setShownTextsAside(QList<WhyLine> &lines);

} // namespace trainyard::core
