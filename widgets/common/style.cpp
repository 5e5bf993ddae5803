// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style.h"

#include "widgets/common/icons.h"
#include "widgets/common/stylepaint.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

namespace trainyard
{
namespace
{
constexpr char kindProperty[] = "trainyardKind";
constexpr char smallProperty[] = "trainyardSmall";
constexpr char tabProperty[] = "trainyardTabs";
constexpr char errorProperty[] = "trainyardError";

QPointer<TrainyardStyle> installedStyle;

bool isInsideField(const QWidget *widget)
{
    const QWidget *parent = widget ? widget->parentWidget() : nullptr;
    return parent && (qobject_cast<const QComboBox *>(parent) || qobject_cast<const QAbstractSpinBox *>(parent));
}
} // namespace

TrainyardStyle::TrainyardStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) { }

TrainyardStyle *TrainyardStyle::install(ThemeMode mode)
{
    auto *style = new TrainyardStyle; // owned by the application
    style->m_mode = mode;
    installedStyle = style;
    QApplication::setFont(fonts::ui());
    QApplication::setFont(fonts::small(), "QHeaderView");
    QApplication::setFont(fonts::small(), "QToolTip");
    QApplication::setFont(fonts::small(), "QTipLabel");
    QApplication::setStyle(style);
    return style;
}

TrainyardStyle *TrainyardStyle::installed() { return installedStyle; }

void TrainyardStyle::setThemeMode(ThemeMode mode)
{
    if (m_mode != mode) {
        m_mode = mode;
        // An empty palette makes Qt ask polish(QPalette &) again with the system's own.
        QApplication::setPalette(QPalette());
    }
}

void TrainyardStyle::polish(QPalette &palette)
{
    Theme theme = Theme::Light;
    switch (m_mode) {
    case ThemeMode::System:
        theme = themeOf(palette);
        break;
    case ThemeMode::Light:
        theme = Theme::Light;
        break;
    case ThemeMode::Dark:
        theme = Theme::Dark;
        break;
    }
    palette = themePalette(theme);
}

QPalette TrainyardStyle::standardPalette() const
{
    return themePalette(m_mode == ThemeMode::Dark ? Theme::Dark : Theme::Light);
}

void TrainyardStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget)
        || qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QLineEdit *>(widget)
        || qobject_cast<QTabBar *>(widget) || qobject_cast<QScrollBar *>(widget)) {
        widget->setAttribute(Qt::WA_Hover);
    }
    if (auto *view = qobject_cast<QAbstractItemView *>(widget)) {
        view->viewport()->setAttribute(Qt::WA_Hover);
        view->setMouseTracking(true);
    }
}

void TrainyardStyle::unpolish(QWidget *widget) { QProxyStyle::unpolish(widget); }

void TrainyardStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const IconThemeScope scope(option->palette);
    const QPalette &palette = option->palette;
    const auto frame = stylepaint::frameOf(option, widget);
    switch (element) {
    case PE_PanelLineEdit:
        if (isInsideField(widget)) {
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
        if (option->state.testFlag(State_KeyboardFocusChange) || !qobject_cast<const QAbstractItemView *>(widget)) {
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
    case PE_Frame:
        if (const auto *f = qstyleoption_cast<const QStyleOptionFrame *>(option);
            element == PE_FrameMenu || !f || f->lineWidth > 0) {
            painter->save();
            painter->setPen(colour(element == PE_FrameMenu ? Colour::Edge : Colour::Border, palette));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
        }
        return;
    case PE_PanelMenu:
        painter->fillRect(option->rect, colour(Colour::Raised, palette));
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, colour(Colour::Raised, palette));
        painter->setPen(colour(Colour::Edge, palette));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        painter->fillRect(option->rect, colour(Colour::Border, palette));
        return;
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
                paintIcon(painter,
                    header->sortIndicator == QStyleOptionHeader::SortDown ? QStringLiteral("chevron-down")
                                                                          : QStringLiteral("chevron-up"),
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
            const bool strong = tab->state.testFlag(State_Selected) || tab->state.testFlag(State_MouseOver);
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
            if (tab->state.testFlag(State_Selected) && tabKind(widget) != TabKind::Document) {
                QFont font = painter->font();
                font.setWeight(QFont::Medium);
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
            if (header->position == QStyleOptionHeader::Beginning || header->position == QStyleOptionHeader::OnlyOneSection) {
                words.setLeft(words.left() + 6);
            }
            if (header->textAlignment.testFlag(Qt::AlignRight)) {
                words.setRight(words.right() - 6);
            }
            painter->drawText(words, int(header->textAlignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                header->fontMetrics.elidedText(header->text, Qt::ElideRight, header->rect.width()));
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
            const QRectF r(bar->rect.left(), bar->rect.center().y() - metrics::progressBar / 2 + 1, bar->rect.width(),
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

QRect TrainyardStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    switch (element) {
    case SE_LineEditContents: {
        const int side = isInsideField(widget) ? 0 : 7;
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
                r.setRight(tab->rect.right() - tab->rightButtonSize.width() - 16);
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
            const bool roomy = widget && widget->property(kindProperty).isValid();
            const int side = showText && roomy ? 12 : 6;
            int width = text + icon + (text > 0 && icon > 0 ? 6 : 0) + 2 * side + (menu ? 16 : 0);
            width = std::max(width, fieldHeight) + (split ? 22 : 0);
            return {width, fieldHeight};
        }
        break;
    case CT_LineEdit:
        return {size.width(), isInsideField(widget) ? size.height() : fieldHeight};
    case CT_ComboBox:
        return {size.width() + 36, fieldHeight};
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
                return {size.width(), item->text.isEmpty() ? 9 : 24};
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

QIcon TrainyardStyle::standardIcon(StandardPixmap pixmap, const QStyleOption *option, const QWidget *widget) const
{
    switch (pixmap) {
    case SP_LineEditClearButton:
    case SP_TitleBarCloseButton:
        return icon(QStringLiteral("close"), Colour::Muted);
    case SP_ToolBarHorizontalExtensionButton:
        return icon(QStringLiteral("more"));
    case SP_MessageBoxWarning:
        return icon(QStringLiteral("warning"), Colour::Waiting);
    case SP_MessageBoxCritical:
        return icon(QStringLiteral("error"), Colour::Failed);
    case SP_MessageBoxInformation:
        return icon(QStringLiteral("info"), Colour::Accent);
    default:
        break;
    }
    return QProxyStyle::standardIcon(pixmap, option, widget);
}

void setButtonKind(QAbstractButton *button, ButtonKind kind)
{
    button->setProperty(kindProperty, int(kind));
    if (kind == ButtonKind::Primary || kind == ButtonKind::Normal) {
        button->setFont(fonts::medium());
    }
    if (kind == ButtonKind::Link) {
        button->setCursor(Qt::PointingHandCursor);
    }
    button->updateGeometry();
    button->update();
}

ButtonKind buttonKind(const QWidget *button)
{
    return button ? ButtonKind(button->property(kindProperty).toInt()) : ButtonKind::Normal;
}

void setSmall(QWidget *control, bool small)
{
    control->setProperty(smallProperty, small);
    control->setFont(small ? fonts::small() : fonts::ui());
    control->updateGeometry();
}

bool isSmall(const QWidget *control) { return control && control->property(smallProperty).toBool(); }

void setTabKind(QTabBar *bar, TabKind kind)
{
    bar->setProperty(tabProperty, int(kind) + 1);
    bar->setDrawBase(kind != TabKind::Card);
    bar->setExpanding(false);
    bar->setElideMode(Qt::ElideMiddle);
    bar->updateGeometry();
}

TabKind tabKind(const QWidget *bar)
{
    const int value = bar ? bar->property(tabProperty).toInt() : 0;
    return value > 0 ? TabKind(value - 1) : TabKind::Inner;
}

void setFieldError(QWidget *field, bool error)
{
    if (hasFieldError(field) != error) {
        field->setProperty(errorProperty, error);
        field->update();
    }
}

bool hasFieldError(const QWidget *field) { return field && field->property(errorProperty).toBool(); }

} // namespace trainyard
