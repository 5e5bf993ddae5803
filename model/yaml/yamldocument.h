// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/textrange.h"
#include "model/yaml/yamlpath.h"

#include <QByteArray>
#include <QHash>
#include <QList>

#include <memory>
#include <optional>

namespace trainyard
{

// Limits (docs/adr/0001): form and checks up to 1 MiB, editing up to 8 MiB, read-only above.
inline constexpr qsizetype maxCheckedBytes = qsizetype(1) << 20;
inline constexpr qsizetype maxEditedBytes = qsizetype(8) << 20;

// One node of a parsed document. Plain data; nodes live in their document and refer to each other by pointer.
struct YamlNode {
    enum class Kind { Scalar, Map, Sequence, Alias };
    enum class Style { Plain, SingleQuoted, DoubleQuoted, Literal, Folded, Block, Flow };
    struct Entry {
        const YamlNode *key = nullptr; // null for items of a sequence
        const YamlNode *value = nullptr; // never null; a missing value is an empty plain scalar of zero width
    };

    Kind kind = Kind::Scalar;
    Style style = Style::Plain;
    QByteArray tag; // as written and resolved ("!!str" gives "tag:yaml.org,2002:str"), empty when none
    QByteArray anchor; // without &; of an alias the name it refers to
    QByteArray scalar; // the value of a scalar (UTF-8)
    ByteRange at; // its bytes, with anchor and tag, without what follows; zero width for a missing value
    bool editable = true; // false where our extent and the parser disagree, under an alias, or a duplicate key
    QList<Entry> entries; // of maps and sequences
    const YamlNode *parent = nullptr;
    qsizetype position = 0; // of this node's entry among those of its parent
    const YamlNode *target = nullptr; // of an alias; null when it could not be followed safely
    std::shared_ptr<const QHash<QByteArray, qsizetype>> lookup; // of maps with many keys: key to entry

    bool isMap() const { return kind == Kind::Map; }
    bool isSequence() const { return kind == Kind::Sequence; }
    // An untagged plain scalar that is empty, ~, null, Null or NULL.
    bool isNull() const;
    // The value under `key`, or the first one if there are two; resolves an alias at this node. Null when
    // there is none.
    const YamlNode *find(const QByteArray &key) const;
    const YamlNode *resolved() const { return kind == Kind::Alias && target ? target->resolved() : this; }
};

// Codes of diagnostics(). All are errors unless noted; S: an OpenPAI server refuses the job too (Diagnostic::strict).
//
// code                     args                     meaning
// yaml.bom-utf16        S  encoding                 a byte order mark of UTF-16 or UTF-32; nothing read
// yaml.not-utf8         S  byte (number)            the bytes of the range are not UTF-8; nothing read
// yaml.nul              S                           a byte 0; nothing read
// yaml.carriage-return                              (warning) a CR that no LF follows; the first one
// yaml.control-character S character ("U+001B")     at most 20 of them; in a comment a warning, not S
// yaml.too-large           what, limit, size?       what: bytes (more than 1 MiB), brackets, nodes
// yaml.too-deep            limit                    nested deeper than 64
// yaml.empty            S                           no document, only comments, or a document without content
// yaml.syntax           S  reason                   reason: map-key, map-value (": " inside a plain value, or a line
//                                                   indented wrongly), list-item, bracket, flow-list-end (no "]"),
//                                                   extra-bracket (none is open), no-comma (something behind a value
//                                                   in brackets), after-value (the same outside of them),
//                                                   flow-map-end (no "}"), list-end, map-end (indentation),
//                                                   document-mark, block-header (after | or >), escape (in "..."),
//                                                   alias, anchor, tag, two-tags, two-anchors, directive, character,
//                                                   no-colon (after a key), no-blank (after its colon),
//                                                   no-dash (before an item),
//                                                   after-end (something after the document), other
// yaml.tab-indent                                   a tab in the indentation; fix "fix.replace-tabs"
// yaml.unclosed-quote   S                           the quote at the range never ends
// yaml.unknown-alias    S  name                     *name without &name before it
// yaml.recursive-alias     name                     *name inside of what &name names
// yaml.too-many-aliases    name                     following all aliases gives more than 250,000 nodes
// yaml.duplicate-key    S  key, otherBegin, otherEnd  the range is the later key, "other" the earlier one
// yaml.unknown-tag      S  tag
// yaml.wrong-tag        S  tag                      a known tag on what it cannot be ("!!int x")
// yaml.merge-key        S                           "<<" on what is neither a map nor a list of maps
// yaml.complex-key         (warning)                a map or list as a key; S for a list that holds lists
// yaml.directive-end    S  (warning)                no "---" behind lines that begin with "%"; fix "fix.add"
// yaml.question-mark       (warning)                a '?' in plain text in brackets; fix "fix.quote"
// yaml.shallow-value    S  (warning)                a value on a line that is indented no deeper than its key
// yaml.second-document  S  kind                     flat-map, empty (both warnings), other (error); the first is read
//
// An immutable parsed text. parse() never throws and never fails: errors are in diagnostics() (codes "yaml.*"), and
// root() is null if nothing could be read. Cheap to copy; safe to read from several threads.
class YamlDocument
{
public:
    YamlDocument();
    // Writes a debugging message of the logging category "trainyard.yaml", since parsing is what takes the time.
    static YamlDocument parse(const QByteArray &bytes);

    const QByteArray &bytes() const;
    const YamlNode *root() const; // of the first document in the stream
    const QList<Diagnostic> &diagnostics() const;
    bool isWellFormed() const; // no diagnostic of severity Error
    // False when reading stopped at an error: root() is then what stood before it, and a missing key means nothing.
    bool isComplete() const;
    // The root of a second document in the same stream ("---"), or null. It has no paths and cannot be edited.
    const YamlNode *secondRoot() const;

    const YamlNode *find(const YamlPath &path) const;
    YamlPath pathOf(const YamlNode *node) const;
    // The path of the innermost node at a byte; of the value when the byte is in a key, and of the root when it is
    // between nodes.
    YamlPath pathAt(qsizetype offset) const;
    // The bytes of the key whose value is at `path`, or nothing (root, list items).
    std::optional<ByteRange> keyRange(const YamlPath &path) const;

private:
    struct Data;
    std::shared_ptr<const Data> d;
};

} // namespace trainyard
