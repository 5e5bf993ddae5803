// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

namespace trainyard::cli
{

// What is wrong below a required field whose name is misspelt, which the reader passes by: with its name corrected, the
// text is read again. These findings have no fixes of their own, since those would be of another text.
void addFindingsBelow(ParseOutcome &outcome, CheckMode mode, const CatalogueLookup &catalogue);

} // namespace trainyard::cli
