// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style.h"

#include "widgets/common/icons.h"
#include "widgets/common/screenroom.h"
#include "widgets/common/stylepaint.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
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

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr char kindProperty[] = "trainyardKind";
constexpr char smallProperty[] = "trainyardSmall";
constexpr char tabProperty[] = "trainyardTabs";
constexpr char errorProperty[] = "trainyardError";

QPointer<TrainyardStyle> installedStyle;

// The round edge of a combo box's list: Qt cuts the corners of menus alone. Over the list, which fills its window.
class PopupEdge final : public QWidget
{
public:
    explicit PopupEdge(QWidget *popup) : QWidget(popup)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        popup->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
            QWidget *popup = parentWidget();
            setGeometry(popup->rect());
            raise();
            show();
            popup->setMask(stylepaint::popupMask(popup->rect()));
        }
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        stylepaint::roundedBox(&painter, rect(), metrics::popupRadius, {}, colour(Colour::Edge, this));
    }
};
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
    // Also those of Qt's own boxes. Tooltips have their text already (see plainTip()), and some are of our markup.
    if (auto *label = qobject_cast<QLabel *>(widget);
        label && label->textFormat() == Qt::AutoText && !label->windowFlags().testFlag(Qt::ToolTip)) {
        label->setTextFormat(Qt::PlainText);
    }
    // Who scrolls a page goes on typing where the caret is, whatever passes below the pointer.
    if (widget->focusPolicy() == Qt::WheelFocus) {
        widget->setFocusPolicy(Qt::StrongFocus);
    }
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget)
        || qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QLineEdit *>(widget)
        || qobject_cast<QTabBar *>(widget) || qobject_cast<QScrollBar *>(widget)) {
        widget->setAttribute(Qt::WA_Hover);
    }
    if (qobject_cast<QDialog *>(widget)) {
        keepOnScreen(widget);
    }
    if (stylepaint::isComboPopup(widget)) {
        new PopupEdge(widget);
        if (const auto *list = widget->findChild<QAbstractItemView *>()) {
            list->viewport()->setAutoFillBackground(false);
        }
    }
    // What a field offers while one types: a list that is a window of its own.
    if (qobject_cast<QListView *>(widget) && widget->windowType() == Qt::Popup) {
        new PopupEdge(widget);
    }
    if (auto *view = qobject_cast<QAbstractItemView *>(widget)) {
        view->viewport()->setAttribute(Qt::WA_Hover);
        view->setMouseTracking(true);
    }
}

void TrainyardStyle::unpolish(QWidget *widget) { QProxyStyle::unpolish(widget); }

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
            const bool roomy = widget && widget->property(kindProperty).isValid();
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
    // Of Qt's own file dialog, where the desktop has none.
    case SP_FileDialogBack:
    case SP_ArrowBack:
        return icon(QStringLiteral("chevron-left"));
    case SP_FileDialogToParent:
        return icon(QStringLiteral("arrow-up"));
    case SP_ArrowForward:
        return icon(QStringLiteral("chevron-right"));
    case SP_FileDialogNewFolder:
        return icon(QStringLiteral("plus"));
    case SP_FileDialogDetailedView:
        return icon(QStringLiteral("menu"));
    case SP_FileDialogListView:
        return icon(QStringLiteral("table"));
    case SP_DirIcon:
    case SP_DirOpenIcon:
    case SP_DirClosedIcon:
    case SP_DirLinkIcon:
    case SP_DirHomeIcon:
        return icon(QStringLiteral("folder"), Colour::Muted);
    case SP_FileIcon:
    case SP_FileLinkIcon:
        return icon(QStringLiteral("document"), Colour::Muted);
    case SP_ComputerIcon:
        return icon(QStringLiteral("computer"), Colour::Muted);
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

// Heads that stand side by side often begin alike, such as "val/loss" and "val/accuracy best".
Qt::TextElideMode elisionOf(const QString &text)
{
    const bool isWord = std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.isLetter(); });
    return isWord ? Qt::ElideRight : Qt::ElideMiddle;
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
