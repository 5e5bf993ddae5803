// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/previewcontroller.h"

#include "app/gui/controllers/enginecontroller.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/previewtab.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/cataloguefolder.h"
#include "engine/client/engineclient.h"
#include "engine/client/secretmemory.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/text/texts.h"

#include <QTime>

#include <algorithm>

namespace trainyard
{

PreviewController::PreviewController(Workbench *workbench, ActionRegistry *actions, EngineClient *client,
    EngineController *engine, HostController *hosts, FileController *files, Secrets *secrets, TargetBox *target)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_hosts(hosts), m_files(files),
      m_secrets(secrets), m_target(target)
{
    actions->add({"preview", QStringLiteral("eye"), tr("&Preview"),
                     tr("What Run would do, task by task: scripts, environment, ports, hosts"),
                     {Qt::CTRL | Qt::SHIFT | Qt::Key_Return, Qt::CTRL | Qt::SHIFT | Qt::Key_Enter}},
        this, [this] { previewCurrent(); });
    connect(files, &FileController::opened, this, [this](DocumentTab *document) {
        connect(document, &DocumentTab::previewRequested, this, [this, document] { open(document); });
        connect(document, &DocumentTab::runInChanged, this, [this, document] { onRunInChanged(document); });
        connect(document, &DocumentTab::targetChanged, this, [this, document] { onRunInChanged(document); });
    });
    connect(engine, &EngineController::changed, this, &PreviewController::updateWaiting);
    connect(workbench, &Workbench::frontChanged, this, &PreviewController::onFront);
    connect(workbench, &Workbench::refreshed, this, [this, actions] { updateTexts(actions); });
    connect(workbench, &Workbench::closing, this, [this](Page *page) {
        m_tabs.removeIf([page](const PreviewTab *tab) { return tab == page; });
        for (PreviewTab *tab : std::as_const(m_tabs)) {
            if (tab->document() == page) {
                tab->loseDocument();
            }
        }
    });
}

PreviewTab *PreviewController::previewOf(const DocumentTab *document) const
{
    const auto it = std::find_if(
        m_tabs.cbegin(), m_tabs.cend(), [document](PreviewTab *tab) { return tab->document() == document; });
    return it == m_tabs.cend() ? nullptr : *it;
}

// Of the document in front, or of the one whose preview is shown, as Run takes it.
void PreviewController::previewCurrent()
{
    const auto shown = std::find(m_tabs.cbegin(), m_tabs.cend(), m_workbench->front());
    if (shown != m_tabs.cend()) {
        plan(*shown);
    } else if (DocumentTab *document = m_workbench->front() ? m_workbench->front()->document() : nullptr) {
        open(document);
    }
}

void PreviewController::open(DocumentTab *document)
{
    PreviewTab *tab = previewOf(document);
    if (!tab) {
        tab = new PreviewTab(document);
        m_tabs.append(tab);
        connectTab(tab, document);
        m_workbench->add(tab, false);
    }
    plan(tab);
    m_workbench->show(tab);
}

void PreviewController::connectTab(PreviewTab *tab, DocumentTab *document)
{
    PreviewPage *page = tab->preview();
    page->setSecretMemory(m_secrets->memory());
    connect(page, &PreviewPage::backRequested, tab, [this, tab] { m_workbench->show(tab->document()); });
    connect(page, &PreviewPage::runRequested, tab, [this, tab] {
        if (DocumentTab *source = tab->document()) {
            Q_EMIT runRequested(source);
        }
    });
    connect(page, &PreviewPage::fixRequested, tab, [this, tab] {
        if (DocumentTab *source = tab->document()) {
            connect(
                source, &DocumentTab::textParsed, tab, [this, tab] { plan(tab); }, Qt::SingleShotConnection);
            source->designer()->fixFirstError();
        }
    });
    connect(page, &PreviewPage::refreshRequested, tab, [this, tab] { plan(tab); });
    connect(page, &PreviewPage::engineRequested, m_client, [this] { m_client->start(EngineClient::Start::IfNeeded); });
    connect(document, &DocumentTab::textParsed, tab, [tab, page] {
        if (tab->document() && tab->document()->designer()->bytes() != page->planned()) {
            page->setStale();
        }
    });
    connect(document, &QObject::destroyed, tab, [this, tab] { m_workbench->close(tab); });
}

void PreviewController::plan(PreviewTab *tab)
{
    DocumentTab *document = tab->document();
    if (!document) {
        return;
    }
    DesignerPage *designer = document->designer();
    PreviewPage *page = tab->preview();
    SubmitRequest request;
    const ParseOutcome written = designer->committedOutcome();
    const QByteArray text = written.document.bytes();
    // The same text that Run hands over: items of the catalogue are written into it.
    const Result<ParseOutcome> whole = withCatalogue(written, folderCatalogue(catalogueFolder()));
    const ParseOutcome outcome = whole ? *whole : readJob(written.document);
    request.yaml = outcome.document.bytes();
    request.file = designer->runFile();
    request.target = m_target->resolved(document->target());
    request.runIn = document->runIn();
    page->setJob(outcome.spec && !outcome.spec->name.isEmpty() ? outcome.spec->name : designer->displayName());
    Q_EMIT tab->changed();
    page->setPlanning(text);
    if (!outcome.canRun()) {
        QStringList sentences;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error) {
                sentences.append(diagnosticText(diagnostic));
            }
        }
        page->setErrors(sentences.isEmpty() ? QStringList(tr("The document is not a job yet.")) : sentences,
            designer->firstErrorFix());
        return;
    }
    if (m_client->status() != EngineClient::Status::Ready) {
        updateWaiting();
        return;
    }
    tab->setAsked(true);
    m_client->call<api::Plan>(
        request, tab, [this, tab, text](const Result<PlanReply> &plan) { takePlan(tab, text, plan); });
}

void PreviewController::takePlan(PreviewTab *tab, const QByteArray &text, const Result<PlanReply> &plan)
{
    PreviewPage *page = tab->preview();
    tab->setAsked(false);
    if (page->planned() != text) {
        return; // asked again meanwhile
    }
    if (!plan) {
        if (m_client->status() == EngineClient::Status::Ready) {
            page->setErrors({errorText(plan.error())});
        } else {
            updateWaiting();
        }
        return;
    }
    QHash<QString, QString> labels;
    const QList<HostInfo> hosts = m_hosts->hosts();
    for (const HostInfo &host : hosts) {
        labels.insert(host.id, host.label);
    }
    page->setHosts(hosts);
    page->setPlan(*plan, labels, QTime::currentTime());
}

// Previews that wait for the engine say so, and are made when it is there.
void PreviewController::updateWaiting()
{
    const EngineClient::Status status = m_client->status();
    for (PreviewTab *tab : std::as_const(m_tabs)) {
        PreviewPage *page = tab->preview();
        if (!page->isWaiting()) {
            continue;
        }
        if (status == EngineClient::Status::Ready) {
            if (!tab->isAsked()) { // events come while the answer is on its way
                plan(tab);
            }
        } else if (status == EngineClient::Status::Connecting) {
            page->setEngine(PreviewPage::EngineState::Starting, {});
        } else {
            page->setEngine(PreviewPage::EngineState::Gone,
                status == EngineClient::Status::Failed ? errorText(m_client->lastError()) : QString());
        }
    }
}

void PreviewController::onFront(Page *front)
{
    const auto shown = std::find(m_tabs.cbegin(), m_tabs.cend(), front);
    if (shown != m_tabs.cend() && (*shown)->preview()->isStale()) {
        plan(*shown);
    }
}

void PreviewController::onRunInChanged(DocumentTab *document)
{
    PreviewTab *tab = previewOf(document);
    if (!tab) {
        return;
    }
    if (tab == m_workbench->front()) {
        plan(tab);
    } else {
        tab->preview()->setStale(); // planned again when it is looked at
    }
}

void PreviewController::updateTexts(ActionRegistry *actions)
{
    const bool hasJob = m_workbench->front() && m_workbench->front()->document();
    actions->setEnabled({"preview"}, hasJob, tr("The tab in front has no job. Open one, or start a new one."));
    for (PreviewTab *tab : std::as_const(m_tabs)) {
        if (const DocumentTab *document = tab->document()) {
            tab->preview()->setRunText(readCaption(document->runText(m_target->awayLabel(document->target()))));
        }
    }
}

} // namespace trainyard
