// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlops.h"

namespace trainyard
{

// Some fields have a short form: the list of files alone instead of {files, to, when}. Before a key below such a field
// can be set, these operations rewrite the value as a map with the same contents. Nothing if it is not a short form.
QList<edit::Op> writeInFull(const YamlDocument &document, const YamlPath &path);

} // namespace trainyard
