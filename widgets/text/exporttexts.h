// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

namespace trainyard
{

// What an export does not have of its job, as a sentence.
QString exportNoteText(const ExportNote &note);

} // namespace trainyard
