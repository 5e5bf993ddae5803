// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/sweepcontroller.h"

#include "app/gui/controllers/freegroup.h"
#include "app/gui/controllers/runnablejob.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/controllers/sweepsubmission.h"
#include "app/gui/pages/comparetab.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/formermetrics.h"
#include "engine/api/sweeproom.h"
#include "engine/client/engineclient.h"
#include "engine/client/paths.h"
#include "engine/client/settings.h"
#include "engine/client/slurmoptions.h"
#include "widgets/form/designerpage.h"
#include "widgets/sweep/sweepdialog.h"
#include "widgets/text/texts.h"

#include <QPointer>

namespace trainyard
{
// Jobs that a submission has handed over before it failed: tried again, it goes on with the others.
struct SweepController::Begun {
    QString group; // empty: none
    QString name; // that was asked for
    QStringList parameters;
    QList<SweepPoint> points;
    bool isOf(const SweepDialog &dialog) const
    {
        return !group.isEmpty() && name == dialog.draft().group && parameters == dialog.preview().parameters
            && points == dialog.preview().points;
    }
};

SweepController::SweepController(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages,
    EngineClient *client, Secrets *secrets, TargetBox *target)
    : QObject(workbench->window()), m_workbench(workbench), m_pages(pages), m_client(client), m_secrets(secrets),
      m_target(target)
{
    actions->add({"runAsSweep", {}, tr("Run as s&weep…"),
                     tr("Run this job with many values of its parameters, as a group of jobs")},
        this, [this] { open(); });
    connect(workbench, &Workbench::refreshed, this, [this, actions] {
        Page *front = m_workbench->front();
        const DocumentTab *document = front ? front->document() : nullptr;
        const bool canRun = document && document->designer()->canRun();
        actions->setEnabled({"runAsSweep"}, canRun,
            document ? document->designer()->runBlockers().join(QLatin1Char('\n'))
                     : tr("The tab in front is not a document."));
    });
}

void SweepController::open()
{
    Page *front = m_workbench->front();
    DocumentTab *tab = front ? front->document() : nullptr;
    if (!tab) {
        return;
    }
    const std::optional<ParseOutcome> job = runnableJob(tab, m_workbench);
    if (!job) {
        return;
    }
    const ParseOutcome &outcome = *job;
    SweepDraft offered = sweepDraft(outcome);
    const QString file = tab->designer()->runFile();
    const Settings settings(paths::configFolder() + QStringLiteral("/engine.json"));
    const SweepTarget target{m_target->target(), worksHere(*outcome.spec, {}, file), tab->designer()->memoryReserve(),
        sharesSlurmFolders(m_target->target(), settings)};
    const SweepRoom room = sweepRoom(*outcome.spec, m_client->hosts(), target);
    offered.limit = offered.room = room.jobs;
    offered.placed = room.placed;
    offered.former = formerMetrics(m_client->jobs(), file, outcome.spec->name);
    offered.sharesFolder = sweepSharesFolder(*outcome.spec, target);
    auto *dialog = new SweepDialog(outcome.spec->name, resumed(tab, offered), m_workbench->window());
    connect(dialog, &QDialog::finished, this, [this, dialog, offered, tab = QPointer(tab)] {
        if (tab) {
            remember(tab, {offered, dialog->draft()});
        }
    });
    const QString runIn = tab->runIn();
    const QString name = outcome.spec->name;
    const QStringList wanted = outcome.spec->askedSecrets;
    const auto begun = std::make_shared<Begun>();
    nameGroup(dialog, begun);
    connect(dialog, &SweepDialog::runRequested, this, [this, dialog, file, runIn, name, wanted, begun] {
        const UnderWay::Token token = m_underWay.begin(QStringLiteral("sweep"), dialog);
        if (!token) {
            return; // the keyring is being read, or asked to be opened
        }
        m_secrets->withValues(
            name, wanted,
            [this, token, dialog = QPointer(dialog), file, runIn, name, begun](const auto &values) {
                if (dialog) {
                    SubmitRequest request;
                    request.file = file;
                    request.target = m_target->target();
                    request.runIn = runIn;
                    request.documentName = name;
                    request.secrets = values;
                    submit(dialog, request, begun);
                }
            },
            dialog);
    });
    dialog->open();
}

// The dialog shows the names that the jobs get, whatever is typed and however long it stays open.
void SweepController::nameGroup(SweepDialog *dialog, const std::shared_ptr<Begun> &begun)
{
    const auto asked = std::make_shared<QString>(); // last; empty: not yet, or it is to be asked again
    const auto name = [this, dialog, begun, asked] {
        const QString group = dialog->draft().group;
        if (begun->isOf(*dialog)) {
            asked->clear();
            dialog->setGroup(group, begun->group);
        } else if (m_client->status() == EngineClient::Status::Ready && *asked != group && !dialog->preview().ofGroup) {
            *asked = group;
            findFreeGroup(m_client, group, dialog, [dialog, begun, group, asked](const Result<QString> &made) {
                if (!made) {
                    asked->clear(); // again when the engine is back
                } else if (dialog->draft().group == group && !begun->isOf(*dialog)) {
                    dialog->setGroup(group, *made);
                }
            });
        }
    };
    connect(dialog, &SweepDialog::changed, dialog, name);
    connect(m_client, &EngineClient::statusChanged, dialog, name);
    name();
}

SweepDraft SweepController::resumed(const DocumentTab *tab, const SweepDraft &offered) const
{
    const auto written = m_ofTabs.constFind(tab);
    if (written != m_ofTabs.cend()) {
        return resumedDraft(offered, written->offered, written->draft);
    }
    const auto ofFile = m_ofFiles.constFind(tab->designer()->filePath());
    return ofFile != m_ofFiles.cend() ? resumedDraft(offered, ofFile->offered, ofFile->draft) : offered;
}

void SweepController::remember(DocumentTab *tab, const Written &written)
{
    if (!m_ofTabs.contains(tab)) {
        connect(tab, &QObject::destroyed, this, [this](const QObject *gone) { m_ofTabs.remove(gone); });
    }
    m_ofTabs.insert(tab, written);
    if (const QString file = tab->designer()->filePath(); !file.isEmpty()) {
        m_ofFiles.insert(file, written);
    }
}

void SweepController::submit(SweepDialog *dialog, const SubmitRequest &request, const std::shared_ptr<Begun> &begun)
{
    if (m_client->status() == EngineClient::Status::Offline) {
        m_client->start(EngineClient::Start::IfNeeded);
    }
    const SweepPreview preview = dialog->preview();
    const QString name = dialog->draft().group;
    auto *submission = new SweepSubmission(m_client, dialog->draft(), preview, request, dialog);
    connect(dialog, &SweepDialog::stopRequested, submission, &SweepSubmission::stop);
    connect(submission, &SweepSubmission::progressed, dialog, &SweepDialog::setProgress);
    connect(
        submission, &SweepSubmission::failed, dialog, [dialog, submission, begun, preview, name](const Error &error) {
            QString sentence = errorText(error);
            if (submission->done() > 0) {
                *begun = {submission->group(), name, preview.parameters, preview.points};
                sentence += u' ' + begunText(submission->done(), submission->group());
            }
            dialog->setFailed(sentence);
            Q_EMIT dialog->changed(); // the group that goes on is its own
            submission->deleteLater();
        });
    connect(submission, &SweepSubmission::stopped, dialog, &QDialog::accept);
    connect(submission, &SweepSubmission::finished, this, [this, dialog](const QString &group) {
        dialog->accept();
        show(group);
    });
    submission->start(begun->isOf(*dialog) ? begun->group : QString());
}

QString SweepController::begunText(qsizetype count, const QString &group)
{
    return count == 1 ? tr("The first job of the group %1 is submitted; Run submits the others.").arg(group)
                      : tr("The first %1 jobs of the group %2 are submitted; Run submits the others.")
                            .arg(QString::number(count), group);
}

void SweepController::show(const QString &group)
{
    SessionTab place;
    place.name = CompareTab::groupPrefix + group;
    m_pages->open(CompareTab::kind, place);
}

} // namespace trainyard
