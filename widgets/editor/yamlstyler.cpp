// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/yamlstyler.h"

#include "model/base/ascii.h"

#include <algorithm>
#include <cstring>

namespace trainyard::yamlstyler
{
namespace
{

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool isNumber(QByteArrayView text)
{
    qsizetype i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) {
        ++i;
    }
    if (text.size() - i > 2 && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'o')) {
        for (i += 2; i < text.size(); ++i) {
            const char c = text[i];
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) {
                return false;
            }
        }
        return true;
    }
    bool digits = false;
    bool dot = false;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (c >= '0' && c <= '9') {
            digits = true;
        } else if (c == '.' && !dot) {
            dot = true;
        } else if ((c == 'e' || c == 'E') && digits && i + 1 < text.size()) {
            ++i;
            if (text[i] == '-' || text[i] == '+') {
                ++i;
            }
            if (i >= text.size()) {
                return false;
            }
            return std::all_of(text.begin() + i, text.end(), [](char d) { return d >= '0' && d <= '9'; });
        } else {
            return false;
        }
    }
    return digits;
}

Style plainStyle(QByteArrayView text)
{
    static constexpr const char *words[]
        = {"true", "True", "TRUE", "false", "False", "FALSE", "null", "Null", "NULL", "~"};
    if (std::any_of(std::begin(words), std::end(words), [&](const char *w) { return text == QByteArrayView(w); })) {
        return Keyword;
    }
    return isNumber(text) ? Number : String;
}

class Line
{
public:
    Line(QByteArrayView text, State state, char *out) : m_text(text), m_state(state), m_out(out) { }

    State run()
    {
        std::memset(m_out, Default, size_t(m_text.size()));
        const qsizetype indent = skipSpaces(0);
        if (m_state.mode == State::BlockScalar) {
            if (indent >= m_text.size() || isBlank(m_text[indent]) || indent > m_state.parentIndent - 1) {
                fill(0, m_text.size(), Text);
                return m_state;
            }
            m_state.mode = State::Normal;
        }
        m_at = indent;
        if (m_state.mode != State::Normal) {
            m_at = quoted(0);
            if (m_state.mode != State::Normal) {
                return m_state;
            }
            m_at = afterKey(m_at, 0);
        } else if (m_state.flowDepth == 0) {
            if (m_text.startsWith("---") || m_text.startsWith("...")) {
                if (m_text.size() == 3 || isBlank(m_text[3])) {
                    fill(0, 3, Marker);
                    m_at = 3;
                }
            }
        }
        content(m_at);
        return m_state;
    }

private:
    qsizetype skipSpaces(qsizetype at) const
    {
        while (at < m_text.size() && (m_text[at] == ' ' || m_text[at] == '\t')) {
            ++at;
        }
        return at;
    }
    void fill(qsizetype begin, qsizetype end, Style style)
    {
        if (end > begin) {
            std::memset(m_out + begin, style, size_t(end - begin));
        }
    }
    bool ends(qsizetype at) const { return at >= m_text.size() || isBlank(m_text[at]); }

    // Block structure of a line: dashes, a key, its value.
    void content(qsizetype at)
    {
        at = skipSpaces(at);
        qsizetype column = at;
        while (
            m_state.flowDepth == 0 && at < m_text.size() && (m_text[at] == '-' || m_text[at] == '?') && ends(at + 1)) {
            fill(at, at + 1, Operator);
            column = at;
            at = skipSpaces(at + 1);
            if (at < m_text.size() && !isBlank(m_text[at])) {
                m_dash = column;
                column = at;
            }
        }
        value(at, column);
    }

    // At a node; `column` is where the innermost structure of this line starts.
    void value(qsizetype at, qsizetype column)
    {
        bool blockPossible = m_state.flowDepth == 0;
        while ((at = skipSpaces(at)) < m_text.size()) {
            const char c = m_text[at];
            if (c == '\r' || c == '\n') {
                return;
            }
            if (c == '#' && (at == 0 || isBlank(m_text[at - 1]))) {
                fill(at, m_text.size(), Comment);
                return;
            }
            if ((c == '&' || c == '!' || c == '*') && at + 1 < m_text.size() && !isBlank(m_text[at + 1])) {
                const qsizetype begin = at;
                while (at < m_text.size() && !isBlank(m_text[at])
                    && !(m_state.flowDepth > 0 && std::strchr(",[]{}", m_text[at]))) {
                    ++at;
                }
                fill(begin, at, Reference);
                continue;
            }
            if ((c == '|' || c == '>') && blockPossible) {
                qsizetype end = at + 1;
                while (end < m_text.size() && !isBlank(m_text[end])) {
                    ++end;
                }
                fill(at, end, Marker);
                const qsizetype rest = skipSpaces(end);
                if (rest < m_text.size() && m_text[rest] == '#') {
                    fill(rest, m_text.size(), Comment);
                }
                // Content is deeper than the key, or than the dash when the item itself is the scalar.
                const bool keyed = m_keyed;
                m_state.mode = State::BlockScalar;
                m_state.parentIndent
                    = int(std::min<qsizetype>((keyed ? column : std::max<qsizetype>(m_dash, 0)) + 1, 4000));
                return;
            }
            if (c == '[' || c == '{') {
                fill(at, at + 1, Operator);
                m_state.flowDepth = std::min(m_state.flowDepth + 1, 1000);
                ++at;
                blockPossible = false;
                continue;
            }
            if (m_state.flowDepth > 0 && (c == ']' || c == '}')) {
                fill(at, at + 1, Operator);
                --m_state.flowDepth;
                at = afterKey(at + 1, at);
                continue;
            }
            if (m_state.flowDepth > 0 && (c == ',' || c == ':')) {
                fill(at, at + 1, Operator);
                ++at;
                continue;
            }
            if (c == '"' || c == '\'') {
                const qsizetype begin = at;
                m_state.mode = c == '"' ? State::DoubleQuoted : State::SingleQuoted;
                fill(at, at + 1, String);
                at = quoted(at + 1);
                if (m_state.mode != State::Normal) {
                    return;
                }
                at = afterKey(at, begin);
                continue;
            }
            at = plain(at);
            blockPossible = m_keyed && m_state.flowDepth == 0 && m_afterColon;
        }
    }

    // After a closing quote or bracket: a colon makes what was before it a key.
    qsizetype afterKey(qsizetype at, qsizetype begin)
    {
        const qsizetype colon = skipSpaces(at);
        if (colon < m_text.size() && m_text[colon] == ':' && (ends(colon + 1) || m_state.flowDepth > 0)) {
            if (m_out[begin] == String) {
                fill(begin, at, Key);
            }
            fill(colon, colon + 1, Operator);
            m_keyed = true;
            return colon + 1;
        }
        return at;
    }

    qsizetype quoted(qsizetype at)
    {
        const bool isDouble = m_state.mode == State::DoubleQuoted;
        const qsizetype begin = at;
        for (; at < m_text.size(); ++at) {
            if (isDouble && m_text[at] == '\\') {
                ++at;
            } else if (m_text[at] == (isDouble ? '"' : '\'')) {
                if (!isDouble && at + 1 < m_text.size() && m_text[at + 1] == '\'') {
                    ++at;
                    continue;
                }
                m_state.mode = State::Normal;
                fill(begin, at + 1, String);
                return at + 1;
            }
        }
        fill(begin, m_text.size(), String);
        return m_text.size();
    }

    qsizetype plain(qsizetype at)
    {
        const qsizetype begin = at;
        qsizetype end = at;
        m_afterColon = false;
        for (; at < m_text.size() && m_text[at] != '\r' && m_text[at] != '\n'; ++at) {
            const char c = m_text[at];
            if (c == '#' && at > begin && isBlank(m_text[at - 1])) {
                break;
            }
            if (m_state.flowDepth > 0 && std::strchr(",[]{}", c) && c) {
                break;
            }
            const bool colonEnds
                = c == ':' && (ends(at + 1) || (m_state.flowDepth > 0 && std::strchr(",[]{}", m_text[at + 1])));
            if (colonEnds) {
                if (m_state.flowDepth > 0 || !m_keyed) {
                    fill(begin, at, Key);
                    fill(at, at + 1, Operator);
                    m_keyed = true;
                    m_afterColon = true;
                    return at + 1;
                }
            }
            if (!isBlank(c)) {
                end = at + 1;
            }
        }
        fill(begin, end, plainStyle(m_text.sliced(begin, end - begin)));
        return at;
    }

    QByteArrayView m_text;
    State m_state;
    char *m_out;
    qsizetype m_at = 0;
    qsizetype m_dash = -1;
    bool m_keyed = false;
    bool m_afterColon = false;
};

} // namespace

void markReferences(QByteArrayView line, char *out)
{
    const auto fill = [&](qsizetype begin, qsizetype end) {
        if (out[begin] != Comment) {
            std::memset(out + begin, Reference, size_t(end - begin));
        }
    };
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        if (line[i] == '<' && line[i + 1] == '%') {
            const qsizetype close = line.indexOf(QByteArrayView("%>"), i + 2);
            if (close < 0) {
                return;
            }
            fill(i, close + 2);
            i = close + 1;
        } else if (line[i] == '$') {
            const bool braced = line[i + 1] == '{';
            const qsizetype name = i + (braced ? 2 : 1);
            if (!line.sliced(name).startsWith(QByteArrayView("PAI_"))
                && !line.sliced(name).startsWith(QByteArrayView("TRAINYARD_"))) {
                continue;
            }
            qsizetype end = name;
            while (end < line.size() && ascii::isWord(line[end])) {
                ++end;
            }
            if (braced && end < line.size() && line[end] == '}') {
                ++end;
            }
            fill(i, end);
            i = end - 1;
        }
    }
}

State styleLine(QByteArrayView line, State state, char *out)
{
    const State after = Line(line, state, out).run();
    markReferences(line, out);
    return after;
}

int foldDepth(QByteArrayView line, State before)
{
    qsizetype indent = 0;
    while (indent < line.size() && line[indent] == ' ') {
        ++indent;
    }
    if (indent >= line.size() || isBlank(line[indent])) {
        return -1;
    }
    if (before.mode == State::BlockScalar && indent > before.parentIndent - 1) {
        return 2 * before.parentIndent + 1;
    }
    const bool dash = line[indent] == '-' && (indent + 1 >= line.size() || isBlank(line[indent + 1]));
    return int(2 * std::min<qsizetype>(indent, 1400)) + (dash ? 1 : 0);
}

} // namespace trainyard::yamlstyler
