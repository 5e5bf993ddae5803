// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/gallerytab.h"

#include "app/gui/controllers/templatecontroller.h"
#include "app/gui/pages/gallerypage.h"
#include "app/gui/workbench/workbench.h"
#include "widgets/common/icons.h"
#include "widgets/common/searchfield.h"

namespace trainyard
{

GalleryTab::GalleryTab(Workbench *workbench, TemplateController *templates) : Page(new GalleryPage(templates->shelf()))
{
    m_gallery = static_cast<GalleryPage *>(widget());
    connect(m_gallery, &GalleryPage::templateRequested, templates, &TemplateController::openTemplate);
    connect(m_gallery, &GalleryPage::folderRequested, templates, &TemplateController::chooseCatalogue);
    connect(m_gallery, &GalleryPage::openRequested, workbench,
        [workbench](const QString &path) { workbench->openOutside(QUrl::fromLocalFile(path)); });
}

QString GalleryTab::title() const { return tr("Templates"); }

QIcon GalleryTab::icon() const { return trainyard::icon(QStringLiteral("table"), Colour::Muted); }

void GalleryTab::focus() { m_gallery->searchField()->setFocus(); }

} // namespace trainyard
