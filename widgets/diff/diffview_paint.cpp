// SPDX-License-Identifier: GPL-3.0-or-later
// How the rows of a comparison of two texts are drawn.
#include "widgets/common/icons.h"
#include "widgets/common/stylepaint.h"
#include "widgets/diff/diffview.h"
#include "widgets/editor/yamlstyler.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qreal markStrength = 0.1; // text stays readable on it; the edge is what one sees
constexpr qreal markEdgeStrength = 0.55;

Colour colourOf(char style)
{
    switch (yamlstyler::Style(style)) {
    case yamlstyler::Key:
        return Colour::SyntaxKey;
    case yamlstyler::String:
        return Colour::SyntaxString;
    case yamlstyler::Number:
        return Colour::SyntaxNumber;
    case yamlstyler::Keyword:
    case yamlstyler::Reference:
        return Colour::SyntaxReference;
    case yamlstyler::Comment:
        return Colour::SyntaxComment;
    case yamlstyler::Operator:
    case yamlstyler::Marker:
        return Colour::Muted;
    case yamlstyler::Default:
    case yamlstyler::Text:
        break;
    }
    return Colour::Text;
}

QByteArrayView bodyOf(const QByteArray &text, const ByteRange &line)
{
    QByteArrayView body = QByteArrayView(text).sliced(line.begin, line.length());
    while (!body.isEmpty() && (body.back() == '\n' || body.back() == '\r')) {
        body.chop(1);
    }
    return body.first(std::min(body.size(), DiffView::mostShownBytes));
}

// The text that is drawn for bytes: with tabs as blanks, and a replacement for control characters and bytes that are
// not UTF-8.
QString shown(QByteArrayView bytes)
{
    QString text = QString::fromUtf8(bytes);
    for (QChar &c : text) {
        if (c == QLatin1Char('\t')) {
            c = QLatin1Char(' ');
        } else if (c.category() == QChar::Other_Control) {
            c = QChar::ReplacementCharacter;
        }
    }
    return text;
}

} // namespace

QColor DiffView::lineGround(DiffRow::Kind kind, bool oldSide, Theme theme)
{
    switch (kind) {
    case DiffRow::Kind::Changed:
        return colour(oldSide ? Colour::FailedTint : Colour::SucceededTint, theme);
    case DiffRow::Kind::Removed:
        return colour(oldSide ? Colour::FailedTint : Colour::Window, theme);
    case DiffRow::Kind::Added:
        return colour(oldSide ? Colour::Window : Colour::SucceededTint, theme);
    case DiffRow::Kind::Fold:
        return colour(Colour::Window, theme);
    case DiffRow::Kind::Equal:
        break;
    }
    return colour(Colour::Surface, theme);
}

QColor DiffView::markGround(bool oldSide, Theme theme)
{
    return mixed(colour(oldSide ? Colour::Failed : Colour::Succeeded, theme),
        colour(oldSide ? Colour::FailedTint : Colour::SucceededTint, theme), markStrength);
}

InlineDiff DiffView::marksOf(const DiffRow &row) const
{
    if (row.oldLine < 0 || row.newLine < 0 || row.change < 0) {
        return {};
    }
    const std::pair<qsizetype, qsizetype> key(row.oldLine, row.newLine);
    const auto it = m_inline.constFind(key);
    if (it != m_inline.cend()) {
        return *it;
    }
    const InlineDiff marks
        = diffWithin(bodyOf(m_old, m_diff.oldLines.at(row.oldLine)), bodyOf(m_new, m_diff.newLines.at(row.newLine)));
    m_inline.insert(key, marks);
    return marks;
}

void DiffView::drawText(QPainter *painter, const QByteArray &text, qsizetype line, bool old,
    const QList<ByteRange> &marks, QPointF at, qreal width) const
{
    const ByteRange &range = (old ? m_diff.oldLines : m_diff.newLines).at(line);
    const QByteArray &styles = old ? m_oldStyles : m_newStyles;
    const QByteArrayView body = bodyOf(text, range);
    const QFontMetricsF fontMetrics(m_font);
    for (const ByteRange &mark : marks) {
        const qsizetype end = std::min(mark.end, body.size());
        if (mark.begin >= end) {
            continue;
        }
        const qreal from = at.x() + fontMetrics.horizontalAdvance(shown(body.first(mark.begin)));
        const qreal to = at.x() + fontMetrics.horizontalAdvance(shown(body.first(end)));
        const QColor ground = markGround(old, themeOf(this));
        stylepaint::roundedBox(painter, QRectF(from - 0.5, at.y() + 1, to - from + 1, m_lineHeight - 2), 2, ground,
            mixed(colour(old ? Colour::Failed : Colour::Succeeded, this), ground, markEdgeStrength));
    }
    qreal x = at.x();
    qsizetype begin = 0;
    while (begin < body.size() && x < at.x() + width + horizontalScrollBar()->value()) {
        const char style = styles.at(range.begin + begin);
        qsizetype end = begin + 1;
        const auto continues = [&](qsizetype i) {
            const bool inside = (static_cast<unsigned char>(body[i]) & 0xC0) == 0x80; // of a character
            return inside || styles.at(range.begin + i) == style;
        };
        while (end < body.size() && continues(end)) {
            ++end;
        }
        const QString piece = shown(body.sliced(begin, end - begin));
        const qreal advance = fontMetrics.horizontalAdvance(piece);
        painter->setPen(colour(colourOf(style), this));
        painter->drawText(QPointF(x, at.y() + (m_lineHeight - fontMetrics.height()) / 2 + fontMetrics.ascent()), piece);
        x += advance;
        begin = end;
    }
}

void DiffView::drawSide(QPainter *painter, const DiffRow &row, bool old, const Side &side, int y) const
{
    const QRect ground(side.gutter, y, side.end - side.gutter, m_lineHeight);
    const Theme theme = themeOf(this);
    painter->fillRect(ground, lineGround(row.kind, old, theme));
    const qsizetype line = old ? row.oldLine : row.newLine;
    if (line < 0) {
        return;
    }
    painter->setPen(colour(Colour::Muted, this));
    painter->drawText(QRect(side.gutter, y, side.text - signWidth - textPadding - side.gutter, m_lineHeight),
        Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
    if (row.kind != DiffRow::Kind::Equal) {
        painter->setPen(colour(old ? Colour::Failed : Colour::Succeeded, this));
        painter->drawText(QRect(side.text - signWidth, y, signWidth, m_lineHeight), Qt::AlignCenter,
            old ? QStringLiteral("\u2212") : QStringLiteral("+"));
    }
    const InlineDiff marks = marksOf(row);
    painter->save();
    painter->setClipRect(QRect(side.text, y, side.end - side.text, m_lineHeight));
    drawText(painter, old ? m_old : m_new, line, old, old ? marks.oldMarks : marks.newMarks,
        QPointF(side.text - horizontalScrollBar()->value(), y), side.end - side.text);
    painter->restore();
}

void DiffView::drawRow(QPainter *painter, qsizetype index, int y) const
{
    const DiffRow &row = m_rows.at(index);
    const int width = viewport()->width();
    if (row.kind == DiffRow::Kind::Fold) {
        painter->fillRect(QRect(0, y, width, m_lineHeight), lineGround(row.kind, true, themeOf(this)));
        const Side side = sideAt(true);
        paintIcon(painter, QStringLiteral("chevron-right"),
            QRectF(side.text - signWidth + 3, y + (m_lineHeight - 13) / 2.0, 13, 13), colour(Colour::Muted, this));
        painter->save();
        painter->setFont(fonts::small());
        painter->setPen(colour(Colour::Muted, this));
        painter->drawText(QRect(side.text, y, width - side.text, m_lineHeight), Qt::AlignVCenter,
            tr("%n equal line(s)", nullptr, int(row.folded)));
        painter->restore();
    } else if (m_mode == Mode::SideBySide) {
        drawSide(painter, row, true, sideAt(true), y);
        drawSide(painter, row, false, sideAt(false), y);
    } else {
        drawSide(painter, row, row.kind == DiffRow::Kind::Removed, sideAt(false), y);
    }
    if (row.change >= 0 && row.change == m_current) {
        painter->fillRect(QRect(0, y, metrics::selectionBar, m_lineHeight), colour(Colour::Accent, this));
    }
    if (m_anchor >= 0 && index >= std::min(m_anchor, m_cursor) && index <= std::max(m_anchor, m_cursor)) {
        const Side side = sideAt(m_mode == Mode::SideBySide && m_selectedOld);
        const QRect box(
            side.gutter, y, (row.kind == DiffRow::Kind::Fold ? width : side.end) - side.gutter, m_lineHeight);
        painter->fillRect(box, withAlpha(colour(Colour::Accent, this), 0.16));
    }
}

void DiffView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setFont(m_font);
    painter.fillRect(event->rect(), colour(Colour::Surface, this));
    const int first = verticalScrollBar()->value();
    const int from = std::max(0, event->rect().top() / m_lineHeight);
    const int to = event->rect().bottom() / m_lineHeight;
    for (int i = from; i <= to && first + i < m_rows.size(); ++i) {
        drawRow(&painter, first + i, i * m_lineHeight);
    }
    if (m_mode == Mode::SideBySide) {
        painter.fillRect(QRect(sideAt(true).end, 0, 1, viewport()->height()), colour(Colour::Border, this));
    }
    if (hasFocus()) {
        painter.fillRect(QRect(0, 0, viewport()->width(), 1), colour(Colour::Accent, this));
    }
}

} // namespace trainyard
