// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/pageregistry.h"

#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"

namespace trainyard
{

PageRegistry::PageRegistry(Workbench *workbench, QObject *parent) : QObject(parent), m_workbench(workbench)
{
    connect(workbench, &Workbench::closing, this,
        [this](Page *page) { m_singles.removeIf([page](const auto &single) { return single.value() == page; }); });
}

void PageRegistry::add(const QString &kind, const std::function<Page *(const SessionTab &place)> &open)
{
    m_kinds.insert(kind, open);
}

void PageRegistry::addSingle(const QString &kind, const std::function<Page *()> &make,
    const std::function<void(Page *page, const SessionTab &place)> &restore)
{
    add(kind, [this, kind, make, restore](const SessionTab &place) {
        Page *page = m_singles.value(kind);
        if (!page) {
            page = make();
            m_singles.insert(kind, page);
            m_workbench->add(page);
        }
        m_workbench->show(page);
        if (restore && place.kind == kind) {
            restore(page, place);
        }
        return page;
    });
}

Page *PageRegistry::open(const QString &kind, const SessionTab &place)
{
    const auto found = m_kinds.constFind(kind);
    return found == m_kinds.cend() ? nullptr : (*found)(place);
}

Page *PageRegistry::enter(const QString &kind)
{
    Page *page = open(kind);
    if (page) {
        page->focus();
    }
    return page;
}

} // namespace trainyard
