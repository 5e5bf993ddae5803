// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

// Positions in a text: entries with their comments, line breaks, indentation. Internal to model/yaml.
namespace trainyard::yamlplace
{

bool isFlow(const YamlNode *collection); // with brackets, or inside of some
bool insideFlow(const YamlNode *node); // some ancestor has brackets
bool isCompactPair(const QByteArray &text, const YamlNode *map); // "[a: b]": a map without its own brackets

// Where an entry begins: the dash, the key or its question mark, the item.
qsizetype entryStart(const QByteArray &text, const YamlNode *collection, qsizetype index);
// The position after the colon of a map's entry or the dash of an item; -1 when there is none (a key without a colon).
qsizetype valueStart(const QByteArray &text, const YamlNode *collection, qsizetype index);

// An entry of a block collection with the comments that belong to it: the lines of comment directly above it at the
// same indentation (not above the first key of the document, and not what looks like a commented-out entry), the one
// behind it, and deeper ones below. It ends before a line break.
ByteRange chunk(const QByteArray &text, const YamlNode *collection, qsizetype index);

qsizetype contentBegin(const QByteArray &text, const YamlNode *node); // behind anchor and tag
qsizetype previousLineEnd(const QByteArray &text, qsizetype line); // of the line before the one that begins at `line`
QByteArray lineBreakAt(const QByteArray &text, qsizetype pos);
bool onlyBlanksBefore(const QByteArray &text, qsizetype pos); // from the begin of the line
qsizetype mapStep(const YamlNode *root, const QByteArray &text); // prevailing indentation of a map in a map
qsizetype listOffset(const YamlNode *root, const QByteArray &text); // of a list's dash under its key: 0 or more

// All comments of a completely read document, in order.
QList<ByteRange> comments(const YamlDocument &document);

} // namespace trainyard::yamlplace
