// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <optional>

namespace trainyard
{

// Fixes a text that is not valid YAML, where it is certain what was meant. Internal to model/.

// Removes the entry whose key is at `key`, with its value and the rest of its line. Nothing if there is other text
// beside it, or if the text would still have as many errors.
std::optional<TextEdit> withoutEntry(const YamlDocument &document, ByteRange key);

// Moves the line of `pos`, which does not match anything above it, to the column where it belongs. Nothing if two
// columns are equally good, or none is.
std::optional<TextEdit> alignedLine(const YamlDocument &document, qsizetype pos);

} // namespace trainyard
