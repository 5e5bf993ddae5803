// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;

namespace trainyard
{

class Page;
class TabArea;
class Workbench;

// The context menu of a tab: what closes several at once, and where its file is.
class TabMenu : public QObject
{
    Q_OBJECT
public:
    TabMenu(Workbench *workbench, TabArea *tabs); // belongs to the tabs
    void fill(QMenu *menu, Page *page);

private:
    Workbench *m_workbench;
};

} // namespace trainyard
