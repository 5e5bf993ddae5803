// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/exportcontroller.h"

#include "app/gui/controllers/filecontroller.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/cataloguefolder.h"
#include "engine/client/exportfolder.h"
#include "engine/client/wholefile.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/filedialog.h"
#include "widgets/exchange/exportdialog.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>

namespace trainyard
{

ExportController::ExportController(Workbench *workbench, ActionRegistry *actions, FileController *files)
    : QObject(workbench->window()), m_workbench(workbench), m_files(files)
{
    actions->add({"export", QStringLiteral("external"), tr("E&xport…"),
                     tr("This job as a script for bash or Slurm, or for Docker Compose, Kubernetes, SkyPilot, dstack")},
        this, [this] { exportCurrent(); });
    connect(workbench, &Workbench::refreshed, this, [this, actions] {
        actions->setEnabled({"export"}, m_files->current(), tr("The tab in front is not a document."));
    });
}

void ExportController::exportCurrent()
{
    DocumentTab *document = m_files->current();
    if (!document) {
        return;
    }
    DesignerPage *designer = document->designer();
    const ParseOutcome written = designer->committedOutcome();
    // The same text that Run hands over: items of the catalogue are written into it.
    const Result<ParseOutcome> whole = withCatalogue(written, folderCatalogue(catalogueFolder()));
    if (!whole) {
        m_workbench->sayOf(document, errorText(whole.error()));
        return;
    }
    if (!whole->canRun()) {
        m_workbench->sayOf(document, tr("The job has errors: it can be exported when they are corrected."));
        return;
    }
    const JobSpec job = *whole->spec;
    const bool hasImages = std::any_of(
        job.taskRoles.cbegin(), job.taskRoles.cend(), [](const TaskRole &role) { return !role.dockerImage.isEmpty(); });
    auto *dialog = new ExportDialog(
        job.name.isEmpty() ? designer->displayName() : job.name, hasImages,
        [job](ExportTarget target, const ExportOptions &options) { return exportJob(job, target, options); },
        m_workbench->window());
    dialog->setTarget(m_last);
    connect(dialog, &ExportDialog::copyRequested, this,
        [](const QByteArray &text) { QGuiApplication::clipboard()->setText(QString::fromUtf8(text)); });
    connect(dialog, &ExportDialog::saveRequested, this,
        [this, dialog, name = job.name, folder = QFileInfo(designer->runFile()).path()](
            const QByteArray &text, ExportTarget target) {
            const QString file = (name.isEmpty() ? tr("job") : name) + exportSuffix(target);
            askWhereToSave(dialog, tr("Export as"), QDir(folder).filePath(file),
                {{tr("Exported jobs"), {exportSuffix(target)}}, {tr("All files"), {}}}, dialog,
                [this, dialog, text](const QString &path) { save(dialog, path, text); });
        });
    connect(dialog, &ExportDialog::folderRequested, this,
        [this, dialog, job, folder = QFileInfo(designer->runFile()).path()](
            const Exported &exported, ExportTarget target, const ExportOptions &options) {
            QFileDialog *asked
                = makeFileDialog(dialog, tr("Folder for the export and its README"), beginFolderAt(folder), QString());
            asked->setFileMode(QFileDialog::Directory);
            asked->setOption(QFileDialog::ShowDirsOnly);
            connect(asked, &QFileDialog::fileSelected, dialog,
                [this, dialog, job, exported, target, options](
                    const QString &chosen) { saveIn(dialog, exportPlaceIn(chosen, job, target), exported, options); });
            asked->open();
        });
    connect(dialog, &QDialog::finished, this, [this, dialog] { m_last = dialog->target(); });
    dialog->open();
}

void ExportController::save(ExportDialog *dialog, const QString &path, const QByteArray &text)
{
    const Result<void> written = writeFile(path, text);
    dialog->say(written ? tr("%1 is written.").arg(path) : errorText(written.error()), !written);
}

void ExportController::saveIn(
    ExportDialog *dialog, const ExportPlace &place, const Exported &exported, const ExportOptions &options)
{
    const auto write = [dialog, place, exported, options] {
        const Result<void> written = writeExport(place, exported, options);
        const QFileInfo file(place.file), readme(place.readme);
        if (written) {
            setSaveFolder(file.absolutePath());
        }
        dialog->say(written
                ? tr("%1 and %2 are written in %3.").arg(file.fileName(), readme.fileName(), file.absolutePath())
                : errorText(written.error()),
            !written);
    };
    QStringList there = place.paths();
    there.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
    if (there.isEmpty()) {
        write();
    } else {
        askToReplace(dialog, there, dialog, write);
    }
}

} // namespace trainyard
