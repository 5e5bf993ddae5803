// SPDX-License-Identifier: GPL-3.0-or-later
// Another attempt of a job that ran already, with its own text or with that of a document.
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/controllers/rundocument.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/documentname.h"
#include "engine/api/jobfacts.h"
#include "engine/api/shortsecrets.h"
#include "engine/client/cataloguefolder.h"
#include "engine/client/engineclient.h"
#include "model/protocol/shownsecrets.h"
#include "widgets/common/infobar.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/diffdialog.h"
#include "widgets/text/texts.h"

#include <QPushButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{
QStringList maskedSecretsOf(const QByteArray &yaml)
{
    const ParseOutcome outcome = parseJob(yaml);
    return outcome.spec ? outcome.spec->askedSecrets : QStringList();
}
} // namespace

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
    if (m_deleted.contains(uuid)) {
        return tr("The run of this document, #%1, is deleted.").arg(job->id);
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

void RunController::setDeleted(const QSet<QString> &uuids)
{
    if (m_deleted != uuids) {
        m_deleted = uuids;
        m_workbench->refresh();
    }
}

void RunController::retryWithText(DocumentTab *tab)
{
    const std::optional<JobSummary> job = retriable(tab);
    if (!job) {
        if (tab) { // what was offered beside the text holds no longer
            m_workbench->sayOf(tab, whyNotRetried(tab));
        }
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
    const UnderWay::Token token = m_underWay.begin(u"retry "_s + job->uuid);
    if (!token) {
        return;
    }
    withDetail(job->uuid, [this, request, asked, isOwn, token, asker = QPointer<Page>(tab)](const JobDetail &detail) {
        if (!isOwn && !detail.original.isEmpty()) {
            m_workbench->sayOf(asker,
                tr("The last run of this document, #%1, is a rehearsal, and this text is the whole job. Run starts it.")
                    .arg(detail.summary.id));
            return;
        }
        const auto go = [this, request, asked, asker, token, name = documentNameOf(detail)] {
            m_secrets->withValues(name, asked, [this, request, asker, token](const QMap<QString, QString> &values) {
                RetryRequest complete = request;
                complete.secrets = values;
                retry(complete, asker, token);
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
    const UnderWay::Token token = m_underWay.begin(u"retry "_s + uuid);
    if (!token) {
        return;
    }
    withDetail(uuid, [this, uuid, failedOnly, tasks, token](const JobDetail &detail) {
        const QStringList asked = maskedSecretsOf(detail.yaml);
        m_secrets->withValues(
            documentNameOf(detail), asked,
            [this, uuid, failedOnly, tasks, token](const QMap<QString, QString> &values) {
                RetryRequest request;
                request.uuid = uuid;
                request.tasks = tasks;
                request.failedOnly = failedOnly;
                request.secrets = values;
                retry(request, m_runs->find(uuid), token);
            },
            nullptr, fileOf(detail, asked));
    });
}

void RunController::retry(const RetryRequest &request, const QPointer<Page> &asker, const UnderWay::Token &token)
{
    const std::optional<JobNote> note = noteOfShortSecrets(request.secrets, [](const QString &) { return true; });
    m_client->call<api::Retry>(
        request, this, [this, asker, note, token, uuid = request.uuid](const Result<bool> &begun) {
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
