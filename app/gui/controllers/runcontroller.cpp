// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runcontroller.h"

#include "app/common/jobtemplates.h"
#include "app/gui/controllers/documentchecks.h"
#include "app/gui/controllers/filecontroller.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/rundocument.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/documenttab.h"
#include "app/gui/pages/runtab.h"
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
#include "engine/client/cataloguefolder.h"
#include "engine/client/engineclient.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/form/designerpage.h"
#include "widgets/tasks/changedialog.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

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

// In the words of the window, and briefly: what a note says of a copied folder stands above the log of every such run.
QString noteText(const Error &note)
{
    const auto arg = [&note](const char *name) { return note.args.value(QLatin1StringView(name)).toString(); };
    return note.code == QLatin1StringView("work.copied")
        ? RunController::tr("%1 is copied to %2, unless it is shared.").arg(arg("folder"), arg("host"))
        : note.code == QLatin1StringView("work.copied-anywhere")
        ? RunController::tr("%1 is copied to other hosts, unless it is shared.").arg(arg("folder"))
        : note.code == QLatin1StringView("results.on-host")
        ? RunController::tr("What the tasks write in a copy stays on %1 until you choose Bring here… under Files.")
              .arg(arg("host"))
        : note.code == QLatin1StringView("results.on-hosts")
        ? RunController::tr("What the tasks write in a copy stays there until you choose Bring here… under Files.")
        : errorText(note);
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

RunController::RunController(Workbench *workbench, ActionRegistry *actions, EngineClient *client, HostController *hosts,
    FileController *files, RunTabs *runs, Secrets *secrets, TargetBox *target)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_hosts(hosts), m_files(files),
      m_runs(runs), m_secrets(secrets), m_target(target), m_checks(new DocumentChecks(this))
{
    makeActions(actions);
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
        withCurrent(&RunController::editAsNew));
    actions->add({"submitOriginal", {}, tr("Submit the &original…"),
                     tr("Open the document that this rehearsal tries out, to submit the whole job")},
        this, withCurrent(&RunController::openOriginal));
    actions->add({"hello", {}, tr("Run the &hello-world job"), tr("Run a small job that shows state, log and hosts")},
        this, [this] {
            prepare({parseJob(helloJob()), {}, QStringLiteral("hello"), {}, m_workbench->front()});
        });
}

void RunController::updateActions(ActionRegistry *actions)
{
    Page *front = m_workbench->front();
    const DocumentTab *document = front ? front->document() : nullptr;
    const RunTab *run = m_runs->current();
    const bool hasText = run && run->hasYaml();
    m_target->setRun(run ? &run->run()->summary() : nullptr);
    m_target->setTarget(document ? document->target() : m_otherTarget);
    actions->action("run")->setText(document ? document->runText(m_target->awayLabel(document->target())) : tr("&Run"));
    const bool canRun = document && document->designer()->canRun();
    actions->setEnabled({"run"}, canRun,
        document && !canRun ? document->designer()->runBlockers().join(QLatin1Char('\n'))
            : run           ? tr("The tab in front is the page of a run. Run again submits its job as a new one.")
                            : tr("The tab in front has no job. Open one, or start a new one."));
    const QString whyNoRetry = whyNotRetried(m_files->current());
    actions->setEnabled({"retryWithText"}, whyNoRetry.isEmpty(), whyNoRetry);
    actions->setEnabled({"runAgain", "editAsNew"}, hasText,
        run ? tr("The text of this run has not been read yet.") : tr("The tab in front is not the page of a run."));
    actions->setEnabled({"submitOriginal"}, run && run->run()->isRehearsal(),
        run ? tr("This run is not a rehearsal.") : tr("The tab in front is not the page of a run."));
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
        document->setTarget(id);
        tellTarget();
    } else {
        m_otherTarget = id;
    }
    m_workbench->refresh();
}

// The scripts of a job can be looked for where it is to run on this computer.
void RunController::tellTarget()
{
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        if (const auto *document = qobject_cast<DocumentTab *>(page)) {
            const bool isHere = m_target->resolved(document->target()) == QLatin1String("local");
            document->designer()->setRunsHere(isHere);
        }
    }
}

void RunController::connectTab(RunTab *tab)
{
    const QString uuid = tab->jobUuid();
    connect(tab->run(), &RunPage::retryRequested, this,
        [this, uuid](const QStringList &tasks) { askForRetry(uuid, tasks.isEmpty(), tasks); });
    connect(tab->run(), &RunPage::runAgainRequested, this, [this, uuid] { runAgain(uuid); });
    connect(tab->run(), &RunPage::editAsNewRequested, this, [this, uuid] { editAsNew(uuid); });
    connect(tab->run(), &RunPage::changeRequested, this,
        [this, uuid](const JobChange &change, bool andRun) { changeAsNew(uuid, change, andRun); });
    connect(tab->run(), &RunPage::failureShown, this, [this, tab] { tellDocument(tab); });
    connect(tab->run(), &RunPage::documentRequested, this, [this, tab](bool toPlace) {
        const QString file = tab->run()->summary().file;
        if (QFileInfo::exists(file)) {
            m_files->openFile(file);
        } else { // it was never saved, or what it was made of is gone
            openText(tab->jobUuid(), toPlace && file.isEmpty());
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
    m_workbench->show(tab);
    DesignerPage *designer = tab->designer();
    const ParseOutcome job = designer->committedOutcome(); // first of all: it may change the others
    prepare({job, designer->runFile(), designer->displayName(), tab->runIn(), tab});
}

void RunController::prepare(const Wish &wish)
{
    // What comes from the catalogue is written into the job, so that it runs the same again and the record shows it.
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
    if (const DocumentTab *tab = m_files->find(wish.asker)) {
        request.rehearsal = tab->rehearsal();
    }
    // Only a name of its own, so that a name that no job may have now does not hinder it.
    request.name = wish.jobName != outcome.spec->name ? wish.jobName : QString();
    request.documentName = wish.documentName != outcome.spec->name ? wish.documentName : QString();
    // Whatever the job is called, they are kept under the name of the document.
    m_secrets->withValues(request.documentName.isEmpty() ? outcome.spec->name : request.documentName,
        outcome.spec->askedSecrets, [this, request, asker = wish.asker](const QMap<QString, QString> &values) {
            SubmitRequest complete = request;
            complete.secrets = values;
            submit(complete, asker);
        });
}

void RunController::submit(const SubmitRequest &request, const QPointer<Page> &asker)
{
    if (m_client->status() == EngineClient::Status::Offline) {
        m_client->start(EngineClient::Start::IfNeeded);
    }
    m_workbench->hideBars(asker);
    if (const DocumentTab *tab = m_files->find(asker)) {
        tab->designer()->setWorkRefused(std::nullopt);
    }
    const QString chosen = m_target->target();
    m_client->call<api::Submit>(request, this, [this, asker, request, chosen](const Result<SubmitReply> &reply) {
        DocumentTab *document = m_files->find(asker);
        if (!reply && !request.rehearsal.isEmpty() && reply.error().code == QLatin1String("job.unknown")) {
            SubmitRequest alone = request; // the rehearsal was removed meanwhile
            alone.rehearsal.clear();
            submit(alone, asker);
            return;
        }
        if (!reply) {
            const Error &refusal = reply.error();
            const QJsonObject args = withHostLabels(refusal.args, hostLabels(m_hosts->hosts()));
            m_workbench->sayOf(asker, errorText({refusal.code, args}));
            offerFix(reply.error(), request.yaml, asker);
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
        if (request.target != chosen && (isAwayTarget(request.target) || isAwayTarget(chosen))) {
            notes.append((request.target == QLatin1String("any")
                    ? tr("It runs on any host that has room, as before. To run it elsewhere, choose Edit as new.")
                    : tr("It runs on %1, as before. To run it elsewhere, choose Edit as new.")
                          .arg(labels.value(request.target, request.target))));
        }
        for (const JobNote &note : reply->notes) {
            notes.append(noteText({note.code, withHostLabels(note.args, labels)}));
        }
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

// What its bar says now is of no use when the job has ended.
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

// A job that asks for more than there is: the same figures as an edit of its document, while that is unchanged.
void RunController::offerFix(const Error &refusal, const QByteArray &yaml, const Page *asker)
{
    const QString text = refusalFixText(refusal);
    DocumentTab *tab = m_files->find(asker);
    if (text.isEmpty() || !tab || tab->designer()->bytes() != yaml) {
        return;
    }
    QList<edit::Op> ops;
    const QJsonArray edits = refusal.args.value(QStringLiteral("fix")).toArray();
    for (const QJsonValue &each : edits) {
        if (const Result<YamlPath> path = YamlPath::fromPointer(each[QStringLiteral("path")].toString())) {
            ops.append(edit::SetValue{*path, each[QStringLiteral("value")].toString().toUtf8()});
        }
    }
    InfoBar *bar = m_workbench->barOf(tab);
    QPushButton *button = bar->addAction(text);
    button->setObjectName(QStringLiteral("refusalFix"));
    connect(button, &QPushButton::clicked, tab, [tab, bar, ops] {
        bar->hide();
        tab->designer()->applyEdits(ops);
    });
    // What the bar says is of the figures that were refused: it goes with the first of them that is another one.
    static const QString topic = QStringLiteral("refusedFigures");
    bar->setTopic(topic);
    auto *until = new QObject(button); // which goes with whatever is said next
    connect(tab, &DocumentTab::textParsed, until, [tab, bar, ops, until, before = YamlDocument::parse(yaml)] {
        const YamlDocument &now = tab->designer()->document();
        const auto isOther = [&before, &now](const edit::Op &op) {
            const auto *set = std::get_if<edit::SetValue>(&op);
            const YamlNode *old = set ? before.find(set->path) : nullptr;
            const YamlNode *node = set ? now.find(set->path) : nullptr;
            return old && now.isComplete() && (!node || node->scalar != old->scalar);
        };
        if (std::any_of(ops.cbegin(), ops.cend(), isOther)) {
            bar->hideIfOf(topic);
            until->deleteLater(); // the text is read for nothing from now on
        }
    });
}

// The field of a work folder that was refused says so too, until it names another one; so long stands the bar.
void RunController::markWork(const Error &refusal, const Page *asker)
{
    const DocumentTab *tab = m_files->find(asker);
    if (!tab || !refusal.code.startsWith(QLatin1String("job.work-"))) {
        return;
    }
    DesignerPage *designer = tab->designer();
    designer->setWorkRefused(refusal);
    InfoBar *bar = m_workbench->barOf(m_files->find(asker));
    static const QString topic = QStringLiteral("workFolder");
    bar->setTopic(topic);
    auto *until = new QObject(bar);
    connect(designer, &DesignerPage::problemsChanged, until, [designer, bar, until] {
        if (!designer->isWorkRefused()) {
            bar->hideIfOf(topic);
            until->deleteLater();
        }
    });
}

void RunController::withDetail(const QString &uuid, const std::function<void(const JobDetail &)> &use)
{
    m_client->call<api::GetJob>({uuid}, this, [this, uuid, use](const Result<JobDetail> &detail) {
        if (detail) {
            use(*detail);
        } else {
            m_workbench->sayOf(m_runs->find(uuid), errorText(detail.error()));
        }
    });
}

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

DocumentTab *RunController::openAsNew(const JobDetail &detail, const QByteArray &yaml)
{
    const QString name = freshName(detail.summary);
    DocumentTab *tab
        = m_files->newDocument(placedJob(detail, renamedJob(yaml, name)), name + QStringLiteral(".pai.yaml"));
    tab->setOriginRun(detail.summary.uuid);
    tab->designer()->setOriginFile(detail.summary.file); // its tasks start in the same folder
    tab->setTarget(formerTarget(detail));
    m_workbench->refresh();
    if (retriable(tab) && detail.summary.counts.succeeded > 0) {
        offerRetry(tab, detail.summary);
    }
    return tab;
}

void RunController::changeAsNew(const QString &uuid, const JobChange &change, bool andRun)
{
    withDetail(uuid, [this, uuid, change, andRun](const JobDetail &detail) {
        const QByteArray text = yamlWithParameters(detail.yaml, detail.summary.parameters);
        const QByteArray changed = changedText(YamlDocument::parse(text), change);
        if (changed.isEmpty()) {
            m_workbench->sayOf(
                m_runs->find(uuid), tr("The text of the job has changed meanwhile, so this change cannot be made."));
            return;
        }
        auto *dialog = new ChangeDialog(changeWords(change).title, text, changed,
            andRun ? ChangeDialog::Run : ChangeDialog::EditAsNew, m_workbench->window());
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

void RunController::offerRetry(DocumentTab *tab, const JobSummary &job)
{
    InfoBar *bar = m_workbench->barOf(tab);
    bar->show(InfoBar::Kind::Info,
        tr("Run starts a new job. %n task(s) of %1 succeeded; to keep their results, retry only the others.", nullptr,
            job.counts.succeeded)
            .arg(tr("%1 #%2").arg(job.name, QString::number(job.id)).toHtmlEscaped()));
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
    const QStringList asked = outcome.spec ? outcome.spec->askedSecrets : QStringList();
    const bool isOwn = job->uuid == tab->originRun(); // its text was taken on purpose
    withDetail(job->uuid, [this, request, asked, isOwn, asker = QPointer<Page>(tab)](const JobDetail &detail) {
        if (!isOwn && !detail.original.isEmpty()) {
            m_workbench->sayOf(asker,
                tr("The last run of this document, #%1, is a rehearsal, and this text is the whole job. Run starts it.")
                    .arg(detail.summary.id));
            return;
        }
        m_secrets->withValues(
            documentNameOf(detail), asked, [this, request, asker](const QMap<QString, QString> &values) {
                RetryRequest complete = request;
                complete.secrets = values;
                retry(complete, asker);
            });
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
    m_client->call<api::Retry>(request, this, [this, asker, uuid = request.uuid](const Result<bool> &begun) {
        if (!begun) {
            m_workbench->sayOf(asker, errorText(begun.error()));
            return;
        }
        if (asker && asker->document()) {
            m_workbench->hideBars(asker); // what was offered there is done
        }
        m_runs->open(uuid)->focus();
    });
}

} // namespace trainyard
