// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace trainyard
{

// Colours for YAML text, one line at a time. It colours what people type, right or wrong; it decides nothing.
// (Scintilla's own YAML lexer takes the first colon of a command for the end of a key.)
namespace yamlstyler
{

enum Style : char {
    Default = 0,
    Key,
    String,
    Number,
    Keyword,
    Comment,
    Reference, // anchors, tags, template references and PAI variables
    Operator,
    Marker, // --- ... | >
    Text, // content of a block scalar
};

// The state that a line passes to the next one; fits into a Scintilla line state.
struct State {
    enum Mode { Normal, BlockScalar, SingleQuoted, DoubleQuoted };
    Mode mode = Normal;
    int parentIndent = 0; // of the block scalar
    int flowDepth = 0;
    int encode() const { return int(mode) | (parentIndent << 2) | (flowDepth << 14); }
    static State decode(int value) { return {Mode(value & 3), (value >> 2) & 0xFFF, (value >> 14) & 0x3FF}; }
};

// Writes one style per byte of `line` (with its line end) to `out`.
State styleLine(QByteArrayView line, State state, char *out);

// Level for folding: deeper is greater. Negative for a blank line.
int foldDepth(QByteArrayView line, State before);

// Overrides the style of <% ... %>, $PAI_X and ${PAI_X} with Reference.
void markReferences(QByteArrayView line, char *out);

} // namespace yamlstyler
} // namespace trainyard
