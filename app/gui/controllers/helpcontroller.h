// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace trainyard
{

class ActionRegistry;
class EngineClient;
class PageRegistry;
class Workbench;

// Documentation, keys and settings of the window.
class HelpController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "documentation", "jobReference", "shortcuts" and "settings".
    HelpController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client);

private:
    void openPage(const QString &page);
    PageRegistry *m_pages;
};

} // namespace trainyard
