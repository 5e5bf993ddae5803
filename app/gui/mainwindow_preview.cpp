// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"
#include "app/gui/runinmenu.h"
#include "app/gui/tabarea.h"
#include "engine/client/cataloguefolder.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/icons.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QComboBox>
#include <QTime>

// The preview of a document: what the engine answers to the very request that Run would send.
namespace trainyard
{
namespace
{
constexpr const char *askedProperty = "asked";
constexpr const char *runInProperty = "runIn";
} // namespace

DesignerPage *MainWindow::designerOf(const PreviewPage *page) const
{
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        auto *designer = qobject_cast<DesignerPage *>(widget);
        if (designer && m_previews.value(designer) == page) {
            return designer;
        }
    }
    return nullptr;
}

// From any page: of the document in front, of the one whose preview is shown, else of the one last looked at.
void MainWindow::previewCurrent()
{
    if (DesignerPage *designer = currentDesigner()) {
        openPreview(designer);
    } else if (auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage())) {
        plan(preview, designerOf(preview));
    } else if (DesignerPage *last = lastDesigner()) {
        openPreview(last);
    }
}

void MainWindow::openPreview(DesignerPage *designer)
{
    PreviewPage *page = m_previews.value(designer);
    if (!page) {
        page = new PreviewPage;
        m_previews.insert(designer, page);
        connectPreview(page, designer);
        m_tabs->addPage(page, icon(QStringLiteral("eye"), Colour::Muted), tr("Preview"), false);
    }
    plan(page, designer);
    m_tabs->setCurrentPage(page);
}

DesignerPage *MainWindow::lastDesigner() const { return qobject_cast<DesignerPage *>(m_lastDesigner.data()); }

void MainWindow::connectPreview(PreviewPage *page, DesignerPage *designer)
{
    const QPointer<DesignerPage> source(designer);
    connect(page, &PreviewPage::backRequested, this, [this, source] {
        if (source) {
            m_tabs->setCurrentPage(source);
        }
    });
    connect(page, &PreviewPage::runRequested, this, [this, source] {
        if (source) {
            m_tabs->setCurrentPage(source);
            runCurrent();
        }
    });
    connect(page, &PreviewPage::fixRequested, this, [this, page, source] {
        if (source) {
            connect(
                source, &DesignerPage::problemsChanged, page, [this, page, source] { plan(page, source); },
                Qt::SingleShotConnection);
            source->fixFirstError();
        }
    });
    connect(page, &PreviewPage::refreshRequested, this, [this, page, source] {
        if (source) {
            plan(page, source);
        }
    });
    connect(page, &PreviewPage::engineRequested, this, [this] { m_client->start(EngineClient::Start::IfNeeded); });
    connect(designer, &DesignerPage::problemsChanged, page, [page, source] {
        if (source && source->bytes() != page->planned()) {
            page->setStale();
        }
    });
    connect(designer, &QObject::destroyed, page, [this, page] {
        if (!m_closing) {
            closePage(page);
        }
    });
}

void MainWindow::plan(PreviewPage *page, DesignerPage *designer)
{
    if (!designer) {
        return;
    }
    SubmitRequest request;
    const QByteArray text = designer->bytes(true);
    request.yaml = text;
    // The same text that Run hands over: items of the catalogue are written into it.
    if (const Result<QByteArray> whole = withCatalogue(text, folderCatalogue(catalogueFolder()))) {
        request.yaml = *whole;
    }
    request.file = designer->filePath();
    request.target = m_target->currentData().toString();
    request.runIn = runInOf(designer);
    const ParseOutcome outcome = parseJob(request.yaml);
    page->setJob(outcome.spec && !outcome.spec->name.isEmpty() ? outcome.spec->name : designer->displayName());
    m_tabs->setTitle(page, page->title());
    nameWindowAfter(page);
    page->setPlanning(text);
    if (!outcome.canRun()) {
        QStringList sentences;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error) {
                sentences.append(diagnosticText(diagnostic));
            }
        }
        page->setErrors(sentences.isEmpty() ? QStringList(tr("The document is no job yet.")) : sentences,
            designer->firstErrorFix());
        return;
    }
    if (m_client->status() != EngineClient::Status::Ready) {
        updatePreviews();
        return;
    }
    page->setProperty(askedProperty, true);
    m_client->plan(request, page, [this, page, text](const Result<PlanReply> &plan) {
        page->setProperty(askedProperty, false);
        if (page->planned() != text) {
            return; // asked again meanwhile
        }
        if (!plan) {
            if (m_client->status() == EngineClient::Status::Ready) {
                page->setErrors({errorText(plan.error())});
            } else {
                updatePreviews();
            }
            return;
        }
        QHash<QString, QString> labels;
        const QList<HostInfo> hosts = this->hosts();
        for (const HostInfo &host : hosts) {
            labels.insert(host.id, host.label);
        }
        page->setPlan(*plan, labels, QTime::currentTime());
    });
}

DesignerPage *MainWindow::designerInFront() const
{
    const auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage());
    return preview ? designerOf(preview) : currentDesigner();
}

QString MainWindow::runInOf(const DesignerPage *designer) const
{
    return designer ? designer->property(runInProperty).toString() : QString();
}

RunInMenu *MainWindow::makeRunInMenu()
{
    auto *menu = new RunInMenu(
        [this] {
            RunInMenu::Facts facts;
            const DesignerPage *designer = designerInFront();
            facts.hasDocument = designer != nullptr;
            facts.chosen = runInOf(designer);
            if (designer) {
                const ParseOutcome outcome = parseJob(designer->bytes());
                facts.ofJob = outcome.spec ? outcome.spec->trainyard.runIn : QString();
            }
            const QString target = m_target->currentData().toString();
            const QList<HostInfo> hosts = this->hosts();
            for (const HostInfo &host : hosts) {
                if (target.isEmpty() || host.id == target) {
                    facts.hosts.append(host);
                }
            }
            return facts;
        },
        this);
    connect(menu, &RunInMenu::chosen, this, &MainWindow::chooseRunIn);
    return menu;
}

void MainWindow::chooseRunIn(const QString &word)
{
    DesignerPage *designer = designerInFront();
    if (!designer) {
        return;
    }
    designer->setProperty(runInProperty, word);
    if (PreviewPage *preview = m_previews.value(designer)) {
        if (preview == m_tabs->currentPage()) {
            plan(preview, designer);
        } else {
            preview->setStale(); // planned again when it is looked at
        }
    }
    updateActions();
}

// Previews that wait for the engine say so, and are made when it is there.
void MainWindow::updatePreviews()
{
    const EngineClient::Status status = m_client->status();
    for (auto it = m_previews.cbegin(); it != m_previews.cend(); ++it) {
        PreviewPage *page = it.value();
        if (!page || !page->isWaiting()) {
            continue;
        }
        if (status == EngineClient::Status::Ready) {
            if (!page->property(askedProperty).toBool()) { // events come while the answer is on its way
                plan(page, designerOf(page));
            }
        } else if (status == EngineClient::Status::Connecting) {
            page->setEngine(PreviewPage::EngineState::Starting, {});
        } else {
            page->setEngine(PreviewPage::EngineState::Gone,
                status == EngineClient::Status::Failed ? errorText(m_client->lastError()) : QString());
        }
    }
}

} // namespace trainyard
