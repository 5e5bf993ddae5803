// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/blockwords.h"

#include "engine/core/why/pythonlines.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

void BlockWords::begin(qsizetype index, bool isHeadless)
{
    const WhyLine &line = m_lines.at(index);
    m_stream = line.stream;
    m_literal = {};
    m_isGroup = false;
    if (isHeadless) {
        return;
    }
    const qsizetype head = line.words.indexOf(tracebackMark);
    const QByteArrayView before = line.words.first(head);
    m_isGroup = before.endsWith("+ Exception Group ");
    // What stands before the mark belongs to each line of the block, or only to this one.
    const bool isRepeated = index + 1 < m_lines.size() && m_lines.at(index + 1).words.startsWith(before);
    if (!before.isEmpty() && !m_isGroup && isRepeated) {
        m_literal = before;
    } else if (!m_isGroup && index + 1 < m_lines.size()) {
        // Behind what a logger puts before each line, the first one may have words of its own.
        const QByteArrayView next = m_lines.at(index + 1).words;
        const qsizetype frame = next.indexOf(QByteArrayView("  File \""));
        if (frame > 0 && before.startsWith(next.first(frame).trimmed())) {
            m_literal = next.first(frame);
        }
    }
}

std::optional<QByteArrayView> BlockWords::at(qsizetype index) const
{
    const WhyLine &line = m_lines.at(index);
    if (line.stream != m_stream) {
        return std::nullopt;
    }
    QByteArrayView words = line.words;
    if (!m_literal.isEmpty()) {
        if (!words.startsWith(m_literal)) {
            return words.trimmed() == m_literal.trimmed() ? std::optional(QByteArrayView()) : std::nullopt;
        }
        words = words.sliced(m_literal.size());
    }
    if (m_isGroup) {
        qsizetype begin = 0;
        while (begin < words.size() && words[begin] == ' ') {
            ++begin;
        }
        if (begin < words.size() && words[begin] == '+') {
            return QByteArrayView(); // what separates the errors of a group
        }
        if (begin < words.size() && words[begin] == '|') {
            words = words.sliced(begin + 1);
            words = words.startsWith(' ') ? words.sliced(1) : words;
        }
    }
    return words;
}

qsizetype BlockWords::next(qsizetype from) const
{
    int others = 0, blanks = 0;
    for (qsizetype i = from; i < m_lines.size(); ++i) {
        const std::optional<QByteArrayView> words = at(i);
        if (!words) {
            if (++others > linesOfOtherProcesses) {
                return -1;
            }
        } else if (!isBlankWords(*words)) {
            return i;
        } else if (++blanks > 4) {
            return -1;
        }
    }
    return -1;
}

std::optional<WhyFrame> BlockWords::frameAt(qsizetype index) const
{
    constexpr qsizetype linesOfSource = 12;
    static const QRegularExpression ofCell(
        u"\\A([~/][^:\\s]*\\.py|<ipython-input-[^>]+>) in (<module>|\\w+)(?:\\(|\\z)"_s);
    static const QRegularExpression arrow(u"\\A-+> (\\d+)"_s);
    static const QRegularExpression beginOfPath(u"\\A│ (?:❱ )?([~/]\\S*)\\s*│\\z"_s);
    static const QRegularExpression endOfPath(u"\\A│ (\\S*:\\d+ in .*)"_s);
    const QByteArrayView words = *at(index);
    if (const std::optional<WhyFrame> frame = frameIn(words)) {
        return frame;
    }
    const bool isBoxed = words.startsWith("│ ");
    if (!isBoxed && words.indexOf(QByteArrayView(" in ")) < 0) {
        return std::nullopt;
    }
    const QString text = readWords(words).trimmed();
    if (isBoxed) {
        const QRegularExpressionMatch begin = beginOfPath.match(text);
        const qsizetype below = begin.hasMatch() ? next(index + 1) : -1;
        const QRegularExpressionMatch end
            = below >= 0 ? endOfPath.match(readWords(*at(below))) : QRegularExpressionMatch();
        return end.hasMatch() ? frameIn((u"│ "_s + begin.captured(1) + end.captured(1)).toUtf8()) : std::nullopt;
    }
    const QRegularExpressionMatch match = ofCell.match(text);
    for (qsizetype i = index + 1; match.hasMatch() && i < m_lines.size() && i < index + linesOfSource; ++i) {
        const std::optional<QByteArrayView> below = at(i);
        if (!below || isBlankWords(*below)) {
            break;
        }
        const QRegularExpressionMatch pointed = arrow.match(readWords(*below));
        if (pointed.hasMatch()) {
            return WhyFrame{match.captured(1), match.captured(2), pointed.captured(1).toInt()};
        }
    }
    return std::nullopt;
}

} // namespace trainyard::core
