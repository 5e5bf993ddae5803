// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QByteArray>

#include <optional>

namespace trainyard::yamltree
{

// A line that should be a key but has no colon. The parser reads on from there and stumbles over the first colon that
// follows, or over the line itself: `pos`. The range is the text of that line.
std::optional<ByteRange> lineWithoutColon(const QByteArray &bytes, qsizetype pos);

// The edit that makes a key of the first word of such a line; nothing when it cannot be one.
std::optional<TextEdit> colonAfterWord(const QByteArray &bytes, ByteRange line);

} // namespace trainyard::yamltree
