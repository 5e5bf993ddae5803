// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlcolon.h"

#include "model/base/ascii.h"
#include "model/yaml/yamllex.h"

namespace trainyard::yamltree
{

namespace
{

struct PlainLine {
    qsizetype indent = 0; // of the line
    qsizetype column = 0; // of the text
    ByteRange text; // behind dashes, without a comment
    bool isItem = false;
    bool hasComment = false;
    bool hasColon = false;
    bool hasValue = false; // behind the colon
    qsizetype firstColon = 0;
};

PlainLine plainLine(const QByteArray &bytes, qsizetype begin)
{
    PlainLine line;
    const qsizetype end = yamllex::lineEnd(bytes, begin);
    qsizetype at = yamllex::skipBlanks(bytes, begin == 0 ? yamllex::bomLength(bytes) : begin);
    line.indent = yamllex::columnOf(bytes, at);
    while (yamllex::at(bytes, at) == '-' && yamllex::isBlankOrEnd(bytes, at + 1)) {
        line.isItem = true;
        at = yamllex::skipBlanks(bytes, at + 1);
    }
    line.column = yamllex::columnOf(bytes, at);
    qsizetype last = at;
    for (qsizetype i = at; i < end; ++i) {
        const char c = bytes.at(i);
        if (c == '#' && (i == at || yamllex::isBlank(bytes.at(i - 1)))) {
            line.hasComment = true;
            break;
        }
        if (c == ':' && yamllex::isBlankOrEnd(bytes, i + 1)) {
            line.firstColon = line.hasColon ? line.firstColon : i;
            line.hasColon = true;
            line.hasValue = false;
        } else if (!yamllex::isBlank(c)) {
            line.hasValue = true;
        }
        last = yamllex::isBlank(c) ? last : i + 1;
    }
    line.text = {std::min(at, end), std::max(last, std::min(at, end))};
    return line;
}

bool isPlainStart(const QByteArray &bytes, ByteRange text)
{
    return text.length() > 0 && !QByteArrayView("\"'|>[]{}&*!%@`#?,").contains(bytes.at(text.begin))
        && !yamllex::isDocumentMark(bytes, text.begin);
}

// The line above a list that is indented as it is: a key of the same map, where it has no colon.
std::optional<ByteRange> keyAboveList(const QByteArray &bytes, qsizetype list)
{
    const qsizetype indent = plainLine(bytes, list).indent;
    for (qsizetype begin = list; begin > 0;) {
        begin = yamllex::lineBegin(bytes, begin - 1);
        const PlainLine line = plainLine(bytes, begin);
        if (line.text.length() > 0) {
            const bool isKey = !line.isItem && !line.hasColon && line.indent == indent;
            return isKey && isPlainStart(bytes, line.text) ? std::optional(line.text) : std::nullopt;
        }
    }
    return std::nullopt;
}

bool isEmptyLine(const PlainLine &line) { return line.text.length() == 0 && !line.isItem; }

// The list whose items are as deep, above a line and others that have no colon either: whether it is deeper than the
// key that it belongs to. Nothing: there is none.
std::optional<bool> isListAboveDeeper(const QByteArray &bytes, qsizetype begin, qsizetype indent)
{
    bool isInList = false;
    while (begin > 0) {
        begin = yamllex::lineBegin(bytes, begin - 1);
        const PlainLine line = plainLine(bytes, begin);
        const bool isUnmarked = !line.isItem && !line.hasColon && line.indent == indent;
        if (isEmptyLine(line) || line.indent > indent || isUnmarked) {
            continue;
        }
        if (!line.isItem || line.indent < indent) {
            return isInList ? std::optional(line.indent < indent) : std::nullopt;
        }
        isInList = true;
    }
    return isInList ? std::optional(true) : std::nullopt;
}

bool isAboveItem(const QByteArray &bytes, qsizetype begin, qsizetype indent)
{
    for (qsizetype end = yamllex::lineEnd(bytes, begin); end < bytes.size();) {
        const PlainLine line = plainLine(bytes, end + 1);
        if (!isEmptyLine(line) && line.indent <= indent) {
            return line.isItem && line.indent == indent;
        }
        end = yamllex::lineEnd(bytes, end + 1);
    }
    return false;
}

qsizetype wordEnd(const QByteArray &bytes, ByteRange line)
{
    qsizetype end = line.begin;
    const auto isOfWord = [](char c) { return ascii::isWord(c) || c == '-' || c == '.'; };
    while (end < line.end && isOfWord(bytes.at(end))) {
        ++end;
    }
    return end;
}

} // namespace

std::optional<UnmarkedItem> lineWithoutDash(const QByteArray &bytes, qsizetype pos)
{
    qsizetype begin = yamllex::lineBegin(bytes, std::min(pos, bytes.size()));
    PlainLine line = plainLine(bytes, begin);
    const qsizetype indent = line.indent;
    if (line.isItem && pos < line.text.begin) { // it is the item below
        do {
            if (begin == 0) {
                return std::nullopt;
            }
            begin = yamllex::lineBegin(bytes, begin - 1);
            line = plainLine(bytes, begin);
        } while (isEmptyLine(line) || line.indent > indent);
    } else if (pos != line.text.begin) {
        return std::nullopt;
    }
    if (line.isItem || line.hasColon || line.indent != indent || !isPlainStart(bytes, line.text)) {
        return std::nullopt;
    }
    const std::optional<bool> isDeeper = isListAboveDeeper(bytes, begin, indent);
    if (!isDeeper || (!*isDeeper && !isAboveItem(bytes, begin, indent))) {
        return std::nullopt;
    }
    const bool isWord = !bytes.mid(line.text.begin, line.text.length()).contains(' ');
    return UnmarkedItem{line.text, !*isDeeper && isWord};
}

bool isKeyInList(const QByteArray &bytes, qsizetype pos)
{
    const qsizetype begin = yamllex::lineBegin(bytes, std::min(pos, bytes.size()));
    const PlainLine line = plainLine(bytes, begin);
    return !line.isItem && line.hasColon && pos == line.text.begin
        && isListAboveDeeper(bytes, begin, line.indent).value_or(false);
}

std::optional<ByteRange> lineWithoutColon(const QByteArray &bytes, qsizetype pos)
{
    qsizetype begin = yamllex::lineBegin(bytes, std::min(pos, bytes.size()));
    const PlainLine stumbled = plainLine(bytes, begin);
    if (!stumbled.hasColon && stumbled.isItem && pos < stumbled.text.begin) {
        return keyAboveList(bytes, begin);
    }
    if (!stumbled.hasColon) {
        // The text at a position where a key should be.
        return pos == stumbled.text.begin && isPlainStart(bytes, stumbled.text) ? std::optional(stumbled.text)
                                                                                : std::nullopt;
    }
    if (pos > stumbled.firstColon) {
        return std::nullopt; // the mistake is in this line
    }
    // The topmost of the lines that were read as one text. Those that it was continued with are indented no less.
    std::optional<PlainLine> first;
    while (begin > 0) {
        begin = yamllex::lineBegin(bytes, begin - 1);
        const PlainLine line = plainLine(bytes, begin);
        if (line.text.length() == 0 && !line.hasComment && !line.isItem) {
            continue;
        }
        if (line.hasComment && !line.hasColon) {
            break;
        }
        if (line.hasColon) {
            const bool continued = first && line.hasValue && first->indent > line.column;
            return first && !continued && isPlainStart(bytes, first->text) ? std::optional(first->text) : std::nullopt;
        }
        if (line.isItem && first && line.indent < first->indent) {
            return std::nullopt; // it goes on from that item
        }
        if (line.isItem && !first && line.column <= stumbled.indent) {
            first = line;
            break;
        }
        if (!line.isItem && (!first || line.indent <= first->indent)) {
            first = line;
        }
    }
    return first && isPlainStart(bytes, first->text) ? std::optional(first->text) : std::nullopt;
}

std::optional<TextEdit> blankAfterColon(const QByteArray &bytes, ByteRange line)
{
    const qsizetype end = wordEnd(bytes, line);
    const char first = yamllex::at(bytes, line.begin), next = yamllex::at(bytes, end + 1);
    const bool isKey = end > line.begin && !ascii::isDigit(first) && yamllex::at(bytes, end) == ':';
    if (!isKey || end + 1 >= line.end || yamllex::isBlankOrEnd(bytes, end + 1) || next == ':') {
        return std::nullopt;
    }
    const bool isDrive = end == line.begin + 1 && (next == '/' || next == '\\');
    const bool isAddress = next == '/' && yamllex::at(bytes, end + 2) == '/';
    return isDrive || isAddress ? std::nullopt : std::optional(TextEdit{{end + 1, end + 1}, " "});
}

std::optional<TextEdits> blanksAfterColons(const QByteArray &bytes, ByteRange text)
{
    TextEdits edits;
    for (qsizetype begin = yamllex::lineBegin(bytes, text.begin); begin < text.end;
         begin = yamllex::lineEnd(bytes, begin) + 1) {
        const PlainLine line = plainLine(bytes, begin);
        const std::optional<TextEdit> blank = line.isItem ? std::nullopt : blankAfterColon(bytes, line.text);
        if (!blank || line.column != yamllex::columnOf(bytes, text.begin)) {
            return std::nullopt; // also a text behind its key
        }
        edits.append(*blank);
    }
    return edits;
}

std::optional<TextEdit> colonAfterWord(const QByteArray &bytes, ByteRange line)
{
    const qsizetype end = wordEnd(bytes, line);
    if (end == line.begin || !yamllex::isBlankOrEnd(bytes, end)) {
        return std::nullopt;
    }
    return TextEdit{{end, end}, ":"};
}

std::optional<QuotedText> textInQuotes(const QByteArray &bytes, qsizetype pos)
{
    const qsizetype begin = yamllex::lineBegin(bytes, std::min(pos, bytes.size()));
    const PlainLine line = plainLine(bytes, begin);
    if (!line.hasColon || pos <= line.firstColon || pos >= line.text.end || !isPlainStart(bytes, line.text)) {
        return std::nullopt;
    }
    // A value that continues on the next line is not understood.
    for (qsizetype next = yamllex::lineEnd(bytes, begin); next < bytes.size();) {
        const PlainLine after = plainLine(bytes, next + 1);
        if (after.text.length() > 0 || after.isItem) {
            if (after.indent >= line.column && !(after.indent == line.column && !line.isItem)) {
                return std::nullopt;
            }
            break;
        }
        next = yamllex::lineEnd(bytes, next + 1);
    }
    const QByteArray key = bytes.mid(line.text.begin, line.firstColon - line.text.begin).trimmed();
    const bool isItem = line.isItem && key.contains(' '); // no key has blanks
    ByteRange text = line.text;
    if (!isItem) {
        text.begin = yamllex::skipBlanks(bytes, line.firstColon + 1);
        if (!isPlainStart(bytes, text)) {
            return std::nullopt;
        }
    }
    const QByteArray quoted = '\'' + bytes.mid(text.begin, text.length()).replace('\'', "''") + '\'';
    return QuotedText{{text, quoted}, isItem, key};
}

} // namespace trainyard::yamltree
