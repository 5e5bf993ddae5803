// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>

// The drawing of the style; its metrics are in style.cpp.
namespace trainyard
{
namespace
{
// The background below a widget that paints none itself.
Colour groundBelow(const QWidget *widget)
{
    while (widget && !widget->isWindow() && !qobject_cast<const Ground *>(widget)) {
        widget = widget->parentWidget();
    }
    const auto *ground = qobject_cast<const Ground *>(widget);
    return ground ? ground->role() : Colour::Window;
}

bool isInPopup(const QWidget *widget) { return widget && widget->window()->windowType() == Qt::Popup; }
} // namespace

void TrainyardStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const IconThemeScope scope(option->palette);
    const QPalette &palette = option->palette;
    const auto frame = stylepaint::frameOf(option, widget);
    switch (element) {
    case PE_PanelLineEdit:
        if (stylepaint::isInsideField(widget)) {
            return;
        }
        if (const auto *edit = qstyleoption_cast<const QStyleOptionFrame *>(option); edit && edit->lineWidth == 0) {
            return;
        }
        stylepaint::field(painter, option->rect, palette, frame);
        return;
    case PE_FrameLineEdit:
        return;
    case PE_PanelButtonCommand:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            stylepaint::Frame f = frame;
            f.focus = f.focus && button->state.testFlag(State_KeyboardFocusChange);
            stylepaint::button(painter, option->rect, palette, f, buttonKind(widget), button->state.testFlag(State_On),
                isSmall(widget));
            return;
        }
        break;
    case PE_FrameDefaultButton:
        return;
    case PE_FrameFocusRect:
        // The list of a combo box has one row in front, and it is marked.
        if ((option->state.testFlag(State_KeyboardFocusChange) || !qobject_cast<const QAbstractItemView *>(widget))
            && !isInPopup(widget)) {
            stylepaint::focusRing(painter, option->rect, metrics::smallRadius, colour(Colour::Accent, palette));
        }
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        stylepaint::checkBox(painter, option->rect, palette, frame,
            option->state.testFlag(State_NoChange) ? Qt::PartiallyChecked
                : option->state.testFlag(State_On) ? Qt::Checked
                                                   : Qt::Unchecked);
        return;
    case PE_IndicatorRadioButton:
        stylepaint::radioButton(painter, option->rect, palette, frame, option->state.testFlag(State_On));
        return;
    case PE_IndicatorBranch:
        if (option->state.testFlag(State_Children)) {
            paintIcon(painter,
                option->state.testFlag(State_Open) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                QRectF(option->rect.center().x() - 6, option->rect.center().y() - 6, 14, 14),
                colour(Colour::Muted, palette));
        }
        return;
    case PE_PanelItemViewRow: {
        const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
        const bool selected = item && item->state.testFlag(State_Selected);
        stylepaint::rowGround(painter, option->rect, palette, selected, frame.hover, false);
        return;
    }
    case PE_PanelItemViewItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option)) {
            if (item->backgroundBrush.style() != Qt::NoBrush) {
                painter->fillRect(item->rect, item->backgroundBrush);
            }
            const bool first = item->viewItemPosition == QStyleOptionViewItem::Beginning
                || item->viewItemPosition == QStyleOptionViewItem::OnlyOne
                || item->viewItemPosition == QStyleOptionViewItem::Invalid;
            stylepaint::rowGround(painter, item->rect, palette, item->state.testFlag(State_Selected), frame.hover,
                first && item->rect.left() <= 24);
        }
        return;
    case PE_FrameMenu:
        return; // drawn with the panel
    case PE_Frame:
        if (stylepaint::isComboPopup(widget)) {
            painter->fillRect(option->rect, colour(Colour::Raised, palette)); // its edge is over the list
            return;
        }
        if (const auto *f = qstyleoption_cast<const QStyleOptionFrame *>(option); !f || f->lineWidth > 0) {
            painter->save();
            // In a popup it lies over other things.
            painter->setPen(colour(isInPopup(widget) ? Colour::Edge : Colour::Border, palette));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
        }
        return;
    case PE_PanelMenu:
    case PE_PanelTipLabel:
        stylepaint::popupPanel(painter, option->rect, palette);
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        painter->fillRect(option->rect, colour(Colour::Border, palette));
        return;
    case PE_IndicatorTabTearLeft:
    case PE_IndicatorTabTearRight:
        return; // the arrows say that there is more
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            colour(Colour::Border, palette));
        return;
    case PE_FrameDockWidget:
    case PE_FrameStatusBarItem:
    case PE_FrameTabWidget:
        return;
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, colour(Colour::Window, palette));
        painter->fillRect(
            QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), colour(Colour::Border, palette));
        return;
    case PE_IndicatorTabClose: {
        const bool hover = frame.hover;
        if (hover) {
            stylepaint::roundedBox(painter, option->rect, 3, colour(Colour::Track, palette), {});
        }
        paintIcon(painter, QStringLiteral("close"),
            QRectF(option->rect.center().x() - 6, option->rect.center().y() - 6, 13, 13),
            colour(hover ? Colour::Text : Colour::Muted, palette));
        return;
    }
    case PE_IndicatorHeaderArrow:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            if (header->sortIndicator != QStyleOptionHeader::None) {
                // Qt calls the rising order "down"; the arrow points to where the larger ones are.
                paintIcon(painter,
                    header->sortIndicator == QStyleOptionHeader::SortDown ? QStringLiteral("chevron-up")
                                                                          : QStringLiteral("chevron-down"),
                    QRectF(option->rect.center().x() - 6, option->rect.center().y() - 6, 12, 12),
                    colour(Colour::Muted, palette));
            }
        }
        return;
    case PE_IndicatorItemViewItemDrop:
        painter->fillRect(option->rect.height() == 0 ? option->rect.adjusted(0, -1, 0, 1) : option->rect,
            withAlpha(colour(Colour::Accent, palette), option->rect.height() == 0 ? 1 : 0.2));
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void TrainyardStyle::drawControl(
    ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const IconThemeScope scope(option->palette);
    const QPalette &palette = option->palette;
    switch (element) {
    case CE_CheckBox:
    case CE_RadioButton:
        // Qt's own asks itself, and not this style, where the box stands.
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            const bool isRadio = element == CE_RadioButton;
            QStyleOptionButton part = *button;
            part.rect = subElementRect(isRadio ? SE_RadioButtonIndicator : SE_CheckBoxIndicator, button, widget);
            drawPrimitive(isRadio ? PE_IndicatorRadioButton : PE_IndicatorCheckBox, &part, painter, widget);
            part.rect = subElementRect(isRadio ? SE_RadioButtonContents : SE_CheckBoxContents, button, widget);
            drawControl(isRadio ? CE_RadioButtonLabel : CE_CheckBoxLabel, &part, painter, widget);
            if (button->state.testFlag(State_HasFocus)) {
                part.rect = subElementRect(isRadio ? SE_RadioButtonFocusRect : SE_CheckBoxFocusRect, button, widget);
                drawPrimitive(PE_FrameFocusRect, &part, painter, widget);
            }
            return;
        }
        break;
    case CE_PushButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            drawPrimitive(PE_PanelButtonCommand, button, painter, widget);
            stylepaint::buttonLabel(painter, button, widget);
            return;
        }
        break;
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            stylepaint::buttonLabel(painter, button, widget);
            return;
        }
        break;
    case CE_ComboBoxLabel:
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option); combo && !combo->editable) {
            const bool enabled = option->state.testFlag(State_Enabled);
            QRect r = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            painter->save();
            if (!combo->currentIcon.isNull()) {
                const int side = metrics::rowIcon;
                const QRect at(r.left(), r.center().y() - side / 2 + 1, side, side);
                combo->currentIcon.paint(painter, at, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
                r.setLeft(at.right() + 7);
            }
            painter->setPen(colour(enabled ? Colour::Text : Colour::Muted, palette));
            painter->drawText(r, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                combo->fontMetrics.elidedText(combo->currentText, Qt::ElideMiddle, r.width()));
            painter->restore();
            return;
        }
        break;
    case CE_TabBarTabShape:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            stylepaint::tabShape(painter, tab, tabKind(widget));
            return;
        }
        break;
    case CE_TabBarTabLabel:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            const TabKind kind = tabKind(widget);
            const bool selected = tab->state.testFlag(State_Selected) && kind != TabKind::Folded;
            const bool strong = selected || tab->state.testFlag(State_MouseOver);
            const bool enabled = tab->state.testFlag(State_Enabled);
            painter->save();
            QRect r = subElementRect(SE_TabBarTabText, tab, widget);
            if (!tab->icon.isNull()) {
                const int side = tab->iconSize.width();
                const QRect at(tab->rect.left() + 12, tab->rect.center().y() - side / 2 + 1, side, side);
                tab->icon.paint(painter, at, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
            }
            QColor ink = colour(strong ? Colour::Text : Colour::Muted, palette);
            if (!enabled) {
                ink = withAlpha(ink, 0.5);
            }
            if (selected && kind != TabKind::Document) {
                QFont font = painter->font();
                font.setWeight(QFont::Medium);
                painter->setFont(font);
            }
            if (tab->state.testFlag(State_ReadOnly)) { // of a page that the next one replaces
                QFont font = painter->font();
                font.setItalic(true);
                painter->setFont(font);
            }
            painter->setPen(ink);
            painter->drawText(r, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextHideMnemonic,
                painter->fontMetrics().elidedText(tab->text, Qt::ElideMiddle, r.width() + 2));
            painter->restore();
            return;
        }
        break;
    case CE_HeaderSection:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            stylepaint::headerSection(painter, header);
            return;
        }
        break;
    case CE_HeaderEmptyArea: {
        QStyleOptionHeader header;
        header.rect = option->rect;
        header.palette = palette;
        stylepaint::headerSection(painter, &header);
        return;
    }
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            painter->save();
            painter->setPen(colour(Colour::Muted, palette));
            QRect words = header->rect;
            if (header->position == QStyleOptionHeader::Beginning
                || header->position == QStyleOptionHeader::OnlyOneSection) {
                words.setLeft(words.left() + 6);
            }
            painter->drawText(words, int(header->textAlignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                header->fontMetrics.elidedText(header->text, elisionOf(header->text), words.width()));
            painter->restore();
            return;
        }
        break;
    case CE_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            stylepaint::menuItem(painter, item, this);
            return;
        }
        break;
    case CE_MenuEmptyArea:
        return;
    case CE_Splitter:
        painter->fillRect(option->rect, colour(Colour::Border, palette));
        return;
    case CE_ToolBar:
        painter->fillRect(option->rect, colour(Colour::Window, palette));
        return;
    case CE_ProgressBar:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option)) {
            const QRectF r(bar->rect.left(), bar->rect.center().y() - metrics::progressBar / 2.0 + 1, bar->rect.width(),
                metrics::progressBar);
            stylepaint::roundedBox(painter, r, 3, colour(Colour::Track, palette), {});
            const qreal span
                = bar->maximum > bar->minimum ? qreal(bar->progress - bar->minimum) / (bar->maximum - bar->minimum) : 0;
            if (span > 0) {
                stylepaint::roundedBox(painter, QRectF(r.left(), r.top(), std::max(6.0, r.width() * span), r.height()),
                    3, colour(Colour::Running, palette), {});
            }
            return;
        }
        break;
    case CE_FocusFrame:
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void TrainyardStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    const IconThemeScope scope(option->palette);
    const QPalette &palette = option->palette;
    const auto frame = stylepaint::frameOf(option, widget);
    switch (control) {
    case CC_ComboBox:
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option)) {
            if (combo->frame) {
                stylepaint::field(painter, option->rect, palette, frame);
            }
            const QRect arrow = subControlRect(CC_ComboBox, combo, SC_ComboBoxArrow, widget);
            paintIcon(painter, QStringLiteral("chevron-down"),
                QRectF(arrow.center().x() - 6, arrow.center().y() - 6, 13, 13), colour(Colour::Muted, palette));
            return;
        }
        break;
    case CC_SpinBox:
        if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option)) {
            if (spin->frame) {
                stylepaint::field(painter, option->rect, palette, frame);
            }
            if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
                const QRect up = subControlRect(CC_SpinBox, spin, SC_SpinBoxUp, widget);
                const QRect down = subControlRect(CC_SpinBox, spin, SC_SpinBoxDown, widget);
                stylepaint::chevronPair(painter, up.united(down), colour(Colour::Muted, palette));
            }
            return;
        }
        break;
    case CC_ToolButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option)) {
            if (button->features.testFlag(QStyleOptionToolButton::Arrow)) {
                if (widget && qobject_cast<QTabBar *>(widget->parentWidget())) {
                    stylepaint::tabScroller(painter, button, frame, groundBelow(widget->parentWidget()));
                    return;
                }
                break;
            }
            stylepaint::toolButton(painter, button, widget, this);
            return;
        }
        break;
    case CC_ScrollBar:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option)) {
            stylepaint::scrollBar(painter, bar, subControlRect(CC_ScrollBar, bar, SC_ScrollBarSlider, widget));
            return;
        }
        break;
    case CC_Slider:
        if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option);
            slider && slider->orientation == Qt::Horizontal) {
            stylepaint::slider(painter, slider, subControlRect(CC_Slider, slider, SC_SliderGroove, widget),
                subControlRect(CC_Slider, slider, SC_SliderHandle, widget));
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace trainyard
