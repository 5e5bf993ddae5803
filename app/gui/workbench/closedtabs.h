// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"

#include <QObject>

namespace trainyard
{

class ActionRegistry;
class PageRegistry;
class Workbench;

// The tabs that were closed while the window is open, the last one on top, to have them back: also documents that never
// had a file, with their text as it was. It stays in memory, so that no secret is masked.
class ClosedTabs : public QObject
{
    Q_OBJECT
public:
    // Adds the action "reopenClosed".
    ClosedTabs(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages);

private:
    void reopen();

    Workbench *m_workbench;
    PageRegistry *m_pages;
    QList<SessionTab> m_closed;
};

} // namespace trainyard
