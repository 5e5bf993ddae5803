// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/tabindent.h"

#include "model/yaml/yamllex.h"

#include <algorithm>
#include <vector>

namespace trainyard
{
namespace
{

struct IndentedLine {
    qsizetype begin = 0, text = 0, end = 0; // text: behind its indentation
    qsizetype column = 0; // of its text
    bool hasTab = false; // in front, or among what was found

    bool isItem(const QByteArray &bytes) const
    {
        return bytes.at(text) == '-' && yamllex::isBlankOrEnd(bytes, text + 1);
    }
    // The column of the key or value behind the dash.
    qsizetype contentColumn(const QByteArray &bytes) const
    {
        qsizetype at = text;
        while (at < end && bytes.at(at) == '-' && yamllex::isBlankOrEnd(bytes, at + 1)) {
            for (++at; at < end && bytes.at(at) == ' '; ++at) { }
        }
        return column + (at < end ? at : text) - text;
    }
};

std::vector<IndentedLine> linesOf(const QByteArray &bytes, ByteRange found, qsizetype stop)
{
    std::vector<IndentedLine> lines;
    for (qsizetype begin = 0; begin < bytes.size();) {
        IndentedLine line;
        line.begin = line.text = begin;
        for (; line.text < bytes.size() && yamllex::isBlank(bytes.at(line.text)); ++line.text) {
            line.column += bytes.at(line.text) != '\t' ? 1 : stop > 0 ? stop - line.column % stop : 0;
        }
        line.end = yamllex::lineEnd(bytes, begin);
        const bool isFound = found.begin >= begin && found.end <= line.text;
        line.hasTab = (bytes.at(begin) == '\t' || isFound)
            && QByteArrayView(bytes).sliced(begin, line.text - begin).contains('\t');
        lines.push_back(line);
        const qsizetype next = bytes.indexOf('\n', begin);
        begin = next < 0 ? bytes.size() : next + 1;
    }
    return lines;
}

// The consequences of a line for the next one.
enum class LineTail { Value, Opens, OpensText };
LineTail tailOf(QByteArrayView text)
{
    for (qsizetype i = 1; i < text.size(); ++i) {
        if (text.at(i) == '#' && yamllex::isBlank(text.at(i - 1))) {
            text = text.first(i);
            break;
        }
    }
    text = text.trimmed();
    if (text.endsWith(':')) {
        return LineTail::Opens;
    }
    const QByteArrayView last = text.sliced(text.lastIndexOf(' ') + 1);
    return last.startsWith('|') || last.startsWith('>') ? LineTail::OpensText : LineTail::Value;
}

// "a: |", "- >2-", "!!str |": and no sign of the shell at the end of a line, as in "echo x |".
bool isHeaderOfText(QByteArrayView text)
{
    const qsizetype comment = text.indexOf(" #");
    text = (comment < 0 ? text : text.first(comment)).trimmed();
    const QByteArrayView last = text.sliced(text.lastIndexOf(' ') + 1);
    const bool isSign = (last.startsWith('|') || last.startsWith('>'))
        && std::all_of(
            last.cbegin() + 1, last.cend(), [](char c) { return c == '+' || c == '-' || (c >= '1' && c <= '9'); });
    text = text.chopped(last.size()).trimmed();
    const QByteArrayView before = text.sliced(text.lastIndexOf(' ') + 1);
    return isSign
        && (before.isEmpty() || before.endsWith(':') || before == "-" || before == "?" || before == "---"
            || before.startsWith('!') || before.startsWith('&'));
}

bool isEntry(const QByteArray &bytes, const IndentedLine &line)
{
    const QByteArrayView text = QByteArrayView(bytes).sliced(line.text, line.end - line.text);
    const qsizetype colon = text.indexOf(':');
    return line.isItem(bytes)
        || (colon > 0 && colon < text.size() && yamllex::isBlankOrEnd(bytes, line.text + colon + 1)
            && !text.first(colon).contains(' '));
}

// Whether lines with and without tabs stand to each other as their texts say: what is opened has something below it,
// and nothing is below a value.
bool fits(const QByteArray &bytes, const std::vector<IndentedLine> &lines)
{
    const IndentedLine *former = nullptr;
    LineTail tail = LineTail::Value;
    bool isInText = false;
    for (const IndentedLine &line : lines) {
        if (line.text >= line.end || bytes.at(line.text) == '#' || bytes.at(line.text) == '\r') {
            continue;
        }
        const QByteArrayView text = QByteArrayView(bytes).sliced(line.text, line.end - line.text);
        if (former && tail == LineTail::OpensText && line.column > former->column) {
            if (isInText && line.hasTab && isEntry(bytes, line) && tailOf(text) != LineTail::Value) {
                return false; // it opens something, and would be swallowed by the text above
            }
            isInText = isInText || !line.hasTab;
            continue; // a line of a text
        }
        if (former && isInText) {
            tail = LineTail::Value; // the text above has ended
            if (former->hasTab != line.hasTab && former->isItem(bytes) && line.column == former->column
                && !line.isItem(bytes)) {
                return false;
            }
        }
        isInText = false;
        if (former && former->hasTab != line.hasTab) {
            const qsizetype upper = former->contentColumn(bytes);
            const bool isBelow = line.column > upper || (line.isItem(bytes) && line.column == upper);
            if (tail == LineTail::OpensText) {
                return false; // it would be no part of the text
            }
            if (tail == LineTail::Opens ? !isBelow
                                        : tail == LineTail::Value && line.column > upper && isEntry(bytes, line)) {
                return false;
            }
        }
        former = &line;
        tail = tailOf(text);
    }
    return true;
}

} // namespace

std::optional<ByteRange> idleBlanks(const QByteArray &bytes, qsizetype inLine)
{
    const qsizetype begin = yamllex::lineBegin(bytes, inLine);
    const qsizetype end = yamllex::skipBlanks(bytes, begin);
    const bool isIdle = end >= yamllex::lineEnd(bytes, begin) || bytes.at(end) == '#';
    return isIdle ? std::optional(ByteRange{begin, end}) : std::nullopt;
}

bool endsText(const QByteArray &bytes, qsizetype inLine)
{
    qsizetype least = bytes.size(); // how deep the lines between are indented
    for (qsizetype line = yamllex::lineBegin(bytes, inLine); line > 0 && least > 0;) {
        line = yamllex::lineBegin(bytes, line - 1);
        const QByteArrayView text = QByteArrayView(bytes).sliced(line, yamllex::lineEnd(bytes, line) - line).trimmed();
        if (text.isEmpty()) {
            continue;
        }
        qsizetype indentation = 0;
        while (bytes.at(line + indentation) == ' ') {
            ++indentation;
        }
        if (indentation < least && isHeaderOfText(text)) {
            return true;
        }
        least = std::min(least, indentation);
    }
    return false;
}

std::optional<TextEdits> spacesForTabs(const QByteArray &bytes, ByteRange found)
{
    const bool isMixed = bytes.startsWith("  ") || bytes.contains("\n  ");
    std::vector<IndentedLine> lines;
    bool isFitting = false;
    // The last one is for a tab that slipped in among the spaces that are right without it.
    for (const qsizetype stop : isMixed ? std::vector<qsizetype>{4, 2, 8, 0} : std::vector<qsizetype>{2}) {
        lines = linesOf(bytes, found, stop);
        isFitting = !isMixed || fits(bytes, lines);
        if (isFitting) {
            break;
        }
    }
    if (!isFitting) {
        return std::nullopt;
    }
    TextEdits edits;
    for (const IndentedLine &line : lines) {
        if (line.hasTab) {
            edits.append({{line.begin, line.text}, QByteArray(line.column, ' ')});
        } else if (found.begin >= line.text && found.begin < line.end) {
            edits.append({found, QByteArray(2 * found.length(), ' ')}); // behind a dash
        }
    }
    return edits;
}

} // namespace trainyard
