// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace trainyard
{

class ActionRegistry;
class RunInMenu;
class SearchField;
class TargetBox;
class TemplateController;

// The window's tool bar: what is used all the time, the search, and the button of the main menu.
class WindowToolBar : public QToolBar
{
    Q_OBJECT
public:
    // All actions must be there.
    WindowToolBar(const ActionRegistry *actions, TemplateController *templates, RunInMenu *runIn, TargetBox *target,
        SearchField *search, QWidget *parent = nullptr);
    QMenu *mainMenu() const { return m_mainMenu; } // empty; to be filled

private:
    QToolButton *makeNewButton(const ActionRegistry *actions, TemplateController *templates);
    QToolButton *makeRunButton(const ActionRegistry *actions, RunInMenu *runIn);
    QToolButton *makeMenuButton();
    static void addSeparatorTo(QHBoxLayout *layout);
    QMenu *m_mainMenu = nullptr;
};

} // namespace trainyard
