// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QByteArray>

#include <optional>

// Documents that are JSON: YAML readers take them as they are, and so should JSON readers after an edit. Internal to
// model/yaml.
namespace trainyard::yamljson
{

// A map in brackets at the root, all keys in double quotes. An empty one is, since nothing says that it is not.
bool isJson(const YamlNode *root);
// The same value in JSON's syntax. What YAML alone knows becomes what is nearest: a number in decimals, a date a text.
// Nothing where there is none (an alias, a key that is no text).
std::optional<QByteArray> text(const YamlNode *node);

} // namespace trainyard::yamljson
