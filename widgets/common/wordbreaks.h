// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFontMetrics;

namespace trainyard
{

// A label breaks lines between words only, so that one long name makes it, and the window, as wide as the name.

enum class WordKind { Plain, Markup }; // markup: tags and entities are none of the letters

// The text for a label of this width: a word with more than that may be broken anywhere. Others stay as they are,
// because what is put between their letters would be copied with them.
QString withBreaks(const QString &text, const QFontMetrics &fm, int room, WordKind kind = WordKind::Plain);
// The text for a label whose width is not known, and from which nothing is copied: long words may be broken, where they
// have separators behind those.
QString breakable(const QString &text);

} // namespace trainyard
