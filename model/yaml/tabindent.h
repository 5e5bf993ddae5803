// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QByteArray>

#include <optional>

namespace trainyard
{

// Spaces for the tabs in front of every line that begins with one, and for those in `found`: with one tab fixed the
// next line is wrong. Among lines that are indented with spaces, a tab has the width that most editors use, unless a
// line would then not be below the one that it belongs to. Nothing if no usual width fits the lines around it.
std::optional<TextEdits> spacesForTabs(const QByteArray &bytes, ByteRange found);

// The blanks in front of an empty line or a comment, where tabs are allowed. Nothing for other lines.
std::optional<ByteRange> idleBlanks(const QByteArray &bytes, qsizetype inLine);
// Whether the lines above such a line are a block text: a server's parser ends it at a tab in front of its indentation.
bool endsText(const QByteArray &bytes, qsizetype inLine);

} // namespace trainyard
