// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretscanner.h"

namespace trainyard
{

namespace
{

using yamllex::isBlank;

} // namespace

QString CaretScanner::scalarAt(const YamlPath &path)
{
    m_caret = -1;
    m_wanted = path;
    scan();
    return m_scalar;
}

CaretPlace CaretScanner::scan()
{
    qsizetype begin = yamllex::bomLength(m_text);
    while (!m_done) {
        m_lineBegin = begin;
        m_end = yamllex::lineEnd(m_text, begin);
        m_here = m_caret >= begin && m_caret <= m_end;
        line();
        if (m_found && m_frame < 0 && m_pendingFrame < 0) {
            break;
        }
        const qsizetype next = yamllex::nextLine(m_text, begin);
        if (next == m_end || next == begin) {
            break;
        }
        begin = next;
    }
    finish();
    return m_place;
}

qsizetype CaretScanner::skip(qsizetype pos) const
{
    while (pos < m_end && isBlank(m_text.at(pos))) {
        ++pos;
    }
    return pos;
}

bool CaretScanner::touches(qsizetype begin, qsizetype end) const
{
    return m_here && !m_found && begin <= m_caret && m_caret <= end;
}

void CaretScanner::reset()
{
    m_frames.clear();
    Frame root;
    root.pending = true;
    m_frames.append(root);
    m_left.reset();
    m_quote = '\0';
    m_inBlock = false;
}

YamlPath CaretScanner::valuePath(const Frame &frame) const
{
    switch (frame.type) {
    case Frame::Root:
        return {};
    case Frame::List:
    case Frame::FlowList:
        return frame.path.child(std::max<qsizetype>(0, frame.number));
    case Frame::Map:
    case Frame::FlowMap:
        return frame.path.child(frame.key);
    }
    return {};
}

void CaretScanner::foundKey(qsizetype frame, ByteRange token, qsizetype column, bool hasColon, char quote)
{
    m_found = true;
    m_frame = frame;
    m_place.kind = CaretPlace::Kind::Key;
    m_place.path = m_frames.at(frame).path;
    m_place.token = token;
    m_place.column = column;
    m_place.hasColon = hasColon;
    m_place.quote = quote;
    m_place.flow = m_frames.at(frame).isFlow();
    m_place.keys = m_frames.at(frame).keys;
    m_place.mayBeKey = false;
    m_place.ownLine = false;
    m_place.needsSpace = false;
}

void CaretScanner::foundValue(const Frame &frame, const YamlPath &path, ByteRange token, char quote)
{
    m_found = true;
    m_place.kind = CaretPlace::Kind::Value;
    m_place.path = path;
    m_place.token = token;
    m_place.column = columnOf(token.begin);
    m_place.quote = quote;
    m_place.flow = frame.isFlow();
    m_place.items = frame.items;
}

void CaretScanner::foundNothing()
{
    m_found = true;
    m_done = true;
}

// The caret's own line has nothing for it here.
void CaretScanner::passedOver()
{
    if (m_here && !m_found) {
        foundNothing();
    }
}

// A scalar that is the current value of `frame`.
void CaretScanner::take(const Frame &frame, qsizetype begin, qsizetype end)
{
    if (m_wanted.isEmpty() || frame.isList() || m_wanted.last() != YamlPath::Element(frame.key)
        || valuePath(frame) != m_wanted) {
        return;
    }
    m_scalar = textOf(begin, end);
    m_done = true;
}

void CaretScanner::finish()
{
    if (m_frame >= 0 && m_frame < m_frames.size()) {
        m_place.keys = m_frames.at(m_frame).keys;
    }
    if (m_place.kind == CaretPlace::Kind::Key && m_place.hasColon) {
        m_place.keys.removeOne(textOf(m_place.token.begin, m_place.token.end));
    }
}

void CaretScanner::pop()
{
    if (m_frames.size() - 1 == m_frame) {
        m_place.keys = top().keys;
        m_frame = -1;
        m_done = true;
    }
    if (m_frames.size() - 1 == m_pendingFrame) {
        m_done = true;
    }
    m_frames.removeLast();
}

void CaretScanner::line()
{
    const qsizetype first = skip(m_lineBegin);
    const bool blank = first >= m_end;
    qsizetype indent = m_lineBegin;
    while (at(indent) == ' ') {
        ++indent;
    }
    indent -= m_lineBegin;
    if (m_inBlock) {
        const qsizetype column = blank ? (m_here ? columnOf(m_caret) : m_blockColumn + 1) : indent;
        if (column > m_blockColumn) {
            if (m_here) {
                m_found = true;
                m_done = true;
                m_place.kind = CaretPlace::Kind::Text;
                m_place.path = m_blockPath;
                m_place.token = {m_caret, m_caret};
                m_place.column = columnOf(m_caret);
            }
            return;
        }
        if (!blank) {
            m_inBlock = false;
        }
    }
    if (m_quote || top().isFlow()) {
        if (!blank && lost(indent, at(first))) {
            recover();
        } else {
            flowLine(m_lineBegin);
            return;
        }
    }
    if (blank) {
        if (m_here) {
            blankLine(columnOf(m_caret));
        }
        return;
    }
    if (at(first) == '#') {
        if (m_here && !m_found) {
            if (m_caret > first) {
                foundNothing();
            } else {
                blankLine(columnOf(m_caret));
            }
        }
        return;
    }
    if (yamllex::isDocumentMark(m_text, m_lineBegin) && columnOf(first) == 0) {
        if (m_frame >= 0 || m_pendingFrame >= 0) {
            finish();
            m_done = true;
            return;
        }
        reset();
        if (m_here) {
            foundNothing();
        }
        return;
    }
    if (m_here && m_caret < first) {
        foundNothing(); // in front of the text of its line
        return;
    }
    content(first);
}

// An unclosed quote or bracket ends where the next entry begins.
bool CaretScanner::lost(qsizetype indent, char first) const
{
    qsizetype column = -1;
    for (const Frame &frame : m_frames) {
        if (!frame.isFlow()) {
            column = frame.column;
        }
    }
    if (column < 0 && m_frames.size() <= 2) {
        column = indent == 0 && !m_frames.first().isFlow() ? -1 : column;
    }
    return indent <= column && first != ']' && first != '}';
}

void CaretScanner::recover()
{
    m_quote = '\0';
    while (top().isFlow()) {
        pop();
    }
}

// Nothing stands here yet: whose place is this column?
void CaretScanner::blankLine(qsizetype column)
{
    if (m_found) {
        return;
    }
    qsizetype index = m_frames.size() - 1;
    while (index > 0 && m_frames.at(index).column > column) {
        --index;
    }
    const Frame &frame = m_frames.at(index);
    const bool innermost = index == m_frames.size() - 1;
    if (frame.column == column && frame.type == Frame::List) {
        if (index > 0 && m_frames.at(index - 1).type == Frame::Map && m_frames.at(index - 1).column == column) {
            foundKey(index - 1, {m_caret, m_caret}, column, false);
            return;
        }
        foundValue(frame, frame.path.child(frame.number + 1), {m_caret, m_caret});
        m_place.needsDash = true;
        m_place.ownLine = true;
        m_done = true;
        return;
    }
    if (frame.column == column) {
        foundKey(index, {m_caret, m_caret}, column, false);
        return;
    }
    if (frame.pending && innermost) {
        foundValue(frame, valuePath(frame), {m_caret, m_caret});
        m_place.mayBeKey = true;
        m_place.ownLine = true;
        m_pendingFrame = index; // what follows may show that it is a map
        return;
    }
    foundNothing();
}

} // namespace trainyard
