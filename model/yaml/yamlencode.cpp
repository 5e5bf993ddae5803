// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlencode.h"

#include "model/base/linediff.h"
#include "model/base/utf8.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlscalar.h"

#include <QString>

#include <algorithm>

namespace trainyard::yamlencode
{

namespace
{

// Characters that only double quotes can hold, or that some reader takes for a line break.
bool needsEscape(char32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || c == 0xFEFF
        || c == 0xFFFE || c == 0xFFFF || (c >= 0xD800 && c <= 0xDFFF);
}

// Blanks that people cannot tell from a space: at the end of a plain scalar they would look like nothing.
bool isOddSpace(char32_t c)
{
    return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool anyNeedsEscape(const QByteArray &text)
{
    const QList<uint> points = textFromUtf8(text).toUcs4();
    return std::any_of(points.cbegin(), points.cend(), [](uint c) { return needsEscape(c); });
}

qsizetype trailingBreaks(const QByteArray &text)
{
    qsizetype count = 0;
    while (count < text.size() && text.at(text.size() - 1 - count) == '\n') {
        ++count;
    }
    return count;
}

qsizetype commonPrefix(const QByteArray &a, const QByteArray &b)
{
    const qsizetype limit = std::min(a.size(), b.size());
    return std::mismatch(a.cbegin(), a.cbegin() + limit, b.cbegin()).first - a.cbegin();
}

// The header's chomping: the old one when it fits, else the one that does.
QByteArray chomping(const QByteArray &text, char old, bool hasOld)
{
    const qsizetype breaks = trailingBreaks(text);
    if (hasOld) {
        const bool fits = old == '-' ? breaks == 0 : old == '+' ? breaks >= 1 : breaks == 1;
        if (fits) {
            return old == 0 ? QByteArray() : QByteArray(1, old);
        }
    }
    return breaks == 0 ? "-" : breaks == 1 ? "" : "+";
}

char oldChomping(const Request &request)
{
    return request.oldHead.contains('-') ? '-' : request.oldHead.contains('+') ? '+' : 0;
}

bool isBlock(YamlNode::Style style) { return style == YamlNode::Style::Literal || style == YamlNode::Style::Folded; }

// A line below the header of a block scalar as it is written.
struct WrittenLine {
    QByteArray lineBreak; // before it
    QByteArray bytes;
    QByteArray content; // behind the indentation
};

QList<WrittenLine> writtenLines(const Request &request)
{
    const QByteArray &body = request.oldBody;
    QList<WrittenLine> lines;
    for (qsizetype begin = 0; begin < body.size();) {
        const qsizetype text = begin + yamllex::breakLength(body, begin);
        const qsizetype end = yamllex::lineEnd(body, text);
        const qsizetype content = std::min(text + request.contentColumn, end);
        lines.append({body.mid(begin, text - begin), body.mid(text, end - text), body.mid(content, end - content)});
        begin = end;
    }
    return lines;
}

// The lines with breaks and indentation. Those that are there already keep their bytes: blanks in an empty line, and
// the kind of line break.
QByteArray joined(const QList<QByteArray> &lines, const Request &request)
{
    const QList<WrittenLine> old
        = request.replaces && isBlock(request.style) ? writtenLines(request) : QList<WrittenLine>();
    QByteArray before;
    for (const WrittenLine &line : old) {
        before += line.content + '\n';
    }
    QByteArray body;
    qsizetype oldLine = 0;
    qsizetype newLine = 0;
    const auto keepUntil = [&](qsizetype end) {
        for (; oldLine < end && newLine < lines.size(); ++oldLine, ++newLine) {
            body += old.at(oldLine).lineBreak + old.at(oldLine).bytes;
        }
    };
    const auto writeUntil = [&](qsizetype end) {
        for (bool isFirst = true; newLine < end; ++newLine, isFirst = false) {
            const QByteArray &line = lines.at(newLine);
            // The line break of the line above, which stays.
            body += isFirst && oldLine < old.size() ? old.at(oldLine).lineBreak : request.lineBreak;
            body += line.isEmpty() ? line : QByteArray(request.contentColumn, ' ') + line;
        }
    };
    const LineDiff diff = diffLines(before, lines.join('\n') + '\n');
    for (const LineChange &change : diff.changes) {
        keepUntil(change.oldBegin);
        writeUntil(std::min(change.newEnd, lines.size()));
        oldLine = change.oldEnd;
    }
    keepUntil(old.size());
    return body;
}

bool readsBack(const Encoded &encoded, const Request &request)
{
    const QByteArray written = encoded.head + encoded.body + request.lineBreak;
    const yamllex::Scalar read
        = yamllex::scalar(written, 0, {request.flow, request.key, request.flow ? -1 : request.base});
    return read.closed && read.value == request.text;
}

bool beginsWithBlank(const QByteArray &text)
{
    const auto first = std::find_if(text.cbegin(), text.cend(), [](char c) { return c != '\n'; });
    return first != text.cend() && *first == ' ';
}

QByteArray header(char indicator, const Request &request)
{
    const bool hasOld = request.replaces && isBlock(request.style);
    const QByteArray chomp = chomping(request.text, oldChomping(request), hasOld);
    // Where the lines begin is found from the first one otherwise, which would count the text's own blanks.
    const bool isNeeded = beginsWithBlank(request.text);
    const bool isThere = hasOld
        && std::any_of(request.oldHead.cbegin(), request.oldHead.cend(), [](char c) { return c >= '1' && c <= '9'; });
    const bool wasNeeded = hasOld && beginsWithBlank(request.oldText);
    if (isThere && (isNeeded || !wasNeeded)
        && chomp == QByteArray(oldChomping(request) == 0 ? 0 : 1, oldChomping(request))) {
        return indicator + request.oldHead.mid(1);
    }
    QByteArray result(1, indicator);
    if (isNeeded || (isThere && !wasNeeded)) {
        result += QByteArray::number(request.contentColumn - std::max<qsizetype>(request.base, 0));
    }
    return result + chomp;
}

Encoded literal(const Request &request)
{
    QList<QByteArray> lines = request.text.split('\n');
    if (lines.last().isEmpty()) {
        lines.removeLast(); // the last line break is the header's
    }
    return {header('|', request), joined(lines, request)};
}

// One paragraph of a folded scalar, laid out as the old one where the words are the same.
QByteArray refold(const QByteArray &paragraph, const QList<QByteArray> &oldLines)
{
    const QByteArray old = oldLines.join(' ');
    const qsizetype prefix = commonPrefix(old, paragraph);
    qsizetype suffix = 0;
    while (suffix < std::min(old.size(), paragraph.size()) - prefix
        && old.at(old.size() - 1 - suffix) == paragraph.at(paragraph.size() - 1 - suffix)) {
        ++suffix;
    }
    QByteArray result = paragraph;
    qsizetype at = -1; // of the line's break in `old`
    for (qsizetype i = 0; i + 1 < oldLines.size(); ++i) {
        at += oldLines.at(i).size() + 1;
        if (at < prefix) {
            result[at] = '\n';
        } else if (at >= old.size() - suffix) {
            result[paragraph.size() - (old.size() - at)] = '\n';
        }
    }
    return result;
}

Encoded folded(const Request &request)
{
    // Paragraphs of the old layout by order; blank lines separate them.
    QList<QList<QByteArray>> old;
    bool open = false;
    const QList<WrittenLine> written = writtenLines(request);
    for (const WrittenLine &line : written) {
        if (line.content.isEmpty()) {
            open = false;
            continue;
        }
        if (!open) {
            old.append(QList<QByteArray>());
        }
        open = true;
        old.last().append(line.content);
    }
    QList<QByteArray> lines;
    const QList<QByteArray> paragraphs
        = request.text.left(request.text.size() - trailingBreaks(request.text)).split('\n');
    qsizetype used = 0;
    bool before = false;
    for (const QByteArray &paragraph : paragraphs) {
        if (paragraph.isEmpty()) {
            lines.append(QByteArray());
            continue;
        }
        if (before) {
            lines.append(QByteArray()); // a single break would become a blank
        }
        before = true;
        QList<QByteArray> layout;
        for (const QList<QByteArray> &candidate : std::as_const(old)) {
            if (candidate.join(' ') == paragraph) {
                layout = candidate;
            }
        }
        if (layout.isEmpty() && used < old.size()) {
            layout = old.at(used);
        }
        ++used;
        lines.append(refold(paragraph, layout).split('\n'));
    }
    for (qsizetype i = 1; i < trailingBreaks(request.text); ++i) {
        lines.append(QByteArray());
    }
    return {header('>', request), joined(lines, request)};
}

} // namespace

bool plainHolds(const QByteArray &text, bool flow)
{
    if (text.isEmpty() || text.contains('\n') || text.contains('\t') || looksTyped(text) || anyNeedsEscape(text)
        || text.startsWith("---") || text.startsWith("...")) {
        return false;
    }
    const char first = text.front();
    if (QByteArray(" ,[]{}#&*!|>'\"%@`").contains(first)) {
        return false;
    }
    if ((first == '-' || first == '?' || first == ':')
        && (text.size() == 1 || text.at(1) == ' ' || (flow && QByteArray(",[]{}").contains(text.at(1))))) {
        return false;
    }
    if (text.endsWith(' ') || text.endsWith(':') || text.contains(": ") || text.contains(" #")) {
        return false;
    }
    if (flow) {
        // Many readers end a plain scalar in brackets at a question mark too.
        for (const char c : text) {
            if (QByteArray(",[]{}?").contains(c)) {
                return false;
            }
        }
    }
    const QList<uint> points = textFromUtf8(text).toUcs4();
    return !isOddSpace(points.first()) && !isOddSpace(points.last());
}

QByteArray singleQuoted(const QByteArray &text)
{
    QByteArray inner = text;
    return '\'' + inner.replace('\'', "''") + '\'';
}

static QByteArray quoted(const QByteArray &text, bool json)
{
    QByteArray result("\"");
    const QList<uint> points = textFromUtf8(text).toUcs4();
    for (const uint c : points) {
        switch (c) {
        case '"':
            result += "\\\"";
            break;
        case '\\':
            result += "\\\\";
            break;
        case '\n':
            result += "\\n";
            break;
        case '\t':
            result += "\\t";
            break;
        case '\r':
            result += "\\r";
            break;
        default:
            if (c == 0 && !json) {
                result += "\\0";
            } else if (c < 0x100 && needsEscape(c) && !json) {
                result += "\\x" + QByteArray::number(c, 16).rightJustified(2, '0');
            } else if (needsEscape(c)) {
                result += "\\u" + QByteArray::number(c, 16).rightJustified(4, '0');
            } else {
                const char32_t point = c;
                result += QString::fromUcs4(&point, 1).toUtf8();
            }
        }
    }
    return result + '"';
}

QByteArray doubleQuoted(const QByteArray &text) { return quoted(text, false); }

QByteArray jsonQuoted(const QByteArray &text) { return quoted(text, true); }

QList<Encoded> encodings(const Request &request)
{
    using Style = YamlNode::Style;
    if (request.json) {
        return {{jsonQuoted(request.text), {}}};
    }
    const QByteArray &text = request.text;
    const bool escapes = anyNeedsEscape(text);
    const bool multiline = text.contains('\n');
    const bool blockHolds
        = !request.flow && !request.key && !escapes && !text.isEmpty() && trailingBreaks(text) < text.size();
    const bool singleHolds = !multiline && !escapes;
    QList<Encoded> found;
    const auto offer = [&](const Encoded &encoded) {
        if (readsBack(encoded, request)) {
            found.append(encoded);
        }
    };
    // The present style if it can hold the text.
    if (request.replaces && isBlock(request.style) && blockHolds) {
        const char old = oldChomping(request);
        const qsizetype breaks = trailingBreaks(text);
        const bool keeps = multiline || (old == '-' ? breaks == 0 : breaks > 0);
        if (keeps && request.style == Style::Folded) {
            offer(folded(request));
        }
        if (keeps) {
            offer(literal(request));
        }
    } else if (request.replaces && request.style == Style::SingleQuoted && singleHolds) {
        offer({singleQuoted(text), {}});
    } else if (request.replaces && request.style == Style::DoubleQuoted
        && (!multiline || request.oldText.contains('\n'))) {
        offer({doubleQuoted(text), {}});
    }
    if (multiline && blockHolds) {
        offer(literal(request));
    }
    if (plainHolds(text, request.flow)) {
        offer({text, {}});
    }
    if (singleHolds) {
        offer({singleQuoted(text), {}});
    }
    found.append({doubleQuoted(text), {}});
    return found;
}

} // namespace trainyard::yamlencode
