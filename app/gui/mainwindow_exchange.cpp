// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dropmark.h"
#include "app/gui/gallerypage.h"
#include "app/gui/importer.h"
#include "app/gui/mainwindow.h"
#include "app/gui/pagebars.h"
#include "app/gui/tabarea.h"
#include "app/gui/templateshelf.h"
#include "app/gui/welcomepage.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/yamldrag.h"
#include "widgets/diff/diffpage.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMimeData>
#include <QPushButton>

// What comes in and goes out: drops, drags, the clipboard, addresses; templates; comparisons.
namespace trainyard
{
namespace
{
const QString savedSource = QStringLiteral("saved");
constexpr int mostRunsOffered = 300;

QString yamlName(const QString &name) { return name + QStringLiteral(".pai.yaml"); }
} // namespace

// Drops and drags

void MainWindow::importContent(const QMimeData *mime)
{
    const Importer::Content content = Importer::contentOf(mime);
    if (!content.files.isEmpty()) {
        openFiles(content.files);
    }
    if (!content.urls.isEmpty()) {
        m_importer->fetch(content.urls);
    }
    if (!content.text.isEmpty()) {
        newDocument(content.text, {});
    }
}

// A job of version 1 becomes a new document; the file stays as it is. Null when it is none, or beyond conversion.
DesignerPage *MainWindow::openOldJob(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > maxCheckedBytes || !file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    DesignerPage *page = convertedDocument(file.read(maxCheckedBytes), QFileInfo(path).fileName());
    if (page) {
        m_settings.setLastFolder(QFileInfo(path).path());
    }
    return page;
}

DesignerPage *MainWindow::convertedDocument(const QByteArray &bytes, const QString &name)
{
    if (!bytes.contains("jobName") || !isLegacyJob(bytes)) {
        return nullptr;
    }
    const LegacyImport import = importLegacyJob(bytes);
    if (import.yaml.isEmpty()) {
        return nullptr;
    }
    auto *page = new DesignerPage;
    page->newConverted(import, name.isEmpty() ? tr("job.json") : name);
    prepareDesigner(page);
    return page;
}

void MainWindow::connectImporter()
{
    connect(m_importer, &Importer::progress, this, [this](const QUrl &url, qint64 received, qint64 total, int waiting) {
        const QString name = url.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
        QString text = total > 0 ? tr("Fetching %1: %2 of %3.").arg(name, formatBytes(received), formatBytes(total))
            : received > 0       ? tr("Fetching %1: %2.").arg(name, formatBytes(received))
                                 : tr("Fetching %1…").arg(name);
        if (waiting > 0) {
            text += QLatin1Char(' ') + tr("%n more to fetch.", nullptr, waiting);
        }
        if (m_showsFetch) {
            m_bar->setText(text.toHtmlEscaped()); // the button stays where the mouse is
            return;
        }
        m_bar->show(InfoBar::Kind::Info, text.toHtmlEscaped());
        m_bar->setClosable(false);
        QPushButton *cancel = m_bar->addAction(tr("Cancel"));
        cancel->setObjectName(QStringLiteral("importCancel"));
        connect(cancel, &QPushButton::clicked, m_importer, &Importer::cancel);
        m_showsFetch = true;
    });
    connect(m_importer, &Importer::fetched, this,
        [this](const QUrl &, const QByteArray &text, const QString &name) { newDocument(text, name); });
    connect(m_importer, &Importer::failed, this, [this](const QUrl &, const Error &error) {
        m_showsFetch = false;
        say(errorText(error));
    });
    connect(m_importer, &Importer::finished, this, [this] {
        if (std::exchange(m_showsFetch, false)) {
            m_bar->hide();
        }
    });
}

void MainWindow::newFromClipboard()
{
    const QMimeData *mime = QApplication::clipboard()->mimeData();
    if (mime && Importer::isAccepted(mime)) {
        importContent(mime);
    } else if (mime && !mime->text().trimmed().isEmpty()) {
        newDocument(mime->text().toUtf8(), {}); // whatever it is: the user asked for it
    } else {
        say(errorText({QStringLiteral("import.nothing"), {}}));
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!event->source() && Importer::isAccepted(event->mimeData())) {
        event->acceptProposedAction();
        m_dropMark->appear();
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent *) { m_dropMark->hide(); }

// What comes from this very window (a tab that is let go over it) changes nothing.
void MainWindow::dropEvent(QDropEvent *event)
{
    m_dropMark->hide();
    if (!event->source() && Importer::isAccepted(event->mimeData())) {
        event->acceptProposedAction();
        importContent(event->mimeData());
    }
}

// Editors and fields would take drops themselves; what may be a document opens as one wherever it is dropped.
bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    const auto type = event->type();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::DragLeave && type != QEvent::Drop) {
        return QMainWindow::eventFilter(watched, event);
    }
    auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget || widget == this || widget->window() != this) {
        return false;
    }
    if (type == QEvent::DragLeave) {
        m_dropMark->hide();
        return false;
    }
    auto *drop = static_cast<QDropEvent *>(event);
    if (drop->source()) {
        return false;
    }
    if (!Importer::isAccepted(drop->mimeData())) {
        return false;
    }
    if (type == QEvent::Drop) {
        dropEvent(drop);
    } else {
        drop->acceptProposedAction();
        m_dropMark->appear();
    }
    return true;
}

std::optional<MainWindow::Exported> MainWindow::exported(QWidget *page, bool withSecrets)
{
    if (auto *designer = qobject_cast<DesignerPage *>(page)) {
        const QByteArray bytes = designer->bytes(true);
        if (withSecrets) {
            return Exported{bytes, designer->displayName()};
        }
        const auto masked = maskSecrets(bytes);
        if (!masked) {
            sayOf(page, errorText(masked.error()));
            return std::nullopt;
        }
        return Exported{*masked, designer->displayName()};
    }
    if (const auto *run = qobject_cast<RunPage *>(page); run && !run->maskedYaml().isEmpty()) {
        return Exported{run->maskedYaml(), yamlName(run->summary().name)};
    }
    return std::nullopt;
}

void MainWindow::exportDrag(QWidget *page)
{
    if (const auto yaml = exported(page, false)) {
        dragYaml(this, yaml->yaml, yaml->name);
    }
}

void MainWindow::copyToClipboard(const QByteArray &yaml)
{
    auto *mime = new QMimeData;
    mime->setText(QString::fromUtf8(yaml));
    mime->setData(QStringLiteral("application/yaml"), yaml);
    QApplication::clipboard()->setMimeData(mime);
}

void MainWindow::copyYaml(bool withSecrets)
{
    if (const auto yaml = exported(m_tabs->currentPage(), withSecrets)) {
        copyToClipboard(yaml->yaml);
    }
}

// A command that does what Run does. A document that is on disk as it stands is named; else it goes along, masked.
void MainWindow::copyRunCommand()
{
    QWidget *page = m_tabs->currentPage();
    const auto yaml = exported(page, false);
    if (!yaml) {
        return;
    }
    QByteArray command = "trainyardctl run ";
    QString file;
    if (const auto *designer = qobject_cast<DesignerPage *>(page); designer && !designer->isModified()) {
        file = designer->filePath();
    }
    command += file.isEmpty() ? QByteArray("-") : shellQuote(file.toUtf8());
    if (const QString host = m_target->currentData().toString(); !host.isEmpty() && host != QLatin1String("local")) {
        command += " --on " + shellQuote(host.toUtf8());
    }
    if (const QString runIn = runInOf(qobject_cast<DesignerPage *>(page)); !runIn.isEmpty()) {
        command += " --in " + shellQuote(runIn.toUtf8());
    }
    const ParseOutcome outcome = parseJob(yaml->yaml);
    if (outcome.spec) {
        for (const QString &name : outcome.spec->maskedSecrets) {
            command += " --secret " + shellQuote(name.toUtf8());
        }
    }
    if (file.isEmpty()) {
        QByteArray mark = "JOB";
        while (yaml->yaml.contains(mark)) {
            mark += '_';
        }
        command += " <<'" + mark + "'\n" + yaml->yaml;
        if (!command.endsWith('\n')) {
            command += '\n';
        }
        command += mark;
    }
    command += '\n';
    QApplication::clipboard()->setText(QString::fromUtf8(command));
}

// Templates

void MainWindow::openTemplate(const QString &id)
{
    const JobTemplate *job = m_shelf->find(id);
    if (!job) {
        return;
    }
    const Result<QByteArray> yaml = job->yaml();
    if (yaml) {
        newDocument(*yaml, job->fileName());
    } else {
        say(errorText(yaml.error()));
    }
}

void MainWindow::showGallery()
{
    if (!m_gallery) {
        m_gallery = new GalleryPage(m_shelf);
        m_tabs->addPage(m_gallery, icon(QStringLiteral("table"), Colour::Muted), tr("Templates"));
        connect(m_gallery, &GalleryPage::templateRequested, this, &MainWindow::openTemplate);
        connect(m_gallery, &GalleryPage::folderRequested, this, &MainWindow::chooseCatalogue);
        connect(m_gallery, &GalleryPage::openRequested, this,
            [this](const QString &path) { openOutside(QUrl::fromLocalFile(path)); });
    }
    m_shelf->reload();
    m_tabs->setCurrentPage(m_gallery);
    m_gallery->searchField()->setFocus();
}

void MainWindow::chooseCatalogue()
{
    auto *dialog = new QFileDialog(this, tr("Folder of templates"), m_settings.templateCatalogue());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::setCatalogue);
    dialog->open();
}

void MainWindow::setCatalogue(const QString &folder)
{
    m_settings.setTemplateCatalogue(folder);
    m_shelf->setCatalogue(folder);
}

void MainWindow::askTemplateName()
{
    DesignerPage *page = currentDesigner();
    if (!page) {
        return;
    }
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save as template"));
    dialog->setLabelText(tr("Name of the template. Secrets are left out."));
    QString name = page->displayName();
    name.remove(QStringLiteral(".pai.yaml")).remove(QStringLiteral(".yaml"));
    dialog->setTextValue(name);
    connect(dialog, &QInputDialog::textValueSelected, this, &MainWindow::saveAsTemplate);
    dialog->open();
}

void MainWindow::saveAsTemplate(const QString &name)
{
    DesignerPage *page = currentDesigner();
    if (!page) {
        return;
    }
    const Result<QString> saved = saveUserTemplate(name, page->bytes(true));
    m_shelf->reload();
    if (!saved) {
        sayOf(page, errorText(saved.error()));
        return;
    }
    sayOf(page, tr("%1 is saved as a template.").arg(QFileInfo(*saved).fileName()), false);
    InfoBar *bar = m_bars->barOf(page);
    const QPushButton *show = bar->addAction(tr("Show templates"));
    connect(show, &QPushButton::clicked, this, [this, bar] {
        bar->hide();
        showGallery();
    });
}

// Comparisons

QList<DiffPage::Source> MainWindow::diffSources(const DesignerPage *designer) const
{
    QList<DiffPage::Source> sources;
    if (!designer->filePath().isEmpty()) {
        sources.append({savedSource, tr("Saved file"), {}});
    }
    QList<JobSummary> runs = m_client->jobs();
    const QString last = lastRunOf(designer);
    if (const auto job = m_client->job(last)) {
        sources.append({last, tr("Last run of this job, #%1").arg(job->id), stateText(job->state)});
    }
    for (const JobSummary &job : runs) {
        if (job.uuid != last && sources.size() < mostRunsOffered) {
            sources.append({job.uuid, tr("%1 #%2").arg(job.name, QString::number(job.id)), stateText(job.state)});
        }
    }
    return sources;
}

// The newest run of this file; without a file, or when it never ran, of a job with this name.
QString MainWindow::lastRunOf(const DesignerPage *designer) const
{
    const QList<JobSummary> runs = m_client->jobs(); // newest first
    const auto newest = [&runs](const auto &fits) {
        const auto it = std::find_if(runs.cbegin(), runs.cend(), fits);
        return it == runs.cend() ? QString() : it->uuid;
    };
    const QString file = designer->filePath();
    if (!file.isEmpty()) {
        if (const QString uuid = newest([&file](const JobSummary &job) { return job.file == file; }); !uuid.isEmpty()) {
            return uuid;
        }
    }
    const ParseOutcome outcome = parseJob(designer->bytes());
    if (!outcome.spec || outcome.spec->name.isEmpty()) {
        return {};
    }
    return newest([&outcome](const JobSummary &job) { return job.name == outcome.spec->name; });
}

void MainWindow::compareWith(DesignerPage *designer, const QString &source)
{
    DiffPage *page = m_diffs.value(designer);
    if (!page) {
        page = new DiffPage;
        m_diffs.insert(designer, page);
        m_tabs->addPage(page, icon(QStringLiteral("split"), Colour::Muted), tr("Compare"));
        const QPointer<DesignerPage> document(designer);
        connect(page, &DiffPage::backRequested, this, [this, document] {
            if (document) {
                m_tabs->setCurrentPage(document);
            }
        });
        connect(page, &DiffPage::sourceChosen, this, [this, page, document](const QString &id) {
            if (document) {
                loadDiff(page, document, id);
            }
        });
        connect(designer, &DesignerPage::problemsChanged, page, [this, page, document] {
            if (document && page == m_tabs->currentPage()) {
                updateDiff(page, document);
            }
        });
        connect(designer, &QObject::destroyed, page, [this, page] {
            if (!m_closing) {
                closePage(page);
            }
        });
    }
    page->setName(designer->displayName());
    m_tabs->setTitle(page, page->title());
    page->setSources(diffSources(designer));
    m_tabs->setCurrentPage(page);
    nameWindowAfter(page);
    const QList<DiffPage::Source> sources = diffSources(designer);
    const QString wanted = !source.isEmpty() ? source : sources.isEmpty() ? QString() : sources.constFirst().id;
    if (!wanted.isEmpty()) {
        page->choose(wanted);
    }
    page->setFocus();
}

void MainWindow::updateDiff(DiffPage *page, const DesignerPage *designer)
{
    const QByteArray bytes = designer->bytes();
    if (page->chosen() == savedSource || page->chosen().isEmpty()) {
        page->setNow(bytes);
        return;
    }
    // A run's text has no secrets, so those here would all look changed; and they are nobody's business there.
    const auto masked = maskSecrets(bytes);
    page->setNow(masked ? *masked : bytes);
}

void MainWindow::loadDiff(DiffPage *page, const DesignerPage *designer, const QString &id)
{
    updateDiff(page, designer);
    if (id == savedSource) {
        QFile file(designer->filePath());
        if (file.open(QIODevice::ReadOnly)) {
            page->setOther(file.readAll());
        } else {
            page->setError(errorText({QStringLiteral("file.unreadable"),
                {{QStringLiteral("file"), designer->filePath()}, {QStringLiteral("reason"), file.errorString()}}}));
        }
        return;
    }
    m_client->jobDetail(id, page, [page, id](const Result<JobDetail> &detail) {
        if (page->chosen() != id) {
            return; // another one was chosen meanwhile
        }
        if (!detail) {
            page->setError(errorText(detail.error()));
            return;
        }
        page->setOther(
            detail->yaml, detail->yaml.contains("******") ? tr("Secrets are masked on both sides.") : QString());
    });
}

void MainWindow::compareCurrent(CompareWith what)
{
    DesignerPage *designer = currentDesigner();
    if (!designer) {
        return;
    }
    switch (what) {
    case CompareWith::Saved:
        if (designer->filePath().isEmpty()) {
            sayOf(designer,
                tr("%1 is not saved yet, so there is no file to compare it with.").arg(designer->displayName()), false);
            return;
        }
        compareWith(designer, savedSource);
        break;
    case CompareWith::LastRun:
        if (const QString uuid = lastRunOf(designer); !uuid.isEmpty()) {
            compareWith(designer, uuid);
        } else {
            sayOf(designer, tr("%1 has not run yet.").arg(designer->displayName()), false);
        }
        break;
    case CompareWith::Any:
        // What is likely to differ.
        compareWith(designer, designer->isModified() ? QString() : lastRunOf(designer));
        break;
    }
}

} // namespace trainyard
