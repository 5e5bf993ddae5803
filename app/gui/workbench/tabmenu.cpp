// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabmenu.h"

#include "app/gui/workbench/page.h"
#include "app/gui/workbench/tabarea.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/common/savednotice.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>
#include <iterator>

namespace trainyard
{

TabMenu::TabMenu(Workbench *workbench, TabArea *tabs) : QObject(tabs), m_workbench(workbench)
{
    connect(tabs, &TabArea::menuRequested, this, [this, tabs](QWidget *widget, const QPoint &at) {
        if (Page *page = m_workbench->pageOf(widget)) {
            auto *menu = new QMenu(tabs);
            menu->setObjectName(QStringLiteral("tabMenu"));
            menu->setAttribute(Qt::WA_DeleteOnClose);
            fill(menu, page);
            menu->popup(at);
        }
    });
}

// A page may go while its menu is open; what is closed then is closed already.
void TabMenu::fill(QMenu *menu, Page *page)
{
    const QList<Page *> all = m_workbench->pages();
    QList<Page *> others, right, runs;
    const auto at = std::find(all.cbegin(), all.cend(), page);
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(others), [page](Page *each) { return each != page; });
    std::copy(at == all.cend() ? at : std::next(at), all.cend(), std::back_inserter(right));
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(runs),
        [](const Page *each) { return !each->jobUuid().isEmpty(); });
    const auto add = [this, menu](const char *name, const QString &text, const QList<Page *> &pages) {
        QAction *entry
            = menu->addAction(text, m_workbench, [workbench = m_workbench, pages] { workbench->close(pages); });
        entry->setObjectName(QLatin1String(name));
        entry->setEnabled(!pages.isEmpty());
    };
    add("closeTab", tr("Close"), {page});
    add("closeOthers", tr("Close others"), others);
    add("closeRight", tr("Close tabs to the right"), right);
    add("closeFinished", tr("Close all finished runs"), m_workbench->finishedRuns());
    add("closeRuns", tr("Close all runs"), runs); // which go on
    if (const QString file = page->file(); !file.isEmpty()) {
        menu->addSeparator();
        menu->addAction(tr("Copy path"), this, [file] { QGuiApplication::clipboard()->setText(file); })
            ->setObjectName(QStringLiteral("copyPath"));
        menu->addAction(
                tr("Show in folder"), page, [this, page, file] { showInFolder(m_workbench->barOf(page), file); })
            ->setObjectName(QStringLiteral("showInFolder"));
    }
}

} // namespace trainyard
