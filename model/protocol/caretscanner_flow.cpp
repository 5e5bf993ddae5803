// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretscanner.h"

// Brackets and quotes, which may go over several lines.

namespace trainyard
{

namespace
{

using yamllex::isBlank;

} // namespace

void CaretScanner::flowLine(qsizetype pos)
{
    qsizetype gap = pos; // where the blanks before the next token began
    m_flowDone = false;
    while (true) {
        if (m_quote) {
            pos = quoted(pos);
            gap = pos;
            if (m_quote) {
                return;
            }
            continue;
        }
        pos = skip(pos);
        const bool comment = at(pos) == '#' && (pos == m_lineBegin || isBlank(m_text.at(pos - 1)));
        if (!top().isFlow()) {
            if (pos >= m_end || comment) {
                passedOver();
                return;
            }
            const char c = at(pos);
            if (m_flowDone || (c != '{' && c != '[' && c != '"' && c != '\'')) {
                m_flowDone = false;
                passedOver();
                return;
            }
        }
        if (m_here && !m_found && m_caret >= gap && m_caret <= pos && top().isFlow()
            && !(m_caret == pos && pos < m_end && isToken(at(pos)))) {
            gapAt();
        }
        if (pos >= m_end || comment) {
            passedOver();
            return;
        }
        const char c = at(pos);
        if (c == '{' || c == '[') {
            Frame flow;
            flow.type = c == '{' ? Frame::FlowMap : Frame::FlowList;
            flow.column = top().column;
            flow.path = valuePath(top());
            flow.number = 0;
            flow.pending = c == '[';
            top().pending = false;
            m_frames.append(flow);
            ++pos;
        } else if (c == '}' || c == ']') {
            if (top().isFlow()) {
                pop();
                if (m_done) {
                    return;
                }
                m_flowDone = !top().isFlow();
            }
            ++pos;
        } else if (c == ',') {
            if (top().type == Frame::FlowList) {
                ++top().number;
                top().pending = true;
            } else {
                top().pending = false;
            }
            ++pos;
        } else if (c == ':' && top().isFlow()) {
            top().pending = true;
            ++pos;
        } else if (c == '"' || c == '\'') {
            m_quote = c;
            m_quoteBegin = pos + 1;
            ++pos;
        } else {
            const qsizetype end = std::max(plainEnd(pos, true), pos + 1);
            scalar(pos, end, '\0');
            pos = end;
        }
        gap = pos;
        m_flowDone = m_flowDone && !top().isFlow();
    }
}

// The caret is between tokens inside of brackets.
void CaretScanner::gapAt()
{
    Frame &frame = top();
    const ByteRange token{m_caret, m_caret};
    if (frame.type == Frame::FlowList || frame.pending) {
        foundValue(frame, valuePath(frame), token);
        m_place.needsSpace = frame.type == Frame::FlowMap && m_caret > 0 && m_text.at(m_caret - 1) == ':';
        m_place.mayBeKey = false;
        m_done = true;
    } else {
        foundKey(m_frames.size() - 1, token, columnOf(m_caret), false);
    }
}

// The position behind the closing quote, or the end of the line.
qsizetype CaretScanner::quoted(qsizetype pos)
{
    const char quote = m_quote;
    for (; pos < m_end; ++pos) {
        if (quote == '"' && at(pos) == '\\') {
            ++pos;
        } else if (at(pos) == quote) {
            if (quote == '\'' && at(pos + 1) == '\'') {
                ++pos;
                continue;
            }
            m_quote = '\0';
            scalar(m_quoteBegin, pos, quote);
            m_flowDone = !top().isFlow();
            return pos + 1;
        }
    }
    if (m_here && !m_found) {
        scalar(m_quoteBegin, m_end, quote);
    }
    return std::min(pos, m_end);
}

// A scalar between brackets, or a quoted one: a key or a value.
void CaretScanner::scalar(qsizetype begin, qsizetype end, char quote)
{
    Frame &frame = top();
    if (frame.type == Frame::FlowMap && !frame.pending) {
        qsizetype colon = end + (quote ? 1 : 0);
        colon = skip(colon);
        const bool hasColon = at(colon) == ':';
        frame.key = textOf(begin, end);
        if (hasColon) {
            frame.keys.append(frame.key);
        }
        if (touches(begin, end)) {
            foundKey(m_frames.size() - 1, {begin, end}, columnOf(begin), hasColon, quote);
        }
        return;
    }
    const bool onThisLine = begin >= m_lineBegin;
    if (m_here && !m_found && m_caret >= begin && m_caret <= end) {
        foundValue(frame, valuePath(frame), {onThisLine ? begin : m_lineBegin, end}, quote);
        m_done = m_frame < 0;
    }
    take(frame, begin, end);
    if (frame.isList()) {
        frame.items.append(textOf(begin, end));
    }
    frame.pending = false;
}

} // namespace trainyard
