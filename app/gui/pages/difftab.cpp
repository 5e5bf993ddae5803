// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/difftab.h"

#include "widgets/common/icons.h"
#include "widgets/diff/diffpage.h"

namespace trainyard
{

DiffTab::DiffTab(DocumentTab *compared) : Page(new DiffPage), m_compared(compared)
{
    m_diff = static_cast<DiffPage *>(widget());
}

QString DiffTab::title() const { return m_diff->title(); }

QIcon DiffTab::icon() const { return trainyard::icon(QStringLiteral("split"), Colour::Muted); }

} // namespace trainyard
