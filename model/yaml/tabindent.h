// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QByteArray>

#include <optional>

namespace trainyard
{

// Spaces for the tabs in front of every line that begins with one, and for those in `found`: with one tab fixed the
// next line is wrong. Among lines that are indented with spaces a tab is as wide as editors show it mostly, unless a
// line would then not stand below the one that it belongs to; nothing when no usual width fits those around it.
std::optional<TextEdits> spacesForTabs(const QByteArray &bytes, ByteRange found);

// The blanks in front of a line that has nothing else, or a comment: tabs may stand there. Nothing for other lines.
std::optional<ByteRange> idleBlanks(const QByteArray &bytes, qsizetype inLine);
// Whether the lines above such a line are a block text: a server's parser ends it at a tab in front of its indentation.
bool endsText(const QByteArray &bytes, qsizetype inLine);

} // namespace trainyard
