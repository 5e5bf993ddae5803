// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/yaml/yamldocument.h"

#include <memory>
#include <vector>

// What a document must be after an edit, said without text: the old tree with one place changed. Internal to
// model/yaml.
namespace trainyard::yamlguard
{

struct Expect;
using ExpectPtr = std::shared_ptr<Expect>;

struct Expect {
    const YamlNode *same = nullptr; // everything as in this node
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
// The root with the node at the end of `chain` (positions from the root) replaced.
ExpectPtr rootWith(const YamlNode *root, const QList<qsizetype> &chain, const ExpectPtr &changed);

struct Change {
    TextEdits edits;
    ExpectPtr expected; // null: the document becomes empty
    QList<ByteRange> mayRemove; // comments inside these ranges may go
};

// Applies and parses; gives the new document or the reason why the edits must not be made.
Result<YamlDocument> check(const YamlDocument &document, const Change &change);
// The same edits with what they do not change taken off both ends, joined where they touch.
TextEdits minimal(const QByteArray &text, TextEdits edits);

} // namespace trainyard::yamlguard
