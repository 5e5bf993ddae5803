// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/previewtab.h"

#include "widgets/common/icons.h"
#include "widgets/tasks/previewpage.h"

namespace trainyard
{

PreviewTab::PreviewTab(DocumentTab *document) : Page(new PreviewPage), m_document(document)
{
    m_preview = static_cast<PreviewPage *>(widget());
}

QString PreviewTab::title() const { return m_preview->title(); }

QIcon PreviewTab::icon() const { return trainyard::icon(QStringLiteral("eye"), Colour::Muted); }

} // namespace trainyard
