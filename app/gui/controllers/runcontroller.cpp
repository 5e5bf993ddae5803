// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runcontroller.h"

#include "app/common/jobtemplates.h"
#include "app/gui/controllers/documentchecks.h"
#include "app/gui/controllers/earlyrun.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/rundocument.h"
#include "app/gui/controllers/runnablejob.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/rehearsedialog.h"
#include "app/gui/runinmenu.h"
#include "app/gui/session.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/page.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/clusters.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/documentname.h"
#include "engine/api/formertarget.h"
#include "engine/api/hostlimits.h"
#include "engine/client/cataloguefolder.h"
#include "engine/client/engineclient.h"
#include "model/protocol/rules.h"
#include "model/yaml/yamledit.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/clusterlist.h"
#include "widgets/tasks/changedialog.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace trainyard
{
namespace
{
// In the words of the window, and briefly: what a note says of a copied folder stands above the log of every such run.
QString noteText(const Error &note)
{
    const auto arg = [&note](const char *name) { return note.args.value(QLatin1StringView(name)).toString(); };
    return note.code == QLatin1StringView("work.copied")
        ? RunController::tr("%1 is copied to %2, unless it is shared.").arg(arg("folder"), arg("host"))
        : note.code == QLatin1StringView("work.copied-later")
        ? RunController::tr("As soon as %1 can be reached, %2 is copied there, unless it is shared.")
              .arg(arg("host"), arg("folder"))
        : note.code == QLatin1StringView("work.copied-anywhere")
        ? RunController::tr("%1 is copied to other hosts, unless it is shared.").arg(arg("folder"))
        : note.code == QLatin1StringView("results.on-host")
        ? RunController::tr("What the tasks write in a copy stays on %1 until you choose Bring here… under Files.")
              .arg(arg("host"))
        : note.code == QLatin1StringView("results.on-hosts")
        ? RunController::tr("What the tasks write in a copy stays there until you choose Bring here… under Files.")
        : errorText(note);
}
} // namespace

RunController::RunController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, HostController *hosts,
    FileController *files, RunTabs *runs, Secrets *secrets, TargetBox *target)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_hosts(hosts), m_files(files),
      m_runs(runs), m_secrets(secrets), m_target(target), m_checks(new DocumentChecks(this))
{
    makeActions(actions);
    m_early = new EarlyRun(
        actions->action("run"), workbench, [this](DocumentTab *tab) { runDocument(tab); }, this);
    makeRunInMenu();
    connect(workbench, &Workbench::refreshed, this, [this, actions] { updateActions(actions); });
    connect(client, &EngineClient::jobChanged, workbench, &Workbench::refresh);
    connect(files, &FileController::opened, this,
        [this](DocumentTab *tab) { connect(tab, &DocumentTab::runRequested, this, &RunController::runCurrent); });
    connect(runs, &RunTabs::opened, this, &RunController::connectTab);
    connect(workbench, &Workbench::frontChanged, this, [this] {
        if (RunTab *tab = m_runs->current()) {
            tellDocument(tab); // it may have become another one in the meantime
        }
    });
    connect(files, &FileController::opened, this, [this](DocumentTab *tab) {
        if (tab->target().isEmpty()) {
            tab->setTarget(m_target->usual());
        }
        tellTarget();
    });
    connect(target, &TargetBox::chosen, this, &RunController::chooseTarget);
    connect(target, &TargetBox::currentIndexChanged, this, &RunController::tellTarget);
    connect(hosts, &HostController::changed, this, &RunController::tellTarget);
}

void RunController::makeActions(ActionRegistry *actions)
{
    actions->add(
        {"run", QStringLiteral("run"), tr("&Run"), tr("Run this job"), {Qt::Key_F5}}, this, [this] { runCurrent(); });
    // Those that need a run are off without one.
    const auto withCurrent = [this](void (RunController::*use)(const QString &)) {
        return [this, use] {
            if (const RunTab *tab = m_runs->current()) {
                (this->*use)(tab->jobUuid());
            }
        };
    };
    actions->add({"runAgain", QStringLiteral("restart"), tr("Run &again"),
                     tr("Submit the job of this tab again, as a new job"), {Qt::CTRL | Qt::Key_F5}},
        this, withCurrent(&RunController::runAgain));
    actions->add(
        {"retryWithText", QStringLiteral("restart"), tr("Retry &failed tasks with this text"),
            tr("Start another attempt of the run that this text came from; tasks that succeeded keep their results")},
        this, [this] { retryWithText(m_files->current()); });
    actions->add(
        {"editAsNew", QStringLiteral("edit"), tr("&Edit as new"), tr("Open this run's YAML as a new document")}, this,
        [this] {
            if (const RunTab *tab = m_runs->current()) {
                editAttemptAsNew(tab->jobUuid(), tab->run()->shownAttempt());
            }
        });
    actions->add({"rehearse", {}, tr("Rehearse…"),
                     tr("Try this job out: one task of each role, for a short time, before it runs as a whole")},
        this, [this] {
            Page *front = m_workbench->front();
            rehearse(front ? front->document() : nullptr);
        });
    actions->add({"submitOriginal", {}, tr("Submit the &original…"),
                     tr("Open the document that this rehearsal tries out, to submit the whole job")},
        this, withCurrent(&RunController::openOriginal));
    actions->add({"hello", {}, tr("Run the &hello-world job"), tr("Run a small job that shows state, log and hosts")},
        this, [this] {
            if (const UnderWay::Token token = m_underWay.begin(QStringLiteral("hello"))) {
                Wish wish{parseJob(helloJob()), {}, QStringLiteral("hello"), {}, m_workbench->front()};
                wish.token = token;
                prepare(wish);
            }
        });
}

void RunController::updateActions(ActionRegistry *actions)
{
    Page *front = m_workbench->front();
    DocumentTab *document = front ? front->document() : nullptr;
    const RunTab *run = m_runs->current();
    const bool isDeleted = run && run->isDeleted();
    const bool hasText = run && run->hasYaml() && !isDeleted;
    m_target->setRun(run ? &run->run()->summary() : nullptr, run ? run->run()->place() : QString());
    m_target->setTarget(document ? document->target() : m_otherTarget);
    actions->action("run")->setText(document ? document->runText(m_target->awayLabel(document->target())) : tr("&Run"));
    const bool canRun = document && document->designer()->canRun();
    actions->setEnabled({"run", "rehearse"}, canRun,
        document && !canRun ? document->designer()->runBlockers().join(QLatin1Char('\n'))
            : run           ? tr("The tab in front is the page of a run. Run again submits its job as a new one.")
                            : tr("The tab in front has no job. Open one, or start a new one."));
    m_early->setDocument(document);
    const QString whyNoRetry = whyNotRetried(m_files->current());
    actions->setEnabled({"retryWithText"}, whyNoRetry.isEmpty(), whyNoRetry);
    const std::optional<JobSummary> again = retriable(m_files->current());
    actions->action("retryWithText")
        ->setText(again ? tr("Retry &failed tasks of #%1 with this text").arg(again->id)
                        : tr("Retry &failed tasks with this text"));
    const QString deleted = tr("This job is deleted.");
    actions->setEnabled({"runAgain", "editAsNew"}, hasText,
        isDeleted ? deleted
            : run ? tr("The text of this run has not been read yet.")
                  : tr("The tab in front is not the page of a run."));
    actions->setEnabled({"submitOriginal"}, run && run->run()->isRehearsal() && !isDeleted,
        isDeleted ? deleted
            : run ? tr("This run is not a rehearsal.")
                  : tr("The tab in front is not the page of a run."));
}

void RunController::makeRunInMenu()
{
    m_runInMenu = new RunInMenu(
        [this] {
            RunInMenu::Facts facts;
            Page *front = m_workbench->front();
            if (const DocumentTab *document = front ? front->document() : nullptr) {
                facts.hasDocument = true;
                facts.chosen = document->runIn();
                const ParseOutcome outcome = parseJob(document->designer()->bytes());
                facts.ofJob = outcome.spec ? outcome.spec->trainyard.runIn : QString();
            }
            const QString target = m_target->target();
            const QList<HostInfo> hosts = m_hosts->hosts();
            for (const HostInfo &host : hosts) {
                if (target.isEmpty() || target == QLatin1String("any") || host.id == target) {
                    facts.hosts.append(host);
                }
            }
            return facts;
        },
        m_workbench->window());
    connect(m_runInMenu, &RunInMenu::chosen, this, [this](const QString &word) {
        Page *front = m_workbench->front();
        if (DocumentTab *document = front ? front->document() : nullptr) {
            document->setRunIn(word);
        }
    });
}

void RunController::chooseTarget(const QString &id)
{
    Page *front = m_workbench->front();
    if (DocumentTab *document = front ? front->document() : nullptr) {
        if (document->target() != id) {
            document->designer()->setWorkRefused(std::nullopt); // that was the answer of another place
        }
        document->setTarget(id);
        tellTarget();
    } else {
        m_otherTarget = id;
    }
    m_workbench->refresh();
}

// The scripts of a job can be looked for where it is to run on this computer, and what a task asks for is compared with
// the hosts where it is to run on one of them, and with the nodes of a cluster where it is to run there.
void RunController::tellTarget()
{
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        if (const auto *document = qobject_cast<DocumentTab *>(page)) {
            const QString target = m_target->resolved(document->target());
            document->designer()->setPlace(
                target == QLatin1String("local"), clusterPlaceOf(target).has_value(), m_nodes.value(target));
        }
    }
}

void RunController::takeClusters(const QList<ShownCluster> &clusters)
{
    m_nodes.clear();
    for (const ShownCluster &cluster : clusters) {
        m_nodes.insert(cluster.info.id, nodeLimits(cluster.info));
    }
    tellTarget();
}

void RunController::connectTab(RunTab *tab)
{
    const QString uuid = tab->jobUuid();
    connect(tab->run(), &RunPage::retryRequested, this,
        [this, uuid](const QStringList &tasks) { askForRetry(uuid, tasks.isEmpty(), tasks); });
    connect(tab->run(), &RunPage::runAgainRequested, this, [this, uuid] { runAgain(uuid); });
    connect(tab->run(), &RunPage::originalRequested, this, [this, uuid] { openOriginal(uuid); });
    connect(tab->run(), &RunPage::editAsNewRequested, this,
        [this, uuid, run = tab->run()] { editAttemptAsNew(uuid, run->shownAttempt()); });
    connect(tab->run(), &RunPage::changeRequested, this,
        [this, uuid](const JobChange &change) { changeAsNew(uuid, change); });
    connect(tab->run(), &RunPage::failureShown, this, [this, tab] { tellDocument(tab); });
    connect(tab->run(), &RunPage::documentRequested, this, [this, tab](bool toPlace) {
        const QString file = tab->run()->summary().file;
        const JobPlace place = tab->run()->faultyPlace();
        if (!QFileInfo::exists(file)) { // it was never saved, or what it was made of is gone
            openText(tab->jobUuid(), toPlace && file.isEmpty(), place);
        } else if (DocumentTab *opened = m_files->openFile(file); opened && !place.path.isEmpty()) {
            opened->designer()->jumpToValue(place.path, place.line);
        }
    });
}

void RunController::runCurrent()
{
    Page *front = m_workbench->front();
    if (DocumentTab *document = front ? front->document() : nullptr) {
        runDocument(document);
    }
}

void RunController::runDocument(DocumentTab *tab)
{
    const UnderWay::Token token = m_underWay.begin(QStringLiteral("run"), tab);
    if (!token) {
        return;
    }
    m_workbench->show(tab);
    DesignerPage *designer = tab->designer();
    const ParseOutcome job = designer->committedOutcome(); // first of all: it may change the others
    designer->endTyping();
    Wish wish{job, designer->runFile(), designer->displayName(), tab->runIn(), tab};
    wish.token = token;
    prepare(wish);
}

QString RunController::rehearsalTarget(const DocumentTab *tab) const
{
    const QString target = m_target->resolved(tab->target());
    return clusterPlaceOf(target) ? QStringLiteral("local") : target;
}

QString RunController::placeInWords(const QString &target) const
{
    return target == QLatin1String("local") ? tr("this computer")
        : target == QLatin1String("any")    ? tr("any host that has room")
                                            : hostLabels(m_hosts->hosts()).value(target, target);
}

void RunController::rehearse(DocumentTab *tab)
{
    const std::optional<ParseOutcome> job = tab ? runnableJob(tab, m_workbench) : std::nullopt;
    if (!job) {
        return;
    }
    auto *dialog = new RehearseDialog(*job, placeInWords(rehearsalTarget(tab)), m_workbench->window());
    connect(dialog, &RehearseDialog::rehearsed, this, [this, tab = QPointer(tab)](const RehearsalWishes &wishes) {
        if (tab) {
            runRehearsal(tab, wishes);
        }
    });
    dialog->open();
}

void RunController::runRehearsal(DocumentTab *tab, const RehearsalWishes &wishes)
{
    const UnderWay::Token token = m_underWay.begin(QStringLiteral("run"), tab);
    if (!token) {
        return;
    }
    DesignerPage *designer = tab->designer();
    Wish wish{designer->committedOutcome(), designer->runFile(), designer->displayName(), tab->runIn(), tab};
    wish.target = rehearsalTarget(tab);
    wish.rehearsal = wishes;
    wish.token = token;
    prepare(wish);
}

void RunController::prepare(const Wish &wish)
{
    // Items of the catalogue are written into the job, so that it runs the same again and the record shows them.
    const Result<ParseOutcome> whole = withCatalogue(wish.job, folderCatalogue(catalogueFolder()));
    const ParseOutcome outcome = whole ? *whole : readJob(wish.job.document);
    if (!outcome.canRun()) {
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error) {
                m_workbench->sayOf(wish.asker, tr("%1 cannot run: %2").arg(wish.name, diagnosticText(diagnostic)));
                return;
            }
        }
        m_workbench->sayOf(wish.asker, tr("%1 cannot run: it is not a job yet.").arg(wish.name));
        return;
    }
    SubmitRequest request;
    request.yaml = outcome.document.bytes();
    request.file = wish.file;
    request.target = wish.target.isEmpty() ? m_target->target() : wish.target;
    request.runIn = wish.runIn;
    request.work = wish.work;
    if (wish.rehearsal) {
        const Result<Rehearsal> rehearsal = rehearsalOf(*outcome.spec, outcome.document, *wish.rehearsal);
        if (!rehearsal) {
            m_workbench->sayOf(wish.asker, errorText(rehearsal.error()));
            return;
        }
        request.original = request.yaml;
        request.yaml = rehearsal->text;
        request.documentName = outcome.spec->name; // under which its secrets are kept
    } else if (const DocumentTab *tab = m_files->find(wish.asker)) {
        request.rehearsal = tab->rehearsal();
    }
    // Only a name of its own, so that a name that no job may have now does not hinder it.
    request.name = wish.jobName != outcome.spec->name ? wish.jobName : QString();
    if (!wish.rehearsal) {
        request.documentName = wish.documentName != outcome.spec->name ? wish.documentName : QString();
    }
    const auto go = [this, request, wish, name = outcome.spec->name, asked = outcome.spec->askedSecrets] {
        // Whatever the job is called, they are kept under the name of the document.
        m_secrets->withValues(
            request.documentName.isEmpty() ? name : request.documentName, asked,
            [this, request, asker = wish.asker, token = wish.token, wishes = wish.rehearsal](
                const QMap<QString, QString> &values) {
                SubmitRequest complete = request;
                complete.secrets = values;
                submit(complete, asker, token, wishes);
            },
            nullptr, wish.ofRun);
    };
    if (request.rehearsal.isEmpty()) {
        go();
    } else {
        confirmOriginal(request, go);
    }
}

// The shell takes apart some of the values that were not in the text, and were asked for or read from the keyring.
static QStringList notesOfSecrets(const SubmitRequest &request)
{
    QStringList notes;
    const ParseOutcome outcome = request.secrets.isEmpty() ? ParseOutcome() : parseJob(request.yaml);
    if (outcome.spec) {
        const QList<Diagnostic> found = findingsOfGivenSecrets(outcome.document, *outcome.spec, request.secrets);
        for (const Diagnostic &each : found) {
            notes.append(diagnosticText(each));
        }
    }
    notes.removeDuplicates();
    return notes;
}

void RunController::submit(const SubmitRequest &request, const QPointer<Page> &asker, const UnderWay::Token &token,
    const std::optional<RehearsalWishes> &wishes)
{
    if (m_client->status() == EngineClient::Status::Offline) {
        m_client->start(EngineClient::Start::IfNeeded);
    }
    m_workbench->hideBars(asker);
    if (const DocumentTab *tab = m_files->find(asker)) {
        tab->designer()->setWorkRefused(std::nullopt);
    }
    const QString chosen = m_target->target();
    m_client->call<api::Submit>(
        request, this, [this, asker, request, chosen, token, wishes](const Result<SubmitReply> &reply) {
            DocumentTab *document = m_files->find(asker);
            if (!reply && !request.rehearsal.isEmpty() && reply.error().code == QLatin1String("job.unknown")) {
                SubmitRequest alone = request; // the rehearsal was removed meanwhile
                alone.rehearsal.clear();
                submit(alone, asker, token);
                return;
            }
            if (!reply) {
                const Error refusal = wishes ? refusedRehearsal(reply.error()) : reply.error();
                const QJsonObject args = withHostLabels(refusal.args, hostLabels(m_hosts->hosts()));
                m_workbench->sayOf(asker, errorText({refusal.code, args}));
                if (wishes) {
                    offerFewerGpus(reply.error(), *wishes, asker);
                } else {
                    offerFix(reply.error(), request.yaml, asker);
                }
                markWork(reply.error(), asker);
                return;
            }
            if (document) {
                document->noteRun(reply->uuid);
                if (document->rehearsal() == request.rehearsal) {
                    document->setRehearsal({}); // what it becomes after this was not rehearsed
                }
            }
            RunTab *tab = m_runs->open(reply->uuid);
            tab->focus(); // wherever Run was pressed: nothing that ends the job or begins another
            const QHash<QString, QString> labels = hostLabels(m_hosts->hosts());
            QStringList notes;
            const bool isRehearsal = !request.original.isEmpty(); // its dialog has said where it runs
            if (!isRehearsal && request.target != chosen && (isAwayTarget(request.target) || isAwayTarget(chosen))) {
                notes.append((request.target == QLatin1String("any")
                        ? tr("It runs on any host that has room, as before. To run it elsewhere, choose Edit as new.")
                        : tr("It runs on %1, as before. To run it elsewhere, choose Edit as new.")
                              .arg(labels.value(request.target, request.target))));
            }
            for (const JobNote &note : reply->notes) {
                notes.append(withFullStop(noteText({note.code, withHostLabels(note.args, labels)})));
            }
            notes += notesOfSecrets(request);
            if (!notes.isEmpty()) {
                m_workbench->sayOf(tab, notes.join(QLatin1Char(' ')), false); // the job runs
                const bool isOfItsTime = std::all_of(reply->notes.cbegin(), reply->notes.cend(),
                    [](const JobNote &note) { return note.code.startsWith(QLatin1StringView("cpu.")); });
                if (isOfItsTime && notes.size() == reply->notes.size()) {
                    hideWhenOver(tab);
                }
            }
        });
}

// The present message of its bar is of no use when the job has ended.
void RunController::hideWhenOver(RunTab *tab)
{
    InfoBar *bar = m_workbench->barOf(tab);
    const auto look = [tab, bar, text = bar->text()] {
        if (tab->isOver() && bar->text() == text) {
            bar->hide();
        }
    };
    connect(tab, &Page::changed, bar, look);
    look(); // a short one may be over by now
}

void RunController::withDetail(const QString &uuid, const std::function<void(const JobDetail &)> &use)
{
    m_client->call<api::GetJob>({uuid}, this, [this, uuid, use](const Result<JobDetail> &detail) {
        if (detail) {
            use(*detail);
        } else {
            m_workbench->sayOfJob(uuid, errorText(detail.error()));
        }
    });
}

} // namespace trainyard
