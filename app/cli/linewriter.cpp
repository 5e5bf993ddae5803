// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/linewriter.h"

#include "app/cli/console.h"
#include "widgets/text/scriptnames.h"
#include "widgets/text/terminaltext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype flushAt = 256 << 10;

} // namespace

QByteArray terminalLine(const QByteArray &text, bool isWhole)
{
    LogFilter filter;
    const QByteArray filtered = filter.filter(text);
    return isWhole ? QByteArray(filtered + filter.finish()) : filtered;
}

QByteArray readableLines(const QByteArray &text, bool begins)
{
    QByteArray lines;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype newline = text.indexOf('\n', at);
        const qsizetype end = newline < 0 ? text.size() : newline + 1;
        const QByteArray line = text.sliced(at, end - at);
        lines += at > 0 || begins ? withShortScriptName(line) : line;
        at = end;
    }
    return lines;
}

LineWriter::LineWriter(const LogStyle &style) : m_style(style), m_isTerminal(stdoutIsTerminal()) { }

std::size_t LineWriter::addLog(const QString &label)
{
    const auto painted
        = [&label](Colour colour) -> QByteArray { return terminalText(paint(colour, label + u" |"_s)).toUtf8() + ' '; };
    m_labels.push_back({painted(Colour::Blue), painted(Colour::Yellow)});
    return m_labels.size() - 1;
}

void LineWriter::write(std::size_t log, const LogLineReader::Line &lines)
{
    if (!m_style.labels && !m_style.timestamps && m_style.streams.out != m_style.streams.err) {
        m_buffer += m_isTerminal ? terminalLine(readableLines(lines.text, lines.begins), false)
                                 : lines.text; // the bytes of one stream
    } else {
        const Open open{log, lines.stream};
        bool goesOn = !lines.begins && m_open == open;
        if (m_open && !goesOn) {
            m_buffer += '\n';
        }
        m_open.reset();
        const QByteArray before = textBefore(log, lines);
        QByteArrayView left = lines.text;
        do {
            const qsizetype newline = left.indexOf('\n');
            const QByteArrayView text = newline < 0 ? left : left.first(newline);
            left = newline < 0 ? QByteArrayView() : left.sliced(newline + 1);
            const bool begins = !std::exchange(goesOn, false);
            if (begins) {
                m_buffer += before;
            }
            appendText(text, begins);
            if (newline >= 0 || (lines.ends && !m_style.exact) || isPicture()) {
                m_buffer += '\n';
            } else {
                m_open = open;
            }
        } while (!left.isEmpty());
    }
    if (m_buffer.size() > flushAt) {
        flush();
    }
}

// Beside other logs on a terminal a progress bar, which draws over itself, makes sense only by its last picture. A file
// gets all bytes.
bool LineWriter::isPicture() const { return m_style.labels && m_isTerminal; }

void LineWriter::appendText(QByteArrayView text, bool begins)
{
    if (!m_isTerminal) {
        m_buffer += text;
        return;
    }
    if (isPicture()) {
        while (text.endsWith('\r')) {
            text.chop(1);
        }
        text = text.sliced(text.lastIndexOf('\r') + 1);
    }
    m_hasEscapes = m_hasEscapes || text.contains('\x1b');
    m_buffer += terminalLine(readableLines(text.toByteArray(), begins), m_style.labels || m_style.timestamps);
}

QByteArray LineWriter::textBefore(std::size_t log, const LogLineReader::Line &lines)
{
    QByteArray before;
    if (m_style.timestamps) {
        before += m_times.text(lines.timeNs) + ' ';
    }
    if (m_style.labels) {
        const Label &label = m_labels[log];
        before += lines.stream == LogReader::Stream::Err ? label.err : label.out;
    }
    return before;
}

void LineWriter::flush()
{
    out(m_buffer);
    m_buffer.resize(0); // keeps its memory
}

void LineWriter::finish()
{
    if (m_hasEscapes && !m_style.labels && !m_style.timestamps) {
        m_buffer += "\x1b[0m";
    }
    flush();
}

} // namespace trainyard::cli
