// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/yaml/yamldocument.h"

#include <memory>
#include <vector>

// Describes what a document must be after an edit, independent of its text: the old tree with one place changed.
// Internal to model/yaml.
namespace trainyard::yamlguard
{

struct Expect;
using ExpectPtr = std::shared_ptr<Expect>;

struct Expect {
    const YamlNode *same = nullptr; // everything as in this node
    std::shared_ptr<const YamlDocument> owner; // of `same` where that is not the document itself
    bool text = false; // a string with the value `scalar`, in any style
    YamlNode::Kind kind = YamlNode::Kind::Scalar;
    bool plain = true;
    QByteArray tag;
    QByteArray anchor;
    QByteArray scalar;
    std::vector<std::pair<ExpectPtr, ExpectPtr>> entries; // the key is null in lists
};

ExpectPtr same(const YamlNode *node);
ExpectPtr string(const QByteArray &text);
ExpectPtr collection(YamlNode::Kind kind);
// `node` with its entries as expectations of their own, so that one can be changed.
ExpectPtr expanded(const YamlNode *node);
// `node` without anchors, all the way down.
ExpectPtr unnamed(const YamlNode *node);
struct Change {
    TextEdits edits;
    const YamlNode *place = nullptr; // the node, a key or a value, that becomes `expected`; null: the whole document
    ExpectPtr expected; // null: the document becomes empty
    QList<ByteRange> mayRemove; // comments inside these ranges may go
    QList<ByteRange> repeats; // comments inside these ranges appear twice afterwards
};

// Applies the edits and parses the result. Returns the new document, or the reason why the edits must not be made.
// Several changes are made at once if each has a separate position and none is inside another.
Result<YamlDocument> check(const YamlDocument &document, const QList<Change> &changes);
// The same edits without the unchanged bytes at both ends, and joined where they touch.
TextEdits minimal(const QByteArray &text, TextEdits edits);

} // namespace trainyard::yamlguard
