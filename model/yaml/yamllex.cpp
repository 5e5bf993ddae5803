// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamllex.h"

#include "model/base/utf8.h"

#include <algorithm>

namespace trainyard::yamllex
{

qsizetype bomLength(const QByteArray &text) { return byteOrderMarkLength(text); }

qsizetype lineBegin(const QByteArray &text, qsizetype pos)
{
    while (pos > 0 && !isBreak(text.at(pos - 1))) {
        --pos;
    }
    return pos;
}

qsizetype lineEnd(const QByteArray &text, qsizetype pos)
{
    while (pos < text.size() && !isBreak(text.at(pos))) {
        ++pos;
    }
    return pos;
}

qsizetype breakLength(const QByteArray &text, qsizetype pos)
{
    const char c = at(text, pos);
    if (c == '\r') {
        return at(text, pos + 1) == '\n' ? 2 : 1;
    }
    return c == '\n' ? 1 : 0;
}

qsizetype nextLine(const QByteArray &text, qsizetype pos)
{
    pos = lineEnd(text, pos);
    return pos + breakLength(text, pos);
}

qsizetype columnOf(const QByteArray &text, qsizetype pos)
{
    const qsizetype begin = lineBegin(text, pos);
    return pos - (begin == 0 ? std::min(bomLength(text), pos) : begin);
}

bool sameLine(const QByteArray &text, qsizetype a, qsizetype b)
{
    for (qsizetype i = std::min(a, b); i < std::max(a, b); ++i) {
        if (isBreak(text.at(i))) {
            return false;
        }
    }
    return true;
}

qsizetype skipBlanks(const QByteArray &text, qsizetype pos)
{
    while (isBlank(at(text, pos))) {
        ++pos;
    }
    return pos;
}

qsizetype skipGap(const QByteArray &text, qsizetype pos)
{
    while (pos < text.size()) {
        const char c = text.at(pos);
        if (isBlank(c) || isBreak(c)) {
            ++pos;
        } else if (c == '#') {
            pos = lineEnd(text, pos);
        } else {
            break;
        }
    }
    return pos;
}

bool isDocumentMark(const QByteArray &text, qsizetype pos)
{
    if (pos != 0 && pos != bomLength(text) && !isBreak(at(text, pos - 1))) {
        return false;
    }
    const char c = at(text, pos);
    return (c == '-' || c == '.') && at(text, pos + 1) == c && at(text, pos + 2) == c && isBlankOrEnd(text, pos + 3);
}

Properties properties(const QByteArray &text, qsizetype pos, bool mayAnchor, bool mayTag)
{
    Properties result;
    result.end = pos;
    result.content = pos;
    while (true) {
        const qsizetype begin = result.content;
        const char c = at(text, begin);
        if (!(c == '&' && mayAnchor) && !(c == '!' && mayTag)) {
            return result;
        }
        qsizetype end = begin + 1;
        if (c == '!' && at(text, end) == '<') {
            while (end < text.size() && text.at(end) != '>' && !isBreak(text.at(end))) {
                ++end;
            }
            end += at(text, end) == '>' ? 1 : 0;
        } else {
            while (!isBlankOrEnd(text, end) && !isFlowIndicator(text.at(end))) {
                ++end;
            }
        }
        ByteRange &range = c == '&' ? result.anchor : result.tag;
        if (range.length() > 0) {
            return result;
        }
        range = {begin, end};
        result.end = end;
        result.content = skipGap(text, end);
    }
}

BlockHeader blockHeader(const QByteArray &text, qsizetype pos)
{
    BlockHeader header;
    qsizetype i = pos + 1;
    for (; i < text.size(); ++i) {
        const char c = text.at(i);
        if ((c == '-' || c == '+') && header.chomping == 0) {
            header.chomping = c;
        } else if (c >= '1' && c <= '9' && header.indicator == 0) {
            header.indicator = c - '0';
        } else {
            break;
        }
    }
    header.end = i;
    i = skipBlanks(text, i);
    header.valid = i >= text.size() || isBreak(text.at(i)) || (text.at(i) == '#' && i > header.end);
    return header;
}

} // namespace trainyard::yamllex
