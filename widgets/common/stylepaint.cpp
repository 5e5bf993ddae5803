// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/stylepaint.h"

#include "widgets/common/icons.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QWidget>

#include <cmath>

namespace trainyard::stylepaint
{
namespace
{
constexpr qreal halfPixel = 0.5;

// Pens of one logical pixel fall between device pixels at fractional scales: inset by half the pen.
QRectF inside(const QRectF &rect, qreal penWidth)
{
    const qreal d = penWidth / 2;
    return rect.adjusted(d, d, -d, -d);
}

class Saved
{
public:
    explicit Saved(QPainter *painter) : m_painter(painter) { m_painter->save(); }
    ~Saved() { m_painter->restore(); }
    Saved(const Saved &) = delete;
    Saved &operator=(const Saved &) = delete;

private:
    QPainter *m_painter;
};
} // namespace

bool showsFocus(const QWidget *widget)
{
    return widget->hasFocus() && widget->window()->testAttribute(Qt::WA_KeyboardFocusChange);
}

bool isInsideField(const QWidget *widget)
{
    const QWidget *parent = widget ? widget->parentWidget() : nullptr;
    return parent && (qobject_cast<const QComboBox *>(parent) || qobject_cast<const QAbstractSpinBox *>(parent));
}

Frame frameOf(const QStyleOption *option, const QWidget *widget)
{
    Frame frame;
    frame.enabled = option->state.testFlag(QStyle::State_Enabled);
    frame.hover = frame.enabled && option->state.testFlag(QStyle::State_MouseOver);
    frame.pressed = frame.enabled && option->state.testFlag(QStyle::State_Sunken);
    frame.focus = frame.enabled && option->state.testFlag(QStyle::State_HasFocus);
    frame.error = hasFieldError(widget);
    frame.pill = widget && widget->property("trainyardPill").toBool();
    return frame;
}

void roundedBox(QPainter *painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &edge)
{
    const Saved saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    if (edge.isValid()) {
        painter->setPen(QPen(edge, 1));
        painter->drawRoundedRect(inside(rect, 1), radius - halfPixel, radius - halfPixel);
    } else {
        painter->setPen(Qt::NoPen);
        painter->drawRoundedRect(rect, radius, radius);
    }
}

void focusRing(QPainter *painter, const QRectF &rect, qreal radius, const QColor &accent)
{
    const Saved saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(accent, metrics::focusRing));
    painter->drawRoundedRect(inside(rect, metrics::focusRing), radius - 1, radius - 1);
}

bool isComboPopup(const QWidget *widget) { return widget && widget->inherits("QComboBoxPrivateContainer"); }

void popupPanel(QPainter *painter, const QRect &rect, const QPalette &palette)
{
    painter->fillRect(rect, colour(Colour::Raised, palette)); // a mask cuts the corners where it is a window
    roundedBox(painter, rect, metrics::popupRadius, {}, colour(Colour::Edge, palette));
}

QRegion popupMask(const QRect &rect)
{
    constexpr int radius = metrics::popupRadius;
    if (rect.height() <= 2 * radius || rect.width() <= 2 * radius) {
        return rect;
    }
    QRegion region(rect.adjusted(0, radius, 0, -radius));
    for (int row = 0; row < radius; ++row) {
        const qreal up = radius - row - halfPixel;
        const int cut = int(std::floor(radius - std::sqrt(qreal(radius * radius) - up * up)));
        region += QRect(rect.left() + cut, rect.top() + row, rect.width() - 2 * cut, 1);
        region += QRect(rect.left() + cut, rect.bottom() - row, rect.width() - 2 * cut, 1);
    }
    return region;
}

void field(QPainter *painter, const QRect &rect, const QPalette &palette, const Frame &frame)
{
    const QColor fill = frame.enabled ? colour(Colour::Field, palette) : QColor();
    QColor edge = colour(frame.enabled && frame.hover ? Colour::Muted : Colour::FieldEdge, palette);
    if (frame.error) {
        edge = colour(Colour::Failed, palette);
    } else if (!frame.enabled) {
        edge = colour(Colour::Border, palette);
    }
    roundedBox(painter, rect, metrics::radius, fill, edge);
    if (frame.focus) {
        focusRing(painter, rect, metrics::radius, colour(Colour::Accent, palette));
        if (frame.error) {
            // Both at once: the ring outside, the error inside it.
            roundedBox(painter, QRectF(rect).adjusted(2, 2, -2, -2), metrics::radius - 2, {}, edge);
        }
    }
}

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
    const Saved saved(painter);
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
    const Saved saved(painter);
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
    const Saved saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(ink, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->translate(rect.center() - QPointF(4.5, 6));
    painter->drawPolyline(QPolygonF({QPointF(1.5, 4.5), QPointF(4.5, 1.5), QPointF(7.5, 4.5)}));
    painter->drawPolyline(QPolygonF({QPointF(1.5, 7.5), QPointF(4.5, 10.5), QPointF(7.5, 7.5)}));
}

void tabShape(QPainter *painter, const QStyleOptionTab *option, TabKind kind)
{
    const Saved saved(painter);
    const QPalette &palette = option->palette;
    const QRect r = option->rect;
    const bool selected = option->state.testFlag(QStyle::State_Selected);
    const bool hover = option->state.testFlag(QStyle::State_MouseOver);
    const bool focus = selected && option->state.testFlag(QStyle::State_HasFocus)
        && option->state.testFlag(QStyle::State_KeyboardFocusChange);
    const QColor accent = colour(Colour::Accent, palette);
    const QColor border = colour(Colour::Border, palette);
    switch (kind) {
    case TabKind::Document:
        painter->fillRect(r, colour(selected ? Colour::Surface : hover ? Colour::Hover : Colour::Window, palette));
        painter->fillRect(QRect(r.right(), r.top(), 1, r.height()), border);
        if (selected) {
            painter->fillRect(QRect(r.left(), r.top(), r.width(), metrics::tabLine), accent);
        } else {
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), border);
        }
        break;
    case TabKind::Inner:
    case TabKind::Folded:
        if (kind == TabKind::Inner) { // nothing is below a folded one
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), border);
        }
        if (selected && kind == TabKind::Inner) {
            painter->fillRect(QRect(r.left() + 8, r.bottom() - 1, r.width() - 16, metrics::tabLine), accent);
        }
        break;
    case TabKind::Card:
        if (selected) {
            painter->setRenderHint(QPainter::Antialiasing);
            QPainterPath path;
            path.addRoundedRect(QRectF(r).adjusted(0.5, 0.5, -0.5, 10), metrics::tabRadius, metrics::tabRadius);
            painter->setClipRect(r);
            painter->setPen(border);
            painter->setBrush(colour(Colour::Surface, palette));
            painter->drawPath(path);
        } else {
            painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), border);
        }
        break;
    }
    if (focus) {
        focusRing(painter, QRectF(r).adjusted(3, 4, -3, -4), metrics::smallRadius, accent);
    }
}

void rowGround(QPainter *painter, const QRect &rect, const QPalette &palette, bool selected, bool hover, bool bar)
{
    if (selected) {
        painter->fillRect(rect, colour(Colour::Selection, palette));
    } else if (hover) {
        painter->fillRect(rect, colour(Colour::Hover, palette));
    }
    if (selected && bar) {
        painter->fillRect(
            QRect(rect.left(), rect.top(), metrics::selectionBar, rect.height()), colour(Colour::Accent, palette));
    }
}

void sideRowGround(QPainter *painter, const QRect &rect, const QPalette &palette, bool selected, bool hover)
{
    // The ground of the pointer on a surface cannot be told from the window. That of what is selected has a bar, and
    // the colours of states are read on it: it is the same everywhere.
    constexpr qreal hoverShare = 0.06;
    if (selected) {
        rowGround(painter, rect, palette, true, false, true);
    } else if (hover) {
        painter->fillRect(rect, mixed(colour(Colour::Text, palette), colour(Colour::Window, palette), hoverShare));
    }
}

QRect numberHead(const QStyleOptionHeader *option, bool isArrow)
{
    constexpr int margin = 6, gap = 4;
    const QRect r = option->rect.adjusted(margin, 0, -metrics::space2, 0); // CellDelegate's numbers end there
    if (option->sortIndicator == QStyleOptionHeader::None) {
        return isArrow ? QRect() : r;
    }
    const int room = std::max(0, r.width() - metrics::tinyIcon - gap);
    const int words = std::min(option->fontMetrics.horizontalAdvance(option->text), room);
    return isArrow ? QRect(r.right() + 1 - words - gap - metrics::tinyIcon, r.top(), metrics::tinyIcon, r.height())
                   : QRect(r.right() + 1 - room, r.top(), room, r.height());
}

void headerSection(QPainter *painter, const QStyleOptionHeader *option)
{
    painter->fillRect(option->rect, colour(Colour::Surface, option->palette));
    const QRect r = option->rect;
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), colour(Colour::Border, option->palette));
}

void menuItem(QPainter *painter, const QStyleOptionMenuItem *option, const QStyle *style)
{
    const Saved saved(painter);
    const QPalette &palette = option->palette;
    const QRect r = option->rect;
    if (option->menuItemType == QStyleOptionMenuItem::Separator) {
        if (!option->text.isEmpty()) {
            painter->setFont(fonts::small());
            painter->setPen(colour(Colour::Muted, palette));
            const QRect words = r.adjusted(metrics::space3, 0, -metrics::space3, 0);
            painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                painter->fontMetrics().elidedText(option->text, Qt::ElideRight, words.width()));
        } else {
            painter->fillRect(QRect(r.left() + 8, r.center().y(), r.width() - 16, 1), colour(Colour::Border, palette));
        }
        return;
    }
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    // The same as in lists, also those that pop up.
    rowGround(painter, r, palette, option->state.testFlag(QStyle::State_Selected) && enabled, false, true);
    constexpr int iconColumn = 28;
    const QRect mark(r.left() + 10, r.center().y() - 7, 16, 16);
    if (option->checkType != QStyleOptionMenuItem::NotCheckable && option->checked) {
        paintIcon(painter, QStringLiteral("check"), mark, colour(Colour::Accent, palette));
    } else if (!option->icon.isNull()) {
        option->icon.paint(painter, mark, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    }
    const qsizetype tab = option->text.indexOf(QLatin1Char('\t'));
    const QString label = tab >= 0 ? option->text.left(tab) : option->text;
    const QString shortcut = tab >= 0 ? option->text.mid(tab + 1) : QString();
    const QRect text = r.adjusted(iconColumn + 6, 0, -14, 0);
    const QColor ink = colour(enabled ? Colour::Text : Colour::Muted, palette);
    painter->setPen(enabled ? ink : withAlpha(ink, 0.8)); // off, and still to be read
    painter->setFont(option->font);
    style->drawItemText(painter, text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | Qt::TextSingleLine,
        palette, true, label);
    painter->setPen(withAlpha(colour(Colour::Muted, palette), enabled ? 1 : 0.6));
    painter->setFont(fonts::small());
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, shortcut);
    if (option->menuItemType == QStyleOptionMenuItem::SubMenu) {
        paintIcon(painter, QStringLiteral("chevron-right"), QRectF(r.right() - 22, r.center().y() - 7, 14, 14),
            colour(Colour::Muted, palette));
    }
}

void scrollBar(QPainter *painter, const QStyleOptionSlider *option, const QRect &slider)
{
    const QPalette &palette = option->palette;
    const bool vertical = option->orientation == Qt::Vertical;
    const QRect r = option->rect;
    painter->fillRect(r, colour(Colour::Window, palette));
    painter->fillRect(vertical ? QRect(r.left(), r.top(), 1, r.height()) : QRect(r.left(), r.top(), r.width(), 1),
        colour(Colour::Border, palette));
    if (option->minimum >= option->maximum) {
        return;
    }
    const bool active = option->state.testFlag(QStyle::State_MouseOver) || option->state.testFlag(QStyle::State_Sunken);
    const QRectF thumb = vertical ? QRectF(slider).adjusted(3, 2, -2, -2) : QRectF(slider).adjusted(2, 3, -2, -2);
    roundedBox(painter, thumb, 3, colour(active ? Colour::Mark : Colour::Edge, palette), {});
}

void slider(QPainter *painter, const QStyleOptionSlider *option, const QRect &groove, const QRect &handle)
{
    const QPalette &palette = option->palette;
    const qreal middle = groove.center().y() + 0.5;
    const QRectF line(groove.left() + 2, middle - 1.5, groove.width() - 4, 3);
    roundedBox(painter, line, 1.5, colour(Colour::Track, palette), {});
    const QPointF centre = QRectF(handle).center();
    roundedBox(painter, QRectF(line.left(), line.top(), centre.x() - line.left(), 3), 1.5,
        colour(Colour::Accent, palette), {});
    const Saved saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour(Colour::Accent, palette), 1.5));
    painter->setBrush(colour(Colour::Raised, palette));
    painter->drawEllipse(centre, 5.5, 5.5);
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
    const Saved saved(painter);
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
    const Saved saved(painter);
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
