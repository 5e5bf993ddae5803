// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

namespace trainyard
{

class GalleryPage;
class TemplateController;
class Workbench;

// All templates in the window. Made again when asked for.
class GalleryTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"gallery"}; // in PageRegistry

    GalleryTab(Workbench *workbench, TemplateController *templates);

    QString title() const override;
    QIcon icon() const override;
    void focus() override; // the search

private:
    GalleryPage *m_gallery;
};

} // namespace trainyard
