// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/yaml/yamldocument.h"

#include <deque>

// Makes a tree of nodes from bytes. Internal to model/yaml.
namespace trainyard::yamltree
{

inline constexpr int maxDepth = 64;
inline constexpr qsizetype maxNodes = 250'000;

struct Node : YamlNode {
    qsizetype mark = 0; // where the parser says it begins
    bool null = false; // the parser's "null": written (~) or missing; `extents` finds out which
    double expanded = 1; // nodes under it with aliases followed
};

struct Tree {
    std::deque<Node> nodes; // stable addresses
    Node *root = nullptr;
    Node *second = nullptr; // root of the second document of the stream
    qsizetype begin = 0; // where the first document's content may begin
    qsizetype secondBegin = -1;
    bool complete = true; // false: reading stopped at a syntax error or a limit, the tree ends there
};

// Runs yaml-cpp's event parser. Never throws.
void build(const QByteArray &bytes, Tree &tree, QList<Diagnostic> &diagnostics);
// Adds its bytes, its style and a written null to every node, and compares the text there with what the parser read.
void extents(const QByteArray &bytes, Tree &tree, QList<Diagnostic> &diagnostics);
// Reports duplicate keys, unknown tags, values that do not fit their tag or are not indented, merge keys, and
// aliases that expand without end.
void check(const QByteArray &bytes, Tree &tree, QList<Diagnostic> &diagnostics);

} // namespace trainyard::yamltree
