// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"

namespace trainyard
{

// The edits that make the value at `path` equal to `wanted` (the root of a text that was parsed on its own; aliases are
// followed). `present` is the present value, or null. Equal entries are not touched, so that their comments and their
// spelling stay; the order of keys is not compared. New maps and lists are written as blocks.
QList<edit::Op> opsToBecome(const YamlNode *present, const YamlNode *wanted, const YamlPath &path);

// Reads pasted entries of one map: lines "k=v" (also with "export" or dashes in front), a JSON object, or YAML entries.
// Returns a document whose root is a map, or null when the text is none of these.
YamlDocument parseEntries(const QString &text);

} // namespace trainyard
