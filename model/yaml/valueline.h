// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <optional>

namespace trainyard
{

// Where a line (from 0) of a text begins in the document that holds the text as the value at `path`: at the first
// character of the line that is no blank. Where the document writes the text so that the line cannot be found, it is
// where the value begins. Nothing: there is no such value.
std::optional<qsizetype> valueLineAt(const YamlDocument &document, const YamlPath &path, qsizetype line);

} // namespace trainyard
