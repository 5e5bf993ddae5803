// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/savedpainter.h"
#include "widgets/common/stylepaint.h"

#include <QPainter>
#include <QStyleOption>
#include <QWidget>

namespace trainyard::stylepaint
{

void button(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame, ButtonKind kind,
    bool checked, bool small)
{
    const qreal radius = frame.pill ? rect.height() / 2.0 : small ? metrics::smallRadius : metrics::radius;
    QColor fill = colour(Colour::Raised, palette);
    QColor edge = colour(Colour::Edge, palette);
    switch (kind) {
    case ButtonKind::Normal:
        if (frame.hover) {
            fill = themeOf(palette) == Theme::Light ? colour(Colour::Hover, palette) : colour(Colour::Border, palette);
        }
        if (frame.pressed) {
            fill = colour(Colour::Track, palette);
        }
        if (checked) {
            fill = colour(Colour::Selection, palette);
        }
        if (!frame.enabled) {
            fill = withAlpha(fill, 0.6);
            edge = withAlpha(edge, 0.6);
        }
        break;
    case ButtonKind::Primary:
        fill = edge = colour(Colour::Accent, palette);
        if (frame.hover) {
            fill = edge = mixed(colour(Colour::Text, palette), fill, 0.10);
        }
        if (frame.pressed) {
            fill = edge = mixed(colour(Colour::Text, palette), fill, 0.20);
        }
        if (!frame.enabled) {
            fill = colour(Colour::Track, palette);
            edge = colour(Colour::Border, palette);
        }
        break;
    case ButtonKind::Quiet:
    case ButtonKind::Link:
        fill = QColor();
        edge = QColor();
        if (kind == ButtonKind::Quiet && (frame.hover || frame.pressed)) {
            fill = colour(frame.pressed ? Colour::Track : Colour::Hover, palette);
        }
        if (checked) {
            fill = colour(Colour::Selection, palette);
        }
        break;
    }
    if (fill.isValid() || edge.isValid()) {
        roundedBox(painter, rect, radius, fill, edge);
    }
    if (frame.focus) {
        focusRing(painter, rect, radius, colour(Colour::Accent, palette));
        if (kind == ButtonKind::Primary) {
            roundedBox(painter, QRectF(rect).adjusted(2, 2, -2, -2), radius - 2, {}, colour(Colour::OnAccent, palette));
        }
    }
}

void checkBox(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame, Qt::CheckState state)
{
    const SavedPainter saved(painter);
    const qreal side = metrics::checkBox;
    const QPointF middle = QRectF(rect).center(); // that of whole pixels is half of one off
    const QRectF box(middle.x() - side / 2, middle.y() - side / 2, side, side);
    if (!frame.enabled) {
        painter->setOpacity(0.5);
    }
    const bool on = state != Qt::Unchecked;
    const QColor accent = colour(Colour::Accent, palette);
    const QColor edge = on ? accent : colour(frame.hover ? Colour::Muted : Colour::Mark, palette);
    roundedBox(painter, box, 3, on ? accent : colour(Colour::Field, palette), edge);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour(Colour::OnAccent, palette), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->translate(box.topLeft());
    if (state == Qt::Checked) {
        painter->drawPolyline(QPolygonF({QPointF(4.1, 8.3), QPointF(6.7, 10.9), QPointF(11.9, 5.5)}));
    } else if (state == Qt::PartiallyChecked) {
        painter->drawLine(QPointF(4.5, 8), QPointF(11.5, 8));
    }
}

void radioButton(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame, bool on)
{
    const SavedPainter saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    if (!frame.enabled) {
        painter->setOpacity(0.5);
    }
    const QPointF centre = QRectF(rect).center();
    const QColor accent = colour(Colour::Accent, palette);
    painter->setPen(QPen(on ? accent : colour(frame.hover ? Colour::Muted : Colour::Mark, palette), 1));
    painter->setBrush(on ? accent : colour(Colour::Field, palette));
    painter->drawEllipse(centre, 7.5, 7.5);
    if (on) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(colour(Colour::OnAccent, palette));
        painter->drawEllipse(centre, 3, 3);
    }
}

void chevronPair(QPainter *painter, const QRectF &rect, const QColor &ink)
{
    const SavedPainter saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(ink, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->translate(rect.center() - QPointF(4.5, 6));
    painter->drawPolyline(QPolygonF({QPointF(1.5, 4.5), QPointF(4.5, 1.5), QPointF(7.5, 4.5)}));
    painter->drawPolyline(QPolygonF({QPointF(1.5, 7.5), QPointF(4.5, 10.5), QPointF(7.5, 7.5)}));
}

void tabScroller(QPainter *painter, const QStyleOptionToolButton *option, const Frame &frame, Colour ground)
{
    const QPalette &palette = option->palette;
    const QRect r = option->rect;
    painter->fillRect(r, colour(ground, palette)); // tabs go under it
    if (frame.enabled && (frame.hover || frame.pressed)) {
        roundedBox(painter, QRectF(r).adjusted(2, 4, -2, -4), metrics::smallRadius, colour(Colour::Hover, palette), {});
    }
    const QColor ink = colour(Colour::Text, palette);
    paintIcon(painter,
        option->arrowType == Qt::LeftArrow ? QStringLiteral("chevron-left") : QStringLiteral("chevron-right"),
        QRectF(r.center().x() - 6.5, r.center().y() - 6.5, metrics::smallIcon, metrics::smallIcon),
        frame.enabled ? ink : withAlpha(ink, 0.38));
}

void toolButton(QPainter *painter, const QStyleOptionToolButton *option, const QWidget *widget, const QStyle *style)
{
    const SavedPainter saved(painter);
    const QPalette &palette = option->palette;
    const ButtonKind kind = widget && widget->property("trainyardKind").isValid() ? buttonKind(widget)
        : option->state.testFlag(QStyle::State_AutoRaise)                         ? ButtonKind::Quiet
                                                                                  : ButtonKind::Normal;
    Frame frame = frameOf(option, widget);
    frame.focus = frame.focus && option->state.testFlag(QStyle::State_KeyboardFocusChange);
    const bool checked = option->state.testFlag(QStyle::State_On);
    const bool split = option->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
    const bool menu = option->features.testFlag(QStyleOptionToolButton::HasMenu) && !split;
    button(painter, option->rect, palette, frame, kind, checked, isSmall(widget));

    QColor ink = colour(checked ? Colour::Accent : Colour::Text, palette);
    if (kind == ButtonKind::Primary) {
        ink = colour(frame.enabled ? Colour::OnAccent : Colour::Muted, palette);
    } else if (kind == ButtonKind::Link) {
        ink = colour(Colour::Accent, palette);
    } else if (!frame.enabled) {
        ink = withAlpha(ink, 0.38);
    }
    QRect content = option->rect;
    constexpr int arrow = 12;
    if (split) {
        const QRect drop = style->subControlRect(QStyle::CC_ToolButton, option, QStyle::SC_ToolButtonMenu, widget);
        if (kind == ButtonKind::Primary || kind == ButtonKind::Normal) {
            painter->fillRect(QRect(drop.left(), drop.top() + 1, 1, drop.height() - 2), withAlpha(ink, 0.35));
        }
        paintIcon(painter, QStringLiteral("chevron-down"),
            QRectF(drop.center().x() - 5.5, drop.center().y() - 5.5, arrow, arrow), ink);
        content.setRight(drop.left() - 1);
    } else if (menu && !option->text.isEmpty()) {
        content.setRight(content.right() - 6 - arrow);
        paintIcon(painter, QStringLiteral("chevron-down"),
            QRectF(content.right(), content.center().y() - 5.5, arrow, arrow), ink);
    }
    const bool showText = option->toolButtonStyle != Qt::ToolButtonIconOnly && !option->text.isEmpty();
    const bool showIcon = option->toolButtonStyle != Qt::ToolButtonTextOnly && !option->icon.isNull();
    painter->setFont(option->font);
    const int textWidth = showText ? option->fontMetrics.size(Qt::TextShowMnemonic, option->text).width() : 0;
    const int iconSide = showIcon ? option->iconSize.width() : 0;
    const int gap = showText && showIcon ? 6 : 0;
    int x = content.left() + (content.width() - textWidth - iconSide - gap) / 2;
    if (showText && x < content.left() + 6) {
        x = content.left() + 6;
    }
    if (showIcon) {
        const qreal ratio = painter->device()->devicePixelRatioF();
        const QRect at(x, content.top() + (content.height() - iconSide + 1) / 2, iconSide, iconSide);
        QPixmap pixmap = option->icon.pixmap(
            option->iconSize, ratio, frame.enabled ? QIcon::Normal : QIcon::Disabled, checked ? QIcon::On : QIcon::Off);
        if (kind == ButtonKind::Primary || kind == ButtonKind::Link) {
            QPainter tint(&pixmap);
            tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
            tint.fillRect(QRect(QPoint(), at.size()), ink);
        }
        painter->drawPixmap(at.topLeft(), pixmap);
        x += iconSide + gap;
    }
    if (showText) {
        painter->setPen(ink);
        const QRect text(x, content.top(), content.right() - x - 1, content.height());
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | Qt::TextSingleLine,
            option->fontMetrics.elidedText(option->text, Qt::ElideMiddle, text.width() + 1));
    }
}

void buttonLabel(QPainter *painter, const QStyleOptionButton *option, const QWidget *widget)
{
    const SavedPainter saved(painter);
    const QPalette &palette = option->palette;
    const ButtonKind kind = buttonKind(widget);
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    const bool checked = option->state.testFlag(QStyle::State_On);
    QColor ink = colour(checked ? Colour::Accent : Colour::Text, palette);
    if (kind == ButtonKind::Primary) {
        ink = colour(enabled ? Colour::OnAccent : Colour::Muted, palette);
    } else if (kind == ButtonKind::Link) {
        ink = colour(enabled ? Colour::Accent : Colour::Muted, palette);
    } else if (!enabled) {
        ink = withAlpha(colour(Colour::Muted, palette), 0.6);
    }
    const bool menu = option->features.testFlag(QStyleOptionButton::HasMenu);
    const int iconSide = option->icon.isNull() ? 0 : std::min(option->iconSize.width(), option->rect.height() - 4);
    const int textWidth = option->fontMetrics.size(Qt::TextShowMnemonic, option->text).width();
    const int gap = iconSide > 0 && !option->text.isEmpty() ? 6 : 0;
    const int arrow = menu ? 16 : 0;
    const QRect r = option->rect;
    const bool leftAligned = kind == ButtonKind::Link;
    int x = leftAligned ? r.left() : r.left() + std::max(4, (r.width() - iconSide - gap - textWidth - arrow) / 2);
    if (iconSide > 0) {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap pixmap = option->icon.pixmap(
            QSize(iconSide, iconSide), ratio, enabled ? QIcon::Normal : QIcon::Disabled, QIcon::Off);
        if (kind == ButtonKind::Primary || kind == ButtonKind::Link || checked) {
            QPainter tint(&pixmap);
            tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
            tint.fillRect(QRect(0, 0, iconSide, iconSide), ink);
        }
        painter->drawPixmap(x, r.top() + (r.height() - iconSide + 1) / 2, pixmap);
        x += iconSide + gap;
    }
    painter->setPen(ink);
    const QRect text(x, r.top(), r.right() + 1 - x - arrow, r.height());
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | Qt::TextSingleLine, option->text);
    if (menu) {
        paintIcon(painter, QStringLiteral("chevron-down"), QRectF(x + textWidth + 5, r.center().y() - 5.5, 12, 12),
            colour(enabled ? Colour::Muted : Colour::Mark, palette));
    }
}

} // namespace trainyard::stylepaint
