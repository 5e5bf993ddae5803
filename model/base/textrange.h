// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace trainyard
{

// A half-open range of bytes of a UTF-8 text. Positions are in bytes everywhere (ADR 1).
struct ByteRange {
    qsizetype begin = 0;
    qsizetype end = 0;
    qsizetype length() const { return end - begin; }
    bool contains(qsizetype offset) const { return begin <= offset && offset < end; }
    friend bool operator==(const ByteRange &, const ByteRange &) = default;
};

// Replaces `range` of the old text by `text`.
struct TextEdit {
    ByteRange range;
    QByteArray text;
    friend bool operator==(const TextEdit &, const TextEdit &) = default;
};

// Edits of one text, all relative to the old text, ascending and not overlapping.
using TextEdits = QList<TextEdit>;

// The text with all edits applied. Edits that overlap or lie outside the text are a programming error (asserted).
QByteArray applyEdits(const QByteArray &text, const TextEdits &edits);

} // namespace trainyard
