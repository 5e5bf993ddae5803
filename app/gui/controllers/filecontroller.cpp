// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/filecontroller.h"

#include "app/common/jobtemplates.h"
#include "app/gui/controllers/documentsaving.h"
#include "app/gui/controllers/foreigncontroller.h"
#include "app/gui/controllers/formknowledge.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/convertedjob.h"
#include "app/gui/freename.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/recentfiles.h"
#include "app/gui/scriptjob.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/paths.h"
#include "model/import/batchimport.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/unmask.h"
#include "model/yaml/yamldocument.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace trainyard
{
namespace
{
const QStringList yamlPatterns{QStringLiteral("*.yaml"), QStringLiteral("*.yml"), QStringLiteral("*.json")};
// The topic of a bar that is removed when a file could be opened.
const QString ofOpening = QStringLiteral("opening");
} // namespace

FileController::FileController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
    HostController *hosts, Secrets *secrets, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_hosts(hosts),
      m_knowledge(new FormKnowledge(client, hosts, secrets, this)),
      m_saving(new DocumentSaving(
          workbench, secrets, [this](const QString &path) { return openAt(path); }, this)),
      m_settings(settings), m_recent(new RecentFiles(settings, workbench->window()))
{
    setFolderOfRuns(paths::stateFolder() + QStringLiteral("/runs"));
    setSaveFolder(settings->lastFolder());
    makeActions(actions);
    pages->add(DocumentTab::kind, [this](const SessionTab &place) { return restore(place); });
    connect(workbench, &Workbench::refreshed, this, [this, actions] { enableActions(actions); });
    connect(workbench, &Workbench::closing, this,
        [this](Page *page) { m_tabs.removeIf([page](const DocumentTab *tab) { return tab == page; }); });
    connect(m_saving, &DocumentSaving::saved, m_recent, &RecentFiles::add);
    connect(m_saving, &DocumentSaving::placed, this, &FileController::noteFolder);
    connect(m_recent, &RecentFiles::openRequested, this, &FileController::openFile);
}

void FileController::makeActions(ActionRegistry *actions)
{
    actions->add(
        {"new", QStringLiteral("new"), tr("&New job"), tr("Start a new job"), {QKeySequence::New}}, this, [this] {
            const DocumentTab *tab = newDocument(
                fittedJob(bundledTemplates().constFirst().yaml().value_or(QByteArray()), m_hosts->hosts()), {});
            // An untouched text is replaced at once.
            tab->designer()->selectValue({QStringLiteral("parameters"), QStringLiteral("script")});
        });
    actions->add({"open", QStringLiteral("open"), tr("&Open…"), tr("Open jobs, scripts, or files of runs"),
                     {QKeySequence::Open}},
        this, [this] { chooseFiles(); });
    // Those that need a document are off without one.
    const auto withCurrent = [this](const std::function<void(DocumentTab *)> &use) {
        return [this, use] {
            if (DocumentTab *tab = current()) {
                use(tab);
            }
        };
    };
    actions->add({"save", QStringLiteral("save"), tr("&Save"), tr("Save this document"), {QKeySequence::Save}}, this,
        withCurrent([this](DocumentTab *tab) { save(tab, false); }));
    // Not QKeySequence::SaveAs, which is not a key on some desktops.
    actions->add({"saveAs", {}, tr("Save &as…"), tr("Save this document under another name"),
                     {Qt::CTRL | Qt::SHIFT | Qt::Key_S}},
        this, withCurrent([this](DocumentTab *tab) { save(tab, true); }));
    actions->add({"undo", QStringLiteral("undo"), tr("&Undo"), tr("Undo the last change")}, this,
        withCurrent([](const DocumentTab *tab) { tab->designer()->undo(); }));
    actions->add({"redo", QStringLiteral("redo"), tr("Re&do"), tr("Redo the change that was undone")}, this,
        withCurrent([](const DocumentTab *tab) { tab->designer()->redo(); }));
}

void FileController::enableActions(ActionRegistry *actions) const
{
    const DocumentTab *tab = current();
    const QString noDocument = tr("The tab in front is not a document.");
    // Also while nothing has changed: what is being typed in the form counts only when it is saved.
    actions->setEnabled({"save"}, tab, noDocument);
    actions->setEnabled({"saveAs"}, tab, noDocument);
    actions->setEnabled({"undo"}, tab && tab->designer()->undoAction()->isEnabled(),
        tab ? tr("There is nothing to undo.") : noDocument);
    actions->setEnabled(
        {"redo"}, tab && tab->designer()->redoAction()->isEnabled(), tab ? tr("Nothing has been undone.") : noDocument);
}

DocumentTab *FileController::current() const { return find(m_workbench->front()); }

DocumentTab *FileController::find(const Page *page) const
{
    const auto it = std::find(m_tabs.cbegin(), m_tabs.cend(), page);
    return it == m_tabs.cend() ? nullptr : *it;
}

DocumentTab *FileController::add(DesignerPage *designer)
{
    auto *tab = new DocumentTab(designer);
    m_tabs.append(tab);
    m_knowledge->tell(designer);
    designer->setTextWrapped(m_settings->wrapsText());
    connect(designer, &DesignerPage::textWrappedChanged, this, &FileController::setTextWrapped);
    connect(tab, &DocumentTab::saveRequested, this,
        [this, tab](bool as, const std::function<void()> &then) { save(tab, as, then); });
    Q_EMIT opened(tab);
    m_workbench->add(tab);
    tab->focus(); // an opened document gets the focus, wherever it was before
    return tab;
}

// One choice for all documents, now and later.
void FileController::setTextWrapped(bool on)
{
    m_settings->setWrapsText(on);
    for (const DocumentTab *tab : std::as_const(m_tabs)) {
        tab->designer()->setTextWrapped(on);
    }
}

void FileController::setOffers(const std::function<ClusterOffers()> &offers) { m_knowledge->setOffers(offers); }

DocumentTab *FileController::openFile(const QString &path)
{
    const Result<DocumentTab *> opened = tryOpen(path);
    if (!opened) {
        m_workbench->say(errorText(opened.error()));
        m_workbench->windowBar()->setTopic(ofOpening);
        return nullptr;
    }
    return *opened;
}

Result<DocumentTab *> FileController::tryOpen(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (DocumentTab *tab = openAt(path)) {
        m_workbench->show(tab);
        tab->focus();
        return tab;
    }
    if (const Result<DocumentTab *> converted = openOldJob(absolute); !converted || *converted) {
        return converted;
    }
    if (isScript(absolute)) {
        return openScript(absolute);
    }
    auto designer = std::make_unique<DesignerPage>();
    if (const auto result = designer->openFile(absolute); !result) {
        return tl::unexpected(result.error());
    }
    m_workbench->windowBar()->hideIfOf(ofOpening);
    DocumentTab *tab = add(designer.release());
    m_recent->add(absolute);
    noteFolder(QFileInfo(absolute).path());
    return tab;
}

// The document of this file, by whatever name the file was opened; null when it is not open.
DocumentTab *FileController::openAt(const QString &path) const
{
    const QFileInfo file(path);
    const auto it = std::find_if(m_tabs.cbegin(), m_tabs.cend(), [&file](const DocumentTab *tab) {
        const QString open = tab->designer()->filePath();
        return !open.isEmpty() && (open == file.absoluteFilePath() || (file.exists() && QFileInfo(open) == file));
    });
    return it == m_tabs.cend() ? nullptr : *it;
}

// A job of version 1, or a batch script, becomes a new document; the file stays as it is. Null when it is none, or
// beyond conversion; a failure when a line of a batch script is in the way, or all of one that is not a program either.
Result<DocumentTab *> FileController::openOldJob(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > maxCheckedBytes || !file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    const QByteArray bytes = file.read(maxCheckedBytes);
    const bool isBatch = isBatchScript(bytes);
    DocumentTab *tab = convertedDocument(bytes, QFileInfo(path).fileName());
    if (tab) {
        const QFileInfo old(path);
        noteFolder(old.path());
        if (isBatch) { // it works where the script is
            tab->designer()->setOriginFile(QDir(old.absolutePath()).filePath(tab->designer()->displayName()));
        }
    } else if (isBatch) {
        if (const std::optional<Error> inTheWay = conversionTrouble(bytes, isScript(path))) {
            return tl::unexpected(*inTheWay);
        }
    }
    return tab;
}

DocumentTab *FileController::convertedDocument(const QByteArray &bytes, const QString &name)
{
    const std::optional<JobImport> import = convertedJob(bytes, name);
    if (!import) {
        return nullptr;
    }
    auto *designer = new DesignerPage;
    designer->newConverted(*import, name); // of a file, else it came from the clipboard
    return add(designer);
}

// A program is not a job: what is wanted is most likely one that runs it.
DocumentTab *FileController::openScript(const QString &path)
{
    const QFileInfo script(path);
    DocumentTab *tab
        = newDocument(scriptJob(path, m_hosts->hosts()), script.completeBaseName() + QStringLiteral(".pai.yaml"));
    tab->designer()->setOriginFile(QDir(script.absolutePath()).filePath(tab->designer()->displayName()));
    noteFolder(script.absolutePath());
    InfoBar *bar = m_workbench->barOf(tab);
    bar->show(InfoBar::Kind::Info,
        tr("This new job runs %1 in its folder, %2.")
            .arg(script.fileName().toHtmlEscaped(), script.absolutePath().toHtmlEscaped()));
    bar->setClosable(true);
    return tab;
}

void FileController::openFiles(const QStringList &paths)
{
    // All failures are reported, and not only the last.
    constexpr qsizetype mostTold = 6;
    QStringList refused;
    const QStringList jobs = m_takeRuns ? m_takeRuns(paths) : paths;
    for (const QString &path : jobs) {
        if (const Result<DocumentTab *> opened = tryOpen(path); !opened) {
            refused.append(errorText(opened.error()).toHtmlEscaped());
        }
    }
    if (refused.size() > mostTold) {
        const int more = int(refused.size() - mostTold + 1);
        refused = refused.first(mostTold - 1) << tr("%n more could not be opened.", nullptr, more);
    }
    if (!refused.isEmpty()) {
        InfoBar *bar = m_workbench->windowBar();
        bar->show(InfoBar::Kind::Failed, refused.join(QStringLiteral("<br>")));
        bar->setClosable(true);
        bar->setTopic(ofOpening);
    }
    QWidget *window = m_workbench->window();
    if (window->isMinimized()) {
        window->showNormal();
    }
    window->raise();
    window->activateWindow();
}

DocumentTab *FileController::newDocument(const QByteArray &yaml, const QString &suggestedName, Kept kept)
{
    const QString ending = QStringLiteral(".pai.yaml"); // of what a job is called that it becomes
    const QString oldName = suggestedName.endsWith(ending) ? suggestedName.chopped(ending.size()) : suggestedName;
    if (DocumentTab *converted = convertedDocument(yaml, oldName)) {
        return converted;
    }
    auto *designer = new DesignerPage;
    const QString name = freeName(suggestedName.isEmpty() ? tr("untitled.pai.yaml") : suggestedName);
    if (kept == Kept::Nowhere) {
        designer->restore({}, yaml, name);
    } else {
        designer->newDocument(yaml, name);
    }
    return add(designer);
}

QString FileController::freeName(const QString &wanted) const
{
    return freeDocumentName(wanted, tr("untitled.pai.yaml"), [this](const QString &name) {
        return std::any_of(m_tabs.cbegin(), m_tabs.cend(),
            [&name](const DocumentTab *tab) { return tab->designer()->displayName() == name; });
    });
}

void FileController::noteFolder(const QString &folder)
{
    m_settings->setLastFolder(folder);
    setSaveFolder(folder);
}

void FileController::chooseFiles()
{
    const QStringList filters{tr("Jobs and scripts (%1)").arg((yamlPatterns + scriptPatterns()).join(u' ')),
        tr("Files of runs (%1)").arg(ForeignController::patterns().join(u' ')), tr("All files (*)")};
    // Related files are beside the document in front.
    const Page *front = m_workbench->front();
    const QString beside = front && !front->file().isEmpty() ? QFileInfo(front->file()).path() : QString();
    QFileDialog *dialog = makeFileDialog(
        m_workbench->window(), tr("Open jobs"), beginFolderAt(beside), filters.join(QStringLiteral(";;")));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &FileController::openFiles);
    dialog->open();
}

void FileController::save(DocumentTab *tab, bool as, const std::function<void()> &then)
{
    m_saving->save(tab, as, then);
}

Page *FileController::restore(const SessionTab &place)
{
    if (place.modified && place.masked && place.text.isEmpty()) {
        DocumentTab *tab = QFile::exists(place.path) ? openFile(place.path) : nullptr;
        m_workbench->sayOf(tab,
            tab ? tr("%1 is as it was last saved: its changes could not be read, and text that may contain a secret is "
                     "never written to disk.")
                      .arg(place.name)
                : tr("%1 was not restored: it could not be read, and text that may contain a secret is never written "
                     "to disk.")
                      .arg(place.name),
            false);
        return tab;
    }
    if (place.modified) {
        return place.text.isEmpty() && place.path.isEmpty() ? nullptr : restoreText(place);
    }
    DocumentTab *tab = QFile::exists(place.path) ? openFile(place.path) : nullptr;
    if (tab) {
        tab->designer()->restoreLayout(place.layout);
        tab->setTarget(place.target);
        tab->setRuns(place.runs);
    }
    return tab;
}

DocumentTab *FileController::restoreText(const SessionTab &place)
{
    auto *designer = new DesignerPage;
    const QString name = place.path.isEmpty() ? freeName(place.name) : place.name;
    QByteArray text = place.text;
    if (QFile file(place.path); place.masked && !place.path.isEmpty() && file.open(QIODevice::ReadOnly)) {
        text = withSecretsOf(text, file.read(maxEditedBytes));
    }
    if (place.path.isEmpty() && !place.edited && !place.masked) {
        designer->newDocument(text, name);
    } else {
        designer->restore(place.path, text, name);
    }
    DocumentTab *tab = add(designer);
    designer->setOriginFile(place.origin);
    tab->setTarget(place.target);
    tab->setRuns(place.runs);
    if (place.path.isEmpty()) {
        tab->setOriginRun(place.uuid);
    }
    designer->setBase(place.base);
    designer->restoreLayout(place.layout);
    if (place.earlier) {
        m_workbench->sayOf(tab,
            tr("%1 is as it was before a change that made it unreadable: such a text may contain secrets, which are "
               "never written to disk.")
                .arg(name),
            false);
    } else if (place.masked && text.contains("******")) {
        m_workbench->sayOf(tab,
            tr("%1 was restored without the values of its secrets: only a file that you save can hold them.").arg(name),
            false);
    }
    return tab;
}

} // namespace trainyard
