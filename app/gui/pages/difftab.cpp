// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/difftab.h"

#include "app/gui/pages/documenttab.h"
#include "widgets/common/icons.h"
#include "widgets/diff/diffpage.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/documentfile.h"

namespace trainyard
{

DiffTab::DiffTab(Page *compared) : Page(new DiffPage), m_compared(compared), m_file(new DocumentFile(this))
{
    m_diff = static_cast<DiffPage *>(widget());
}

QString DiffTab::title() const { return m_diff->title(); }

QIcon DiffTab::icon() const { return trainyard::icon(QStringLiteral("split"), Colour::Muted); }

std::optional<SessionTab> DiffTab::place() const
{
    if (!m_compared) {
        return std::nullopt;
    }
    SessionTab tab;
    tab.kind = kind;
    tab.uuid = m_compared->jobUuid();
    if (const auto *document = qobject_cast<DocumentTab *>(m_compared.data())) {
        tab.path = document->designer()->filePath();
        tab.name = document->title();
    }
    tab.layout = (m_awaited.isEmpty() ? m_diff->chosen() : m_awaited).toUtf8();
    return tab;
}

} // namespace trainyard
