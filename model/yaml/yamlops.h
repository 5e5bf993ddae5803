// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QByteArray>
#include <QString>

#include <variant>

namespace trainyard
{

// Symbolic edits of a YAML text. Each names a place by path; missing parents are created as block maps, and as lists
// where the path goes on with 0 or "-". Inside brackets everything new is written in brackets too.
namespace edit
{
struct SetText {
    YamlPath path;
    QString text;
}; // always a string, in the style that can hold it
struct SetValue {
    YamlPath path;
    QByteArray flowYaml;
}; // one flow YAML node: "4", "[a, b]", "{gpu: 1}"
struct Insert {
    YamlPath path;
    QByteArray flowYaml;
}; // a list item before index (or at the end with "-" or the size); a map entry that must be new
struct InsertText {
    YamlPath path;
    QString text;
}; // the same with a string
struct Remove {
    YamlPath path;
};
struct Move {
    YamlPath path;
    qsizetype to = 0;
}; // an item or entry to another place of the same parent
struct RenameKey {
    YamlPath path;
    QString key;
};
using Op = std::variant<SetText, SetValue, Insert, InsertText, Remove, Move, RenameKey>;
} // namespace edit

} // namespace trainyard
