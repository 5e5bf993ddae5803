// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runcomparisons.h"

#include "app/gui/askbox.h"
#include "app/gui/choosejobs.h"
#include "app/gui/controllers/jobremoval.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/secrets.h"
#include "app/gui/pages/comparetab.h"
#include "app/gui/pages/foreigntab.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/seedsdialog.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/compare/comparefacts.h"
#include "engine/api/documentname.h"
#include "engine/api/formertarget.h"
#include "engine/client/engineclient.h"
#include "engine/client/wholefile.h"
#include "engine/foreign/foreignruns.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/compare/comparepage.h"
#include "widgets/text/texts.h"

#include <QAbstractButton>
#include <QPointer>

#include <algorithm>
#include <memory>
#include <utility>

namespace trainyard
{

RunComparisons::RunComparisons(Workbench *workbench, ActionRegistry *actions, PageRegistry *pages, EngineClient *client,
    const JobRemoval *removal, ForeignRuns *foreign, RunTabs *runs, RunController *runner, Secrets *secrets)
    : QObject(workbench->window()), m_workbench(workbench), m_pages(pages), m_client(client), m_removal(removal),
      m_foreign(foreign), m_runs(runs), m_runner(runner), m_secrets(secrets)
{
    actions->add({"compareRuns", QStringLiteral("chart"), tr("Compare &runs…"),
                     tr("Compare parameters, results and curves of several runs")},
        this, [this] { compareFront(); });
    pages->add(CompareTab::kind, [this](const SessionTab &place) -> Page * {
        const QString group = place.name.startsWith(CompareTab::groupPrefix)
            ? place.name.sliced(CompareTab::groupPrefix.size())
            : QString();
        CompareTab *tab = group.isEmpty() ? open({}, {}) : compareGroup(group);
        if (!place.layout.isEmpty()) {
            tab->restoreLayout(place.layout);
        }
        return tab;
    });
    connect(workbench, &Workbench::closing, this,
        [this](Page *page) { m_tabs.removeIf([page](const CompareTab *tab) { return tab == page; }); });
}

// The jobs that are selected in front; or the run in front with the others of its group, or with those that are chosen.
void RunComparisons::compareFront()
{
    const Page *front = m_workbench->front();
    if (const QStringList selected = front ? front->chosenJobs() : QStringList(); !selected.isEmpty()) {
        if (CompareTab *tab = compare(selected)) {
            tab->focus();
        }
        return;
    }
    const RunTab *run = m_runs->current();
    const std::optional<JobSummary> job = run ? m_client->job(run->jobUuid()) : std::nullopt;
    if (job && !job->group.isEmpty()) {
        compareGroup(job->group)->focus();
    } else {
        compare(job ? QStringList{job->uuid} : QStringList());
    }
}

void RunComparisons::choose(QList<JobSummary> also, const QStringList &chosen, int least,
    const std::function<void(const QStringList &chosen, const QStringList &listed)> &use)
{
    QList<JobSummary> jobs = m_removal->listedJobs();
    also.removeIf([this, hidden = m_removal->hidden()](const JobSummary &job) {
        return isForeign(job.uuid) || m_client->job(job.uuid) || hidden.contains(job.uuid);
    });
    std::sort(
        also.begin(), also.end(), [](const JobSummary &one, const JobSummary &other) { return one.id > other.id; });
    jobs += also;
    for (const ForeignRun &run : m_foreign->runs()) {
        jobs.append(run.summary);
    }
    QStringList listed;
    for (const JobSummary &job : std::as_const(jobs)) {
        listed.append(job.uuid);
    }
    auto *dialog = new ChooseJobs(jobs, chosen, least, m_workbench->window());
    connect(dialog, &ChooseJobs::jobsChosen, this, [use, listed](const QStringList &uuids) { use(uuids, listed); });
    dialog->open();
}

CompareTab *RunComparisons::compare(const QStringList &uuids)
{
    if (uuids.size() > 1) {
        return open({}, uuids);
    }
    choose({}, uuids, 2, [this](const QStringList &chosen, const QStringList &) { open({}, chosen)->focus(); });
    return nullptr;
}

CompareTab *RunComparisons::compareGroup(const QString &group)
{
    const auto known = std::find_if(
        m_tabs.cbegin(), m_tabs.cend(), [&group](const CompareTab *tab) { return tab->group() == group; });
    if (known != m_tabs.cend()) {
        m_workbench->show(*known);
        return *known;
    }
    return open(group, {});
}

CompareTab *RunComparisons::open(const QString &group, const QStringList &uuids)
{
    auto *tab = new CompareTab(m_client, m_foreign, group, uuids);
    m_tabs.append(tab);
    connectTab(tab);
    m_workbench->add(tab);
    return tab;
}

void RunComparisons::connectTab(CompareTab *tab)
{
    ComparePage *page = tab->page();
    connect(page, &ComparePage::openRequested, this, &RunComparisons::openRun);
    connect(page, &ComparePage::bestAsNewRequested, m_runner, &RunController::editAsNew);
    connect(page, &ComparePage::addRequested, this, [this, tab] { addTo(tab); });
    connect(page, &ComparePage::removeRequested, tab, &CompareTab::removeRuns);
    connect(page, &ComparePage::stopRequested, this,
        [this, tab](const QStringList &uuids) { askToStop(tab, uuids, false); });
    connect(page, &ComparePage::stopRestRequested, this,
        [this, tab](const QStringList &uuids) { askToStop(tab, uuids, true); });
    connect(page, &ComparePage::seedsRequested, this, [this, tab](const QString &uuid) { askForSeeds(tab, uuid); });
    connect(page, &ComparePage::saveRequested, this, [this, tab](bool asHtml) { save(tab, asHtml); });
    connect(page, &ComparePage::starRequested, this, [this, tab](const QString &uuid, bool on) {
        if (isForeign(uuid)) {
            m_workbench->sayOf(tab, tr("A run of another program has no marks: the engine does not know it."), false);
            return;
        }
        api::LabelChange change;
        change.ids = {uuid};
        change.starred = on;
        m_client->call<api::SetLabels>(change, tab, [this, tab](const Result<bool> &done) {
            if (!done) {
                m_workbench->sayOf(tab, errorText(done.error()));
            }
        });
    });
}

void RunComparisons::openRun(const QString &uuid)
{
    if (!isForeign(uuid)) {
        m_runs->open(uuid);
        return;
    }
    SessionTab place;
    place.uuid = uuid;
    m_pages->open(ForeignTab::kind, place);
}

// Runs that came while it was asked, or are not known yet, were not there to be unticked.
void RunComparisons::addTo(CompareTab *tab)
{
    QList<JobSummary> compared;
    for (const CompareRun &run : tab->page()->runs()->runs()) {
        compared.append(run.job);
    }
    choose(compared, tab->uuids(), 1,
        [tab = QPointer<CompareTab>(tab)](const QStringList &chosen, const QStringList &listed) {
            if (tab) {
                QStringList gone = tab->uuids();
                gone.removeIf([&](const QString &uuid) { return chosen.contains(uuid) || !listed.contains(uuid); });
                tab->removeRuns(gone);
                tab->addRuns(chosen);
            }
        });
}

QString RunComparisons::stopText(const CompareRuns &runs, const QStringList &uuids, bool isRest)
{
    QStringList names;
    for (const QString &uuid : uuids) {
        if (const qsizetype run = runs.indexOf(uuid); run >= 0) {
            names.append(runs.label(run));
        }
    }
    const QString list = names.join(QStringLiteral(", "));
    QStringList sentences{isRest
            ? tr("All %n active run(s) that are not ticked in the table are stopped: %1.", nullptr, int(names.size()))
                  .arg(list)
            : tr("These are stopped: %1.").arg(list)};
    if (const qsizetype best = runs.best(); best >= 0) {
        const bool isStopped = uuids.contains(runs.runs().at(best).job.uuid);
        sentences.append((isStopped ? tr("The best one by %1 so far, %2, is among them.")
                                    : tr("The best one by %1 so far, %2, is not among them."))
                             .arg(runs.metric(), runs.label(best)));
    }
    sentences.append(tr("What they have written stays."));
    return sentences.join(QLatin1Char(' '));
}

void RunComparisons::askToStop(CompareTab *tab, const QStringList &uuids, bool isRest)
{
    const auto activeNow = [this, uuids] {
        QStringList active;
        for (const QString &uuid : uuids) {
            const std::optional<JobSummary> job = m_client->job(uuid);
            if (job && !isFinal(job->state)) {
                active.append(uuid);
            }
        }
        return active;
    };
    const QStringList active = activeNow();
    if (active.isEmpty()) {
        m_workbench->sayOf(tab, tr("All of these runs have ended."), false);
        return;
    }
    QMessageBox *box = makeAskBox(m_workbench->window(), tr("Stop %n run(s)?", nullptr, int(active.size())),
        stopText(*tab->page()->runs(), active, isRest), QMessageBox::Yes | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("stopRunsBox"));
    box->button(QMessageBox::Yes)->setText(tr("Stop"));
    // The runs go on behind the question: what is ticked stays what the question is about, and its words stay true.
    CompareRuns *runs = tab->page()->runs();
    runs->holdDrawn(true);
    connect(box, &QObject::destroyed, runs, [runs] { runs->holdDrawn(false); });
    const auto refresh = [box, runs, activeNow, isRest] {
        const QStringList left = activeNow();
        box->setText(tr("Stop %n run(s)?", nullptr, int(left.size())));
        box->setInformativeText(
            left.isEmpty() ? tr("All of these runs have ended.") : breakable(stopText(*runs, left, isRest)));
        box->button(QMessageBox::Yes)->setEnabled(!left.isEmpty());
    };
    connect(runs, &CompareRuns::valuesChanged, box, refresh);
    connect(runs, &CompareRuns::reset, box, refresh);
    connect(box, &QMessageBox::buttonClicked, tab, [this, tab, box, activeNow](QAbstractButton *button) {
        if (box->standardButton(button) == QMessageBox::Yes) {
            stop(tab, activeNow());
        }
    });
    box->open();
}

void RunComparisons::stop(CompareTab *tab, const QStringList &uuids)
{
    for (const QString &uuid : uuids) {
        m_client->call<api::Stop>({uuid}, tab, [this, tab](const Result<bool> &done) {
            if (!done) {
                m_workbench->sayOf(tab, errorText(done.error()));
            }
        });
    }
}

void RunComparisons::askForSeeds(CompareTab *tab, const QString &uuid)
{
    const QList<CompareRun> &runs = tab->page()->runs()->runs();
    const qsizetype place = tab->page()->runs()->indexOf(uuid);
    if (place < 0) {
        return;
    }
    const JobSummary &job = runs.at(place).job;
    const QString parameter = seedOf(job.parameters);
    if (parameter.isEmpty()) {
        return; // the button is off, and says so
    }
    QList<qint64> taken;
    for (const CompareRun &run : runs) {
        taken.append(run.job.parameters.value(parameter).toInteger());
    }
    auto *dialog
        = new SeedsDialog(tr("%1 #%2").arg(job.name, QString::number(job.id)), parameter, taken, m_workbench->window());
    connect(dialog, &SeedsDialog::seedsGiven, tab,
        [this, tab, uuid, parameter](const QList<qint64> &seeds) { runWithSeeds(tab, uuid, parameter, seeds); });
    dialog->open();
}

// The text and all parameters of the run, but for the seed. The new runs join the comparison.
void RunComparisons::runWithSeeds(
    CompareTab *tab, const QString &uuid, const QString &parameter, const QList<qint64> &seeds)
{
    QString what = QStringLiteral("seeds ") + uuid;
    for (const qint64 seed : seeds) {
        what += u' ' + QString::number(seed);
    }
    const UnderWay::Token token = m_underWay.begin(what);
    if (!token) {
        return; // the keyring is being read, or the values are asked for
    }
    m_client->call<api::GetJob>({uuid}, tab, [this, tab, parameter, seeds, token](const Result<JobDetail> &detail) {
        if (!detail) {
            m_workbench->sayOf(tab, errorText(detail.error()));
            return;
        }
        SubmitRequest request;
        request.yaml = detail->yaml;
        request.name = detail->summary.name;
        request.file = detail->summary.file;
        request.target = formerTarget(*detail);
        request.runIn = detail->runIn;
        request.work = detail->work;
        request.group = detail->summary.group;
        request.documentName = documentNameOf(*detail);
        request.tags = detail->summary.labels.tags;
        for (auto it = detail->summary.parameters.begin(); it != detail->summary.parameters.end(); ++it) {
            request.parameters.insert(it.key(), compareText(it.value()));
        }
        const ParseOutcome outcome = parseJob(detail->yaml);
        const QStringList asked = outcome.spec ? outcome.spec->askedSecrets : QStringList();
        m_secrets->withValues(
            documentNameOf(*detail), asked,
            [this, tab = QPointer<CompareTab>(tab), request, parameter, seeds, token](
                const QMap<QString, QString> &values) {
                for (const qint64 seed : seeds) {
                    SubmitRequest one = request;
                    one.secrets = values;
                    one.parameters.insert(parameter, QString::number(seed));
                    one.name = nameWithSeed(request.name, parameter, seed);
                    m_client->call<api::Submit>(one, this, [this, tab, token](const Result<SubmitReply> &reply) {
                        if (!reply) {
                            m_workbench->sayOf(tab, errorText(reply.error()));
                        } else if (tab) {
                            tab->addRuns({reply->uuid});
                        }
                    });
                }
            },
            nullptr, m_runner->fileOf(*detail, asked));
    });
}

void RunComparisons::save(CompareTab *tab, bool asHtml)
{
    const QList<SavedKind> pages{{tr("Web pages"), {QStringLiteral(".html"), QStringLiteral(".htm")}}};
    askWhereToSave(m_workbench->window(), asHtml ? tr("Export the comparison") : tr("Export the table"),
        asHtml ? QStringLiteral("comparison.html") : QStringLiteral("comparison.csv"), asHtml ? pages : savedTables(),
        tab, [this, tab, asHtml](const QString &file) {
            const Result<void> written = writeFile(file, asHtml ? tab->page()->html() : tab->page()->csv());
            if (!written) {
                m_workbench->sayOf(tab, errorText(written.error()));
            } else {
                m_workbench->saySavedOf(tab, file);
            }
        });
}

} // namespace trainyard
