// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"
#include "model/yaml/yamlencode.h"
#include "model/yaml/yamlguard.h"
#include "model/yaml/yamljson.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlplace.h"

#include <algorithm>
#include <optional>

// Plans one edit of one document. Internal to model/yaml; its parts are in yamlplan*.cpp.
namespace trainyard::yamlplan
{

using namespace yamlplace;
using yamlencode::Encoded;
using yamlguard::Change;
using yamlguard::Expect;
using yamlguard::ExpectPtr;
using yamllex::at;
using yamllex::columnOf;
using yamllex::lineBegin;
using yamllex::lineEnd;
using Path = QList<YamlPath::Element>;

// The new contents of a position: a string, or one flow node that was parsed separately.
struct Leaf {
    bool isText = true;
    QByteArray text;
    YamlDocument flow;

    ExpectPtr expected() const
    {
        if (isText) {
            return yamlguard::string(text);
        }
        const ExpectPtr expect = yamlguard::same(flow.root());
        expect->owner = std::make_shared<const YamlDocument>(flow);
        return expect;
    }
};

struct Where {
    QList<const YamlNode *> nodes; // from the root to the deepest that exists
    QList<qsizetype> chain; // positions; one less than nodes
    Path rest; // elements of the path that do not exist
    const YamlNode *node() const { return nodes.last(); }
    const YamlNode *parent() const { return nodes.size() > 1 ? nodes.at(nodes.size() - 2) : nullptr; }
};

// Ways to make an edit, the best first; none when nothing has to change. The guard decides on each.
using Changes = QList<Change>;

inline QByteArray spaces(qsizetype count) { return QByteArray(std::max<qsizetype>(count, 0), ' '); }

inline TextEdit cut(qsizetype begin, qsizetype end) { return {{begin, end}, QByteArray()}; }

inline QByteArray spaced(const QByteArray &head) { return head.isEmpty() ? head : ' ' + head; }

// Whether the element names a list item: "-" appends, and a number that is not an index yet means the first item of a
// new list.
inline bool namesItem(const YamlPath::Element &element)
{
    const auto *key = std::get_if<QString>(&element);
    return !key || *key == QLatin1String("-") || *key == QLatin1String("0");
}

inline std::optional<qsizetype> indexOf(const YamlPath::Element &element)
{
    if (const auto *index = std::get_if<qsizetype>(&element)) {
        return *index;
    }
    const QString &key = std::get<QString>(element);
    const bool digits = !key.isEmpty() && key.size() < 10
        && std::all_of(key.cbegin(), key.cend(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    return digits && (key.size() == 1 || key.at(0) != u'0') ? std::optional<qsizetype>(key.toLongLong()) : std::nullopt;
}

// Plans the edits of a text that a change of the document needs. Large because setting, moving, copying and removing
// need the same lines, indents and comments of one text.
class Planner
{
public:
    Planner(const YamlDocument &document, const YamlPath &path)
        : m_document(document), m_text(document.bytes()), m_path(path)
    {
    }
    Result<Changes> operator()(const edit::SetText &op) { return set(textLeaf(op.text)); }
    Result<Changes> operator()(const edit::SetValue &op) { return withFlow(op.flowYaml, false); }
    Result<Changes> operator()(const edit::Insert &op) { return withFlow(op.flowYaml, true); }
    Result<Changes> operator()(const edit::InsertText &op) { return insert(textLeaf(op.text)); }
    Result<Changes> operator()(const edit::Remove &) { return remove(); }
    Result<Changes> operator()(const edit::Move &op) { return move(op.to); }
    Result<Changes> operator()(const edit::RenameKey &op) { return rename(op); }
    Result<Changes> operator()(const edit::ReplaceText &op) { return replaceText(op); }
    Result<Changes> operator()(const edit::Duplicate &op) { return duplicate(op.key); }

private:
    tl::unexpected<Error> refuse(const char *code, QJsonObject args = {}) const;
    static Leaf textLeaf(const QString &text) { return {true, text.toUtf8(), {}}; }
    Result<Changes> withFlow(const QByteArray &yaml, bool inserts);
    Result<Where> resolve();
    Result<Where> resolveBelowRoot(); // refuses the document as a whole
    Result<Where> resolveEntry(); // refuses what does not exist, too
    // Fails when an alias outside of `inside` refers to an anchor of `inside`, of a node in it, or of a node around it.
    Result<void> noSharedAnchor(const YamlNode *inside);
    void collectAliases(const YamlNode *node);
    qsizetype step();
    qsizetype dashOffset();
    QByteArray keyText(const QString &key, bool flow);
    // For a key in the place of `old`; null when the item of a list is to be written.
    yamlencode::Request requestForKey(const QString &key, bool flow, const YamlNode *old);
    // Whether the whole document is in JSON's syntax, which must then be kept.
    bool isJson();

    // writing new things
    struct Frame {
        qsizetype base = 0; // column of the block collection around the value
        qsizetype itemColumn = 0; // column of the text after a dash
        bool flow = false;
        bool item = false; // behind a dash, not behind a key
        QByteArray lineBreak;
    };
    yamlencode::Request requestFor(const Leaf &leaf, const Frame &frame);
    QList<Encoded> leafText(const Leaf &leaf, const Frame &frame);
    // The value at the end of `rest`, with the maps and lists on the way to it.
    QList<Encoded> nested(const Path &rest, const Leaf &leaf, const Frame &frame);
    static ExpectPtr nestedExpected(const Path &rest, const Leaf &leaf);

    // set
    Result<Changes> set(const Leaf &leaf);
    Result<Changes> insert(const Leaf &leaf);
    Result<Changes> create(const Where &where, const Leaf &leaf);
    Result<Changes> createDocument(const Path &rest, const Leaf &leaf);
    // The first entry of a flow collection that is the whole document.
    Result<Changes> fillRoot(const Where &where, const Leaf &leaf);
    // A new value in the place of the one that is there: a scalar, a collection, or nothing yet. With `rest`, the value
    // is inside new maps and lists.
    Result<Changes> replace(const Where &where, const Path &rest, const Leaf &leaf, bool evenShared = false);
    QList<Encoded> encodedLike(const YamlNode *node, qsizetype content, qsizetype headEnd, const ByteRange &body,
        const Frame &frame, const Leaf &leaf);
    qsizetype valueStartOr(const YamlNode *parent, qsizetype position) const;
    // Adds a value where there is none: behind the colon or dash, or behind a key without a colon.
    void appendMissing(TextEdits &edits, const YamlNode *parent, qsizetype position, qsizetype content,
        const Encoded &value, bool flow, bool bare) const;
    // Replaces a block collection on the lines below its key; comments between the key and it stay.
    void replaceBelow(TextEdits &edits, const YamlNode *node, const YamlNode *parent, qsizetype position,
        const yamllex::Properties &properties, const Encoded &value) const;

    // parts of a text
    Result<Changes> replaceText(const edit::ReplaceText &op);
    // Changes only the bytes of the changed parts of the value, if the removed text is spelled as it reads and the new
    // text needs no separate line.
    std::optional<Change> inPlace(const YamlNode *node, const TextEdits &parts);
    // The same for whatever differs between the value and `text`, before the ways to write all of it; nothing has to
    // change when they are the same.
    void preferInPlace(Changes &whole, const YamlNode *node, const QByteArray &text);

    // insert
    Result<Changes> insertEntry(const Where &where, const QString &key, const Path &rest, const Leaf &leaf);
    Result<Changes> insertItem(const Where &where, qsizetype index, const Path &rest, const Leaf &leaf);
    // Fails when an alias repeats the collection elsewhere, since inserting would change that place too.
    Result<void> noSharedAnchorAround(const YamlNode *collection);
    TextEdits appendedFlow(const YamlNode *collection, const QByteArray &item) const;
    TextEdits insertedFlow(const YamlNode *list, qsizetype index, const QByteArray &item) const;

    // remove
    Result<Changes> remove();
    bool isBlankLine(qsizetype pos) const;
    QList<ByteRange> removedBlock(const YamlNode *parent, qsizetype index) const;
    QList<ByteRange> removedFlow(const YamlNode *parent, qsizetype index);

    // move and rename
    Result<Changes> move(qsizetype to);
    Result<Changes> rename(const edit::RenameKey &op);

    // copy
    Result<Changes> duplicate(const QString &key);
    // The bytes of an entry without its anchors, with another key.
    QByteArray copied(const ByteRange &range, const YamlNode::Entry &entry, const QByteArray &key) const;
    void anchorsOf(const YamlNode *node, TextEdits &cuts) const;

    const YamlDocument &m_document;
    const QByteArray &m_text;
    const YamlPath &m_path;
    bool m_aliasesKnown = false;
    QList<const YamlNode *> m_aliases;
    std::optional<bool> m_isJson;
    qsizetype m_step = -1;
    qsizetype m_dashOffset = -1;
};

} // namespace trainyard::yamlplan
