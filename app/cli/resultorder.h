// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/resulttexts.h"

namespace trainyard::cli
{

// The results of a job as a short list should begin: measures first, then what is not known and settings, and at the
// end speeds, times and counts. A framework may write the same figure into several files, each with its own way to
// spell the name ("eval/loss", "eval_loss"): it is listed once.
QList<ResultLine> inOrderOfInterest(QList<ResultLine> lines);

} // namespace trainyard::cli
