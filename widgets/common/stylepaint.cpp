// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/stylepaint.h"

#include "widgets/common/icons.h"
#include "widgets/common/savedpainter.h"

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
    const auto *spin = qobject_cast<const QAbstractSpinBox *>(widget);
    frame.readOnly = option->state.testFlag(QStyle::State_ReadOnly) || (spin && spin->isReadOnly());
    frame.pill = widget && widget->property("trainyardPill").toBool();
    return frame;
}

void roundedBox(QPainter *painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &edge)
{
    const SavedPainter saved(painter);
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
    const SavedPainter saved(painter);
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
    // One that takes nothing looks like no field, whatever it is on: the panels of the light theme are as white as a
    // field, and the window of the dark one is as dark.
    const bool isOff = !frame.enabled || frame.readOnly;
    const QColor usual = colour(Colour::Field, palette), window = colour(Colour::Window, palette);
    const QColor fill = !isOff ? usual : window != usual ? window : QColor();
    QColor edge = colour(frame.hover ? Colour::Muted : Colour::FieldEdge, palette);
    if (frame.error) {
        edge = colour(Colour::Failed, palette);
    } else if (isOff) {
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

void tabShape(QPainter *painter, const QStyleOptionTab *option, TabKind kind)
{
    const SavedPainter saved(painter);
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
    const SavedPainter saved(painter);
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
    const SavedPainter saved(painter);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour(Colour::Accent, palette), 1.5));
    painter->setBrush(colour(Colour::Raised, palette));
    painter->drawEllipse(centre, 5.5, 5.5);
}

} // namespace trainyard::stylepaint
