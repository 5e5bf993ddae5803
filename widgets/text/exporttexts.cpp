// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/exporttexts.h"

#include "widgets/text/texts.h"

namespace trainyard
{

QString exportNoteText(const ExportNote &note) { return errorText(Error{note.code, note.args}); }

} // namespace trainyard
