// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/documentchecks.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/controllers/rundocument.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/session.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/documentname.h"
#include "engine/api/formertarget.h"
#include "engine/api/jobfacts.h"
#include "engine/api/shortsecrets.h"
#include "engine/client/cataloguefolder.h"
#include "engine/client/engineclient.h"
#include "engine/client/secretmemory.h"
#include "model/protocol/shownsecrets.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/changedialog.h"
#include "widgets/tasks/diffdialog.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

// Jobs that ran already: running them again, as a new document, or in another attempt.
namespace trainyard
{
namespace
{
QStringList maskedSecretsOf(const QByteArray &yaml)
{
    const ParseOutcome outcome = parseJob(yaml);
    return outcome.spec ? outcome.spec->askedSecrets : QStringList();
}

QByteArray withText(const QByteArray &yaml, const YamlPath &path, const QString &text)
{
    const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), edit::SetText{path, text});
    return edits ? applyEdits(yaml, *edits) : yaml;
}

QByteArray renamedJob(const QByteArray &yaml, const QString &name)
{
    return withText(yaml, {QStringLiteral("name")}, name);
}

// With the work folder that its submission named, where its file does not say the same.
QByteArray placedJob(const JobDetail &detail, const QByteArray &yaml)
{
    const QString &file = detail.summary.file;
    const bool isSaid = detail.work.isEmpty() || (!file.isEmpty() && detail.work == QFileInfo(file).path());
    return isSaid
        ? yaml
        : withText(yaml, {QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("work")}, detail.work);
}
} // namespace

void RunController::runAgain(const QString &uuid)
{
    withDetail(uuid, [this](const JobDetail &detail) {
        // As it ran: what its submission has overridden is not in its text.
        runText(detail, yamlWithParameters(detail.yaml, detail.summary.parameters));
    });
}

void RunController::runText(const JobDetail &detail, const QByteArray &yaml)
{
    prepare({parseJob(yaml), detail.summary.file, detail.summary.name, detail.runIn, m_runs->find(detail.summary.uuid),
        detail.summary.name, documentNameOf(detail), formerTarget(detail), detail.work});
}

void RunController::editAsNew(const QString &uuid)
{
    withDetail(uuid, [this](const JobDetail &detail) {
        openAsNew(detail, yamlWithParameters(detail.yaml, detail.summary.parameters));
    });
}

void RunController::editAttemptAsNew(const QString &uuid, int attempt)
{
    withDetail(uuid, [this, attempt](const JobDetail &detail) {
        const TextOfAttempt newest{detail.yaml, detail.summary.parameters};
        const std::optional<TextOfAttempt> text = textOfAttempt(detail.earlierTexts, newest, attempt);
        const TextOfAttempt &opened = text ? *text : newest;
        openAsNew(detail, yamlWithParameters(opened.yaml, opened.parameters),
            text ? QString()
                 : tr("The text of attempt %1 is not known any more: it was not kept when the job was tried again. "
                      "This is the text of the newest attempt.")
                       .arg(attempt + 1));
    });
}

// The file itself while it has the text that was rehearsed, since that has the values of secrets.
void RunController::openOriginal(const QString &uuid)
{
    withDetail(uuid, [this](const JobDetail &detail) {
        const QByteArray text = jobFileText(detail.summary.file);
        const Result<QByteArray> masked = maskSecrets(text);
        if (!text.isEmpty() && masked && *masked == detail.original) {
            if (DocumentTab *opened = m_files->openFile(detail.summary.file)) {
                opened->setRehearsal(detail.summary.uuid);
            }
            return;
        }
        const ParseOutcome outcome = parseJob(detail.original);
        const QString name = outcome.spec ? outcome.spec->name : detail.summary.name;
        DocumentTab *tab = m_files->newDocument(detail.original, name + QStringLiteral(".pai.yaml"));
        tab->designer()->setOriginFile(detail.summary.file); // its tasks start in the same folder
        tab->setRehearsal(detail.summary.uuid);
        m_workbench->refresh();
    });
}

std::pair<QList<DocumentTab *>, QList<OpenDocument>> RunController::openDocuments() const
{
    std::pair<QList<DocumentTab *>, QList<OpenDocument>> open;
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        if (DocumentTab *each = page->document(); each && each == page) {
            const DesignerPage *designer = each->designer();
            open.first.append(each);
            open.second.append({designer->filePath(), designer->runFile(),
                each->rehearsal().isEmpty() ? each->originRun() : each->rehearsal(), each->runs(), designer->bytes()});
        }
    }
    return open;
}

// A change that was made for a new run is in no document, and the file may have been changed since. The document that
// the run was submitted from is the right one to go on with, whatever it has become.
void RunController::tellDocument(RunTab *tab)
{
    RunPage *run = tab->run();
    const JobSummary &job = run->summary();
    if (job.file.isEmpty() || !run->showsFailure() || run->isRehearsal()) {
        m_checks->drop(run);
        run->setDocumentDiffers(false);
        return;
    }
    DocumentQuestion question;
    question.job.summary = job;
    question.job.yaml = run->maskedYaml();
    question.documents = openDocuments().second;
    m_checks->ask(run, question, [run](bool differs) { run->setDocumentDiffers(differs); });
}

// The document that a job came from whose file is not there: the one that is to be saved as that file, or that is open
// with the text of the job; else a new one of its text. A job that was never saved ran in a folder of its own, where
// none of the user's files are.
void RunController::openText(const QString &uuid, bool toPlace)
{
    withDetail(uuid, [this, toPlace](const JobDetail &detail) {
        const auto [tabs, documents] = openDocuments();
        DocumentTab *tab = tabs.value(documentOf(detail, documents));
        if (tab) {
            m_workbench->show(tab);
            tab->focus();
        } else {
            tab = openAsNew(detail, yamlWithParameters(detail.yaml, detail.summary.parameters));
        }
        if (toPlace) {
            m_workbench->sayOf(tab,
                tr("The commands start in the work folder. Choose the folder that your files are in, or save this "
                   "document beside them."),
                false);
            tab->designer()->showInForm(
                {QStringLiteral("extras"), QStringLiteral("trainyard"), QStringLiteral("work")});
        }
    });
}

DocumentTab *RunController::openAsNew(const JobDetail &detail, const QByteArray &yaml, const QString &note)
{
    const QString name = freshName(detail.summary);
    m_secrets->memory()->copy(documentNameOf(detail), name); // it is the same text under another name
    DocumentTab *tab
        = m_files->newDocument(placedJob(detail, renamedJob(yaml, name)), name + QStringLiteral(".pai.yaml"));
    tab->setOriginRun(detail.summary.uuid);
    tab->designer()->setOriginFile(detail.summary.file); // its tasks start in the same folder
    tab->setTarget(formerTarget(detail));
    m_workbench->refresh();
    if (retriable(tab) && detail.summary.counts.succeeded > 0) {
        offerRetry(tab, detail.summary, note);
    } else if (!note.isEmpty()) {
        m_workbench->sayOf(tab, note, false);
    }
    return tab;
}

void RunController::changeAsNew(const QString &uuid, const JobChange &change)
{
    withDetail(uuid, [this, uuid, change](const JobDetail &detail) {
        const QByteArray text = yamlWithParameters(detail.yaml, detail.summary.parameters);
        const QByteArray changed = changedText(YamlDocument::parse(text), change);
        if (changed.isEmpty()) {
            m_workbench->sayOf(
                m_runs->find(uuid), tr("The text of the job has changed meanwhile, so this change cannot be made."));
            return;
        }
        auto *dialog = new ChangeDialog(changeWords(change).title, text, changed, m_workbench->window());
        connect(dialog, &QDialog::finished, this, [this, detail, changed](int answer) {
            if (answer == ChangeDialog::Run) {
                runText(detail, changed);
            } else if (answer == ChangeDialog::EditAsNew) {
                openAsNew(detail, changed);
            }
        });
        dialog->open();
    });
}

// A copy under the name of its original would be saved over it, and be mistaken for it in the list of jobs.
QString RunController::freshName(const JobSummary &job) const
{
    constexpr qsizetype longestStem = 240;
    QSet<QString> taken;
    const QList<JobSummary> jobs = m_client->jobs();
    for (const JobSummary &each : jobs) {
        taken.insert(each.name);
    }
    const QList<Page *> pages = m_workbench->pages();
    for (const Page *page : pages) {
        taken.insert(page->title().section(QLatin1Char('.'), 0, 0));
    }
    static const QRegularExpression numbered(QStringLiteral("\\A(.+)-[0-9]{1,4}\\z"));
    const QString original = numbered.match(job.name).captured(1);
    const QString stem = (taken.contains(original) ? original : job.name).left(longestStem);
    const QDir folder = QFileInfo(job.file).dir();
    for (int number = 2;; ++number) {
        const QString name = stem + QLatin1Char('-') + QString::number(number);
        if (!taken.contains(name) && (job.file.isEmpty() || !folder.exists(name + QStringLiteral(".pai.yaml")))) {
            return name;
        }
    }
}

void RunController::offerRetry(DocumentTab *tab, const JobSummary &job, const QString &note)
{
    InfoBar *bar = m_workbench->barOf(tab);
    const QString offer
        = tr("Run starts a new job. %n task(s) of %1 succeeded; to keep their results, retry only the others.", nullptr,
            job.counts.succeeded)
              .arg(tr("%1 #%2").arg(job.name, QString::number(job.id)).toHtmlEscaped());
    bar->show(InfoBar::Kind::Info, note.isEmpty() ? offer : QString(note.toHtmlEscaped() + QLatin1Char(' ') + offer));
    QPushButton *button = bar->addAction(tr("Retry failed tasks with this text"));
    button->setObjectName(QStringLiteral("retryWithTextButton"));
    connect(button, &QPushButton::clicked, tab, [this, tab] { retryWithText(tab); });
}

QString RunController::runOf(const DocumentTab *tab) const
{
    if (!tab->lastRun().isEmpty() || !tab->originRun().isEmpty()) {
        return tab->lastRun().isEmpty() ? tab->originRun() : tab->lastRun();
    }
    const QString file = tab->designer()->runFile();
    const QList<JobSummary> jobs = file.isEmpty() ? QList<JobSummary>() : m_client->jobs(); // newest first
    // Those of a sweep have values of their own in their text.
    const auto it = std::find_if(
        jobs.cbegin(), jobs.cend(), [&file](const JobSummary &job) { return job.file == file && job.group.isEmpty(); });
    return it == jobs.cend() ? QString() : it->uuid;
}

std::optional<JobSummary> RunController::retriable(const DocumentTab *tab) const
{
    return whyNotRetried(tab).isEmpty() ? m_client->job(runOf(tab)) : std::nullopt;
}

// A sentence, or nothing when failed tasks can be retried with the text of this document.
QString RunController::whyNotRetried(const DocumentTab *tab) const
{
    if (!tab) {
        return tr("The tab in front is not a document. Without changes, use \"Retry failed tasks\".");
    }
    const QString uuid = runOf(tab);
    if (uuid.isEmpty()) {
        return tr("This document has not been run yet, and its text was not made from a run by \"Edit as new\".");
    }
    const std::optional<JobSummary> job = m_client->job(uuid);
    if (!job) {
        return tr("The run of this document is not in the list of jobs.");
    }
    if (!isFinal(job->state)) {
        return tr("The run of this document has not ended.");
    }
    // A run may succeed in spite of tasks that failed: its policy allows them.
    if (job->counts.failed > 0) {
        return {};
    }
    return job->state == State::Succeeded ? tr("The run of this document has succeeded.") : tr("No task has failed.");
}

void RunController::retryWithText(DocumentTab *tab)
{
    const std::optional<JobSummary> job = retriable(tab);
    if (!job) {
        return;
    }
    DesignerPage *designer = tab->designer();
    if (!designer->canRun()) {
        m_workbench->sayOf(tab, designer->runBlockers().join(QLatin1Char(' ')));
        return;
    }
    RetryRequest request;
    request.uuid = job->uuid;
    request.failedOnly = true;
    const ParseOutcome written = designer->committedOutcome();
    const Result<ParseOutcome> whole = withCatalogue(written, folderCatalogue(catalogueFolder()));
    const ParseOutcome outcome = whole ? *whole : written;
    request.yaml = outcome.document.bytes();
    request.file = designer->runFile();
    const QStringList asked = outcome.spec ? outcome.spec->askedSecrets : QStringList();
    const bool isOwn = job->uuid == tab->originRun(); // its text was taken on purpose
    withDetail(job->uuid, [this, request, asked, isOwn, asker = QPointer<Page>(tab)](const JobDetail &detail) {
        if (!isOwn && !detail.original.isEmpty()) {
            m_workbench->sayOf(asker,
                tr("The last run of this document, #%1, is a rehearsal, and this text is the whole job. Run starts it.")
                    .arg(detail.summary.id));
            return;
        }
        const auto go = [this, request, asked, asker, name = documentNameOf(detail)] {
            m_secrets->withValues(name, asked, [this, request, asker](const QMap<QString, QString> &values) {
                RetryRequest complete = request;
                complete.secrets = values;
                retry(complete, asker);
            });
        };
        const QByteArray shown = shownBesideRun(request.yaml);
        if (shown == detail.yaml) { // there is nothing to look at
            go();
            return;
        }
        auto *dialog
            = new DiffDialog({tr("Retry with this text"),
                                 tr("Retry the failed tasks of %1 with this text?")
                                     .arg(tr("%1 #%2").arg(detail.summary.name, QString::number(detail.summary.id))),
                                 tr("The text of the run is on the left, that of this document on the right. "
                                    "The next attempt runs with the text on the right; tasks that succeeded "
                                    "keep their results, and former attempts keep their text.")},
                detail.yaml, shown, m_workbench->window());
        dialog->setObjectName(QStringLiteral("retryTextDialog"));
        dialog->addAnswer(tr("Retry"), QDialog::Accepted, true, "retryTextAccept");
        connect(dialog, &QDialog::accepted, this, go);
        dialog->open();
    });
}

// Its masked secrets were forgotten when it ended.
void RunController::askForRetry(const QString &uuid, bool failedOnly, const QStringList &tasks)
{
    withDetail(uuid, [this, uuid, failedOnly, tasks](const JobDetail &detail) {
        m_secrets->withValues(documentNameOf(detail), maskedSecretsOf(detail.yaml),
            [this, uuid, failedOnly, tasks](const QMap<QString, QString> &values) {
                RetryRequest request;
                request.uuid = uuid;
                request.tasks = tasks;
                request.failedOnly = failedOnly;
                request.secrets = values;
                retry(request, m_runs->find(uuid));
            });
    });
}

void RunController::retry(const RetryRequest &request, const QPointer<Page> &asker)
{
    const std::optional<JobNote> note = noteOfShortSecrets(request.secrets, [](const QString &) { return true; });
    m_client->call<api::Retry>(request, this, [this, asker, note, uuid = request.uuid](const Result<bool> &begun) {
        if (!begun) {
            m_workbench->sayOf(asker, errorText(begun.error()));
            return;
        }
        if (asker && asker->document()) {
            m_workbench->hideBars(asker); // what was offered there is done
        }
        RunTab *tab = m_runs->open(uuid);
        tab->focus();
        if (note) { // as Run does
            m_workbench->sayOf(tab, errorText({note->code, note->args}), false);
        }
    });
}

} // namespace trainyard
