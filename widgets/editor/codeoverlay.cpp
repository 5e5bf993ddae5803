// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/codeoverlay.h"

#include "widgets/common/icons.h"
#include "widgets/common/textsize.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int codeMargins = 5; // of Scintilla
constexpr int barAboveLine = metrics::statusLine - metrics::logLine; // how much higher than a line a bar is
constexpr qreal dotRadius = 2;
constexpr qreal dotStep = 7;
constexpr int mostDots = 10; // however long the value is
constexpr int dotsOfName = 4; // before a name, which says the rest
} // namespace

CodeOverlay::CodeOverlay(CodeView *view) : QWidget(view->viewport()), m_view(view)
{
    setObjectName(QStringLiteral("codeOverlay"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    view->viewport()->installEventFilter(this);
    // Areas that are redrawn below are redrawn here, too; a scrolled text need not be.
    connect(view, &QsciScintillaBase::SCN_UPDATEUI, this, [this](int updated) {
        if (updated & (QsciScintillaBase::SC_UPDATE_V_SCROLL | QsciScintillaBase::SC_UPDATE_H_SCROLL)) {
            update();
        }
    });
    cover();
    show();
}

void CodeOverlay::setBars(const QList<Bar> &bars)
{
    m_bars = bars;
    m_view->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONCLEARALL);
    m_view->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONSETVISIBLE, QsciScintillaBase::ANNOTATION_STANDARD);
    for (const Bar &bar : bars) {
        m_view->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONSETTEXT, uintptr_t(bar.line), " ");
    }
    update();
}

void CodeOverlay::setDots(const QList<ByteRange> &ranges, const QStringList &names)
{
    if (ranges == m_dots && names == m_dotNames) {
        return; // a caret that moves would have all of the text painted again
    }
    m_dots = ranges;
    m_dotNames = names;
    update();
}

bool CodeOverlay::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::Resize) {
        cover();
    }
    return QWidget::eventFilter(watched, event);
}

// A viewport that scrolls its picture takes its children along.
void CodeOverlay::moveEvent(QMoveEvent *event)
{
    QWidget::moveEvent(event);
    cover();
}

void CodeOverlay::cover()
{
    if (geometry() != m_view->viewport()->rect()) {
        setGeometry(m_view->viewport()->rect());
    }
    update();
}

bool CodeOverlay::isShown(qsizetype line) const
{
    return line < m_view->lines()
        && m_view->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, static_cast<unsigned long>(line)) != 0;
}

int CodeOverlay::textLeft() const
{
    int left = int(m_view->SendScintilla(QsciScintillaBase::SCI_GETMARGINLEFT));
    for (int margin = 0; margin < codeMargins; ++margin) {
        left += m_view->marginWidth(margin);
    }
    return left;
}

QRect CodeOverlay::placeOf(const Bar &bar) const
{
    const int line = int(m_view->SendScintilla(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL));
    const int height = std::min(2 * line, line + barAboveLine);
    const int top = m_view->pointOf(m_view->lineStart(bar.line)).y();
    return {0, top + (2 * line - height) / 2, width(), height};
}

void CodeOverlay::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    for (const Bar &bar : std::as_const(m_bars)) {
        if (isShown(bar.line)) {
            paintBar(painter, bar);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (qsizetype i = 0; i < m_dots.size(); ++i) {
        const ByteRange &range = m_dots.at(i);
        if (range.begin < range.end && isShown(m_view->lineOf(range.begin))) {
            paintDots(painter, range, m_dotNames.value(i));
        }
    }
}

void CodeOverlay::paintBar(QPainter &painter, const Bar &bar) const
{
    const QRect place = placeOf(bar);
    const int line = int(m_view->SendScintilla(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL));
    const QRect lines(0, m_view->pointOf(m_view->lineStart(bar.line)).y(), width(), 2 * line);
    if (!lines.intersects(rect())) {
        return;
    }
    painter.fillRect(lines, colour(m_view->ground(), this));
    painter.fillRect(place, colour(Colour::Window, this));
    const QColor border = colour(Colour::Border, this);
    painter.fillRect(QRect(place.left(), place.top(), place.width(), 1), border);
    painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), border);
    const int side = metrics::smallIcon;
    const int left = std::max(side + metrics::space2, textLeft());
    paintIcon(&painter, bar.icon,
        QRectF(left - side - metrics::space2, place.top() + (place.height() - side) / 2.0, side, side),
        colour(Colour::Muted, this));
    QRect room = place.adjusted(left, 0, -metrics::space3, 0);
    const auto draw = [&](const QFont &font, Colour role, const QString &text, Qt::Alignment where) {
        const QFontMetrics sizes(font);
        painter.setFont(font);
        painter.setPen(colour(role, this));
        painter.drawText(
            room, int(where | Qt::AlignVCenter), sizes.elidedText(text, Qt::ElideRight, std::max(0, room.width())));
        return std::min(room.width(), sizes.horizontalAdvance(text)) + metrics::space2;
    };
    // The name comes first, then how long it is.
    room.setLeft(room.left() + draw(fonts::semibold(), Colour::Text, bar.title, Qt::AlignLeft));
    const QFontMetrics small(fonts::small());
    if (small.horizontalAdvance(bar.atEnd) <= room.width()) {
        room.setRight(room.right() - draw(fonts::small(), Colour::Muted, bar.atEnd, Qt::AlignRight));
        draw(fonts::small(), Colour::Muted, bar.detail, Qt::AlignLeft);
    }
}

void CodeOverlay::paintDots(QPainter &painter, ByteRange range, const QString &name) const
{
    const QPoint begin = m_view->pointOf(range.begin);
    const QPoint end = m_view->pointOf(range.end);
    const int height = int(m_view->SendScintilla(QsciScintillaBase::SCI_TEXTHEIGHT, 0UL));
    const int right = end.y() == begin.y() ? end.x() : width(); // else it goes on in a wrapped line
    const int count = std::clamp(int((right - begin.x()) / dotStep), 1, name.isEmpty() ? mostDots : dotsOfName);
    const QFont font = TextSize::code()->font();
    const QFontMetricsF sizes(font);
    const qreal behind = (count - 1) * dotStep + 2 * dotStep; // where the name begins, from the first dot
    const QString word = sizes.elidedText(name, Qt::ElideRight, std::max(0.0, right - begin.x() - behind - dotStep));
    const qreal wide = word.isEmpty() ? (count - 1) * dotStep : behind + sizes.horizontalAdvance(word);
    painter.save();
    painter.setClipRect(QRect(textLeft(), 0, width() - textLeft(), this->height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(Colour::Text, this));
    const qreal middle = begin.y() + height / 2.0;
    const qreal left = begin.x() + (right - begin.x() - wide) / 2.0;
    for (int i = 0; i < count; ++i) {
        painter.drawEllipse(QPointF(left + i * dotStep, middle), dotRadius, dotRadius);
    }
    if (!word.isEmpty()) {
        painter.setFont(font);
        painter.setPen(colour(Colour::Text, this));
        painter.drawText(QRectF(left + behind, begin.y(), right - left - behind, height),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, word);
    }
    painter.restore();
}

} // namespace trainyard
