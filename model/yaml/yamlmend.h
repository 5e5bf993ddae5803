// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <optional>

namespace trainyard
{

// Fixes a text that is not valid YAML, where it is certain what was meant. Internal to model/.

// Takes out the entry whose key stands at `key`, with its value and what follows it on its line. Nothing where other
// things stand beside it, or where the text would still have as many mistakes.
std::optional<TextEdit> withoutEntry(const YamlDocument &document, ByteRange key);

// Moves the line of `pos`, which belongs to nothing above it, to the column of what it belongs to. Nothing where two
// columns are as good as each other, or none is.
std::optional<TextEdit> alignedLine(const YamlDocument &document, qsizetype pos);

} // namespace trainyard
