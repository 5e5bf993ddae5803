// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/mainwindow.h"
#include "app/gui/pagebars.h"
#include "app/gui/runlink.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "engine/client/cataloguefolder.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/infobar.h"
#include "widgets/common/statepainter.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/secretvault.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/texts.h"

#include <QComboBox>
#include <QJsonArray>
#include <QPointer>
#include <QPushButton>
#include <QUrl>

#include <algorithm>

// Runs: how jobs are handed over, looked at, stopped and done again.
namespace trainyard
{
namespace
{
constexpr const char *originProperty = "originRun"; // of a document: the run whose text it was
} // namespace

RunPage *MainWindow::runPage(const QString &uuid) const
{
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        auto *open = qobject_cast<RunPage *>(widget);
        if (open && open->property("uuid").toString() == uuid) {
            return open;
        }
    }
    return nullptr;
}

RunPage *MainWindow::openRun(const QString &uuid)
{
    if (RunPage *open = runPage(uuid)) {
        m_tabs->setCurrentPage(open);
        return open;
    }
    auto *page = new RunPage;
    page->setProperty("uuid", uuid);
    new RunLink(m_client, uuid, page);
    page->setHosts(hosts());
    m_tabs->addPage(page, stateIcon(shapeOf(page->summary())), page->title());
    m_tabs->setTitle(page, page->title());
    connect(page, &RunPage::titleChanged, this, [this, page] {
        m_tabs->setTitle(page, page->title());
        m_tabs->setIcon(page, stateIcon(shapeOf(page->summary())));
        if (page == currentRun()) {
            onPageChanged();
        }
    });
    connect(page, &RunPage::statusChanged, this, [this, page](const QString &text) {
        if (page == currentRun()) {
            m_status->setPageText(text);
            updateActions();
        }
    });
    connect(page, &RunPage::stopRequested, this, [this, uuid] { stopJob(uuid); });
    connect(page, &RunPage::pauseRequested, this, [this, uuid](bool on) { pauseJob(uuid, on); });
    connect(page, &RunPage::rerunRequested, this,
        [this, uuid](const QStringList &tasks) { rerun(uuid, tasks.isEmpty(), tasks); });
    connect(page, &RunPage::releaseRequested, this, [this, uuid](const QStringList &tasks) {
        m_client->release(uuid, tasks, this, [this, uuid](const Result<bool> &released) {
            if (!released) {
                sayOf(runPage(uuid), errorText(released.error()));
            }
        });
    });
    connect(page, &RunPage::runAgainRequested, this, [this, uuid] { runAgain(uuid); });
    connect(page, &RunPage::editAsNewRequested, this, [this, uuid] { editAsNew(uuid); });
    connect(page, &RunPage::openFolderRequested, this, [this, uuid] { openFolder(uuid); });
    connect(page, &RunPage::addressRequested, this,
        [this, page](const QString &address) { openOutside(QUrl(address), page); });
    connect(page->logPane(), &LogPane::openRequested, this,
        [this, page](const QString &file) { openOutside(QUrl::fromLocalFile(file), page); });
    onPageChanged();
    return page;
}

void MainWindow::runCurrent()
{
    if (DesignerPage *page = currentDesigner()) {
        const QByteArray yaml = page->bytes(true);
        submitDocument(yaml, page->filePath(), page->displayName(), runInOf(page), page);
    } else if (const RunPage *run = currentRun()) {
        runAgain(run->uuid());
    } else if (auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage())) {
        if (DesignerPage *source = designerOf(preview)) {
            m_tabs->setCurrentPage(source);
            runCurrent();
        }
    }
}

void MainWindow::submitDocument(
    const QByteArray &yaml, const QString &file, const QString &name, const QString &runIn, QWidget *asker)
{
    // What comes from the catalogue is written into the job, so that it runs the same again and the record shows it.
    const Result<QByteArray> whole = withCatalogue(yaml, folderCatalogue(catalogueFolder()));
    const ParseOutcome outcome = parseJob(whole ? *whole : yaml);
    if (!outcome.canRun()) {
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error) {
                sayOf(asker, tr("%1 cannot run: %2").arg(name, diagnosticText(diagnostic)));
                return;
            }
        }
        sayOf(asker, tr("%1 cannot run: it is no job yet.").arg(name));
        return;
    }
    SubmitRequest request;
    request.yaml = outcome.document.bytes();
    request.file = file;
    request.target = m_target->currentData().toString();
    request.runIn = runIn;
    withSecrets(outcome.spec->name, outcome.spec->maskedSecrets,
        [this, request, page = QPointer<QWidget>(asker)](const QMap<QString, QString> &values) {
            SubmitRequest complete = request;
            complete.secrets = values;
            submit(complete, page);
        });
}

void MainWindow::withSecrets(
    const QString &job, const QStringList &wanted, const std::function<void(const QMap<QString, QString> &values)> &use)
{
    if (wanted.isEmpty()) {
        use({});
        return;
    }
    const auto ask = [this, use, job, wanted](const SecretVault::Values &known) {
        auto *dialog = new SecretsDialog(job, wanted, m_vault, known, this);
        connect(dialog, &SecretsDialog::valuesGiven, this, use);
        dialog->open();
    };
    if (!m_vault || !m_vault->isThere()) {
        ask({});
        return;
    }
    m_vault->find(job, wanted, this, [use, wanted, ask](const Result<SecretVault::Values> &found) {
        const SecretVault::Values known = found.value_or(SecretVault::Values());
        const bool all = std::all_of(
            wanted.cbegin(), wanted.cend(), [&known](const QString &secret) { return !known.value(secret).isEmpty(); });
        if (all) {
            use(known);
        } else {
            ask(known);
        }
    });
}

void MainWindow::setSecretVault(SecretVault *vault)
{
    m_vault = vault;
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *page : pages) {
        if (auto *designer = qobject_cast<DesignerPage *>(page)) {
            designer->setSecretVault(vault);
        }
    }
}

void MainWindow::submit(const SubmitRequest &request, const QPointer<QWidget> &asker)
{
    if (m_client->status() == EngineClient::Status::Offline) {
        m_client->start(EngineClient::Start::IfNeeded);
    }
    m_bars->hideFor(asker);
    m_client->submit(request, this, [this, asker, yaml = request.yaml](const Result<SubmitReply> &reply) {
        if (reply) {
            RunPage *page = openRun(reply->uuid);
            page->setFocus(); // wherever Run was pressed: nothing that ends the job or begins another
            QStringList notes;
            for (const JobNote &note : reply->notes) {
                notes.append(errorText({note.code, note.args}));
            }
            if (!notes.isEmpty()) {
                sayOf(page, notes.join(QLatin1Char(' ')));
            }
            return;
        }
        sayOf(asker, errorText(reply.error()));
        offerFix(reply.error(), yaml, asker);
    });
}

// A job that asks for more than there is: the same figures as an edit of its document, while that is unchanged.
void MainWindow::offerFix(const Error &refusal, const QByteArray &yaml, QWidget *asker)
{
    const QString text = refusalFixText(refusal);
    auto *page = qobject_cast<DesignerPage *>(asker);
    if (text.isEmpty() || !page || page->bytes() != yaml) {
        return;
    }
    QList<edit::Op> ops;
    const QJsonArray edits = refusal.args.value(QStringLiteral("fix")).toArray();
    for (const QJsonValue &each : edits) {
        if (const Result<YamlPath> path = YamlPath::fromPointer(each[QStringLiteral("path")].toString())) {
            ops.append(edit::SetValue{*path, each[QStringLiteral("value")].toString().toUtf8()});
        }
    }
    InfoBar *bar = m_bars->barOf(page);
    QPushButton *button = bar->addAction(text);
    button->setObjectName(QStringLiteral("refusalFix"));
    connect(button, &QPushButton::clicked, page, [page, bar, ops] {
        bar->hide();
        page->applyEdits(ops);
    });
}

void MainWindow::withYaml(const QString &uuid, const std::function<void(const JobDetail &)> &use)
{
    m_client->jobDetail(uuid, this, [this, uuid, use](const Result<JobDetail> &detail) {
        if (detail) {
            use(*detail);
        } else {
            sayOf(runPage(uuid), errorText(detail.error()));
        }
    });
}

void MainWindow::runAgain(const QString &uuid)
{
    withYaml(uuid, [this, uuid](const JobDetail &detail) {
        submitDocument(detail.yaml, detail.summary.file, detail.summary.name, detail.runIn, runPage(uuid));
    });
}

void MainWindow::editAsNew(const QString &uuid)
{
    withYaml(uuid, [this](const JobDetail &detail) {
        DesignerPage *page = newDocument(detail.yaml, detail.summary.name + QStringLiteral(".pai.yaml"));
        if (!page) {
            return;
        }
        page->setProperty(originProperty, detail.summary.uuid);
        updateActions();
        if (!rerunnable(page) || detail.summary.counts.succeeded == 0) {
            return;
        }
        InfoBar *bar = m_bars->barOf(page);
        bar->show(InfoBar::Kind::Info,
            tr("Run starts a new job. %n task(s) of %1 succeeded; to keep their results, rerun only the others.",
                nullptr, detail.summary.counts.succeeded)
                .arg(tr("%1 #%2").arg(detail.summary.name, QString::number(detail.summary.id)).toHtmlEscaped()));
        QPushButton *rerunButton = bar->addAction(tr("Rerun failed tasks with this text"));
        rerunButton->setObjectName(QStringLiteral("rerunWithTextButton"));
        connect(rerunButton, &QPushButton::clicked, this,
            [this, page = QPointer<DesignerPage>(page)] { rerunWithText(page); });
    });
}

std::optional<JobSummary> MainWindow::rerunnable(const DesignerPage *page) const
{
    const QString uuid = page ? page->property(originProperty).toString() : QString();
    const std::optional<JobSummary> job = uuid.isEmpty() ? std::nullopt : m_client->job(uuid);
    return job && isFinal(job->state) && job->state != State::Succeeded && job->counts.failed > 0 ? job : std::nullopt;
}

void MainWindow::rerunWithText(DesignerPage *page)
{
    const std::optional<JobSummary> job = rerunnable(page);
    if (!job) {
        return;
    }
    if (!page->canRun()) {
        sayOf(page, page->runBlockers().join(QLatin1Char(' ')));
        return;
    }
    RetryRequest request;
    request.uuid = job->uuid;
    request.failedOnly = true;
    const Result<QByteArray> whole = withCatalogue(page->bytes(true), folderCatalogue(catalogueFolder()));
    request.yaml = whole ? *whole : page->bytes(true);
    const ParseOutcome outcome = parseJob(request.yaml);
    const QStringList wanted = outcome.spec ? outcome.spec->maskedSecrets : QStringList();
    withSecrets(
        job->name, wanted, [this, request, asker = QPointer<QWidget>(page)](const QMap<QString, QString> &values) {
            RetryRequest complete = request;
            complete.secrets = values;
            m_client->retry(complete, this, [this, asker, uuid = request.uuid](const Result<bool> &begun) {
                if (begun) {
                    m_bars->hideFor(asker);
                    openRun(uuid)->setFocus();
                } else {
                    sayOf(asker, errorText(begun.error()));
                }
            });
        });
}

void MainWindow::stopJob(const QString &uuid)
{
    m_client->stop(uuid, this, [this, uuid](const Result<bool> &result) {
        if (!result) {
            sayOf(runPage(uuid), errorText(result.error()));
        }
    });
}

// One more attempt of the same job; its masked secrets were forgotten when it ended.
void MainWindow::rerun(const QString &uuid, bool failedOnly, const QStringList &tasks)
{
    withYaml(uuid, [this, uuid, failedOnly, tasks](const JobDetail &detail) {
        const ParseOutcome outcome = parseJob(detail.yaml);
        const QStringList wanted = outcome.spec ? outcome.spec->maskedSecrets : QStringList();
        withSecrets(detail.summary.name, wanted, [this, uuid, failedOnly, tasks](const QMap<QString, QString> &values) {
            RetryRequest request;
            request.uuid = uuid;
            request.tasks = tasks;
            request.failedOnly = failedOnly;
            request.secrets = values;
            m_client->retry(request, this, [this, uuid](const Result<bool> &begun) {
                if (begun) {
                    openRun(uuid)->setFocus();
                } else {
                    sayOf(runPage(uuid), errorText(begun.error()));
                }
            });
        });
    });
}

void MainWindow::pauseJob(const QString &uuid, bool on)
{
    m_client->pause(uuid, on, this, [this, uuid](const Result<bool> &result) {
        if (!result) {
            sayOf(runPage(uuid), errorText(result.error()));
        }
    });
}

void MainWindow::openFolder(const QString &uuid)
{
    withYaml(uuid,
        [this, uuid](const JobDetail &detail) { openOutside(QUrl::fromLocalFile(detail.runFolder), runPage(uuid)); });
}

void MainWindow::removeJob(const QString &uuid)
{
    m_client->remove(uuid, this, [this](const Result<bool> &result) {
        if (!result) {
            say(errorText(result.error()));
        }
    });
}

} // namespace trainyard
