// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/templatecard.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QSvgRenderer>
#include <QTextLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int pictureHeight = 112;
constexpr int pictureWidth = 248;
constexpr int side = 16;
constexpr int cardHeight = 206;
constexpr int leastWidth = pictureWidth + side;
constexpr int mostWidth = 348;
constexpr int mostWidthOfFew = 440; // where there are no more cards for the room beside them

// At most two lines; what does not fit ends with an ellipsis.
void drawTwoLines(QPainter *painter, const QRect &rect, const QString &text)
{
    const QFontMetrics metrics = painter->fontMetrics();
    QTextLayout layout(text, painter->font());
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(rect.width());
    const int cut = line.textStart() + line.textLength();
    layout.endLayout();
    painter->drawText(
        QRect(rect.left(), rect.top(), rect.width(), rect.height() / 2), Qt::AlignVCenter, text.left(cut).trimmed());
    const QString rest = text.mid(cut).trimmed();
    painter->drawText(QRect(rect.left(), rect.top() + rect.height() / 2, rect.width(), rect.height() / 2),
        Qt::AlignVCenter, metrics.elidedText(rest, Qt::ElideRight, rect.width()));
}
} // namespace

TemplateCard::TemplateCard(const JobTemplate &job, QWidget *parent)
    : QAbstractButton(parent), m_job(job), m_picture(job.picture())
{
    setText(job.title);
    setShortcut({}); // an "&" in a title marks no key
    setAccessibleName(job.title);
    setOpenedByEnter(false);
    setToolTip(plainTip(
        job.origin == JobTemplate::Origin::Bundled ? job.summary : job.summary + QLatin1Char('\n') + job.path));
    setFixedSize(mostWidth, cardHeight);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
}

int TemplateCard::rowsIn(int room, int gap) { return (room + gap) / (cardHeight + gap); }

TemplateCard::Fit TemplateCard::fit(int room, int gap, int mostColumns)
{
    const int columns = std::clamp((room + gap) / (leastWidth + gap), 1, std::max(1, mostColumns));
    const int most = columns == mostColumns ? mostWidthOfFew : mostWidth;
    return {columns, std::clamp((room + gap) / columns - gap, leastWidth, most)};
}

void TemplateCard::setCardWidth(int width) { setFixedWidth(width); }

void TemplateCard::setOpenedByEnter(bool on)
{
    m_openedByEnter = on;
    const QString about = tr("%1 Needs: %2").arg(m_job.summary, m_job.needs);
    setAccessibleDescription(on ? tr("Enter opens it. %1").arg(about) : about);
    update();
}

void TemplateCard::drawEnterKey(QPainter *painter) const
{
    const QString key = tr("Enter");
    painter->setFont(fonts::tiny());
    const int wide = painter->fontMetrics().horizontalAdvance(key) + 12;
    const QRectF cap(width() - wide - metrics::space2, metrics::space2, wide, 20);
    stylepaint::roundedBox(painter, cap, 3, colour(Colour::Accent, this), {});
    painter->setPen(colour(Colour::OnAccent, this));
    painter->drawText(cap, Qt::AlignCenter, key);
}

QByteArray TemplateCard::coloured() const
{
    static const QList<std::pair<QByteArray, Colour>> names{
        {"window", Colour::Window},
        {"surface", Colour::Surface},
        {"border", Colour::Border},
        {"text", Colour::Text},
        {"muted", Colour::Muted},
        {"accent", Colour::Accent},
        {"sel", Colour::Selection},
        {"edge", Colour::Edge},
        {"mark", Colour::Mark},
        {"s2", Colour::Series2},
    };
    QByteArray svg = m_picture;
    for (const auto &[name, role] : names) {
        svg.replace(QByteArray("var(--" + name + ')'), colour(role, this).name().toLatin1());
    }
    return svg;
}

void TemplateCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    stylepaint::roundedBox(&painter, rect(), metrics::cardRadius, colour(Colour::Surface, this),
        colour(underMouse() || m_openedByEnter ? Colour::Accent : Colour::Border, this));
    painter.fillRect(QRectF(1, pictureHeight, width() - 2, 1), colour(Colour::Border, this));
    QSvgRenderer renderer(coloured());
    renderer.render(&painter, QRectF((width() - pictureWidth) / 2.0, (pictureHeight - 92) / 2.0, pictureWidth, 92));
    const int room = width() - 2 * side;
    painter.setFont(fonts::semibold());
    painter.setPen(colour(Colour::Text, this));
    painter.drawText(QRect(side, pictureHeight + 8, room, 18), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(text(), Qt::ElideRight, room));
    painter.setFont(fonts::small());
    painter.setPen(colour(Colour::Muted, this));
    drawTwoLines(&painter, QRect(side, pictureHeight + 27, room, 34), m_job.summary);
    const bool gpu = m_job.needs.contains(QLatin1String("GPU"));
    paintIcon(&painter, gpu ? QStringLiteral("gpu") : QStringLiteral("computer"),
        QRectF(side, pictureHeight + 69.5, 13, 13), colour(Colour::Muted, this));
    painter.drawText(QRect(side + 20, pictureHeight + 67, room - 20, 18), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_job.needs, Qt::ElideRight, room - 20));
    if (m_openedByEnter) {
        drawEnterKey(&painter);
    }
    if (hasFocus()) {
        stylepaint::focusRing(&painter, rect(), metrics::cardRadius, colour(Colour::Accent, this));
    }
}

void TemplateCard::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        click();
        break;
    case Qt::Key_Left:
        Q_EMIT moveRequested(-1, 0);
        break;
    case Qt::Key_Right:
        Q_EMIT moveRequested(1, 0);
        break;
    case Qt::Key_Up:
        Q_EMIT moveRequested(0, -1);
        break;
    case Qt::Key_Down:
        Q_EMIT moveRequested(0, 1);
        break;
    case Qt::Key_Menu:
        Q_EMIT menuRequested(mapToGlobal(rect().center()));
        break;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void TemplateCard::contextMenuEvent(QContextMenuEvent *event) { Q_EMIT menuRequested(event->globalPos()); }

} // namespace trainyard
