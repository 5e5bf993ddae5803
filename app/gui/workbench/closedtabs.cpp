// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/closedtabs.h"

#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"

namespace trainyard
{
namespace
{
constexpr qsizetype mostKept = 20;
} // namespace

ClosedTabs::ClosedTabs(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages)
    : QObject(workbench->window()), m_workbench(workbench), m_pages(pages)
{
    actions->add({"reopenClosed", {}, tr("Reopen close&d tab"), tr("Open the tab that was closed last again"),
                     {Qt::CTRL | Qt::SHIFT | Qt::Key_T}},
        this, [this] { reopen(); });
    connect(workbench, &Workbench::closing, this, [this, workbench](const Page *page) {
        const std::optional<SessionTab> place = workbench->isClosing() ? std::nullopt : page->place();
        if (place && !place->isBare()) {
            m_closed.append(*place);
            m_closed.remove(0, qMax<qsizetype>(0, m_closed.size() - mostKept));
        }
    });
    connect(workbench, &Workbench::refreshed, this, [this, actions] {
        actions->setEnabled({"reopenClosed"}, !m_closed.isEmpty(), tr("No tab has been closed yet."));
    });
}

// A tab that cannot be opened any more, for example because its file was removed, does not block the one before it.
void ClosedTabs::reopen()
{
    while (!m_closed.isEmpty()) {
        const SessionTab tab = m_closed.takeLast();
        if (m_pages->open(tab.kind, tab)) {
            break;
        }
    }
    m_workbench->refresh();
}

} // namespace trainyard
