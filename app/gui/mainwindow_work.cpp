// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gallerypage.h"
#include "app/gui/mainwindow.h"
#include "app/gui/runinmenu.h"
#include "app/gui/runlink.h"
#include "app/gui/secretsdialog.h"
#include "app/gui/session.h"
#include "app/gui/statusline.h"
#include "app/gui/tabarea.h"
#include "app/gui/welcomepage.h"
#include "engine/client/cataloguefolder.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/statepainter.h"
#include "widgets/diff/diffpage.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/secretvault.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QJsonArray>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStatusTipEvent>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

#include <utility>

// What the window does: documents, runs, engine, drops, session.
namespace trainyard
{
namespace
{
constexpr int windowStateVersion = 1;
constexpr int openedSaveMs = 200; // after a tab came, went or was chosen, until the session is written
constexpr int typedSaveMs = 2000;
constexpr const char *originProperty = "originRun"; // of a document: the run whose text it was
const QString yamlFilter = QStringLiteral("*.yaml *.yml *.json");

bool isActive(const JobSummary &job) { return !isFinal(job.state); }
} // namespace

DesignerPage *MainWindow::currentDesigner() const { return qobject_cast<DesignerPage *>(m_tabs->currentPage()); }
RunPage *MainWindow::currentRun() const { return qobject_cast<RunPage *>(m_tabs->currentPage()); }

void MainWindow::say(const QString &sentence, bool failed)
{
    m_showsFetch = false;
    m_showsUnopened = false;
    m_bar->show(failed ? InfoBar::Kind::Failed : InfoBar::Kind::Info, sentence.toHtmlEscaped());
    m_bar->setClosable(true);
}

// Documents

void MainWindow::prepareDesigner(DesignerPage *page)
{
    m_tabs->addPage(page, icon(QStringLiteral("document"), Colour::Muted), page->displayName());
    updateTitle(page);
    page->setHosts(m_client->hosts());
    // Storages that the settings know, whenever an engine is there to be asked.
    const auto askStorages = [this, page] {
        if (m_client->status() != EngineClient::Status::Ready) {
            return;
        }
        m_client->settings(page, [page](const Result<QJsonObject> &settings) {
            if (!settings) {
                return;
            }
            QStringList names;
            for (auto it = settings->constBegin(); it != settings->constEnd(); ++it) {
                if (it.key().startsWith(QLatin1StringView("storages.")) && !it.value().toString().isEmpty()) {
                    names.append(it.key().mid(9));
                }
            }
            page->setStorages(names);
        });
    };
    connect(m_client, &EngineClient::statusChanged, page, askStorages);
    askStorages();
    page->setSecretVault(m_vault);
    // Those that earlier jobs were in.
    page->setKnownClusters([this] {
        QStringList names;
        const QList<JobSummary> jobs = m_client->jobs();
        for (const JobSummary &job : jobs) {
            if (!job.virtualCluster.isEmpty() && !names.contains(job.virtualCluster)) {
                names.append(job.virtualCluster);
            }
        }
        names.sort();
        return names;
    });
    connect(page, &DesignerPage::modifiedChanged, this, [this, page] {
        updateTitle(page);
        updateActions();
    });
    connect(page, &DesignerPage::titleChanged, this, [this, page] { updateTitle(page); });
    connect(page, &DesignerPage::runnableChanged, this, &MainWindow::updateActions);
    connect(page, &DesignerPage::runRequested, this, &MainWindow::runCurrent);
    connect(page, &DesignerPage::previewRequested, this, [this, page] { openPreview(page); });
    connect(page, &DesignerPage::compareRequested, this, [this, page] { compareWith(page, QStringLiteral("saved")); });
    // The window has this key, so that it works wherever the focus is.
    if (auto *preview = page->findChild<QAction *>(QStringLiteral("actionPreview"))) {
        preview->setShortcuts(QList<QKeySequence>());
    }
    connect(page, &DesignerPage::saveAsRequested, this, [this, page] { save(page, true); });
    connect(page, &DesignerPage::problemsChanged, this, [this, page](int errors, int warnings) {
        if (page == currentDesigner()) {
            m_status->setProblems(errors, warnings);
            updateActions();
        }
    });
    connect(page, &DesignerPage::cursorMoved, this, [this, page](qint64 line, qint64 column) {
        if (page == currentDesigner()) {
            m_status->setPageText(tr("Ln %1, Col %2").arg(line).arg(column));
        }
        saveSessionSoon(typedSaveMs); // the caret moves with what is typed
    });
    connect(page->undoAction(), &QAction::changed, this, &MainWindow::updateActions);
    connect(page->redoAction(), &QAction::changed, this, &MainWindow::updateActions);
    onPageChanged();
}

void MainWindow::updateTitle(DesignerPage *page)
{
    m_tabs->setTitle(page, page->displayName(), page->filePath());
    m_tabs->setModified(page, page->isModified());
    if (page == currentDesigner()) {
        setWindowTitle(tr("%1[*] – Trainyard").arg(page->displayName()));
        setWindowModified(page->isModified());
    }
}

DesignerPage *MainWindow::openFile(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        auto *open = qobject_cast<DesignerPage *>(widget);
        if (open && open->filePath() == absolute) {
            m_tabs->setCurrentPage(open);
            return open;
        }
    }
    if (DesignerPage *converted = openOldJob(absolute)) {
        return converted;
    }
    auto page = std::make_unique<DesignerPage>();
    if (const auto result = page->openFile(absolute); !result) {
        say(errorText(result.error()));
        m_showsUnopened = true;
        return nullptr;
    }
    if (std::exchange(m_showsUnopened, false)) {
        m_bar->hide();
    }
    DesignerPage *opened = page.release();
    prepareDesigner(opened);
    m_settings.addRecentFile(absolute);
    m_settings.setLastFolder(QFileInfo(absolute).path());
    updateRecentMenu();
    return opened;
}

void MainWindow::openFiles(const QStringList &paths)
{
    for (const QString &path : paths) {
        openFile(path);
    }
    if (isMinimized()) {
        showNormal();
    }
    raise();
    activateWindow();
}

DesignerPage *MainWindow::newDocument(const QByteArray &yaml, const QString &suggestedName)
{
    if (DesignerPage *converted = convertedDocument(yaml, suggestedName)) {
        return converted;
    }
    auto *page = new DesignerPage;
    QString name = suggestedName;
    if (name.isEmpty()) {
        ++m_untitled;
        name = m_untitled == 1 ? tr("untitled.pai.yaml") : tr("untitled-%1.pai.yaml").arg(m_untitled);
    }
    page->newDocument(yaml, name);
    prepareDesigner(page);
    return page;
}

void MainWindow::chooseFiles()
{
    auto *dialog = new QFileDialog(this, tr("Open jobs"), m_settings.lastFolder(),
        tr("Jobs (%1)").arg(yamlFilter) + QStringLiteral(";;") + tr("All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::openFiles);
    dialog->open();
}

void MainWindow::save(DesignerPage *page, bool as, const std::function<void()> &then)
{
    const auto done = [this, page, then](const Result<void> &result) {
        if (!result) {
            say(errorText(result.error()));
            return;
        }
        if (!page->filePath().isEmpty()) {
            m_settings.addRecentFile(page->filePath());
            updateRecentMenu();
        }
        updateTitle(page);
        if (then) {
            then();
        }
    };
    if (!as && !page->filePath().isEmpty()) {
        done(page->save());
        return;
    }
    const QString folder = page->filePath().isEmpty() ? m_settings.lastFolder() : QFileInfo(page->filePath()).path();
    auto *dialog = new QFileDialog(this, tr("Save the job as"),
        QDir(folder.isEmpty() ? QDir::homePath() : folder).filePath(page->displayName()),
        tr("Jobs (%1)").arg(yamlFilter) + QStringLiteral(";;") + tr("All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, page, [page, done](const QString &path) { done(page->saveAs(path)); });
    dialog->open();
}

void MainWindow::closePage(QWidget *page)
{
    auto *designer = qobject_cast<DesignerPage *>(page);
    const auto remove = [this, page] {
        m_tabs->removePage(page);
        if (page == m_welcome) {
            m_welcome = nullptr;
        }
        if (page == m_gallery) {
            m_gallery = nullptr;
        }
        m_previews.removeIf([page](const auto &entry) { return entry.value() == page; });
        m_diffs.removeIf([page](const auto &entry) { return entry.value() == page; });
        page->deleteLater();
        if (m_tabs->pages().isEmpty()) {
            showWelcome();
        }
        onPageChanged();
    };
    if (!designer || !designer->isModified()) {
        remove();
        return;
    }
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Trainyard"),
        tr("%1 has changes that are not saved.").arg(designer->displayName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setDefaultButton(QMessageBox::Save);
    connect(box, &QMessageBox::buttonClicked, this, [this, box, designer, remove](QAbstractButton *button) {
        const auto choice = box->standardButton(button);
        if (choice == QMessageBox::Save) {
            save(designer, false, remove);
        } else if (choice == QMessageBox::Discard) {
            remove();
        }
    });
    box->open();
}

void MainWindow::onPageChanged()
{
    if (m_closing) {
        return;
    }
    if (DesignerPage *page = currentDesigner()) {
        updateTitle(page);
        m_status->setProblems(page->errorCount(), page->warningCount());
        m_status->setPageText({});
        m_jobs->setCurrentJob({});
        m_lastDesigner = page;
    } else if (const RunPage *run = currentRun()) {
        setWindowTitle(tr("%1[*] – Trainyard").arg(run->title()));
        setWindowModified(false);
        m_status->clearProblems();
        m_status->setPageText(run->statusText());
        m_jobs->setCurrentJob(run->uuid());
    } else {
        setWindowTitle(tr("Trainyard"));
        setWindowModified(false);
        m_status->clearProblems();
        m_status->setPageText(tr("Version %1").arg(QApplication::applicationVersion()));
        m_jobs->setCurrentJob({});
        if (auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage()); preview && preview->isStale()) {
            plan(preview, designerOf(preview));
        }
        for (auto it = m_diffs.cbegin(); it != m_diffs.cend(); ++it) {
            if (it.value() && it.value() == m_tabs->currentPage()) {
                updateDiff(it.value(), it.key());
            }
        }
    }
    updateActions();
    saveSessionSoon(openedSaveMs);
}

void MainWindow::updateActions()
{
    if (m_closing) {
        return;
    }
    const DesignerPage *designer = currentDesigner();
    const RunPage *run = currentRun();
    const auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage());
    const DesignerPage *previewed = preview ? designerOf(preview) : nullptr;
    action("save")->setEnabled(designer && (designer->isModified() || designer->filePath().isEmpty()));
    action("saveAs")->setEnabled(designer);
    action("undo")->setEnabled(designer && designer->undoAction()->isEnabled());
    action("redo")->setEnabled(designer && designer->redoAction()->isEnabled());
    action("run")->setEnabled((designer && designer->canRun()) || (previewed && previewed->canRun())
        || (run && !run->maskedYaml().isEmpty()));
    const QString runIn = runInOf(designerInFront());
    action("run")->setText(runIn.isEmpty() ? tr("&Run") : tr("&Run in %1").arg(runInLabel(runIn)));
    QString tip = tr("Run this job (F5)");
    if (designer && !designer->canRun()) {
        tip = tr("Run is off:") + QLatin1Char('\n') + designer->runBlockers().join(QLatin1Char('\n'));
    } else if (!designer && !run && !previewed) {
        tip = tr("Open or make a job to run it");
    }
    action("run")->setToolTip(tip);
    const bool stoppable = run && isActive(run->summary()) && !run->summary().stopRequested;
    action("stop")->setEnabled(stoppable);
    action("rerunWithText")->setEnabled(rerunnable(designer).has_value());
    action("runAgain")->setEnabled(run && !run->maskedYaml().isEmpty());
    action("editAsNew")->setEnabled(run && !run->maskedYaml().isEmpty());
    const bool hasYaml = designer || (run && !run->maskedYaml().isEmpty());
    for (const char *name : {"copyYaml", "copyRunCommand"}) {
        action(name)->setEnabled(hasYaml);
    }
    for (const char *name : {"copyYamlWithSecrets", "saveAsTemplate", "compareSaved", "compareLastRun", "compare"}) {
        action(name)->setEnabled(designer);
    }
    action("preview")->setEnabled(designer || lastDesigner());
}

// Runs

RunPage *MainWindow::openRun(const QString &uuid)
{
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        auto *open = qobject_cast<RunPage *>(widget);
        if (open && open->property("uuid").toString() == uuid) {
            m_tabs->setCurrentPage(open);
            return open;
        }
    }
    auto *page = new RunPage;
    page->setProperty("uuid", uuid);
    new RunLink(m_client, uuid, page);
    page->setHosts(m_client->hosts());
    m_tabs->addPage(page, stateIcon(shapeOf(page->summary().state)), page->title());
    m_tabs->setTitle(page, page->title());
    connect(page, &RunPage::titleChanged, this, [this, page] {
        m_tabs->setTitle(page, page->title());
        m_tabs->setIcon(page, stateIcon(shapeOf(page->summary().state)));
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
        m_client->release(uuid, tasks, this, [this](const Result<bool> &released) {
            if (!released) {
                say(errorText(released.error()));
            }
        });
    });
    connect(page, &RunPage::runAgainRequested, this, [this, uuid] { runAgain(uuid); });
    connect(page, &RunPage::editAsNewRequested, this, [this, uuid] { editAsNew(uuid); });
    connect(page, &RunPage::openFolderRequested, this, [this, uuid] { openFolder(uuid); });
    connect(page, &RunPage::addressRequested, this,
        [](const QString &address) { QDesktopServices::openUrl(QUrl(address)); });
    onPageChanged();
    return page;
}

void MainWindow::runCurrent()
{
    if (DesignerPage *page = currentDesigner()) {
        const QByteArray yaml = page->bytes(true);
        submitDocument(yaml, page->filePath(), page->displayName(), runInOf(page));
    } else if (const RunPage *run = currentRun()) {
        runAgain(run->uuid());
    } else if (auto *preview = qobject_cast<PreviewPage *>(m_tabs->currentPage())) {
        if (DesignerPage *source = designerOf(preview)) {
            m_tabs->setCurrentPage(source);
            runCurrent();
        }
    }
}

void MainWindow::submitDocument(const QByteArray &yaml, const QString &file, const QString &name, const QString &runIn)
{
    // What comes from the catalogue is written into the job, so that it runs the same again and the record shows it.
    const Result<QByteArray> whole = withCatalogue(yaml, folderCatalogue(catalogueFolder()));
    const ParseOutcome outcome = parseJob(whole ? *whole : yaml);
    if (!outcome.canRun()) {
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error) {
                say(tr("%1 cannot run: %2").arg(name, diagnosticText(diagnostic)));
                return;
            }
        }
        say(tr("%1 cannot run: it is no job yet.").arg(name));
        return;
    }
    SubmitRequest request;
    request.yaml = outcome.document.bytes();
    request.file = file;
    request.target = m_target->currentData().toString();
    request.runIn = runIn;
    withSecrets(outcome.spec->name, outcome.spec->maskedSecrets, [this, request](const QMap<QString, QString> &values) {
        SubmitRequest complete = request;
        complete.secrets = values;
        submit(complete);
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

void MainWindow::submit(const SubmitRequest &request)
{
    if (m_client->status() == EngineClient::Status::Offline) {
        m_client->start(EngineClient::Start::IfNeeded);
    }
    m_bar->hide();
    m_client->submit(request, this, [this, yaml = request.yaml](const Result<SubmitReply> &reply) {
        if (reply) {
            openRun(reply->uuid);
            return;
        }
        say(errorText(reply.error()));
        offerFix(reply.error(), yaml);
    });
}

// A job that asks for more than there is: the same figures as an edit of its document, while that is unchanged.
void MainWindow::offerFix(const Error &refusal, const QByteArray &yaml)
{
    const QString text = refusalFixText(refusal);
    const QPointer<DesignerPage> page(currentDesigner());
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
    QPushButton *button = m_bar->addAction(text);
    button->setObjectName(QStringLiteral("refusalFix"));
    connect(button, &QPushButton::clicked, this, [this, page, ops] {
        m_bar->hide();
        if (page) {
            page->applyEdits(ops);
        }
    });
}

void MainWindow::withYaml(const QString &uuid, const std::function<void(const JobDetail &)> &use)
{
    m_client->jobDetail(uuid, this, [this, use](const Result<JobDetail> &detail) {
        if (detail) {
            use(*detail);
        } else {
            say(errorText(detail.error()));
        }
    });
}

void MainWindow::runAgain(const QString &uuid)
{
    withYaml(uuid, [this](const JobDetail &detail) {
        submitDocument(detail.yaml, detail.summary.file, detail.summary.name, detail.runIn);
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
        m_bar->show(InfoBar::Kind::Info,
            tr("Run starts a new job. %n task(s) of %1 succeeded; to keep their results, rerun only the others.",
                nullptr, detail.summary.counts.succeeded)
                .arg(tr("%1 #%2").arg(detail.summary.name, QString::number(detail.summary.id)).toHtmlEscaped()));
        QPushButton *rerunButton = m_bar->addAction(tr("Rerun failed tasks with this text"));
        rerunButton->setObjectName(QStringLiteral("rerunWithTextButton"));
        connect(rerunButton, &QPushButton::clicked, this,
            [this, page = QPointer<DesignerPage>(page)] { rerunWithText(page); });
    });
}

std::optional<JobSummary> MainWindow::rerunnable(const DesignerPage *page) const
{
    const QString uuid = page ? page->property(originProperty).toString() : QString();
    const std::optional<JobSummary> job = uuid.isEmpty() ? std::nullopt : m_client->job(uuid);
    return job && isFinal(job->state) && job->state != State::Succeeded ? job : std::nullopt;
}

void MainWindow::rerunWithText(DesignerPage *page)
{
    const std::optional<JobSummary> job = rerunnable(page);
    if (!job) {
        return;
    }
    if (!page->canRun()) {
        say(page->runBlockers().join(QLatin1Char(' ')));
        return;
    }
    RetryRequest request;
    request.uuid = job->uuid;
    request.failedOnly = true;
    const Result<QByteArray> whole = withCatalogue(page->bytes(true), folderCatalogue(catalogueFolder()));
    request.yaml = whole ? *whole : page->bytes(true);
    const ParseOutcome outcome = parseJob(request.yaml);
    const QStringList wanted = outcome.spec ? outcome.spec->maskedSecrets : QStringList();
    withSecrets(job->name, wanted, [this, request](const QMap<QString, QString> &values) {
        RetryRequest complete = request;
        complete.secrets = values;
        m_client->retry(complete, this, [this, uuid = request.uuid](const Result<bool> &begun) {
            if (begun) {
                m_bar->hide();
                openRun(uuid);
            } else {
                say(errorText(begun.error()));
            }
        });
    });
}

void MainWindow::stopJob(const QString &uuid)
{
    m_client->stop(uuid, this, [this](const Result<bool> &result) {
        if (!result) {
            say(errorText(result.error()));
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
                    openRun(uuid);
                } else {
                    say(errorText(begun.error()));
                }
            });
        });
    });
}

void MainWindow::pauseJob(const QString &uuid, bool on)
{
    m_client->pause(uuid, on, this, [this](const Result<bool> &result) {
        if (!result) {
            say(errorText(result.error()));
        }
    });
}

void MainWindow::openFolder(const QString &uuid)
{
    withYaml(uuid, [](const JobDetail &detail) { QDesktopServices::openUrl(QUrl::fromLocalFile(detail.runFolder)); });
}

void MainWindow::removeJob(const QString &uuid)
{
    m_client->remove(uuid, this, [this](const Result<bool> &result) {
        if (!result) {
            say(errorText(result.error()));
        }
    });
}

// Engine

void MainWindow::connectEngine()
{
    connect(m_client, &EngineClient::statusChanged, this, &MainWindow::updateEngine);
    connect(m_client, &EngineClient::reset, this, [this] {
        m_jobs->model()->setJobs(m_client->jobs());
        m_hosts->setHosts(m_client->hosts());
        updateHosts();
        updateEngine();
        if (const RunPage *run = currentRun()) {
            m_jobs->setCurrentJob(run->uuid());
        }
    });
    connect(m_client, &EngineClient::jobChanged, this, [this](const JobSummary &job) {
        m_jobs->model()->apply(job);
        if (const RunPage *run = currentRun(); run && run->uuid() == job.uuid) {
            m_jobs->setCurrentJob(job.uuid);
        }
        updateEngine();
        updateActions();
    });
    connect(m_client, &EngineClient::jobRemoved, this, [this](const QString &uuid) {
        m_jobs->model()->remove(uuid);
        const QList<QWidget *> pages = m_tabs->pages();
        for (QWidget *page : pages) {
            if (page->property("uuid").toString() == uuid) {
                closePage(page);
            }
        }
    });
    connect(m_client, &EngineClient::hostChanged, this, [this](const HostInfo &host) {
        m_hosts->apply(host);
        updateHosts();
        updateEngine();
    });
    connect(m_client, &EngineClient::hostRemoved, this, [this](const QString &id) {
        m_hosts->remove(id);
        updateHosts();
    });
    connect(m_hosts, &HostsPane::addRequested, this, [this](const QString &target) {
        m_client->addHost(target, {}, m_hosts,
            [this](const Result<HostInfo> &host) { m_hosts->setAddError(host ? QString() : errorText(host.error())); });
    });
    connect(m_hosts, &HostsPane::checkRequested, this, [this](const QString &id) {
        m_client->call(QStringLiteral("hosts.check"), {{QStringLiteral("id"), id}}, this,
            [this](const Result<QJsonValue> &result) {
                if (!result) {
                    say(errorText(result.error()));
                }
            });
    });
    connect(m_hosts, &HostsPane::removeRequested, this, [this](const QString &id) {
        m_client->removeHost(id, this, [this](const Result<bool> &result) {
            if (!result) {
                say(errorText(result.error()));
            }
        });
    });
}

void MainWindow::updateEngine()
{
    const QList<JobSummary> jobs = m_client->jobs();
    const int active = int(std::count_if(jobs.cbegin(), jobs.cend(), isActive));
    const QString error
        = m_client->status() == EngineClient::Status::Failed ? errorText(m_client->lastError()) : QString();
    m_status->setEngine(m_client->status(), active, error);
    updatePreviews();
    std::optional<HostInfo> local;
    const QList<HostInfo> hosts = m_client->hosts();
    for (const HostInfo &host : hosts) {
        if (host.target.isEmpty()) {
            local = host;
            m_status->setComputer(host);
        }
    }
    if (m_welcome) {
        m_welcome->setComputer(local, error);
    }
}

void MainWindow::updateHosts()
{
    const QList<HostInfo> hosts = m_client->hosts();
    const QString wanted = m_settings.target();
    const QSignalBlocker blocker(m_target);
    m_target->clear();
    const bool several = hosts.size() > 1;
    if (several) {
        m_target->addItem(icon(QStringLiteral("host")), tr("Any host"), QString());
    }
    bool hasLocal = false;
    for (const HostInfo &host : hosts) {
        if (!host.diskLow) {
            m_saidDiskLow.remove(host.id);
        } else if (!m_saidDiskLow.contains(host.id)) {
            m_saidDiskLow.insert(host.id);
            say(sentence(QStringLiteral("disk.low"),
                {{QStringLiteral("host"), host.label}, {QStringLiteral("freeMiB"), host.diskFreeMiB}}));
        }
        const bool local = host.target.isEmpty();
        hasLocal = hasLocal || local;
        m_target->addItem(icon(local ? QStringLiteral("computer") : QStringLiteral("host")),
            local ? tr("This computer") : host.label, host.id);
    }
    if (!hasLocal) {
        m_target->addItem(icon(QStringLiteral("computer")), tr("This computer"), QStringLiteral("local"));
    }
    const int index = m_target->findData(wanted);
    m_target->setCurrentIndex(std::max(0, index));
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *page : pages) {
        if (auto *designer = qobject_cast<DesignerPage *>(page)) {
            designer->setHosts(hosts);
        } else if (auto *run = qobject_cast<RunPage *>(page)) {
            run->setHosts(hosts);
        }
    }
}

// Window

bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::StatusTip) {
        m_status->setTip(static_cast<QStatusTipEvent *>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

// Put off while more happens, but not for ever: the autosave goes on beside it.
void MainWindow::saveSessionSoon(int ms)
{
    const bool sooner = m_sessionTimer->isActive() && m_sessionTimer->interval() < ms;
    if (m_options.restoreSession && !m_closing && !sooner) {
        m_sessionTimer->start(ms);
    }
}

void MainWindow::saveSessionNow()
{
    Session session;
    const QList<QWidget *> pages = m_tabs->pages();
    for (QWidget *widget : pages) {
        SessionTab tab;
        if (const auto *page = qobject_cast<DesignerPage *>(widget)) {
            tab.kind = QStringLiteral("document");
            tab.path = page->filePath();
            tab.name = page->displayName();
            tab.modified = page->isModified() || tab.path.isEmpty();
            tab.layout = page->saveLayout();
            if (tab.modified) {
                // What cannot be masked is not written: a secret must not reach the disk.
                const QByteArray bytes = page->bytes();
                const auto masked = maskSecrets(bytes);
                tab.text = masked ? *masked : QByteArray();
                tab.masked = !masked || *masked != bytes;
            }
        } else if (qobject_cast<PreviewPage *>(widget) || qobject_cast<DiffPage *>(widget)
            || qobject_cast<GalleryPage *>(widget)) {
            continue; // made again when asked for
        } else if (const auto *run = qobject_cast<RunPage *>(widget)) {
            tab.kind = QStringLiteral("run");
            tab.uuid = run->property("uuid").toString();
            tab.layout = run->saveLayout();
        } else {
            tab.kind = QStringLiteral("welcome");
        }
        session.tabs.append(tab);
        if (widget == m_tabs->currentPage()) {
            session.current = int(session.tabs.size()) - 1;
        }
    }
    saveSession(session);
}

void MainWindow::restoreSession()
{
    const Session session = loadSession();
    for (const SessionTab &tab : session.tabs) {
        if (tab.kind == QLatin1String("document")) {
            if (tab.modified) {
                if (tab.text.isEmpty() && tab.path.isEmpty()) {
                    continue;
                }
                auto *page = new DesignerPage;
                page->restore(tab.path, tab.text, tab.name);
                prepareDesigner(page);
                page->restoreLayout(tab.layout);
                if (tab.masked) {
                    say(tr("%1 came back without its secrets: they are never written to disk.").arg(tab.name), false);
                }
            } else if (QFile::exists(tab.path)) {
                if (DesignerPage *page = openFile(tab.path)) {
                    page->restoreLayout(tab.layout);
                }
            }
        } else if (tab.kind == QLatin1String("run") && !tab.uuid.isEmpty()) {
            openRun(tab.uuid)->restoreLayout(tab.layout);
        } else if (tab.kind == QLatin1String("welcome")) {
            showWelcome();
        }
    }
    const QList<QWidget *> pages = m_tabs->pages();
    if (session.current >= 0 && session.current < pages.size()) {
        m_tabs->setCurrentPage(pages.at(session.current));
    }
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    const QList<JobSummary> jobs = m_client->jobs();
    const auto active = std::count_if(jobs.cbegin(), jobs.cend(), isActive);
    if (active > 0 && !m_settings.wasToldJobsGoOn()) {
        m_settings.setToldJobsGoOn();
        auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Trainyard"),
            tr("%n job(s) go on without this window.", nullptr, int(active)), QMessageBox::Close | QMessageBox::Cancel,
            this);
        box->setInformativeText(
            tr("Start Trainyard again to see them, or use \"trainyardctl ps\". This is said once."));
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(box, &QMessageBox::buttonClicked, this, [this, box](QAbstractButton *button) {
            if (box->standardButton(button) == QMessageBox::Close) {
                close();
            }
        });
        box->open();
        event->ignore();
        return;
    }
    m_settings.setWindow(saveGeometry(), saveState(windowStateVersion));
    if (m_options.restoreSession) {
        saveSessionNow();
    }
    event->accept();
}

} // namespace trainyard
