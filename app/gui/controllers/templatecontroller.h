// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/commandpalette.h"

#include <QObject>
#include <QString>

class QMenu;

namespace trainyard
{

class ActionRegistry;
class DocumentTab;
class FileController;
class GuiSettings;
class PageRegistry;
class TemplateShelf;
class Workbench;

// Templates: new documents from them, the gallery, the user's own and those of a shared folder.
class TemplateController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "newFromTemplate", "saveAsTemplate" and "templateFolder", and registers the gallery as a page.
    TemplateController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, FileController *files,
        GuiSettings *settings);

    TemplateShelf *shelf() const { return m_shelf; }
    void openTemplate(const QString &id);
    void showGallery();
    void chooseCatalogue();
    void setCatalogue(const QString &folder);
    void saveAsTemplate(const QString &name); // the document in front
    void fillNewMenu(QMenu *menu, const ActionRegistry *actions);
    QList<CommandPalette::Entry> paletteEntries();

private:
    void makeActions(ActionRegistry *actions);
    void askName();

    Workbench *m_workbench;
    PageRegistry *m_pages;
    FileController *m_files;
    GuiSettings *m_settings;
    TemplateShelf *m_shelf;
};

} // namespace trainyard
