// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <variant>

namespace trainyard
{

// Symbolic edits of a YAML text. Each names a place by path; missing parents are created as block maps, and as lists
// where the path goes on with 0 or "-". Inside brackets everything new is written in brackets too.
namespace edit
{
// Always a string, in the style that can hold it.
struct SetText {
    YamlPath path;
    QString text;
};
// One flow YAML node: "4", "[a, b]", "{gpu: 1}".
struct SetValue {
    YamlPath path;
    QByteArray flowYaml;
};
// A list item before index (or at the end with "-" or the size); a map entry that must be new.
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
// An item or entry to another place of the same parent.
struct Move {
    YamlPath path;
    qsizetype to = 0;
};
struct RenameKey {
    YamlPath path;
    QString key;
    bool evenShared = false;
};
// Parts of a text; offsets are those of the value as a QString. All other bytes stay, whatever the style.
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
// The entry or item once more with its comments, right behind it. `key` is the copy's; of items it is not used.
struct Duplicate {
    YamlPath path;
    QString key;
};
using Op = std::variant<SetText, SetValue, Insert, InsertText, Remove, Move, RenameKey, ReplaceText, Duplicate>;
} // namespace edit

} // namespace trainyard
