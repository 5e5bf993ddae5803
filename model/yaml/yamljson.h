// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QByteArray>

#include <optional>

// Handles documents that are JSON: YAML readers read them, and JSON readers should still read them after an edit.
// Internal to model/yaml.
namespace trainyard::yamljson
{

// Whether the root is a map in brackets with all keys in double quotes. An empty map counts, since nothing says
// otherwise.
bool isJson(const YamlNode *root);
// The same value in JSON's syntax. Values that only YAML has become the nearest ones: a number in decimals, a date as
// text. Returns nothing if there is none (an alias, a key that is not a text).
std::optional<QByteArray> text(const YamlNode *node);

} // namespace trainyard::yamljson
