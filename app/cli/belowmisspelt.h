// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

namespace trainyard::cli
{

// The findings below a required field whose name is misspelt, which the reader skips: the text is read again with the
// corrected name. These findings have no fixes, because those would apply to another text.
void addFindingsBelow(ParseOutcome &outcome, CheckMode mode, const CatalogueLookup &catalogue);

} // namespace trainyard::cli
