// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/comparecontroller.h"

#include "app/gui/controllers/filecontroller.h"
#include "app/gui/pages/difftab.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/engineclient.h"
#include "model/protocol/jobdocument.h"
#include "widgets/form/designerpage.h"
#include "widgets/text/texts.h"

#include <QFile>

#include <algorithm>

namespace trainyard
{
namespace
{
const QString savedSource = QStringLiteral("saved");
constexpr int mostRunsOffered = 300;
} // namespace

CompareController::CompareController(
    Workbench *workbench, ActionRegistry *actions, EngineClient *client, FileController *files)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_files(files)
{
    makeActions(actions);
    connect(workbench, &Workbench::refreshed, this, [this, actions] {
        actions->setEnabled({"compareSaved", "compareLastRun", "compare"}, m_files->current());
    });
    connect(workbench, &Workbench::frontChanged, this, &CompareController::onFront);
    connect(workbench, &Workbench::closing, this,
        [this](Page *page) { m_tabs.removeIf([page](const DiffTab *tab) { return tab == page; }); });
    connect(files, &FileController::opened, this, [this](DocumentTab *document) {
        connect(
            document, &DocumentTab::compareRequested, this, [this, document] { compareWith(document, savedSource); });
    });
}

void CompareController::makeActions(ActionRegistry *actions)
{
    const auto withCurrent = [this](void (CompareController::*use)(DocumentTab *)) {
        return [this, use] {
            if (DocumentTab *document = m_files->current()) {
                (this->*use)(document);
            }
        };
    };
    actions->add(
        {"compareSaved", {}, tr("Compare with the sa&ved file"), tr("What changed since this document was saved")},
        this, withCurrent(&CompareController::compareSaved));
    actions->add({"compareLastRun", {}, tr("Compare with its &last run"), tr("What changed since this job ran last")},
        this, withCurrent(&CompareController::compareLastRun));
    actions->add(
        {"compare", QStringLiteral("split"), tr("&Compare with…"),
            tr("Compare this document with its saved file or with any run"), {Qt::CTRL | Qt::SHIFT | Qt::Key_D}},
        this, withCurrent(&CompareController::compareAny));
}

void CompareController::compareSaved(DocumentTab *document)
{
    if (document->designer()->filePath().isEmpty()) {
        m_workbench->sayOf(
            document, tr("%1 is not saved yet, so there is no file to compare it with.").arg(document->title()), false);
        return;
    }
    compareWith(document, savedSource);
}

void CompareController::compareLastRun(DocumentTab *document)
{
    if (const QString uuid = lastRunOf(document); !uuid.isEmpty()) {
        compareWith(document, uuid);
    } else {
        m_workbench->sayOf(document, tr("%1 has not run yet.").arg(document->title()), false);
    }
}

// What is likely to differ.
void CompareController::compareAny(DocumentTab *document)
{
    compareWith(document, document->isUnsaved() ? QString() : lastRunOf(document));
}

QList<DiffPage::Source> CompareController::sourcesOf(const DocumentTab *document) const
{
    QList<DiffPage::Source> sources;
    if (!document->designer()->filePath().isEmpty()) {
        sources.append({savedSource, tr("Saved file"), {}});
    }
    const QString last = lastRunOf(document);
    if (const auto job = m_client->job(last)) {
        sources.append({last, tr("Last run of this job, #%1").arg(job->id), stateText(job->state)});
    }
    const QList<JobSummary> runs = m_client->jobs();
    for (const JobSummary &job : runs) {
        if (job.uuid != last && sources.size() < mostRunsOffered) {
            sources.append({job.uuid, tr("%1 #%2").arg(job.name, QString::number(job.id)), stateText(job.state)});
        }
    }
    return sources;
}

// The newest run of this file; without a file, or when it never ran, of a job with this name.
QString CompareController::lastRunOf(const DocumentTab *document) const
{
    const QList<JobSummary> runs = m_client->jobs(); // newest first
    const auto newest = [&runs](const auto &fits) {
        const auto it = std::find_if(runs.cbegin(), runs.cend(), fits);
        return it == runs.cend() ? QString() : it->uuid;
    };
    const QString file = document->designer()->filePath();
    if (!file.isEmpty()) {
        if (const QString uuid = newest([&file](const JobSummary &job) { return job.file == file; }); !uuid.isEmpty()) {
            return uuid;
        }
    }
    const ParseOutcome outcome = parseJob(document->designer()->bytes());
    if (!outcome.spec || outcome.spec->name.isEmpty()) {
        return {};
    }
    return newest([&outcome](const JobSummary &job) { return job.name == outcome.spec->name; });
}

DiffTab *CompareController::tabOf(DocumentTab *document)
{
    const auto it = std::find_if(
        m_tabs.cbegin(), m_tabs.cend(), [document](const DiffTab *tab) { return tab->compared() == document; });
    if (it != m_tabs.cend()) {
        return *it;
    }
    auto *tab = new DiffTab(document);
    m_tabs.append(tab);
    m_workbench->add(tab);
    connect(tab->diff(), &DiffPage::backRequested, tab, [this, tab] { m_workbench->show(tab->compared()); });
    connect(tab->diff(), &DiffPage::sourceChosen, tab, [this, tab](const QString &id) { load(tab, id); });
    connect(document, &DocumentTab::textParsed, tab, [this, tab] {
        if (tab == m_workbench->front()) {
            update(tab);
        }
    });
    connect(document, &QObject::destroyed, tab, [this, tab] { m_workbench->close(tab); });
    return tab;
}

void CompareController::compareWith(DocumentTab *document, const QString &source)
{
    DiffTab *tab = tabOf(document);
    DiffPage *page = tab->diff();
    page->setName(document->title());
    Q_EMIT tab->changed();
    const QList<DiffPage::Source> sources = sourcesOf(document);
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
    const QByteArray bytes = tab->compared()->designer()->bytes();
    DiffPage *page = tab->diff();
    if (page->chosen() == savedSource || page->chosen().isEmpty()) {
        page->setNow(bytes);
        return;
    }
    // A run's text has no secrets, so those here would all look changed; and they are nobody's business there.
    const auto masked = maskSecrets(bytes);
    page->setNow(masked ? *masked : bytes);
}

void CompareController::load(DiffTab *tab, const QString &id)
{
    if (!tab->compared()) {
        return;
    }
    update(tab);
    DiffPage *page = tab->diff();
    if (id == savedSource) {
        QFile file(tab->compared()->designer()->filePath());
        if (file.open(QIODevice::ReadOnly)) {
            page->setOther(file.readAll());
        } else {
            page->setError(errorText({QStringLiteral("file.unreadable"),
                {{QStringLiteral("file"), file.fileName()}, {QStringLiteral("reason"), file.errorString()}}}));
        }
        return;
    }
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

void CompareController::onFront(Page *front)
{
    const auto shown = std::find(m_tabs.cbegin(), m_tabs.cend(), front);
    if (shown != m_tabs.cend()) {
        update(*shown);
    }
}

} // namespace trainyard
