// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/suggestions.h"
#include "model/yaml/yamldocument.h"

namespace trainyard
{

// The item at a caret, for help and for the jump to its definition.
struct CaretInfo {
    enum class Kind {
        Nothing,
        Field, // a key of the language, or its value
        Name, // a name of something that the document defines: `name`
        Template, // inside of <% %>: `name` is its text
        Variable, // a variable of the task
    };
    Kind kind = Kind::Nothing;
    ByteRange at;
    YamlPath path; // of the field around it
    const ReferenceField *field = nullptr; // of `path`
    const ReferenceVariable *variable = nullptr;
    QString name;
    QString value; // a parameter's value, or what a variable will be, where known; never a secret's
    bool secret = false;
    bool resolved = true; // false: the name leads nowhere
    bool isNothing() const { return kind == Kind::Nothing; }
};

CaretInfo caretInfoAt(const QByteArray &text, qsizetype caret, const SuggestionSources &sources);

// Where the thing at the caret is defined, in a document of exactly the same text. Returns nothing when it is the
// definition itself or has none.
std::optional<ByteRange> definitionOf(const YamlDocument &document, const CaretInfo &info);

} // namespace trainyard
