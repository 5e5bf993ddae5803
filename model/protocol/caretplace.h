// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"
#include "model/yaml/yamlpath.h"

#include <QByteArray>
#include <QStringList>

namespace trainyard
{

// Where a caret in a YAML text is, also when the text is half written and no parser accepts it. It is a guess by
// indentation and brackets for completion and help, and never used for edits.
struct CaretPlace {
    enum class Kind {
        Nothing, // a comment, an indentation that belongs to nothing, ...
        Key, // at a key of the map at `path`, or where one may begin
        Value, // at the scalar at `path`, or where its value begins
        Text, // inside the block text at `path`
    };
    Kind kind = Kind::Nothing;
    YamlPath path;
    ByteRange token; // the key or scalar the caret is in or touches, without quotes; empty where nothing is written yet
    char quote = '\0'; // the scalar's, when it has one
    bool flow = false; // inside of brackets
    bool hasColon = false; // Key: the colon is there already
    bool mayBeKey = false; // Value: alone on its line (or after a dash), so that a map may begin here
    bool ownLine = false; // Value: it is the first item on its line
    bool needsDash = false; // Value: a list item whose dash is not written yet
    bool needsSpace = false; // Value: the caret is directly behind the colon
    qsizetype column = 0; // of the key or value, in bytes
    QStringList keys; // Key: the map's other keys, in file order
    QStringList items; // Value of a list: its other scalar items up to here
};

CaretPlace caretPlaceAt(const QByteArray &text, qsizetype caret);

// The first scalar at a path, read in the same way. Null when there is none.
QString scalarAt(const QByteArray &text, const YamlPath &path);

} // namespace trainyard
