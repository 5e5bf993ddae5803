// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/log/logerrors.h"
#include "widgets/log/logview.h"
#include "widgets/log/logview_p.h"

#include <QDateTime>
#include <QLocale>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

// How a log is drawn.
namespace trainyard
{
using namespace logview;
namespace
{
constexpr qreal legible = 4.5; // contrast of text
}

QColor LogView::terminalColour(int code) const
{
    if (code >= 0x1000000) {
        // The requested colour, but legible on our background.
        QColor wanted = QColor::fromRgb(QRgb(code & 0xffffff));
        const QColor ground = colour(Colour::Surface, this);
        const QColor text = colour(Colour::Text, this);
        for (int i = 0; i < 4 && contrast(wanted, ground) < 3; ++i) {
            wanted = mixed(text, wanted, 0.3);
        }
        return wanted;
    }
    switch (code % 8) {
    case 0:
        return colour(code == 8 ? Colour::Muted : Colour::Text, this);
    case 1:
        return colour(Colour::Failed, this);
    case 2:
        return colour(Colour::Succeeded, this);
    case 3:
        return colour(Colour::Waiting, this);
    case 4:
        return colour(Colour::Accent, this);
    case 5:
        return colour(Colour::Lost, this);
    case 6:
        return colour(Colour::SyntaxKey, this);
    default:
        return colour(Colour::Text, this);
    }
}

// Black and white are the window's own colours: as a background they only set text apart.
QColor LogView::terminalGround(int code) const
{
    if (code >= 0x1000000) {
        return QColor::fromRgb(QRgb(code & 0xffffff));
    }
    return code % 8 == 0 || code % 8 == 7 ? colour(Colour::Track, this) : terminalColour(code);
}

std::pair<QColor, QColor> LogView::coloursOf(const LogText::Run &run, const QColor &plain) const
{
    QColor ink = run.colour < 0 ? plain : terminalColour(run.colour);
    QColor ground = run.ground < 0 ? QColor() : terminalGround(run.ground);
    if (run.reversed) {
        const QColor own = ground.isValid() ? ground : colour(Colour::Surface, this);
        ground = std::exchange(ink, own);
    }
    if (ground.isValid() && contrast(ink, ground) < legible) {
        const QColor text = colour(Colour::Text, this);
        const QColor surface = colour(Colour::Surface, this);
        ink = contrast(text, ground) > contrast(surface, ground) ? text : surface;
    }
    return {ink, ground};
}

QList<qsizetype> LogView::breaksOf(const QString &text) const
{
    const QFontMetrics fm = fontMetrics();
    const int room = std::max(20 * fm.averageCharWidth(), viewport()->width() - gutterWidth() - 8);
    QList<qsizetype> starts{0};
    if (std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() < 0x7f; })) {
        const qsizetype columns = room / std::max(1, fm.horizontalAdvance(QLatin1Char('0')));
        for (qsizetype at = columns; at < text.size(); at += columns) {
            starts.append(at);
        }
        return starts;
    }
    int width = 0;
    for (qsizetype i = 0; i < text.size();) {
        const qsizetype length = text.at(i).isHighSurrogate() && i + 1 < text.size() ? 2 : 1;
        const int advance = fm.horizontalAdvance(text.mid(i, length));
        if (width + advance > room && width > 0) {
            starts.append(i);
            width = 0;
        }
        width += advance;
        i += length;
    }
    return starts;
}

LogView::Top LogView::endTop() const
{
    int left = rowsInSight();
    for (qint64 line = lineCount() - 1; line >= 0; --line) {
        const int rows = int(breaksOf(lineText(line)).size());
        if (rows >= left) {
            return {line, rows - left};
        }
        left -= rows;
    }
    return {};
}

void LogView::scrollRows(int rows)
{
    Top top{topLine(), m_topRow};
    while (rows < 0 && (top.line > 0 || top.row > 0)) {
        if (top.row == 0) {
            --top.line;
            top.row = int(breaksOf(lineText(top.line)).size());
        }
        --top.row;
        ++rows;
    }
    const Top end = endTop();
    while (rows > 0 && top < end) {
        ++top.row;
        if (top.row >= breaksOf(lineText(top.line)).size()) {
            top = {top.line + 1, 0};
        }
        --rows;
    }
    top = std::min(top, end);
    m_adjusting = true;
    verticalScrollBar()->setValue(int(top.line));
    m_topRow = top.row;
    m_adjusting = false;
    if ((top == end) != m_following) {
        setFollowing(top == end);
    }
    viewport()->update();
}

QList<LogView::Row> LogView::rowsInView() const
{
    QList<Row> rows;
    const qint64 top = topLine();
    const bool atEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    if (!m_wrapped) {
        const qint64 last = std::min(lineCount(), top + viewport()->height() / m_rowHeight + 2);
        // At the end the last line stands at the bottom edge, whole.
        int y = atEnd && lineCount() > rowsInSight() ? viewport()->height() - rowsInSight() * m_rowHeight : 0;
        for (qint64 line = top; line < last; ++line, y += m_rowHeight) {
            rows.append({line, 0, -1, y});
        }
        return rows;
    }
    const Top end = endTop();
    const bool isLast = atEnd && Top{top, m_topRow} >= end && end > Top{};
    int y = isLast ? viewport()->height() - rowsInSight() * m_rowHeight : 0;
    qsizetype row = m_topRow;
    for (qint64 line = top; line < lineCount() && y < viewport()->height(); ++line, row = 0) {
        const QString text = lineText(line);
        const QList<qsizetype> starts = breaksOf(text);
        for (; row < starts.size() && y < viewport()->height(); ++row, y += m_rowHeight) {
            rows.append({line, starts.at(row), row + 1 < starts.size() ? starts.at(row + 1) : text.size(), y});
        }
    }
    return rows;
}

void LogView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), colour(Colour::Surface, this));
    const int widestBefore = m_widest;
    const int textLeft = gutterWidth() - horizontalScrollBar()->value();
    const QList<Row> rows = rowsInView();
    for (const Row &row : rows) {
        paintLine(painter, row, textLeft);
    }
    if (stylepaint::showsFocus(this)) {
        stylepaint::focusRing(&painter, viewport()->rect(), 0, colour(Colour::Accent, this));
    }
    if (m_widest != widestBefore) {
        QMetaObject::invokeMethod(this, &LogView::updateScrollBars, Qt::QueuedConnection);
    }
}

void LogView::paintLine(QPainter &painter, const Row &shownRow, int rowLeft)
{
    const qint64 number = shownRow.line;
    const int y = shownRow.y;
    const RawLine raw = m_lines.line(number);
    const LogText line = decodeLine(raw);
    const QRect row(0, y, viewport()->width(), m_rowHeight);
    const auto origin = m_lines.source() ? m_lines.source()->originAt(raw.offset) : std::nullopt;
    const bool isError = origin && origin->isError;
    const QFontMetrics fm(painter.font());
    // A part of a wrapped line is drawn as the line is, shifted and clipped.
    const int textLeft = rowLeft - (shownRow.begin > 0 ? fm.horizontalAdvance(line.text.left(shownRow.begin)) : 0);
    const bool tellsError = line.runs.isEmpty() && isLogError(line.text);
    const QColor plain = colour(tellsError ? Colour::Failed : isError ? Colour::Waiting : Colour::Text, this);
    const bool isUpdating = raw.isProgress && number + 1 == lineCount() && !m_complete;
    if (isUpdating) {
        painter.fillRect(row, colour(Colour::Hover, this));
    }
    painter.save();
    QRect shown = row.adjusted(gutterWidth() - 2, 0, 0, 0);
    if (shownRow.begin > 0) {
        shown.setLeft(rowLeft); // nothing of the row before
    }
    if (shownRow.end >= 0 && shownRow.end < line.text.size()) {
        shown.setRight(textLeft + fm.horizontalAdvance(line.text.left(shownRow.end)) - 1);
    }
    painter.setClipRect(shown);
    const auto xOf = [&](qsizetype column) { return textLeft + fm.horizontalAdvance(line.text.left(column)); };
    const auto band = [&](qsizetype from, qsizetype to) {
        const int left = xOf(from);
        return QRect(left, y, xOf(to) - left, m_rowHeight);
    };
    const bool hasGrounds = std::any_of(
        line.runs.cbegin(), line.runs.cend(), [](const LogText::Run &run) { return run.ground >= 0 || run.reversed; });
    for (const LogText::Run &run : line.runs) {
        if (run.ground >= 0 || run.reversed) {
            painter.fillRect(band(run.begin, run.begin + run.length), coloursOf(run, plain).second);
        }
    }
    QRegion covered; // grounds that the selection and hits lie over
    const auto [from, to] = selection();
    if (from != to && from.line <= number && number <= to.line) {
        const qsizetype begin = from.line == number ? from.column : 0;
        const qsizetype end = to.line == number ? to.column : line.text.size();
        QRect selected = band(begin, end);
        if (to.line != number) {
            selected.setWidth(selected.width() + fm.averageCharWidth());
        }
        painter.fillRect(selected, palette().color(QPalette::Highlight));
        covered += selected;
    }
    struct Hit {
        qsizetype begin, end;
        bool current;
    };
    QList<Hit> hits;
    if (!m_query.isEmpty() && m_expression.isValid()) {
        const bool current = m_currentHit >= 0 && m_hitLines.line(m_currentHit) == number;
        auto matches = m_expression.globalMatch(line.text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            if (match.capturedLength() > 0) {
                const bool first = current && hits.isEmpty();
                covered += band(match.capturedStart(), match.capturedEnd());
                hits.append({match.capturedStart(), match.capturedEnd(), first});
                stylepaint::roundedBox(&painter,
                    QRectF(band(match.capturedStart(), match.capturedEnd())).adjusted(-1, 1, 1, -1), 2,
                    colour(first ? Colour::CurrentHit : Colour::Hit, this), {});
            }
        }
    }
    const int baseline = y + (m_rowHeight + fm.ascent() - fm.descent()) / 2;
    int x = textLeft;
    const auto draw = [&](qsizetype begin, qsizetype length, const QColor &ink, bool bold, bool italic = false,
                          bool underlined = false) {
        const QFont &now = painter.font();
        if (bold != now.bold() || italic != now.italic() || underlined != now.underline()) {
            QFont f = now;
            f.setBold(bold);
            f.setItalic(italic);
            f.setUnderline(underlined);
            painter.setFont(f);
        }
        const QString part = line.text.mid(begin, length);
        painter.setPen(ink);
        painter.drawText(QPoint(x, baseline), part);
        x += fm.horizontalAdvance(part);
    };
    if (line.runs.isEmpty()) {
        draw(0, line.text.size(), plain, tellsError);
    } else {
        painter.setClipRegion(hasGrounds ? QRegion(shown) - covered : QRegion(shown));
        for (const LogText::Run &run : line.runs) {
            draw(run.begin, run.length, coloursOf(run, plain).first, run.bold, run.italic, run.underlined);
        }
        if (hasGrounds && !covered.isEmpty()) {
            painter.setClipRegion(covered & shown);
            x = textLeft;
            for (const LogText::Run &run : line.runs) {
                draw(run.begin, run.length, run.colour < 0 ? plain : terminalColour(run.colour), run.bold, run.italic,
                    run.underlined);
            }
        }
        painter.setClipRect(shown);
    }
    painter.setFont(font());
    for (const Hit &hit : std::as_const(hits)) {
        if (hit.current) { // dark on the strong ground, in both themes
            painter.setPen(colour(Colour::OnCurrentHit, this));
            painter.drawText(QPoint(xOf(hit.begin), baseline), line.text.mid(hit.begin, hit.end - hit.begin));
        }
    }
    if (raw.isCut) {
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(
            QPoint(x + 8, baseline), tr("… %1 more bytes").arg(QLocale().toString(raw.length - raw.bytes.size())));
        x += 160;
    }
    m_widest = std::max(m_widest, x - textLeft);
    painter.restore();

    if (isError) {
        painter.fillRect(QRect(gutterWidth() - markWidth - 2, y, 2, m_rowHeight), colour(Colour::Waiting, this));
        painter.setFont(fonts::tiny());
        painter.setPen(colour(Colour::Waiting, this));
        const QString mark = QStringLiteral("e");
        const int width = painter.fontMetrics().horizontalAdvance(mark);
        painter.drawText(QPoint(gutterWidth() - markWidth + 1 + (8 - width) / 2, baseline), mark);
        painter.setFont(font());
    }
    if (shownRow.begin > 0) {
        return; // what stands in the gutter is of the line
    }
    if (isUpdating) {
        paintIcon(&painter, QStringLiteral("update"), QRectF(gutterWidth() - 15, y + (m_rowHeight - 11) / 2.0, 11, 11),
            colour(Colour::Muted, this));
    }
    if (m_times && origin) {
        painter.setPen(colour(Colour::Muted, this));
        const QString time
            = QDateTime::fromMSecsSinceEpoch(origin->timeNs / 1'000'000).toString(QStringLiteral("HH:mm:ss.zzz"));
        painter.drawText(QPoint(12, baseline), time);
    }
}

} // namespace trainyard
