// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <variant>

namespace trainyard
{

// Symbolic edits of a YAML text. Each names a place by its path. Missing parents are created as block maps, or as lists
// where the path goes on with 0 or "-". Inside brackets everything new is written in brackets too.
namespace edit
{
// Sets a string, in a style that can hold it.
struct SetText {
    YamlPath path;
    QString text;
};
// Sets one flow YAML node: "4", "[a, b]", "{gpu: 1}".
struct SetValue {
    YamlPath path;
    QByteArray flowYaml;
};
// Inserts a list item before an index (at the end with "-" or the size), or a map entry, which must be new.
struct Insert {
    YamlPath path;
    QByteArray flowYaml;
};
// The same with a string.
struct InsertText {
    YamlPath path;
    QString text;
};
struct Remove {
    YamlPath path;
};
// Moves an item or entry to another place in the same parent.
struct Move {
    YamlPath path;
    qsizetype to = 0;
};
struct RenameKey {
    YamlPath path;
    QString key;
    bool evenShared = false;
};
// Replaces parts of a text; offsets are those of the value as a QString. All other bytes stay, whatever the style.
struct ReplaceText {
    struct Part {
        qsizetype begin = 0;
        qsizetype end = 0;
        QString text;
    };
    YamlPath path;
    QList<Part> parts; // ascending, not overlapping
    bool evenShared = false;
};
// Repeats the entry or item with its comments right behind it. `key` is the key of the copy and is not used for items.
struct Duplicate {
    YamlPath path;
    QString key;
};
using Op = std::variant<SetText, SetValue, Insert, InsertText, Remove, Move, RenameKey, ReplaceText, Duplicate>;
} // namespace edit

} // namespace trainyard
