// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace trainyard
{

class ActionRegistry;
class GuiSettings;
class RunTab;
class RunTabs;
class Workbench;

// Opens the code that the output of a run names, and asks for the program that shows it.
class CodeController : public QObject
{
    Q_OBJECT
public:
    // Adds the action "codeEditor".
    CodeController(Workbench *workbench, ActionRegistry *actions, RunTabs *runs, GuiSettings *settings);

private:
    void open(RunTab *tab, const QString &path, int line);
    void choose(const std::function<void()> &then); // once a program is named; may be empty
    Workbench *m_workbench;
    GuiSettings *m_settings;
};

} // namespace trainyard
