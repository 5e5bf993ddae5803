// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/templatecontroller.h"

#include "app/common/jobtemplates.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/gallerytab.h"
#include "app/gui/templateshelf.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{

TemplateController::TemplateController(
    Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, FileController *files, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_pages(pages), m_files(files), m_settings(settings),
      m_shelf(new TemplateShelf(this))
{
    makeActions(actions);
    pages->addSingle(GalleryTab::kind, [this] { return new GalleryTab(m_workbench, this); });
    connect(workbench, &Workbench::refreshed, this, [this, actions] {
        actions->setEnabled({"saveAsTemplate"}, m_files->current(), tr("The tab in front is not a document."));
    });
    m_shelf->setCatalogue(settings->templateCatalogue());
}

void TemplateController::makeActions(ActionRegistry *actions)
{
    actions->add({"newFromTemplate", QStringLiteral("table"), tr("New from &template…"),
                     tr("Choose from the templates, with what each does and needs"), {Qt::CTRL | Qt::SHIFT | Qt::Key_N},
                     true, tr("Templates, gallery")},
        this, [this] { showGallery(); });
    actions->add({"saveAsTemplate", {}, tr("Save as te&mplate…"), tr("Keep this document as a template of your own")},
        this, [this] { askName(); });
    actions->add({"templateFolder", {}, tr("Template &catalogue folder…"),
                     tr("Show the templates of a folder too, such as one that your team shares")},
        this, [this] { chooseCatalogue(); });
}

void TemplateController::openTemplate(const QString &id)
{
    const JobTemplate *job = m_shelf->find(id);
    if (!job) {
        return;
    }
    const Result<QByteArray> yaml = job->yaml();
    if (yaml) {
        // Called as it will be saved: after the job, not after the file of the template.
        const ParseOutcome outcome = parseJob(*yaml);
        m_files->newDocument(*yaml,
            outcome.spec && !outcome.spec->name.isEmpty() ? outcome.spec->name + QStringLiteral(".pai.yaml")
                                                          : job->fileName());
    } else {
        m_workbench->say(errorText(yaml.error()));
    }
}

void TemplateController::showGallery()
{
    Page *gallery = m_pages->open(GalleryTab::kind);
    m_shelf->reload();
    gallery->focus();
}

void TemplateController::chooseCatalogue()
{
    QFileDialog *dialog
        = makeFileDialog(m_workbench->window(), tr("Folder of templates"), m_settings->templateCatalogue(), {});
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &TemplateController::setCatalogue);
    dialog->open();
}

void TemplateController::setCatalogue(const QString &folder)
{
    m_settings->setTemplateCatalogue(folder);
    m_shelf->setCatalogue(folder);
}

void TemplateController::askName()
{
    const DocumentTab *document = m_files->current();
    if (!document) {
        return;
    }
    auto *dialog = new QInputDialog(m_workbench->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save as template"));
    dialog->setLabelText(tr("Name of the template. Secrets are left out."));
    QString name = document->title();
    name.remove(QStringLiteral(".pai.yaml")).remove(QStringLiteral(".yaml"));
    dialog->setTextValue(name);
    connect(dialog, &QInputDialog::textValueSelected, this, &TemplateController::saveAsTemplate);
    dialog->open();
}

void TemplateController::saveAsTemplate(const QString &name)
{
    DocumentTab *document = m_files->current();
    if (!document) {
        return;
    }
    const Result<QString> saved = saveUserTemplate(name, document->designer()->bytes(true));
    m_shelf->reload();
    if (!saved) {
        m_workbench->sayOf(document, errorText(saved.error()));
        return;
    }
    m_workbench->sayOf(document, tr("%1 is saved as a template.").arg(QFileInfo(*saved).fileName()), false);
    m_workbench->barOf(document)->goSoon();
    InfoBar *bar = m_workbench->barOf(document);
    const QPushButton *show = bar->addAction(tr("Show templates"));
    connect(show, &QPushButton::clicked, this, [this, bar] {
        bar->hide();
        showGallery();
    });
}

void TemplateController::fillNewMenu(QMenu *menu, const ActionRegistry *actions)
{
    menu->clear();
    menu->addAction(icon(QStringLiteral("document")), tr("Empty job"), this,
        [this] { m_files->newDocument(QByteArrayLiteral("protocolVersion: 2\nname: job\ntype: job\n"), {}); });
    menu->addActions(actions->actions({"newFromClipboard", "newFromTemplate"}));
    menu->addSeparator();
    constexpr qsizetype most = 8; // the page has them all
    for (const JobTemplate &job : m_shelf->templates().first(std::min(most, m_shelf->templates().size()))) {
        menu->addAction(plainCaption(job.title), this, [this, id = job.id] { openTemplate(id); });
    }
}

QList<CommandPalette::Entry> TemplateController::paletteEntries()
{
    QList<CommandPalette::Entry> entries;
    for (const JobTemplate &job : m_shelf->templates()) {
        entries.append({tr("New from template: %1").arg(job.title), job.needs, QStringLiteral("new"),
            [this, id = job.id] { openTemplate(id); }, true, {}, QLatin1String("template:") + job.id, job.fileName()});
    }
    return entries;
}

} // namespace trainyard
