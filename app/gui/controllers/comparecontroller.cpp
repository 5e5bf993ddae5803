// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/comparecontroller.h"

#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/jobremoval.h"
#include "app/gui/pages/difftab.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/shownsecrets.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/documentfile.h"
#include "widgets/text/texts.h"

#include <QFileInfo>

#include <algorithm>

namespace trainyard
{
namespace
{
const QString savedSource = QStringLiteral("saved");
constexpr int mostRunsOffered = 300;
} // namespace

CompareController::CompareController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages,
    EngineClient *client, const JobRemoval *removal, FileController *files)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_removal(removal), m_files(files)
{
    makeActions(actions);
    connect(workbench, &Workbench::refreshed, this, [this, actions] {
        actions->setEnabled({"compareSaved", "compareLastRun", "compare"}, current(),
            tr("The tab in front is neither a document nor a run."));
    });
    connect(workbench, &Workbench::frontChanged, this, &CompareController::onFront);
    connect(workbench, &Workbench::closing, this,
        [this](Page *page) { m_tabs.removeIf([page](const DiffTab *tab) { return tab == page; }); });
    connect(files, &FileController::opened, this, [this](DocumentTab *document) {
        connect(
            document, &DocumentTab::compareRequested, this, [this, document] { compareWith(document, savedSource); });
    });
    pages->add(DiffTab::kind, [this](const SessionTab &place) -> Page * { return restore(place); });
    // The runs that a restored comparison may be with are known now.
    connect(client, &EngineClient::reset, this, [this] {
        const QList<DiffTab *> tabs = m_tabs;
        for (DiffTab *tab : tabs) {
            chooseAwaited(tab);
        }
    });
}

void CompareController::makeActions(ActionRegistry *actions)
{
    const auto withCurrent = [this](void (CompareController::*use)(Page *)) {
        return [this, use] {
            if (Page *page = current()) {
                (this->*use)(page);
            }
        };
    };
    actions->add({"compareSaved", {}, tr("Compare with the sa&ved file"),
                     tr("What changed since this job was saved, or between this run and its file")},
        this, withCurrent(&CompareController::compareSaved));
    actions->add({"compareLastRun", {}, tr("Compare with its &last run"),
                     tr("What changed since this job ran last, or since the run before this one")},
        this, withCurrent(&CompareController::compareLastRun));
    actions->add(
        {"compare", QStringLiteral("split"), tr("&Compare with…"),
            tr("Compare this document or run with its saved file or with any run"), {Qt::CTRL | Qt::SHIFT | Qt::Key_D}},
        this, withCurrent(&CompareController::compareAny));
}

// A document, or a run whose text is known.
Page *CompareController::current() const
{
    if (DocumentTab *document = m_files->current()) {
        return document;
    }
    Page *front = m_workbench->front();
    return front && !front->jobUuid().isEmpty() && front->hasYaml() ? front : nullptr;
}

void CompareController::compareSaved(Page *page)
{
    if (fileOf(page).isEmpty()) {
        m_workbench->sayOf(
            page, tr("%1 is not saved yet, so there is no file to compare it with.").arg(page->title()), false);
        return;
    }
    compareWith(page, savedSource);
}

void CompareController::compareLastRun(Page *page)
{
    if (const QString uuid = lastRunOf(page); !uuid.isEmpty()) {
        compareWith(page, uuid);
    } else {
        m_workbench->sayOf(page,
            page->jobUuid().isEmpty() ? tr("%1 has not run yet.").arg(page->title())
                                      : tr("%1 has no earlier run.").arg(page->title()),
            false);
    }
}

// The likely comparison.
void CompareController::compareAny(Page *page) { compareWith(page, page->isUnsaved() ? QString() : lastRunOf(page)); }

QByteArray CompareController::textOf(Page *page)
{
    if (const auto *document = qobject_cast<DocumentTab *>(page)) {
        return document->designer()->bytes();
    }
    const std::optional<ExportedJob> job = page->exported(false);
    return job ? job->yaml : QByteArray();
}

QString CompareController::fileOf(const Page *page) const
{
    if (const auto *document = qobject_cast<const DocumentTab *>(page)) {
        return document->designer()->filePath();
    }
    const std::optional<JobSummary> job = m_client->job(page->jobUuid());
    return job ? job->file : QString();
}

QList<DiffPage::Source> CompareController::sourcesOf(Page *page) const
{
    QList<DiffPage::Source> sources;
    if (!fileOf(page).isEmpty()) {
        sources.append({savedSource, tr("Saved file"), {}});
    }
    const QString own = page->jobUuid();
    const QString last = lastRunOf(page);
    if (const auto job = m_client->job(last)) {
        sources.append({last,
            own.isEmpty() ? tr("Last run of this job, #%1").arg(job->id) : tr("The run before, #%1").arg(job->id),
            stateText(job->state)});
    }
    const QList<JobSummary> runs = m_removal->listedJobs();
    for (const JobSummary &job : runs) {
        if (job.uuid != last && job.uuid != own && sources.size() < mostRunsOffered) {
            sources.append({job.uuid, tr("%1 #%2").arg(job.name, QString::number(job.id)), stateText(job.state)});
        }
    }
    return sources;
}

// The newest run of this file; without a file, or if it never ran, that of a job with this name. For a run, the
// previous one.
QString CompareController::lastRunOf(Page *page) const
{
    const QList<JobSummary> runs = m_removal->listedJobs(); // newest first
    const std::optional<JobSummary> own = m_client->job(page->jobUuid());
    const auto newest = [&runs, &own](const auto &fits) {
        const auto it = std::find_if(
            runs.cbegin(), runs.cend(), [&](const JobSummary &job) { return (!own || job.id < own->id) && fits(job); });
        return it == runs.cend() ? QString() : it->uuid;
    };
    const QString file = fileOf(page);
    if (!file.isEmpty()) {
        if (const QString uuid = newest([&file](const JobSummary &job) { return job.file == file; }); !uuid.isEmpty()) {
            return uuid;
        }
    }
    const ParseOutcome outcome = parseJob(textOf(page));
    if (!outcome.spec || outcome.spec->name.isEmpty()) {
        return {};
    }
    return newest([&outcome](const JobSummary &job) { return job.name == outcome.spec->name; });
}

// Its document or run comes back before it.
Page *CompareController::restore(const SessionTab &place)
{
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        const auto *document = qobject_cast<DocumentTab *>(page);
        const bool fits = !place.uuid.isEmpty() ? page->jobUuid() == place.uuid
            : !document                         ? false
            : !place.path.isEmpty()             ? document->designer()->filePath() == place.path
                                                : document->title() == place.name;
        if (fits) {
            DiffTab *tab = tabOf(page);
            tab->diff()->setName(page->title());
            tab->setAwaited(QString::fromUtf8(place.layout));
            Q_EMIT tab->changed();
            chooseAwaited(tab);
            return tab;
        }
    }
    return nullptr;
}

void CompareController::chooseAwaited(DiffTab *tab)
{
    if (tab->awaited().isEmpty() || !tab->compared()) {
        return;
    }
    const QList<DiffPage::Source> sources = sourcesOf(tab->compared());
    tab->diff()->setSources(sources);
    if (std::any_of(sources.cbegin(), sources.cend(),
            [tab](const DiffPage::Source &source) { return source.id == tab->awaited(); })) {
        tab->diff()->choose(tab->takeAwaited());
    }
}

DiffTab *CompareController::tabOf(Page *page)
{
    const auto it
        = std::find_if(m_tabs.cbegin(), m_tabs.cend(), [page](const DiffTab *tab) { return tab->compared() == page; });
    if (it != m_tabs.cend()) {
        return *it;
    }
    auto *tab = new DiffTab(page);
    m_tabs.append(tab);
    m_workbench->add(tab);
    connect(tab->diff(), &DiffPage::backRequested, tab, [this, tab] { m_workbench->show(tab->compared()); });
    connect(tab->diff(), &DiffPage::sourceChosen, tab, [this, tab](const QString &id) { load(tab, id); });
    const auto updateShown = [this, tab] {
        if (tab == m_workbench->front()) {
            update(tab);
        }
    };
    if (const auto *document = qobject_cast<DocumentTab *>(page)) {
        connect(document, &DocumentTab::textParsed, tab, updateShown);
    } else {
        connect(page, &Page::actionsChanged, tab, updateShown); // its text has come
    }
    // A run that is restored has its name only once the list of the jobs is here.
    connect(page, &Page::changed, tab, [tab, page] {
        if (tab->diff()->name() != page->title()) {
            tab->diff()->setName(page->title());
            Q_EMIT tab->changed();
        }
    });
    connect(page, &QObject::destroyed, tab, [this, tab] { m_workbench->close(tab); });
    DocumentFile *file = tab->comparedFile();
    connect(file, &DocumentFile::changedOnDisk, tab, [this, tab, file](const QByteArray &bytes) {
        file->acceptChange();
        showFile(tab, bytes);
    });
    connect(file, &DocumentFile::removedFromDisk, tab, [tab, file] {
        tab->setSaved(std::nullopt);
        tab->diff()->setError(tr("%1 has been removed.").arg(QFileInfo(file->path()).fileName()));
        file->setDigest({}); // it is news when it comes back, whatever is in it
    });
    return tab;
}

void CompareController::compareWith(Page *compared, const QString &source)
{
    DiffTab *tab = tabOf(compared);
    DiffPage *page = tab->diff();
    page->setName(compared->title());
    tab->setAwaited({});
    Q_EMIT tab->changed();
    const QList<DiffPage::Source> sources = sourcesOf(compared);
    page->setSources(sources);
    m_workbench->show(tab);
    const QString wanted = !source.isEmpty() ? source : sources.isEmpty() ? QString() : sources.constFirst().id;
    if (!wanted.isEmpty()) {
        page->choose(wanted);
    }
    tab->focus();
}

void CompareController::update(DiffTab *tab)
{
    if (!tab->compared()) {
        return;
    }
    const QByteArray bytes = textOf(tab->compared());
    DiffPage *page = tab->diff();
    if (!tab->compared()->jobUuid().isEmpty()) {
        page->setNow(bytes); // a run's text has no secrets
    } else if (page->chosen() == savedSource && tab->saved()) {
        const ShownTexts shown = shownForComparison(*tab->saved(), bytes, tr("(changed)").toUtf8());
        page->setNow(shown.newer);
        page->setOther(shown.older);
    } else {
        page->setNow(shownBesideRun(bytes));
    }
}

void CompareController::load(DiffTab *tab, const QString &id)
{
    if (!tab->compared()) {
        return;
    }
    tab->setSaved(std::nullopt);
    update(tab);
    if (id == savedSource) {
        loadFile(tab);
        return;
    }
    tab->comparedFile()->close();
    DiffPage *page = tab->diff();
    m_client->call<api::GetJob>({id}, page, [page, id](const Result<JobDetail> &detail) {
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

// And from then on what others write into it.
void CompareController::loadFile(DiffTab *tab)
{
    const Result<QByteArray> bytes = tab->comparedFile()->open(fileOf(tab->compared()));
    if (bytes) {
        showFile(tab, *bytes);
    } else {
        tab->diff()->setError(errorText(bytes.error()));
    }
}

void CompareController::showFile(DiffTab *tab, const QByteArray &bytes)
{
    if (!tab->compared()) {
        return;
    }
    tab->setSaved(bytes);
    if (tab->compared()->jobUuid().isEmpty()) {
        update(tab);
    } else {
        tab->diff()->setOther(shownBesideRun(bytes));
    }
}

void CompareController::onFront(Page *front)
{
    const auto shown = std::find(m_tabs.cbegin(), m_tabs.cend(), front);
    if (shown == m_tabs.cend() || !(*shown)->compared()) {
        return;
    }
    update(*shown);
    if ((*shown)->diff()->chosen() != savedSource) {
        return;
    }
    // The document may have been saved since, also under another name.
    if ((*shown)->comparedFile()->path() != fileOf((*shown)->compared())) {
        loadFile(*shown);
    } else {
        (*shown)->comparedFile()->look();
    }
}

} // namespace trainyard
