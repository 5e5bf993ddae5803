// SPDX-License-Identifier: GPL-3.0-or-later
// Where a scalar ends, and the value that it spells.
#include "model/yaml/yamllex.h"

#include <algorithm>

namespace trainyard::yamllex
{
namespace
{

// Where each byte of a value stands in the text, for callers that want it: the first byte of the escape or the gap that
// it comes from.
using Sources = QList<qsizetype>;

void note(Sources *sources, const QByteArray &value, qsizetype source)
{
    if (sources) {
        sources->resize(std::min(sources->size(), value.size()));
        sources->resize(value.size(), source);
    }
}

// Joins the lines of a plain or quoted scalar: called at a line break with what was read so far, returns the position
// of the next line's first character. One break becomes a blank, more become one less.
qsizetype fold(const QByteArray &text, qsizetype pos, qsizetype end, QByteArray &value, qsizetype keep, bool escaped,
    Sources *sources)
{
    const qsizetype begin = pos;
    if (!escaped) {
        while (value.size() > keep && isBlank(value.back())) {
            value.chop(1);
        }
        note(sources, value, begin);
    }
    qsizetype breaks = 0;
    while (pos < end) {
        if (isBlank(text.at(pos))) {
            ++pos;
        } else if (isBreak(text.at(pos))) {
            pos += breakLength(text, pos);
            ++breaks;
        } else {
            break;
        }
    }
    if (breaks > 1) {
        value.append(breaks - 1, '\n');
    } else if (!escaped) {
        value.append(' ');
    }
    note(sources, value, begin);
    return pos;
}

Scalar plain(const QByteArray &text, qsizetype pos, const Context &context, Sources *sources)
{
    Scalar result;
    qsizetype end = pos; // after the last character that belongs to it
    qsizetype i = pos;
    while (true) {
        bool stopped = false;
        while (i < text.size() && !isBreak(text.at(i))) {
            const char c = text.at(i);
            if (c == ':'
                && (isBlankOrEnd(text, i + 1)
                    || (context.flow && isFlowIndicator(at(text, i + 1)) && at(text, i + 1) != '['
                        && at(text, i + 1) != '{'))) {
                stopped = true;
                break;
            }
            if (c == '#' && i > pos && isBlank(text.at(i - 1))) {
                stopped = true;
                break;
            }
            if (context.flow && i > pos && (isFlowIndicator(c) || (c == '?' && isBlankOrEnd(text, i - 1)))) {
                stopped = true;
                break;
            }
            ++i;
            if (!isBlank(c)) {
                end = i;
            }
        }
        if (stopped || context.key || i >= text.size()) {
            break;
        }
        // The next line with something on it continues the scalar when it is deep enough.
        qsizetype next = i;
        qsizetype first = i;
        while (next < text.size()) {
            next += breakLength(text, next);
            first = skipBlanks(text, next);
            if (first >= text.size() || !isBreak(text.at(first))) {
                break;
            }
            next = first;
        }
        if (first >= text.size() || text.at(first) == '#' || isDocumentMark(text, next)
            || (!context.flow && first - next <= context.indent)) {
            break;
        }
        i = first;
    }
    result.end = end;
    for (i = pos; i < end;) {
        if (isBreak(text.at(i))) {
            i = fold(text, i, end, result.value, 0, false, sources);
        } else {
            result.value.append(text.at(i));
            note(sources, result.value, i++);
        }
    }
    return result;
}

Scalar singleQuoted(const QByteArray &text, qsizetype pos, Sources *sources)
{
    Scalar result;
    result.style = YamlNode::Style::SingleQuoted;
    result.closed = false;
    qsizetype i = pos + 1;
    while (i < text.size()) {
        const char c = text.at(i);
        if (c == '\'') {
            if (at(text, i + 1) != '\'') {
                result.closed = true;
                ++i;
                break;
            }
            result.value.append('\'');
            note(sources, result.value, i);
            i += 2;
        } else if (isBreak(c)) {
            i = fold(text, i, text.size(), result.value, 0, false, sources);
        } else {
            result.value.append(c);
            note(sources, result.value, i);
            ++i;
        }
    }
    result.end = i;
    return result;
}

void appendCodePoint(QByteArray &value, uint code)
{
    if (code < 0x80) {
        value.append(char(code));
    } else if (code < 0x800) {
        value.append(char(0xC0 | (code >> 6))).append(char(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        value.append(char(0xE0 | (code >> 12)))
            .append(char(0x80 | ((code >> 6) & 0x3F)))
            .append(char(0x80 | (code & 0x3F)));
    } else {
        value.append(char(0xF0 | (code >> 18))).append(char(0x80 | ((code >> 12) & 0x3F)));
        value.append(char(0x80 | ((code >> 6) & 0x3F))).append(char(0x80 | (code & 0x3F)));
    }
}

Scalar doubleQuoted(const QByteArray &text, qsizetype pos, Sources *sources)
{
    Scalar result;
    result.style = YamlNode::Style::DoubleQuoted;
    result.closed = false;
    qsizetype i = pos + 1;
    qsizetype keep = 0; // what an escape gave is never trimmed at the end of a line
    while (i < text.size()) {
        const char c = text.at(i);
        if (c == '"') {
            result.closed = true;
            ++i;
            break;
        }
        if (isBreak(c)) {
            i = fold(text, i, text.size(), result.value, keep, false, sources);
            keep = result.value.size();
            continue;
        }
        if (c != '\\') {
            result.value.append(c);
            note(sources, result.value, i);
            ++i;
            continue;
        }
        const char e = at(text, i + 1);
        const qsizetype escape = i;
        i += 2;
        int digits = 0;
        switch (e) {
        case '0':
            result.value.append('\0');
            break;
        case 'a':
            result.value.append('\a');
            break;
        case 'b':
            result.value.append('\b');
            break;
        case 't':
        case '\t':
            result.value.append('\t');
            break;
        case 'n':
            result.value.append('\n');
            break;
        case 'v':
            result.value.append('\v');
            break;
        case 'f':
            result.value.append('\f');
            break;
        case 'r':
            result.value.append('\r');
            break;
        case 'e':
            result.value.append('\x1B');
            break;
        case 'N':
            result.value.append("\xC2\x85");
            break;
        case '_':
            result.value.append("\xC2\xA0");
            break;
        case 'L':
            result.value.append("\xE2\x80\xA8");
            break;
        case 'P':
            result.value.append("\xE2\x80\xA9");
            break;
        case 'x':
            digits = 2;
            break;
        case 'u':
            digits = 4;
            break;
        case 'U':
            digits = 8;
            break;
        case '\r':
        case '\n':
            i = fold(text, i - 1, text.size(), result.value, keep, true, sources);
            break;
        case '\0':
            break;
        default:
            result.value.append(e);
            break;
        }
        if (digits > 0) {
            bool ok = false;
            const uint code = text.mid(i, digits).toUInt(&ok, 16);
            if (ok && code <= 0x10FFFF) {
                appendCodePoint(result.value, code);
            }
            i += std::min<qsizetype>(digits, text.size() - i);
        }
        note(sources, result.value, escape);
        keep = result.value.size();
    }
    result.end = std::min(i, text.size());
    return result;
}

Scalar block(const QByteArray &text, qsizetype pos, const Context &context, Sources *sources)
{
    Scalar result;
    const bool folded = text.at(pos) == '>';
    result.style = folded ? YamlNode::Style::Folded : YamlNode::Style::Literal;
    const BlockHeader header = blockHeader(text, pos);
    result.end = header.end;
    const qsizetype base = std::max<qsizetype>(context.indent, 0);
    qsizetype indent = header.indicator > 0 ? base + header.indicator : -1;
    qsizetype line = lineEnd(text, pos);
    if (indent < 0) {
        // Found from the first line with something on it; a longer empty line before it counts too.
        indent = base + 1;
        for (qsizetype next = line + breakLength(text, line); next < text.size();) {
            qsizetype first = next;
            while (at(text, first) == ' ') {
                ++first;
            }
            indent = std::max(indent, first - next);
            if (first >= text.size() || !isBreak(text.at(first))) {
                break;
            }
            next = first + breakLength(text, first);
        }
    }
    result.contentIndent = indent;
    qsizetype empty = 0;
    bool content = false;
    bool moreIndented = false;
    qsizetype trailing = result.end; // end of the last line, empty ones with it
    while (breakLength(text, line) > 0) {
        const qsizetype begin = line + breakLength(text, line);
        if (begin >= text.size()) {
            break;
        }
        qsizetype first = begin;
        while (first - begin < indent && at(text, first) == ' ') {
            ++first;
        }
        const qsizetype end = lineEnd(text, begin);
        if (first == end) {
            ++empty; // also blanks at the very end: readers add the line break that is missing there
            trailing = end;
            line = end;
            continue;
        }
        if (first - begin < indent) {
            break;
        }
        const qsizetype breaks = content ? 1 + empty : empty;
        if (!folded) {
            result.value.append(breaks, '\n');
        } else if (isBlank(text.at(first))) {
            moreIndented = true;
            result.value.append(breaks, '\n');
        } else if (moreIndented) {
            moreIndented = false;
            result.value.append(empty + 1, '\n');
        } else if (empty > 0) {
            result.value.append(empty, '\n');
        } else if (content) {
            result.value.append(' ');
        }
        note(sources, result.value, line);
        result.value.append(text.constData() + first, end - first);
        for (qsizetype i = first; sources && i < end; ++i) {
            sources->append(i);
        }
        content = true;
        empty = 0;
        result.end = end;
        trailing = end;
        line = end;
    }
    if (header.chomping == '+') {
        result.value.append(content ? 1 + empty : empty, '\n');
        result.end = trailing;
    } else if (header.chomping == 0 && content) {
        result.value.append('\n');
    }
    note(sources, result.value, result.end);
    return result;
}

} // namespace

Scalar scalar(const QByteArray &text, qsizetype pos, const Context &context, Sources *sources)
{
    if (sources) {
        sources->clear();
    }
    switch (at(text, pos)) {
    case '\'':
        return singleQuoted(text, pos, sources);
    case '"':
        return doubleQuoted(text, pos, sources);
    case '|':
    case '>':
        if (!context.flow) {
            return block(text, pos, context, sources);
        }
        [[fallthrough]];
    default:
        return plain(text, pos, context, sources);
    }
}

} // namespace trainyard::yamllex
