// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/textrange.h"
#include "model/yaml/yamlpath.h"

#include <QByteArray>
#include <QList>

#include <memory>
#include <optional>

namespace trainyard {

// Limits (docs/adr/0001): form and checks up to 1 MiB, editing up to 8 MiB, read-only above.
inline constexpr qsizetype maxCheckedBytes = qsizetype(1) << 20;
inline constexpr qsizetype maxEditedBytes = qsizetype(8) << 20;

// One node of a parsed document. Plain data; nodes live in their document and refer to each other by pointer.
struct YamlNode {
    enum class Kind { Scalar, Map, Sequence, Alias };
    enum class Style { Plain, SingleQuoted, DoubleQuoted, Literal, Folded, Block, Flow };
    struct Entry {
        const YamlNode *key = nullptr;   // null for items of a sequence
        const YamlNode *value = nullptr; // never null; a missing value is an empty plain scalar of zero width
    };

    Kind kind = Kind::Scalar;
    Style style = Style::Plain;
    QByteArray tag;     // as written and resolved ("!!str" gives "tag:yaml.org,2002:str"), empty when none
    QByteArray anchor;  // without &; of an alias the name it refers to
    QByteArray scalar;  // the value of a scalar (UTF-8)
    ByteRange at;       // its bytes, with anchor and tag, without what follows; zero width for a missing value
    bool editable = true; // false where our extent and the parser disagree, under an alias, or a duplicate key
    QList<Entry> entries; // of maps and sequences
    const YamlNode *parent = nullptr;
    const YamlNode *target = nullptr; // of an alias

    bool isMap() const { return kind == Kind::Map; }
    bool isSequence() const { return kind == Kind::Sequence; }
    // An untagged plain scalar that is empty, ~, null, Null or NULL.
    bool isNull() const;
    // Value under `key`, the first one where a key stands twice; resolves an alias at this node. Null when absent.
    const YamlNode *find(const QByteArray &key) const;
    const YamlNode *resolved() const { return kind == Kind::Alias && target ? target->resolved() : this; }
};

// An immutable parsed text. parse() never throws and never fails: what is wrong stands in diagnostics() (codes "yaml.*"),
// and root() is null when nothing could be read. Cheap to copy; safe to read from several threads.
class YamlDocument
{
public:
    YamlDocument();
    static YamlDocument parse(const QByteArray &bytes);

    const QByteArray &bytes() const;
    const YamlNode *root() const;            // of the first document in the stream
    const QList<Diagnostic> &diagnostics() const;
    bool isWellFormed() const;               // no diagnostic of severity Error

    const YamlNode *find(const YamlPath &path) const;
    YamlPath pathOf(const YamlNode *node) const;
    // The innermost node at a byte, the key's value when the byte is in a key; the root's path when between nodes.
    YamlPath pathAt(qsizetype offset) const;
    // The bytes of the key whose value is at `path`, or nothing (root, list items).
    std::optional<ByteRange> keyRange(const YamlPath &path) const;

private:
    struct Data;
    std::shared_ptr<const Data> d;
};

} // namespace trainyard
