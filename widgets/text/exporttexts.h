// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

namespace trainyard
{

// A part of the job that an export lacks, as a sentence.
QString exportNoteText(const ExportNote &note);

} // namespace trainyard
