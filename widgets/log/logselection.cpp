// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logselection.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace trainyard
{

void LogSelection::set(LogPosition anchor, LogPosition caret)
{
    m_anchor = anchor;
    m_caret = caret;
    m_line = caret.line;
    Q_EMIT changed();
}

void LogSelection::clear()
{
    m_anchor = m_caret = {};
    m_line.reset();
    Q_EMIT changed();
}

std::pair<LogPosition, LogPosition> LogSelection::range() const { return std::minmax(m_anchor, m_caret); }

QString LogSelection::text(qint64 most, const Before &before) const
{
    const auto [from, to] = range();
    const QString first = m_lines->text(from.line);
    if (from.line == to.line) {
        return first.mid(from.column, to.column - from.column);
    }
    const auto prefix = [&before](qint64 line) { return before ? before(line) : QString(); };
    QString result = prefix(from.line) + first.mid(from.column);
    for (qint64 line = from.line + 1; line < to.line; ++line) {
        if (result.size() >= most) {
            return result;
        }
        result += QLatin1Char('\n') + prefix(line) + m_lines->text(line);
    }
    const QString last = m_lines->text(to.line).left(to.column);
    return result + QLatin1Char('\n') + (last.isEmpty() ? QString() : prefix(to.line)) + last;
}

QString LogSelection::textInOneLine() const
{
    const auto [from, to] = range();
    return from.line == to.line ? text() : QString();
}

void LogSelection::copy(const Before &before)
{
    if (isEmpty()) {
        return;
    }
    const QString copied = text(LogLines::mostText, before);
    QGuiApplication::clipboard()->setText(copied);
    if (copied.size() >= LogLines::mostText) {
        Q_EMIT cutShort();
    }
}

void LogSelection::selectWord(LogPosition at)
{
    const QString text = m_lines->text(at.line);
    const auto isWord = [&](qsizetype i) {
        return i >= 0 && i < text.size()
            && (text.at(i).isLetterOrNumber() || QStringView(u"_-./").contains(text.at(i)));
    };
    qsizetype begin = at.column;
    qsizetype end = at.column;
    while (isWord(begin - 1)) {
        --begin;
    }
    while (isWord(end)) {
        ++end;
    }
    set({at.line, begin}, {at.line, end});
}

void LogSelection::selectLine(qint64 line) { set({line, 0}, {line, m_lines->text(line).size()}); }

void LogSelection::selectAll()
{
    const qint64 last = std::max<qint64>(0, m_lines->count() - 1);
    set({}, {last, m_lines->text(last).size()});
}

} // namespace trainyard
