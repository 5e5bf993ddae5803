// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"

#include <QLineEdit>
#include <QStyleOption>

#include <algorithm>

// Where the parts of controls are, and how large.
namespace trainyard
{
namespace
{
// The eye takes the middle of the letters for the middle of a line, halfway between that of the small and of the large
// ones: it is lower than the middle of the room that a line takes.
int middleBelowLine(const QFontMetrics &font)
{
    const qreal letters = font.ascent() - (font.xHeight() + font.capHeight()) / 4.0;
    return qRound(letters - (font.ascent() + font.descent()) / 2.0);
}
} // namespace

QRect TrainyardStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    switch (element) {
    case SE_HeaderLabel:
    case SE_HeaderArrow:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
            header && header->textAlignment.testFlag(Qt::AlignRight)) {
            return stylepaint::numberHead(header, element == SE_HeaderArrow);
        }
        break;
    case SE_CheckBoxIndicator:
    case SE_RadioButtonIndicator: {
        const QRect box = QProxyStyle::subElementRect(element, option, widget);
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const int room = option->rect.bottom() - box.bottom();
        const int lower = button && !button->text.isEmpty() ? middleBelowLine(option->fontMetrics) : 0;
        return box.translated(0, std::clamp(lower, 0, std::max(0, room)));
    }
    case SE_LineEditContents: {
        const int side = stylepaint::isInsideField(widget) ? 0 : 7;
        const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
        return frame && frame->lineWidth == 0 ? option->rect : option->rect.adjusted(side, 0, -side, 0);
    }
    case SE_TabBarTabText:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            QRect r = tab->rect.adjusted(12, 0, -12, 0);
            if (tabKind(widget) == TabKind::Document) {
                r.adjust(0, 1, 0, 0);
            }
            if (!tab->icon.isNull()) {
                r.setLeft(r.left() + tab->iconSize.width() + 8);
            }
            if (!tab->rightButtonSize.isEmpty()) {
                r.setRight(tab->rect.right() - tab->rightButtonSize.width() - 12);
            }
            return r;
        }
        break;
    case SE_TabBarTabRightButton:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            const QSize size = tab->rightButtonSize;
            return QRect(tab->rect.right() - size.width() - 10, tab->rect.center().y() - size.height() / 2 + 1,
                size.width(), size.height());
        }
        break;
    default:
        break;
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

QRect TrainyardStyle::subControlRect(
    ComplexControl control, const QStyleOptionComplex *option, SubControl subControl, const QWidget *widget) const
{
    const QRect r = option->rect;
    if (control == CC_ComboBox) {
        switch (subControl) {
        case SC_ComboBoxFrame:
            return r;
        case SC_ComboBoxArrow:
            return QRect(r.right() - 24, r.top(), 22, r.height());
        case SC_ComboBoxEditField:
            return r.adjusted(8, 1, -26, -1);
        default:
            break;
        }
    } else if (control == CC_SpinBox) {
        const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        const int buttons = spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons ? 0 : 18;
        const int middle = r.top() + r.height() / 2;
        switch (subControl) {
        case SC_SpinBoxFrame:
            return r;
        case SC_SpinBoxUp:
            return buttons == 0 ? QRect() : QRect(r.right() - 20, r.top() + 1, buttons, middle - r.top() - 1);
        case SC_SpinBoxDown:
            return buttons == 0 ? QRect() : QRect(r.right() - 20, middle, buttons, r.bottom() - middle);
        case SC_SpinBoxEditField:
            return r.adjusted(7, 1, -(buttons > 0 ? 21 : 7), -1);
        default:
            break;
        }
    } else if (control == CC_ToolButton) {
        const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
        if (button && button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup)) {
            constexpr int drop = 22;
            if (subControl == SC_ToolButtonMenu) {
                return QRect(r.right() - drop + 1, r.top(), drop, r.height());
            }
            if (subControl == SC_ToolButton) {
                return r.adjusted(0, 0, -drop, 0);
            }
        }
        if (subControl == SC_ToolButton) {
            return r;
        }
    } else if (control == CC_ScrollBar) {
        const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        if (bar) {
            const bool vertical = bar->orientation == Qt::Vertical;
            const int length = vertical ? r.height() : r.width();
            int thumb = length;
            if (bar->maximum > bar->minimum) {
                const qint64 range = qint64(bar->maximum) - bar->minimum + bar->pageStep;
                thumb = int(qint64(length) * bar->pageStep / std::max<qint64>(1, range));
                thumb = std::clamp(thumb, std::min(28, length), length);
            }
            const int start = sliderPositionFromValue(
                bar->minimum, bar->maximum, bar->sliderPosition, length - thumb, bar->upsideDown);
            const auto span = [&](int from, int size) {
                return vertical ? QRect(r.left(), r.top() + from, r.width(), size)
                                : QRect(r.left() + from, r.top(), size, r.height());
            };
            switch (subControl) {
            case SC_ScrollBarSlider:
                return span(start, thumb);
            case SC_ScrollBarGroove:
                return r;
            case SC_ScrollBarSubPage:
                return span(0, start);
            case SC_ScrollBarAddPage:
                return span(start + thumb, length - start - thumb);
            case SC_ScrollBarAddLine:
            case SC_ScrollBarSubLine:
            case SC_ScrollBarFirst:
            case SC_ScrollBarLast:
                return {};
            default:
                break;
            }
        }
    }
    return QProxyStyle::subControlRect(control, option, subControl, widget);
}

int TrainyardStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ButtonMargin:
        return 24;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_ScrollBarExtent:
        return metrics::scrollBar;
    case PM_ScrollBarSliderMin:
        return 28;
    case PM_ScrollView_ScrollBarSpacing:
        return 0;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return metrics::checkBox;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 6;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_TabBarTabVSpace:
        return 0;
    case PM_TabBarTabOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarBaseHeight:
    case PM_TabBarBaseOverlap:
        return 0;
    case PM_TabBarIconSize:
        return 15;
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight:
        return 18;
    case PM_TabBarScrollButtonWidth:
        return 28;
    case PM_SmallIconSize:
    case PM_ListViewIconSize:
    case PM_ButtonIconSize:
        return metrics::rowIcon;
    case PM_ToolBarIconSize:
        return metrics::toolIcon;
    case PM_ToolBarFrameWidth:
        return 0;
    case PM_ToolBarItemSpacing:
        return 4;
    case PM_ToolBarItemMargin:
        return 0;
    case PM_ToolBarSeparatorExtent:
        return 13;
    case PM_ToolBarExtensionExtent:
        return 24;
    case PM_DockWidgetSeparatorExtent:
        return 1;
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_SplitterWidth:
        return 1;
    case PM_DefaultFrameWidth:
        return widget && qobject_cast<const QLineEdit *>(widget) ? 1 : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_MenuHMargin:
        return 0;
    case PM_MenuVMargin:
        return 4;
    case PM_MenuPanelWidth:
        return 1;
    case PM_ToolTipLabelFrameWidth:
        return 6;
    case PM_HeaderMargin:
        return 6;
    case PM_HeaderMarkSize:
        return 12;
    case PM_TreeViewIndentation:
        return 20;
    case PM_FocusFrameHMargin:
        return 4;
    case PM_SliderThickness:
    case PM_SliderLength:
    case PM_SliderControlThickness:
        return 16;
    default:
        break;
    }
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int TrainyardStyle::styleHint(
    StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 0;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_TabBar_ElideMode:
        return Qt::ElideMiddle;
    case SH_Menu_Mask:
    case SH_ToolTip_Mask:
        if (auto *mask = qstyleoption_cast<QStyleHintReturnMask *>(data); mask && option) {
            mask->region = stylepaint::popupMask(option->rect);
            return 1;
        }
        return 0;
    case SH_Menu_SloppySubMenus:
        return 1;
    case SH_ComboBox_Popup:
        return 0;
    case SH_Header_ArrowAlignment:
        return Qt::AlignRight | Qt::AlignVCenter;
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_UnderlineShortcut:
        return 0;
    case SH_Widget_Animation_Duration: {
        const int system = QProxyStyle::styleHint(hint, option, widget, data);
        return std::min(system, metrics::motionMs);
    }
    default:
        break;
    }
    return QProxyStyle::styleHint(hint, option, widget, data);
}

QSize TrainyardStyle::sizeFromContents(
    ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const
{
    const int fieldHeight = isSmall(widget) ? metrics::smallButton : metrics::field;
    switch (type) {
    case CT_PushButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            const int icon = button->icon.isNull() ? 0 : button->iconSize.width();
            const int text = button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
            const int gap = icon > 0 && text > 0 ? 6 : 0;
            const int menu = button->features.testFlag(QStyleOptionButton::HasMenu) ? 16 : 0;
            const ButtonKind kind = buttonKind(widget);
            const int side = kind == ButtonKind::Link ? 0 : text == 0 ? 6 : isSmall(widget) ? 8 : 12;
            return {std::max(icon + gap + text + menu + 2 * side, text == 0 ? fieldHeight : 0), fieldHeight};
        }
        break;
    case CT_ToolButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option)) {
            const bool showText = button->toolButtonStyle != Qt::ToolButtonIconOnly && !button->text.isEmpty();
            const bool showIcon = button->toolButtonStyle != Qt::ToolButtonTextOnly && !button->icon.isNull();
            const int text = showText ? button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width() : 0;
            const int icon = showIcon ? button->iconSize.width() : 0;
            const bool split = button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
            const bool menu = button->features.testFlag(QStyleOptionToolButton::HasMenu) && !split && showText;
            const bool roomy = hasButtonKind(widget);
            const int side = showText && roomy ? 12 : 6;
            int width = text + icon + (text > 0 && icon > 0 ? 6 : 0) + 2 * side + (menu ? 16 : 0);
            width = std::max(width, fieldHeight) + (split ? 22 : 0);
            return {width, fieldHeight};
        }
        break;
    case CT_LineEdit:
        return {size.width(), stylepaint::isInsideField(widget) ? size.height() : fieldHeight};
    case CT_ComboBox:
        return {size.width() + 38, fieldHeight};
    case CT_SpinBox:
        return {size.width() + 8, fieldHeight};
    case CT_CheckBox:
    case CT_RadioButton: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {base.width(), std::max(base.height(), 20)};
    }
    case CT_TabBarTab:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            const TabKind kind = tabKind(widget);
            QFont font = widget ? widget->font() : fonts::ui();
            font.setWeight(QFont::Medium);
            const QFontMetrics fm(font);
            int width = fm.size(Qt::TextSingleLine, tab->text).width() + 24 + 2;
            width += tab->icon.isNull() ? 0 : tab->iconSize.width() + 8;
            width += tab->rightButtonSize.isEmpty() ? 0 : tab->rightButtonSize.width() + 4;
            const int height = kind == TabKind::Document ? metrics::documentTab : metrics::innerTab;
            return {kind == TabKind::Document ? std::min(width, 260) : width, height};
        }
        break;
    case CT_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            if (item->menuItemType == QStyleOptionMenuItem::Separator) {
                const int words = QFontMetrics(fonts::small()).horizontalAdvance(item->text) + 2 * metrics::space3 + 2;
                return item->text.isEmpty() ? QSize(size.width(), 9) : QSize(std::max(size.width(), words), 24);
            }
            return {size.width() + 34 + 28 + (item->reservedShortcutWidth > 0 ? 24 : 0), metrics::row};
        }
        break;
    case CT_HeaderSection: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {base.width(), metrics::row};
    }
    case CT_ItemViewItem: {
        const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
        return {base.width(), std::max(base.height(), metrics::row)};
    }
    case CT_MenuBarItem:
        return QProxyStyle::sizeFromContents(type, option, size, widget) + QSize(4, 4);
    default:
        break;
    }
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

} // namespace trainyard
