// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"

namespace trainyard
{

// The edits that make the value at `path` what `wanted` is (the root of a text parsed on its own, aliases followed).
// `present` is what stands there now, null when nothing does. Entries that are the same are not touched, so their
// comments and their spelling stay; the order of keys is not compared. New maps and lists are written as blocks.
QList<edit::Op> opsToBecome(const YamlNode *present, const YamlNode *wanted, const YamlPath &path);

// Several entries of one map, as pasted: "k=v" lines (with "export" or dashes in front too), a JSON object, or YAML
// entries. Null root when the text is none of these; otherwise a document whose root is a map.
YamlDocument parseEntries(const QString &text);

} // namespace trainyard
