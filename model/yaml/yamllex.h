// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QByteArray>
#include <QString>

// Reads single YAML tokens, because the parser does not report where a node ends and how it is written. Internal to
// model/yaml. All functions take a text and a position inside it and are linear in what they consume.
namespace trainyard::yamllex
{

inline bool isBlank(char c) { return c == ' ' || c == '\t'; }
inline bool isBreak(char c) { return c == '\n' || c == '\r'; }
inline bool isFlowIndicator(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

// The byte at `pos`, or 0 behind the end (a NUL never reaches the lexer).
inline char at(const QByteArray &text, qsizetype pos) { return pos >= 0 && pos < text.size() ? text.at(pos) : '\0'; }
inline bool isBlankOrEnd(const QByteArray &text, qsizetype pos)
{
    return pos >= text.size() || isBlank(text.at(pos)) || isBreak(text.at(pos));
}

qsizetype bomLength(const QByteArray &text);
qsizetype lineBegin(const QByteArray &text, qsizetype pos);
qsizetype lineEnd(const QByteArray &text, qsizetype pos); // before the line break
qsizetype nextLine(const QByteArray &text, qsizetype pos); // after the line break, or the end
qsizetype breakLength(const QByteArray &text, qsizetype pos); // 0, 1, or 2 for CRLF
qsizetype columnOf(const QByteArray &text, qsizetype pos); // bytes from the line's begin, a BOM not counted
bool sameLine(const QByteArray &text, qsizetype a, qsizetype b);
qsizetype skipBlanks(const QByteArray &text, qsizetype pos);
// Skips blanks, line breaks and comments up to the next token.
qsizetype skipGap(const QByteArray &text, qsizetype pos);
bool isDocumentMark(const QByteArray &text, qsizetype pos); // "---" or "..." at the begin of a line

// Skips anchors and tags: gives the position after the last one, which is `pos` when there is none. `content` is where
// the node itself would begin after a gap.
struct Properties {
    ByteRange anchor; // with the &
    ByteRange tag;
    qsizetype end = 0;
    qsizetype content = 0;
};
Properties properties(const QByteArray &text, qsizetype pos, bool mayAnchor = true, bool mayTag = true);

// The context of a scalar, which decides where it ends.
struct Context {
    bool flow = false;
    bool key = false; // an implicit key: one line only
    qsizetype indent = -1; // column of the innermost block collection around it; -1 at the top
};

struct BlockHeader {
    char chomping = 0; // '-', '+' or 0
    int indicator = 0; // explicit indentation, 0 when none
    qsizetype end = 0; // after the header's characters, before blanks and comment
    bool valid = false;
};
BlockHeader blockHeader(const QByteArray &text, qsizetype pos);

struct Scalar {
    YamlNode::Style style = YamlNode::Style::Plain;
    qsizetype end = 0;
    bool closed = true; // false: a quote that never ends
    QByteArray value;
    qsizetype contentIndent = 0; // of block scalars
};
// `sources` gets the position of each byte of the value in the text; for an escape or a gap between lines that of its
// first byte.
Scalar scalar(const QByteArray &text, qsizetype pos, const Context &context, QList<qsizetype> *sources = nullptr);

} // namespace trainyard::yamllex
