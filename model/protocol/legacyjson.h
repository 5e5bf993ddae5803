// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QStringList>

#include <vector>

// The text of a job of version 1: JSON as users wrote it, with comments and trailing commas. Internal to the import.
namespace trainyard::legacy
{

inline constexpr int maxDepth = 40;

struct Member;

struct Node {
    enum class Kind { Null, Bool, Number, Text, List, Map };
    Kind kind = Kind::Null;
    bool boolean = false;
    QString text; // of texts; of numbers the spelling
    std::vector<Member> members; // of lists and maps
    ByteRange at;

    bool isMap() const { return kind == Kind::Map; }
    bool isList() const { return kind == Kind::List; }
    bool isText() const { return kind == Kind::Text; }
    const Member *find(const QString &key) const; // the last of that name counts, and there is only one
};

struct Member {
    QString key; // empty in lists
    ByteRange keyAt;
    Node value;
    QStringList comments; // above it and behind it, without their marks
};

struct Text {
    Node root;
    bool complete = false; // false: reading stopped at an error, and root is what stood before it
    QStringList comments; // above and below everything
    QList<Diagnostic> diagnostics; // codes legacy.json.*
};

Text readJson(const QByteArray &bytes);
// The same of a job of version 1 that was written as YAML, without its comments.
Text readYaml(const QByteArray &bytes);

} // namespace trainyard::legacy
