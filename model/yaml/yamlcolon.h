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

// A line at the depth of the items of the list above it that is none of them, as it has no dash. The parser stumbles
// over it, or over the item below. `pos` and the range are as above.
struct UnmarkedItem {
    ByteRange line;
    bool mayBeKey = false; // of the map around the list, where that is no deeper: it may lack a colon as well
};
std::optional<UnmarkedItem> lineWithoutDash(const QByteArray &bytes, qsizetype pos);
// Whether the line of `pos` begins there and is as deep as the items of the list above it, where no key is possible.
bool isKeyInList(const QByteArray &bytes, qsizetype pos);

// The edit that makes a key of the first word of such a line; nothing when it cannot be one.
std::optional<TextEdit> colonAfterWord(const QByteArray &bytes, ByteRange line);

// Such a line that has its colon, but no blank behind it, so that YAML reads "cpu:12" as one text: the edit that
// inserts the blank. Nothing for an address such as "http://host", a time or a path of Windows.
std::optional<TextEdit> blankAfterColon(const QByteArray &bytes, ByteRange line);

// The same of all lines of a text that stands on lines of its own, where a map is meant. Nothing if one of them is not
// of that form.
std::optional<TextEdits> blanksAfterColons(const QByteArray &bytes, ByteRange text);

// A text with ": " in it that would have to be in quotes, and which the parser stumbles over at the second colon,
// `pos`: all of a list's item such as "- echo a: 1, b: 2", else what follows the first colon. Puts it in quotes;
// nothing where it is not certain what was meant.
struct QuotedText {
    TextEdit edit;
    bool isItem = false;
    QByteArray key; // of the value, where it is not an item
};
std::optional<QuotedText> textInQuotes(const QByteArray &bytes, qsizetype pos);

} // namespace trainyard::yamltree
