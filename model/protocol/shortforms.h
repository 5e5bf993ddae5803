// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlops.h"

namespace trainyard
{

// Some fields may be written in short: of {files, to, when} the list of files alone. What must be done before a key
// below such a field can be set: the value is written as a map with what it had. Nothing where it is not a short form.
QList<edit::Op> writeInFull(const YamlDocument &document, const YamlPath &path);

} // namespace trainyard
