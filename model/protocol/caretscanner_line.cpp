// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretscanner.h"

// The parts of a line outside of brackets and quotes, and the collections to which it belongs.

namespace trainyard
{

namespace
{

using yamllex::isBlank;
using yamllex::isFlowIndicator;

} // namespace

// The frames that a line at this column belongs to. False: it goes on with the value above.
bool CaretScanner::settle(qsizetype column, bool dash)
{
    while (m_frames.size() > 1 && top().column > column) {
        if (top().type == Frame::List) {
            m_left = top();
        }
        pop();
    }
    if (top().column == column && top().type == Frame::List && !dash) {
        pop();
    }
    if (m_done) {
        return true;
    }
    if (top().column == column) {
        const bool isList = top().type == Frame::List;
        return isList == dash || (dash && top().pending);
    }
    return top().pending;
}

// A dash that is indented too little, as while one types: it is meant for the list that has just ended.
bool CaretScanner::resume(qsizetype column)
{
    if (!m_left || top().type != Frame::Map || m_left->path != valuePath(top())) {
        return false;
    }
    Frame list = *m_left;
    list.column = column;
    list.pending = false;
    m_frames.append(list);
    return true;
}

// Settles the frames; false where there is nothing more to read on this line.
bool CaretScanner::belongs(qsizetype column, bool dash)
{
    if (!settle(column, dash) && !(dash && resume(column))) {
        if (m_here) {
            foundNothing();
        }
        return false;
    }
    return !m_done;
}

// A block collection that is the value of the innermost one.
void CaretScanner::begin(Frame::Type type, qsizetype column)
{
    Frame frame;
    frame.type = type;
    frame.column = column;
    frame.path = valuePath(top());
    top().pending = false;
    m_frames.append(frame);
}

void CaretScanner::content(qsizetype pos)
{
    bool afterDash = false;
    while (at(pos) == '-' && endsAt(pos + 1)) {
        const qsizetype column = columnOf(pos);
        if (!belongs(column, true)) {
            return;
        }
        if (top().type != Frame::List || top().column != column) {
            begin(Frame::List, column);
        }
        ++top().number;
        top().pending = true;
        const qsizetype next = skip(pos + 1);
        if (touches(pos, pos)) {
            foundNothing();
            return;
        }
        if (m_here && !m_found && m_caret > pos && (m_caret < next || next >= m_end || at(next) == '#')) {
            foundValue(top(), valuePath(top()), {m_caret, m_caret});
            m_place.mayBeKey = true;
            m_place.needsSpace = m_caret == pos + 1;
            m_place.column = m_place.needsSpace ? columnOf(m_caret) + 1 : columnOf(m_caret);
            m_pendingFrame = m_frames.size() - 1;
        }
        pos = next;
        afterDash = true;
        if (pos >= m_end || at(pos) == '#') {
            return;
        }
    }
    const qsizetype column = columnOf(pos);
    if (!afterDash && !belongs(column, false)) {
        return;
    }
    const qsizetype start = afterDash ? pos : properties(pos);
    qsizetype keyEnd = 0;
    qsizetype colon = 0;
    if (findKey(start, keyEnd, colon)) {
        key(pos, start, keyEnd, colon, column);
        return;
    }
    if (!afterDash && top().type == Frame::Map && top().column == column) {
        // A key without its colon.
        const qsizetype end = plainEnd(pos);
        if (touches(pos, end)) {
            foundKey(m_frames.size() - 1, {pos, end}, column, false);
        } else
            passedOver();
        return;
    }
    const bool wasFound = m_found;
    const qsizetype frame = m_frames.size() - 1;
    value(pos);
    if (m_found && !wasFound && m_place.kind == CaretPlace::Kind::Value && !m_place.flow && !m_place.quote) {
        m_place.mayBeKey = true;
        m_place.ownLine = !afterDash;
        if (frame < m_frames.size()) {
            m_frames[frame].pending = true;
            m_pendingFrame = frame;
            m_done = false; // what follows may show that it is a map
        }
    }
}

void CaretScanner::key(qsizetype pos, qsizetype start, qsizetype keyEnd, qsizetype colon, qsizetype column)
{
    if (top().type != Frame::Map || top().column != column) {
        const qsizetype parent = m_frames.size() - 1;
        begin(Frame::Map, column);
        if (m_pendingFrame == parent && m_place.column == column) {
            // The value that the caret's line begins is this map.
            m_pendingFrame = -1;
            foundKey(m_frames.size() - 1, m_place.token, column, false);
        } else if (m_pendingFrame == parent) {
            m_done = true;
            return;
        }
    }
    const char quote = at(start) == '"' || at(start) == '\'' ? at(start) : '\0';
    const ByteRange name{start + (quote ? 1 : 0), keyEnd - (quote ? 1 : 0)};
    top().key = textOf(name.begin, name.end);
    top().keys.append(top().key);
    top().pending = true;
    if (touches(pos, colon)) {
        foundKey(m_frames.size() - 1, name, column, true, quote);
    }
    const qsizetype next = skip(colon + 1);
    const bool empty = next >= m_end || (at(next) == '#' && next > colon + 1);
    if (m_here && !m_found && m_caret > colon && (m_caret < next || empty)) {
        if (m_caret > next && next < m_end) {
            foundNothing(); // in the comment
            return;
        }
        foundValue(top(), valuePath(top()), {m_caret, m_caret});
        m_place.needsSpace = m_caret == colon + 1;
        m_done = m_frame < 0;
    }
    if (!empty) {
        value(next);
    }
}

qsizetype CaretScanner::properties(qsizetype pos) const
{
    while ((at(pos) == '&' || at(pos) == '!') && !endsAt(pos + 1)) {
        while (!endsAt(pos)) {
            ++pos;
        }
        pos = skip(pos);
    }
    return pos;
}

bool CaretScanner::findKey(qsizetype pos, qsizetype &keyEnd, qsizetype &colon) const
{
    const char first = at(pos);
    if (first == '"' || first == '\'') {
        qsizetype end = pos + 1;
        while (end < m_end && at(end) != first) {
            end += first == '"' && at(end) == '\\' ? 2 : 1;
        }
        if (end >= m_end) {
            return false;
        }
        keyEnd = end + 1;
        colon = skip(keyEnd);
        return at(colon) == ':' && endsAt(colon + 1);
    }
    if (first == '\0' || first == '{' || first == '[' || first == '|' || first == '>' || first == '#' || first == '?'
        || first == '%' || first == '@') {
        return false;
    }
    for (qsizetype i = pos; i < m_end; ++i) {
        if (at(i) == '#' && i > pos && isBlank(at(i - 1))) {
            return false;
        }
        if (at(i) == ':' && endsAt(i + 1)) {
            colon = i;
            keyEnd = i;
            while (keyEnd > pos && isBlank(at(keyEnd - 1))) {
                --keyEnd;
            }
            return true;
        }
    }
    return false;
}

// The end of a plain scalar on its line, without blanks and a comment behind it.
qsizetype CaretScanner::plainEnd(qsizetype pos, bool flow) const
{
    qsizetype end = pos;
    for (qsizetype i = pos; i < m_end; ++i) {
        const char c = at(i);
        if (c == '#' && i > pos && isBlank(at(i - 1))) {
            break;
        }
        if (flow && (isFlowIndicator(c) || (c == ':' && (endsAt(i + 1) || isFlowIndicator(at(i + 1)))))) {
            break;
        }
        if (!isBlank(c)) {
            end = i + 1;
        }
    }
    return end;
}

// The current value of the innermost frame begins at `pos`.
void CaretScanner::value(qsizetype pos)
{
    Frame &frame = top();
    const qsizetype before = pos;
    pos = properties(pos);
    if (pos > before && m_here && !m_found && m_caret < pos) {
        foundNothing();
        return;
    }
    if (pos >= m_end || at(pos) == '#') {
        return;
    }
    const char first = at(pos);
    frame.pending = false;
    if (first == '|' || first == '>') {
        m_inBlock = true;
        m_blockColumn = frame.column;
        m_blockPath = valuePath(frame);
        passedOver();
        return;
    }
    if (first == '*') {
        passedOver();
        return;
    }
    if (first == '{' || first == '[' || first == '"' || first == '\'') {
        flowLine(pos);
        return;
    }
    qsizetype end = plainEnd(pos);
    if (m_here && !m_found && m_caret > end && skip(end) >= m_caret && at(skip(end)) != '#') {
        end = m_caret;
    }
    if (touches(pos, end)) {
        foundValue(frame, valuePath(frame), {pos, end});
        m_done = m_frame < 0;
    } else
        passedOver();
    take(frame, pos, plainEnd(pos));
    if (frame.isList()) {
        frame.items.append(textOf(pos, plainEnd(pos)));
    }
}

} // namespace trainyard
