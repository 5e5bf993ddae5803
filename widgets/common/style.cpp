// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/style.h"

#include "widgets/common/buttonkeys.h"
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
    // A user who scrolls a page continues to type at the caret, whatever passes below the pointer.
    if (widget->focusPolicy() == Qt::WheelFocus) {
        widget->setFocusPolicy(Qt::StrongFocus);
    }
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget)
        || qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QLineEdit *>(widget)
        || qobject_cast<QTabBar *>(widget) || qobject_cast<QScrollBar *>(widget)) {
        widget->setAttribute(Qt::WA_Hover);
    }
    if (qobject_cast<QPushButton *>(widget) || qobject_cast<QToolButton *>(widget)) {
        pressByReturn(qobject_cast<QAbstractButton *>(widget));
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
    // The suggestions of a field while the user types: a list in a separate window.
    if (qobject_cast<QListView *>(widget) && widget->windowType() == Qt::Popup) {
        new PopupEdge(widget);
    }
    if (auto *view = qobject_cast<QAbstractItemView *>(widget)) {
        view->viewport()->setAttribute(Qt::WA_Hover);
        view->setMouseTracking(true);
    }
}

void TrainyardStyle::unpolish(QWidget *widget) { QProxyStyle::unpolish(widget); }

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
    // For Qt's own file dialog, where the desktop has none.
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

bool hasButtonKind(const QWidget *button) { return button && button->property(kindProperty).isValid(); }

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
