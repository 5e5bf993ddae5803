// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"
#include "model/yaml/yamldocument.h"

namespace trainyard
{

// What an OpenPAI server's parser (js-yaml 3.13, safe schema) takes a scalar for. Neither YAML 1.1 nor 1.2: "yes" is a
// string, 012 is 10, 1_000 is 1000, 1:30 is 90, 1e3 is a number, 2020-01-01 a date.
enum class ScalarType { Null, Bool, Int, Float, String, Timestamp, Merge, Binary, Invalid };

struct TypedScalar {
    ScalarType type = ScalarType::String;
    // Null, bool, int, double or string. For a timestamp, a merge key, binary data and an invalid scalar ("!!int x") it
    // is the text.
    Value value;
};

// The type of a scalar node; follows an alias. Invalid for maps and lists.
TypedScalar typedScalar(const YamlNode &node);
// The type of a plain scalar without a tag.
TypedScalar typedPlain(const QByteArray &text);
// True when a plain `text` is not that very string for every reader in use: OpenPAI's server, its runtime (YAML 1.1),
// YAML 1.2, or yaml-cpp. Such text is written in quotes.
bool looksTyped(const QByteArray &text);

} // namespace trainyard
