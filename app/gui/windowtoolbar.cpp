// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/windowtoolbar.h"

#include "app/gui/controllers/templatecontroller.h"
#include "app/gui/runinmenu.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{
QToolButton *toolButton(QAction *action)
{
    auto *button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize({metrics::toolIcon, metrics::toolIcon});
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    return button;
}

// The button of the menu stands at the right edge of the window; its menu stays inside.
class RightAlignedMenu final : public QMenu
{
public:
    using QMenu::QMenu;

protected:
    void showEvent(QShowEvent *event) override
    {
        if (const QWidget *button = parentWidget()) {
            const int right = button->mapToGlobal(QPoint(button->width(), 0)).x();
            move(std::max(0, right - width()), y());
        }
        QMenu::showEvent(event);
    }
};

// A window of 1280 × 720 pixels at 150 % has room for all of the row.
constexpr int leastSearch = 140, widestSearch = 300;
constexpr int searchFirst = 1000; // gets the room before the gap in front of it
} // namespace

WindowToolBar::WindowToolBar(const ActionRegistry *actions, TemplateController *templates, RunInMenu *runIn,
    TargetBox *target, SearchField *search, QWidget *parent)
    : QToolBar(tr("Tools"), parent)
{
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    auto *row = new Ground(Colour::Window);
    row->setBorders(Qt::BottomEdge);
    row->setFixedHeight(metrics::toolBar);
    row->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(metrics::space2, 0, metrics::space2, 1);
    layout->setSpacing(4);
    layout->addWidget(makeNewButton(actions, templates));
    layout->addWidget(toolButton(actions->action("open")));
    layout->addWidget(toolButton(actions->action("save")));
    addSeparatorTo(layout);
    layout->addWidget(makeRunButton(actions, runIn));
    layout->addWidget(toolButton(actions->action("stop")));
    addSeparatorTo(layout);
    layout->addWidget(mutedLabel(tr("on")));
    layout->addSpacing(4);
    layout->addWidget(target);
    layout->addStretch(1);
    search->setMinimumWidth(leastSearch);
    search->setMaximumWidth(widestSearch);
    search->setKeyHint(actions->action("commandPalette")->shortcut().toString(QKeySequence::NativeText));
    search->setFocusPolicy(Qt::ClickFocus);
    layout->addWidget(search, searchFirst);
    layout->addWidget(makeMenuButton());
    addWidget(row);
}

void WindowToolBar::addSeparatorTo(QHBoxLayout *layout)
{
    layout->addSpacing(6);
    auto *line = new Line(Qt::Vertical);
    line->setFixedHeight(20);
    layout->addWidget(line);
    layout->addSpacing(6);
}

QToolButton *WindowToolBar::makeNewButton(const ActionRegistry *actions, TemplateController *templates)
{
    QToolButton *button = toolButton(actions->action("new"));
    button->setPopupMode(QToolButton::MenuButtonPopup);
    auto *menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("newMenu"));
    connect(
        menu, &QMenu::aboutToShow, templates, [menu, templates, actions] { templates->fillNewMenu(menu, actions); });
    templates->fillNewMenu(menu, actions);
    button->setMenu(menu);
    return button;
}

QToolButton *WindowToolBar::makeRunButton(const ActionRegistry *actions, RunInMenu *runIn)
{
    QAction *run = actions->action("run");
    QToolButton *button = toolButton(run);
    button->setObjectName(QStringLiteral("runButton"));
    button->setAutoRaise(false);
    setButtonKind(button, ButtonKind::Primary);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize({14, 14});
    button->setPopupMode(QToolButton::MenuButtonPopup);
    auto *menu = new QMenu(button);
    menu->setToolTipsVisible(true); // they say why an entry is off
    menu->addActions(
        actions->actions({"run", "rehearse", "runAsSweep", "retryWithText", "preview", "runAgain", "editAsNew"}));
    menu->addSeparator();
    menu->addMenu(runIn);
    menu->addSeparator();
    menu->addAction(actions->action("hello"));
    button->setMenu(menu);
    return button;
}

QToolButton *WindowToolBar::makeMenuButton()
{
    auto *button = new QToolButton;
    button->setObjectName(QStringLiteral("menuButton"));
    button->setIcon(icon(QStringLiteral("menu")));
    button->setIconSize({metrics::toolIcon, metrics::toolIcon});
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tr("Menu (F10)"));
    button->setShortcut(Qt::Key_F10);
    button->setAccessibleName(tr("Menu"));
    m_mainMenu = new RightAlignedMenu(button);
    button->setMenu(m_mainMenu);
    return button;
}

} // namespace trainyard
