// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

namespace trainyard
{

// Warns about a line that begins with "- " and is not an item of a list: it is indented further than the text above it,
// and YAML reads it as more of that text. It does not warn in quotes, block texts and descriptions, where it may be
// intended. No server gives this warning.
//
// yaml.merged-item                            fix.align-items, in a list
QList<Diagnostic> checkMergedItems(const YamlDocument &document);

} // namespace trainyard
