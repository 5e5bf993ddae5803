// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/loglayout.h"

#include "widgets/common/style.h"
#include "widgets/log/codeplace.h"

#include <QAbstractScrollArea>
#include <QFontMetrics>

#include <algorithm>

namespace trainyard
{
namespace
{
// Where the next row begins, when `end` is the first character without room in this one: behind a blank, so that a word
// such as "acc=0.05" is read in one, unless that would leave half of the row empty.
qsizetype nextRow(const QString &text, qsizetype begin, qsizetype end)
{
    if (text.at(end) == QLatin1Char(' ')) {
        return end + 1;
    }
    // No further back: a line may have a million characters without a blank.
    const qsizetype half = begin + (end - begin) / 2;
    const qsizetype blank = QStringView(text).sliced(half, end - half).lastIndexOf(QLatin1Char(' '));
    return blank > 0 ? half + blank + 1 : end;
}
} // namespace

int LogLayout::rowHeight() const { return std::max(metrics::logLine, m_view->fontMetrics().height() + 1); }

int LogLayout::Gutter::partLeft() const { return numbers + (times > 0 ? times : textLeft); }

LogLayout::Gutter LogLayout::gutter() const
{
    constexpr int timeCharacters = 12; // "12:34:56.789"
    constexpr qsizetype mostOfPart = 20;
    constexpr int leastOfText = 16; // a word or two
    const QFontMetrics fm = m_view->fontMetrics();
    const int character = fm.averageCharWidth();
    Gutter gutter;
    if (const int digits = m_numbered ? m_lines->numberDigits() : 0; digits > 0) {
        gutter.numbers = digits * fm.horizontalAdvance(QLatin1Char('0')) + metrics::space2;
    }
    if (m_times != LogTimes::None) {
        gutter.times = std::max(timeWidth, timeCharacters * character + textLeft + metrics::space2);
    }
    qsizetype longest = 0;
    for (const LogPart &part : m_parts) {
        longest = std::max(longest, part.label.size());
    }
    if (longest > 0) {
        gutter.parts = int(std::min(longest, mostOfPart)) * character + metrics::space2;
    }
    const int most = m_view->viewport()->width() - leastOfText * character;
    for (int *each : {&gutter.times, &gutter.parts, &gutter.numbers}) {
        if (gutter.width() > most) {
            *each = 0;
        }
    }
    return gutter;
}

int LogLayout::rowsInSight() const { return std::max(1, m_view->viewport()->height() / rowHeight()); }

QRect LogLayout::rectOf(const Row &row) const { return {0, row.y, m_view->viewport()->width(), rowHeight()}; }

QList<qsizetype> LogLayout::breaksOf(const QString &text) const
{
    if (isPointerLine(text)) { // below a line that wraps it points nowhere, and rows of it would say no more
        return {0};
    }
    // A character may be a part of a pixel wider than whole pixels say, which adds up to characters out of sight.
    const QFontMetricsF fm(m_view->font(), m_view);
    // In a pane with hardly any room, a line of many characters does not become as many rows.
    constexpr int leastCharacters = 4;
    const double room
        = std::max(leastCharacters * fm.averageCharWidth(), double(m_view->viewport()->width() - gutterWidth() - 8));
    QList<qsizetype> starts{0};
    if (std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() < 0x7f; })) {
        const auto columns = qsizetype(room / std::max(1.0, fm.horizontalAdvance(QLatin1Char('0'))));
        for (qsizetype at = 0; text.size() - at > columns;) {
            at = nextRow(text, at, at + columns);
            if (at < text.size()) {
                starts.append(at);
            }
        }
        return starts;
    }
    double width = 0;
    for (qsizetype i = 0; i < text.size();) {
        const qsizetype length = text.at(i).isHighSurrogate() && i + 1 < text.size() ? 2 : 1;
        const double advance = fm.horizontalAdvance(text.mid(i, length));
        if (width + advance > room && width > 0) {
            i = nextRow(text, starts.constLast(), i);
            width = 0;
            if (i < text.size()) {
                starts.append(i);
            }
            continue;
        }
        width += advance;
        i += length;
    }
    return starts;
}

LogLayout::Top LogLayout::endTop() const
{
    int left = rowsInSight();
    if (!m_wrapped) {
        return {std::max<qint64>(0, lineCount() - left), 0};
    }
    for (qint64 line = lineCount() - 1; line >= 0; --line) {
        const int rows = rowsOf(line);
        if (rows >= left) {
            return {line, rows - left};
        }
        left -= rows;
    }
    return {};
}

LogLayout::Top LogLayout::moved(Top from, int rows) const
{
    Top top = from;
    while (rows < 0 && (top.line > 0 || top.row > 0)) {
        if (top.row == 0) {
            --top.line;
            top.row = rowsOf(top.line);
        }
        --top.row;
        ++rows;
    }
    const Top end = endTop();
    while (rows > 0 && top < end) {
        ++top.row;
        if (top.row >= rowsOf(top.line)) {
            top = {top.line + 1, 0};
        }
        --rows;
    }
    return std::min(top, end);
}

QList<LogLayout::Row> LogLayout::rows(Top top, bool atEnd) const
{
    if (m_wrapped) {
        return wrappedRows(top, atEnd);
    }
    QList<Row> rows;
    const int height = rowHeight();
    const int room = m_view->viewport()->height();
    const qint64 last = std::min(lineCount(), top.line + room / height + 2);
    // At the end the last line stands at the bottom edge, whole.
    int y = atEnd && lineCount() > rowsInSight() ? room - rowsInSight() * height : 0;
    for (qint64 line = top.line; line < last; ++line, y += height) {
        rows.append({line, 0, -1, y});
    }
    return rows;
}

QList<LogLayout::Row> LogLayout::wrappedRows(Top top, bool atEnd) const
{
    QList<Row> rows;
    const int height = rowHeight();
    const int room = m_view->viewport()->height();
    const Top end = endTop();
    const bool isLast = atEnd && top >= end && end > Top{};
    int y = isLast ? room - rowsInSight() * height : 0;
    qsizetype row = top.row;
    for (qint64 line = top.line; line < lineCount() && y < room; ++line, row = 0) {
        const QString text = m_lines->text(line);
        const QList<qsizetype> starts = breaksOf(text);
        for (; row < starts.size() && y < room; ++row, y += height) {
            rows.append({line, starts.at(row), row + 1 < starts.size() ? starts.at(row + 1) : text.size(), y});
        }
    }
    return rows;
}

LogPosition LogLayout::positionAt(const QPoint &point, const QList<Row> &rows, int scrolledLeft) const
{
    if (rows.isEmpty()) {
        return {};
    }
    const int over = point.y() - rows.constFirst().y;
    const Row row = over < 0 ? Row{std::max<qint64>(0, rows.constFirst().line - 1), 0, -1, 0}
                             : rows.at(std::min<qsizetype>(over / rowHeight(), rows.size() - 1));
    const QString text = m_lines->text(row.line).mid(row.begin, row.end < 0 ? -1 : row.end - row.begin);
    const QFontMetrics fm(m_view->font());
    const int x = point.x() - gutterWidth() + scrolledLeft;
    qsizetype low = 0;
    qsizetype high = text.size();
    while (low < high) { // advances only grow
        const qsizetype middle = (low + high) / 2;
        if (fm.horizontalAdvance(text.left(middle + 1)) - fm.averageCharWidth() / 2 <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return {row.line, row.begin + low};
}

} // namespace trainyard
