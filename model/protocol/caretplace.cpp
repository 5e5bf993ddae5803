// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretplace.h"

#include "model/base/utf8.h"
#include "model/yaml/yamllex.h"

#include <algorithm>
#include <optional>

namespace trainyard
{
namespace
{

using yamllex::isBlank;
using yamllex::isFlowIndicator;

// Reads a text once, line by line, as far as what the caret is at is known.
class Scanner
{
public:
    Scanner(const QByteArray &text, qsizetype caret)
        : m_text(text), m_caret(std::clamp<qsizetype>(caret, 0, text.size()))
    {
        reset();
    }

    // Looks for a scalar instead of a caret.
    QString scalarAt(const YamlPath &path)
    {
        m_caret = -1;
        m_wanted = path;
        scan();
        return m_scalar;
    }

    CaretPlace scan()
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

private:
    struct Frame {
        enum Type { Root, Map, List, FlowMap, FlowList };
        Type type = Root;
        qsizetype column = -1; // of its keys or dashes
        YamlPath path;
        QString key; // the current one
        qsizetype number = -1; // of the current item
        bool pending = false; // its current value is not there yet
        QStringList keys;
        QStringList items;
        bool isFlow() const { return type == FlowMap || type == FlowList; }
        bool isList() const { return type == List || type == FlowList; }
    };

    char at(qsizetype pos) const { return pos < m_end ? m_text.at(pos) : '\0'; }
    bool endsAt(qsizetype pos) const { return pos >= m_end || isBlank(m_text.at(pos)); }
    qsizetype skip(qsizetype pos) const
    {
        while (pos < m_end && isBlank(m_text.at(pos))) {
            ++pos;
        }
        return pos;
    }
    qsizetype columnOf(qsizetype pos) const { return pos - m_lineBegin; }
    bool touches(qsizetype begin, qsizetype end) const
    {
        return m_here && !m_found && begin <= m_caret && m_caret <= end;
    }
    Frame &top() { return m_frames.last(); }
    QString textOf(qsizetype begin, qsizetype end) const { return textFromUtf8(m_text.mid(begin, end - begin)); }

    void reset()
    {
        m_frames.clear();
        Frame root;
        root.pending = true;
        m_frames.append(root);
        m_left.reset();
        m_quote = '\0';
        m_inBlock = false;
    }

    YamlPath valuePath(const Frame &frame) const
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

    // ---- what was found ----

    void foundKey(qsizetype frame, ByteRange token, qsizetype column, bool hasColon, char quote = '\0')
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
    void foundValue(const Frame &frame, const YamlPath &path, ByteRange token, char quote = '\0')
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
    void foundNothing()
    {
        m_found = true;
        m_done = true;
    }
    // The caret's own line has nothing for it here.
    void passedOver()
    {
        if (m_here && !m_found) {
            foundNothing();
        }
    }
    // A scalar that is the current value of `frame`.
    void take(const Frame &frame, qsizetype begin, qsizetype end)
    {
        if (m_wanted.isEmpty() || frame.isList() || m_wanted.last() != YamlPath::Element(frame.key)
            || valuePath(frame) != m_wanted) {
            return;
        }
        m_scalar = textOf(begin, end);
        m_done = true;
    }
    void finish()
    {
        if (m_frame >= 0 && m_frame < m_frames.size()) {
            m_place.keys = m_frames.at(m_frame).keys;
        }
        if (m_place.kind == CaretPlace::Kind::Key && m_place.hasColon) {
            m_place.keys.removeOne(textOf(m_place.token.begin, m_place.token.end));
        }
    }
    void pop()
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

    // ---- lines ----

    void line()
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
    bool lost(qsizetype indent, char first) const
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
    void recover()
    {
        m_quote = '\0';
        while (top().isFlow()) {
            pop();
        }
    }

    // Nothing stands here yet: whose place is this column?
    void blankLine(qsizetype column)
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

    // The frames that a line at this column belongs to. False: it goes on with the value above.
    bool settle(qsizetype column, bool dash)
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
    bool resume(qsizetype column)
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
    bool belongs(qsizetype column, bool dash)
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
    void begin(Frame::Type type, qsizetype column)
    {
        Frame frame;
        frame.type = type;
        frame.column = column;
        frame.path = valuePath(top());
        top().pending = false;
        m_frames.append(frame);
    }

    void content(qsizetype pos)
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

    void key(qsizetype pos, qsizetype start, qsizetype keyEnd, qsizetype colon, qsizetype column)
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

    qsizetype properties(qsizetype pos) const
    {
        while ((at(pos) == '&' || at(pos) == '!') && !endsAt(pos + 1)) {
            while (!endsAt(pos)) {
                ++pos;
            }
            pos = skip(pos);
        }
        return pos;
    }

    bool findKey(qsizetype pos, qsizetype &keyEnd, qsizetype &colon) const
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
        if (first == '\0' || first == '{' || first == '[' || first == '|' || first == '>' || first == '#'
            || first == '?' || first == '%' || first == '@') {
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
    qsizetype plainEnd(qsizetype pos, bool flow = false) const
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
    void value(qsizetype pos)
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

    // ---- brackets and quotes, over lines ----

    void flowLine(qsizetype pos)
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

    static bool isToken(char c) { return !isFlowIndicator(c) && c != ':' && c != '#'; }

    // The caret is between tokens inside of brackets.
    void gapAt()
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
    qsizetype quoted(qsizetype pos)
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
    void scalar(qsizetype begin, qsizetype end, char quote)
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

    const QByteArray &m_text;
    qsizetype m_caret;
    QList<Frame> m_frames;
    std::optional<Frame> m_left; // the outermost list that the last line has ended
    CaretPlace m_place;
    qsizetype m_lineBegin = 0;
    qsizetype m_end = 0; // of the line
    qsizetype m_frame = -1; // whose keys are still being collected
    qsizetype m_pendingFrame = -1; // whose value begins at the caret
    qsizetype m_quoteBegin = 0;
    qsizetype m_blockColumn = 0;
    YamlPath m_blockPath;
    YamlPath m_wanted;
    QString m_scalar;
    char m_quote = '\0';
    bool m_here = false; // the caret is on this line
    bool m_found = false;
    bool m_done = false;
    bool m_inBlock = false;
    bool m_flowDone = false; // a value in brackets or quotes has ended
};

} // namespace

CaretPlace caretPlaceAt(const QByteArray &text, qsizetype caret) { return Scanner(text, caret).scan(); }

QString scalarAt(const QByteArray &text, const YamlPath &path) { return Scanner(text, 0).scalarAt(path); }

YamlLayout layoutOf(const QByteArray &text)
{
    YamlLayout layout;
    const qsizetype feed = text.indexOf('\n');
    const qsizetype carriage = text.indexOf('\r');
    if (carriage >= 0 && feed == carriage + 1) {
        layout.eol = "\r\n";
    } else if (carriage >= 0 && feed < 0) {
        layout.eol = "\r";
    }
    bool step = false;
    bool dash = false;
    qsizetype keyIndent = -1; // of a line that ends with a colon
    for (qsizetype pos = yamllex::bomLength(text); pos < text.size() && !(step && dash);
         pos = yamllex::nextLine(text, pos)) {
        const qsizetype end = yamllex::lineEnd(text, pos);
        qsizetype first = pos;
        while (first < end && text.at(first) == ' ') {
            ++first;
        }
        if (first >= end || text.at(first) == '#') {
            continue;
        }
        const qsizetype indent = first - pos;
        const bool item = text.at(first) == '-' && yamllex::isBlankOrEnd(text, first + 1);
        if (keyIndent >= 0) {
            if (item && !dash && indent >= keyIndent && indent - keyIndent <= 8) {
                dash = true;
                layout.dash = int(indent - keyIndent);
            } else if (!item && !step && indent > keyIndent && indent - keyIndent <= 8) {
                step = true;
                layout.step = int(indent - keyIndent);
            }
        }
        qsizetype last = end;
        while (last > first && isBlank(text.at(last - 1))) {
            --last;
        }
        keyIndent = text.at(last - 1) == ':' && !item ? indent : -1;
    }
    if (!dash && step) {
        layout.dash = layout.step;
    }
    return layout;
}

} // namespace trainyard
