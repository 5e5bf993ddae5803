// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/utf8.h"
#include "model/protocol/caretplace.h"
#include "model/yaml/yamllex.h"

#include <algorithm>
#include <optional>

namespace trainyard
{

// Reads a text once, line by line, until it is known what the caret is at. Large because a line can be half written in
// many ways, and each is read from the state that the lines before it left.
class CaretScanner
{
public:
    CaretScanner(const QByteArray &text, qsizetype caret)
        : m_text(text), m_caret(std::clamp<qsizetype>(caret, 0, text.size()))
    {
        reset();
    }
    // Looks for a scalar instead of a caret.
    QString scalarAt(const YamlPath &path);
    CaretPlace scan();

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
    bool endsAt(qsizetype pos) const { return pos >= m_end || yamllex::isBlank(m_text.at(pos)); }
    qsizetype skip(qsizetype pos) const;
    qsizetype columnOf(qsizetype pos) const { return pos - m_lineBegin; }
    bool touches(qsizetype begin, qsizetype end) const;
    Frame &top() { return m_frames.last(); }
    QString textOf(qsizetype begin, qsizetype end) const { return textFromUtf8(m_text.mid(begin, end - begin)); }
    void reset();
    YamlPath valuePath(const Frame &frame) const;
    void foundKey(qsizetype frame, ByteRange token, qsizetype column, bool hasColon, char quote = '\0');
    void foundValue(const Frame &frame, const YamlPath &path, ByteRange token, char quote = '\0');
    void foundNothing();
    void passedOver();
    void take(const Frame &frame, qsizetype begin, qsizetype end);
    void finish();
    void pop();
    void line();
    bool lost(qsizetype indent, char first) const;
    void recover();
    void blankLine(qsizetype column);
    bool settle(qsizetype column, bool dash);
    bool resume(qsizetype column);
    bool belongs(qsizetype column, bool dash);
    void begin(Frame::Type type, qsizetype column);
    void content(qsizetype pos);
    void key(qsizetype pos, qsizetype start, qsizetype keyEnd, qsizetype colon, qsizetype column);
    qsizetype properties(qsizetype pos) const;
    bool findKey(qsizetype pos, qsizetype &keyEnd, qsizetype &colon) const;
    qsizetype plainEnd(qsizetype pos, bool flow = false) const;
    void value(qsizetype pos);
    void flowLine(qsizetype pos);
    static bool isToken(char c) { return !yamllex::isFlowIndicator(c) && c != ':' && c != '#'; }
    void gapAt();
    qsizetype quoted(qsizetype pos);
    void scalar(qsizetype begin, qsizetype end, char quote);

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

} // namespace trainyard
