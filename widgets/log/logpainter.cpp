// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logpainter.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/log/lineprefix.h"
#include "widgets/log/logcolours.h"
#include "widgets/log/logselection.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
struct LogPainterTexts {
    Q_DECLARE_TR_FUNCTIONS(LogPainter)
};

// Changes the painter's font only where it must.
void setRunFont(QPainter &painter, bool bold, bool italic, bool underlined)
{
    const QFont &now = painter.font();
    if (bold != now.bold() || italic != now.italic() || underlined != now.underline()) {
        QFont font = now;
        font.setBold(bold);
        font.setItalic(italic);
        font.setUnderline(underlined);
        painter.setFont(font);
    }
}

// Draws in the painter's font; returns where it ends.
int drawPart(QPainter &painter, const QFontMetrics &fm, QPoint at, const QString &part, const QColor &ink)
{
    painter.setPen(ink);
    painter.drawText(at, part);
    return at.x() + fm.horizontalAdvance(part);
}

Colour inkOfLevel(LogRule::Level level)
{
    switch (level) {
    case LogRule::Level::Error:
        return Colour::Failed;
    case LogRule::Level::Warning:
        return Colour::Waiting;
    case LogRule::Level::Good:
        return Colour::Succeeded;
    case LogRule::Level::Notable:
        return Colour::Accent;
    case LogRule::Level::Faint:
        break;
    }
    return Colour::Muted;
}

bool hasGround(const LogText::Run &run) { return run.ground >= 0 || run.reversed; }
} // namespace

// A line, or the part of a wrapped one that stands in a row, and where it stands.
struct LogPainter::Line {
    LogLayout::Row row;
    RawLine raw;
    LogText text;
    std::optional<LogSource::Origin> origin;
    QFontMetrics fm;
    QRect area; // of the row
    int left = 0; // where the row begins
    qsizetype end = 0; // of what stands in the row
    int baseline = 0;
    bool tellsError = false;
    bool isError = false; // written to stderr
    bool isUpdating = false;
    QColor plain = {};

    bool hasEnd() const { return end >= text.text.size(); } // of the line
    QString part(qsizetype from, qsizetype to) const
    {
        const qsizetype begin = std::max(from, row.begin);
        return text.text.mid(begin, std::max<qsizetype>(0, std::min(to, end) - begin));
    }
    int xOf(qsizetype column) const { return left + fm.horizontalAdvance(part(row.begin, column)); }
};

// The places of parts of a row, from left to right: a line may have thousands, and each character is measured once.
class LogPainter::Bands
{
public:
    explicit Bands(const Line &line) : m_line(&line), m_fm(line.fm), m_column(line.row.begin), m_x(line.left) { }
    QRect next(qsizetype from, qsizetype to) // null: none of it is in sight
    {
        from = std::max(from, m_line->row.begin);
        to = std::min(to, m_line->end);
        if (from >= to || m_x > m_line->area.right()) {
            return {};
        }
        const int begin = go(from);
        const QRect band(begin, m_line->area.top(), go(to) - begin, m_line->area.height());
        return band.right() < m_line->area.left() ? QRect() : band;
    }

private:
    int go(qsizetype column)
    {
        m_x += m_fm.horizontalAdvance(m_line->part(m_column, column));
        m_column = column;
        return qRound(m_x);
    }
    const Line *m_line;
    QFontMetricsF m_fm;
    qsizetype m_column;
    qreal m_x;
};

LogPainter::Line LogPainter::lineOf(
    const QPainter &painter, const LogLayout::Row &row, int textLeft, bool isGrowing) const
{
    const RawLine raw = m_lines->line(row.line);
    Line line{row, raw, decodeLine(raw), m_lines->origin(row.line), QFontMetrics(painter.font()), m_layout->rectOf(row),
        textLeft};
    line.end = row.end < 0 ? line.text.text.size() : std::min(row.end, line.text.text.size());
    line.baseline = row.y + (line.area.height() + line.fm.ascent() - line.fm.descent()) / 2;
    const std::optional<LogRule::Level> level = !line.text.runs.isEmpty() ? std::nullopt
        : row.line == m_cause                                             ? std::optional(LogRule::Level::Error)
                                                                          : m_rules.levelOf(line.text.text);
    line.tellsError = level == LogRule::Level::Error;
    line.isError = line.origin && line.origin->isError;
    const bool isNewest = row.line + 1 == m_lines->count() || m_lines->isLive(row.line);
    line.isUpdating = raw.isProgress && isNewest && isGrowing;
    line.plain = colour(level ? inkOfLevel(*level) : line.isError ? Colour::Waiting : Colour::Text, m_view);
    return line;
}

int LogPainter::paintRow(QPainter &painter, const LogLayout::Row &row, int textLeft, bool isGrowing) const
{
    const Line line = lineOf(painter, row, textLeft, isGrowing);
    if (line.isUpdating || m_selection->currentLine() == row.line) {
        painter.fillRect(line.area, colour(Colour::Hover, m_view));
    }
    painter.save();
    const QRect clip = clipOf(line, textLeft);
    painter.setClipRect(clip);
    Bands grounds(line);
    for (const LogText::Run &run : line.text.runs) {
        if (hasGround(run)) {
            painter.fillRect(
                grounds.next(run.begin, run.begin + run.length), logcolours::of(run, line.plain, m_view).ground);
        }
    }
    QRegion covered; // grounds that the selection and hits lie over
    if (const QRect selected = selectedPart(line); !selected.isNull()) {
        painter.fillRect(selected, selectionTint(colour(Colour::Surface, m_view), themeOf(m_view)));
        covered += selected;
    }
    const QList<LogSearch::Match> matches = m_search->matchesIn(line.text);
    const bool isCurrent = !matches.isEmpty() && m_search->currentLine() == row.line; // of its matches the first one
    QPoint currentAt;
    QString current; // what of it is in this row
    Bands bands(line);
    for (const LogSearch::Match &match : matches) {
        const QRect band = bands.next(match.begin, match.end);
        if (band.isNull()) {
            continue;
        }
        const bool isStrong = isCurrent && &match == &matches.constFirst();
        covered += band;
        stylepaint::roundedBox(&painter, QRectF(band).adjusted(-1, 1, 1, -1), 2,
            colour(isStrong ? Colour::CurrentHit : Colour::Hit, m_view), {});
        if (isStrong) {
            currentAt = {band.left(), line.baseline};
            current = line.part(match.begin, match.end);
        }
    }
    int x = paintText(painter, line, clip, covered);
    if (!current.isEmpty()) { // dark on the strong ground, in both themes
        painter.setPen(colour(Colour::OnCurrentHit, m_view));
        painter.drawText(currentAt, current);
    }
    if (line.raw.isCut && line.hasEnd()) {
        x = paintCut(painter, line, x);
    }
    painter.restore();
    if (line.isError) {
        paintStream(painter, line);
    }
    if (row.begin == 0) { // what stands in the gutter is of the line
        paintGutter(painter, line);
    }
    return x - line.left;
}

QRect LogPainter::clipOf(const Line &line, int rowLeft) const
{
    QRect clip = line.area.adjusted(m_layout->gutterWidth() - 2, 0, 0, 0);
    if (line.row.begin > 0) {
        clip.setLeft(rowLeft); // nothing of the row before
    }
    if (!line.hasEnd()) {
        clip.setRight(line.xOf(line.end) - 1);
    }
    return clip;
}

QRect LogPainter::selectedPart(const Line &line) const
{
    const auto [from, to] = m_selection->range();
    const qint64 number = line.row.line;
    if (from == to || number < from.line || to.line < number) {
        return {};
    }
    const qsizetype begin = from.line == number ? from.column : 0;
    const qsizetype end = to.line == number ? to.column : line.text.text.size();
    const int left = line.xOf(begin), right = line.xOf(end);
    const int lineEnd = to.line != number && line.hasEnd() ? line.fm.averageCharWidth() : 0;
    return left == right && lineEnd == 0 ? QRect()
                                         : QRect(left, line.area.top(), right - left + lineEnd, line.area.height());
}

int LogPainter::paintText(QPainter &painter, const Line &line, const QRect &clip, const QRegion &covered) const
{
    int x = line.left;
    const QList<LogText::Run> &runs = line.text.runs;
    if (runs.isEmpty()) {
        setRunFont(painter, line.tellsError, false, false);
        x = drawPart(painter, line.fm, {line.left, line.baseline}, line.part(line.row.begin, line.end), line.plain);
    } else {
        const bool hasGrounds = std::any_of(runs.cbegin(), runs.cend(), hasGround);
        painter.setClipRegion(hasGrounds ? QRegion(clip) - covered : QRegion(clip));
        x = paintRuns(painter, line, false);
        if (hasGrounds && !covered.isEmpty()) {
            painter.setClipRegion(covered & clip);
            x = paintRuns(painter, line, true);
        }
        painter.setClipRect(clip);
    }
    painter.setFont(m_view->font());
    return x;
}

int LogPainter::paintRuns(QPainter &painter, const Line &line, bool isCovered) const
{
    int x = line.left;
    for (const LogText::Run &run : line.text.runs) {
        const QString part = line.part(run.begin, run.begin + run.length);
        if (part.isEmpty()) {
            continue; // of another row
        }
        if (x > line.area.right()) {
            return x + line.fm.horizontalAdvance(line.part(run.begin, line.end)); // out of sight
        }
        setRunFont(painter, run.bold, run.italic, run.underlined);
        x = drawPart(painter, line.fm, {x, line.baseline}, part,
            isCovered ? logcolours::inkOf(run, line.plain, m_view) : logcolours::of(run, line.plain, m_view).ink);
    }
    return x;
}

// How much of a very long line is not shown.
int LogPainter::paintCut(QPainter &painter, const Line &line, int x) const
{
    painter.setPen(colour(Colour::Muted, m_view));
    painter.drawText(QPoint(x + 8, line.baseline),
        LogPainterTexts::tr("… %1 more bytes").arg(QLocale().toString(line.raw.length - line.raw.bytes.size())));
    return x + 160;
}

void LogPainter::paintStream(QPainter &painter, const Line &line) const
{
    const int left = m_layout->gutterWidth() - LogLayout::markWidth;
    painter.fillRect(QRect(left - 2, line.area.top(), 2, line.area.height()), colour(Colour::Waiting, m_view));
    if (line.row.begin > 0) { // the bar shows what belongs together
        return;
    }
    painter.setFont(fonts::tiny());
    painter.setPen(colour(Colour::Waiting, m_view));
    const QString mark = QStringLiteral("e");
    const int width = painter.fontMetrics().horizontalAdvance(mark);
    painter.drawText(QPoint(left + 1 + (8 - width) / 2, line.baseline), mark);
    painter.setFont(m_view->font());
}

void LogPainter::paintGutter(QPainter &painter, const Line &line) const
{
    if (line.isUpdating) {
        paintIcon(&painter, QStringLiteral("update"),
            QRectF(m_layout->gutterWidth() - 15, line.area.top() + (line.area.height() - 11) / 2.0, 11, 11),
            colour(Colour::Muted, m_view));
    }
    if (m_marked.contains(line.row.line)) {
        constexpr int across = metrics::rowIcon;
        constexpr int left = (LogLayout::textLeft - across) / 2;
        paintIcon(&painter, QStringLiteral("star-filled"),
            QRectF(left, line.area.top() + (line.area.height() - across) / 2.0, across, across),
            colour(Colour::Accent, m_view));
    }
    painter.setPen(colour(Colour::Muted, m_view));
    if (const int width = m_layout->numberWidth(); width > 0) {
        if (const auto number = m_lines->numberOf(line.row.line)) {
            const QString digits = QString::number(*number);
            const int right = LogLayout::textLeft + width - metrics::space2;
            painter.drawText(QPoint(right - line.fm.horizontalAdvance(digits), line.baseline), digits);
        }
    }
    if (line.origin) {
        if (m_layout->showsTimes()) {
            painter.setPen(colour(Colour::Muted, m_view));
            painter.drawText(QPoint(m_layout->timeLeft(), line.baseline), timeText(line));
        }
        paintPart(painter, line);
    }
}

QString LogPainter::timeText(const Line &line) const
{
    const qint64 timeNs = line.origin->timeNs;
    switch (m_layout->times()) {
    case LogTimes::Clock:
        return QDateTime::fromMSecsSinceEpoch(timeNs / 1'000'000).toString(QStringLiteral("HH:mm:ss.zzz"));
    case LogTimes::SinceStart:
        return spanText(timeNs - m_lines->startNs().value_or(timeNs));
    case LogTimes::SinceLast: {
        const auto before = m_lines->origin(line.row.line - 1);
        return spanText(before ? timeNs - before->timeNs : 0);
    }
    case LogTimes::None:
        break;
    }
    return {};
}

// Which task wrote it, in the colour that the task has everywhere.
void LogPainter::paintPart(QPainter &painter, const Line &line) const
{
    const QList<LogPart> &parts = m_layout->parts();
    if (line.origin->part >= parts.size() || m_layout->partWidth() == 0) {
        return;
    }
    const LogPart &part = parts.at(line.origin->part);
    painter.setPen(colour(Colour(int(Colour::Series1) + part.look % 8), m_view));
    painter.drawText(QPoint(m_layout->partLeft(), line.baseline),
        line.fm.elidedText(part.label, Qt::ElideMiddle, m_layout->partWidth() - metrics::space1));
}

} // namespace trainyard
