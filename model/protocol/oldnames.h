// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlops.h"

// Fields that a document may have under the names of earlier days.
namespace trainyard
{

// Where the value of a path is written, which may be below old names of fields.
YamlPath writtenPath(const YamlDocument &document, const YamlPath &path);
// Adds edits that give the fields of a path their present names, so that no value is there twice.
void renameOldFields(const YamlDocument &document, const YamlPath &path, QList<edit::Op> &ops);

} // namespace trainyard
