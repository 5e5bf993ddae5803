// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace trainyard
{

class ActionRegistry;
class GuiSettings;
class RunTabs;
class TextSize;
class Workbench;

// The sizes of the text of code and of logs: the actions that change them, and keeping them.
class TextSizeController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "zoomIn", "zoomOut" and "zoomReset".
    TextSizeController(Workbench *workbench, ActionRegistry *actions, const RunTabs *runs, GuiSettings *settings);

private:
    TextSize *meant() const; // by keys: of the view that has them, or of the page in front
    const RunTabs *m_runs;
};

} // namespace trainyard
