// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/jobcontroller.h"

#include "app/gui/askbox.h"
#include "app/gui/controllers/enginecontroller.h"
#include "app/gui/controllers/exchangecontroller.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/joblabelcontroller.h"
#include "app/gui/controllers/jobremoval.h"
#include "app/gui/controllers/runcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/undobars.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "engine/api/jobfilter.h"
#include "engine/api/jobpages.h"
#include "engine/client/engineclient.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/statepainter.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobsweep.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/texts.h"

#include <QAbstractButton>
#include <QAction>
#include <QDateTime>
#include <QItemSelectionModel>
#include <QTreeView>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace trainyard
{
namespace
{
// The list has jobs of sweeps that are older than what the client mirrors.
std::optional<JobSummary> jobInList(const JobsPane *pane, const EngineClient *client, const QString &uuid)
{
    const auto listed = pane->model()->job(pane->model()->indexOf(uuid));
    return listed ? listed : client->job(uuid);
}
} // namespace

JobController::JobController(Workbench *workbench, ActionRegistry *actions, EngineClient *client,
    EngineController *engine, HostController *hosts, RunTabs *runs, RunController *runner, JobsPane *pane,
    const std::function<void()> &showPane)
    : QObject(workbench->window()), m_workbench(workbench), m_client(client), m_runs(runs), m_runner(runner),
      m_pane(pane), m_undo(new UndoBars(workbench->windowBar(), this)),
      m_labels(new JobLabelController(workbench, client, m_undo, this)),
      m_removal(new JobRemoval(workbench, client, m_undo, this))
{
    makeActions(actions, showPane);
    followEngine(engine, hosts);
    connectPane();
    connect(pane, &JobsPane::helloRequested, actions->action("hello"), &QAction::trigger);
    connect(runs, &RunTabs::opened, this, &JobController::connectTab);
    connect(workbench, &Workbench::refreshed, this, [this, actions] { enableActions(actions); });
    connect(pane->view()->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this, actions] { enableRetries(actions); });
    connect(client, &EngineClient::jobChanged, this, [this, actions](const JobSummary &job) {
        if (job.uuid == jobMeant()) {
            enableRetries(actions);
        }
    });
    connect(workbench, &Workbench::frontChanged, this, &JobController::markFront);
}

void JobController::makeActions(ActionRegistry *actions, const std::function<void()> &showPane)
{
    actions->add({"stop", QStringLiteral("stop"), tr("S&top"), tr("Stop the job of this tab"), {Qt::SHIFT | Qt::Key_F5},
                     true, {}, false},
        this, [this] {
            if (const RunTab *tab = m_runs->current()) {
                stopOne(tab->jobUuid());
            }
        });
    const auto again = [this](bool failedOnly) {
        if (const QString uuid = jobMeant(); !uuid.isEmpty()) {
            m_runner->askForRetry(uuid, failedOnly);
        }
    };
    actions->add({"retryFailed", QStringLiteral("restart"), tr("Re&try failed tasks"),
                     tr("Start another attempt of this job; tasks that succeeded keep their results")},
        this, [again] { again(true); });
    actions->add({"retryAll", QStringLiteral("restart"), tr("Retry a&ll tasks in a new attempt"),
                     tr("Start another attempt of this job with all of its tasks")},
        this, [again] { again(false); });
    actions->add({"filterJobs", QStringLiteral("filter"), tr("&Filter jobs"), tr("Find a job in the list"),
                     {Qt::CTRL | Qt::SHIFT | Qt::Key_J}},
        this, [this, showPane] {
            showPane();
            m_pane->filterField()->setFocus();
        });
}

void JobController::enableActions(ActionRegistry *actions) const
{
    const RunTab *tab = m_runs->current();
    actions->setEnabled({"stop"}, tab && !tab->isOver() && !tab->run()->summary().stopRequested,
        !tab                ? tr("The tab in front is not the page of a run.")
            : tab->isOver() ? tr("The job has ended.")
                            : tr("The job is being stopped."));
    enableRetries(actions);
}

// A page of a run is about its job, whatever is current in the list.
QString JobController::jobMeant() const
{
    const RunTab *tab = m_runs->current();
    return tab ? tab->jobUuid() : m_pane->currentJob();
}

void JobController::enableRetries(ActionRegistry *actions) const
{
    const QString uuid = jobMeant();
    const std::optional<JobSummary> job = uuid.isEmpty() ? std::nullopt : jobInList(m_pane, m_client, uuid);
    const RunTab *tab = m_runs->current();
    const QString whyNot = !job   ? tr("The tab in front is not the page of a run, and no job is selected in the list.")
        : tab && tab->isDeleted() ? tr("This job is deleted.")
        : !isFinal(job->state)    ? tr("The job has not ended.")
                                  : QString();
    actions->setEnabled({"retryAll"}, whyNot.isEmpty(), whyNot);
    actions->setEnabled({"retryFailed"}, whyNot.isEmpty() && canRetryFailed(*job),
        whyNot.isEmpty() ? tr("No task has failed. All tasks can be retried.") : whyNot);
}

void JobController::followEngine(EngineController *engine, HostController *hosts)
{
    connect(m_client, &EngineClient::reset, this, [this] {
        m_pane->model()->setJobs(m_client->jobs());
        if (const Page *front = m_workbench->front(); front && (m_runs->current() || !front->jobGroup().isEmpty())) {
            markFront(front);
        }
        completeSweeps();
    });
    connect(m_client, &EngineClient::jobChanged, m_pane->model(), &JobsModel::apply);
    connect(m_client, &EngineClient::jobRemoved, this, [this](const QString &uuid) {
        m_pane->model()->remove(uuid);
        const QList<Page *> pages = m_workbench->pages();
        for (Page *page : pages) {
            if (page->jobUuid() == uuid) {
                m_workbench->close(page);
            }
        }
    });
    connect(engine, &EngineController::changed, this, [this, engine] {
        m_pane->setTrouble(engine->trouble());
        m_pane->setLoading(m_client->status() == EngineClient::Status::Connecting);
    });
    connect(hosts, &HostController::changed, this, [this](const QList<HostInfo> &all) {
        QHash<QString, QString> labels;
        for (const HostInfo &host : all) {
            labels.insert(host.id, host.label);
        }
        m_pane->model()->setHostLabels(labels);
    });
}

// The client has the newest jobs and those that are not over. Without the others, the row of a sweep would count wrong.
void JobController::completeSweeps()
{
    constexpr qsizetype newest = 500; // jobs, all of which the client has
    const CutSweeps cut = cutSweeps(m_client->jobs(), newest);
    for (const QString &group : cut.names) {
        loadSweep(group, {groupFilter(group), cut.before, jobsOfPage});
    }
}

void JobController::loadSweep(const QString &group, const api::JobPage &page)
{
    m_client->call<api::ListJobs>(page, this, [this, group, page](const Result<QList<JobSummary>> &jobs) {
        for (const JobSummary &job : jobs.value_or(QList<JobSummary>())) { // on an error the row counts what is known
            if (job.group == group && !m_pane->model()->indexOf(job.uuid).isValid()) { // else it may be newer there
                m_pane->model()->apply(job);
            }
        }
        if (const std::optional<api::JobPage> next = nextJobPage(page, jobs)) {
            loadSweep(group, *next);
        }
    });
}

// Its row in the list.
void JobController::markFront(const Page *front)
{
    if (const QString group = front ? front->jobGroup() : QString(); !group.isEmpty()) {
        m_pane->setCurrentGroup(group);
    } else {
        m_pane->setCurrentJob(front ? front->jobUuid() : QString());
    }
}

void JobController::connectPane()
{
    connect(m_pane, &JobsPane::openRequested, m_runs, [this](const QString &uuid, bool isLook) {
        if (!isForeign(uuid) && isLook) {
            m_runs->look(uuid);
        } else if (!isForeign(uuid)) {
            m_runs->open(uuid);
        }
    });
    connect(m_pane, &JobsPane::stopRequested, this, &JobController::stopOne);
    connect(m_pane, &JobsPane::stopSeveralRequested, this, &JobController::stop);
    connect(m_pane, &JobsPane::pauseRequested, this, &JobController::pause);
    connect(m_pane, &JobsPane::moveRequested, this, &JobController::move);
    connect(m_pane, &JobsPane::openFolderRequested, this, &JobController::openFolder);
    connect(m_pane, &JobsPane::removeRequested, m_removal, &JobRemoval::remove);
    connect(m_removal, &JobRemoval::hiddenChanged, m_pane, &JobsPane::setHidden);
    m_undo->follow(m_pane->undoBar(), m_pane);
    connect(m_removal, &JobRemoval::hiddenChanged, m_runner, &RunController::setDeleted);
    connect(m_pane, &JobsPane::labelsRequested, this, [this](const QStringList &uuids, bool note) {
        QList<JobSummary> jobs;
        for (const QString &uuid : uuids) {
            if (const auto job = jobInList(m_pane, m_client, uuid)) {
                jobs.append(*job);
            }
        }
        m_labels->edit(jobs, note);
    });
    connect(m_pane, &JobsPane::starRequested, m_labels, &JobLabelController::star);
    connect(m_pane, &JobsPane::archiveRequested, m_labels, &JobLabelController::archive);
    connect(m_pane, &JobsPane::allJobsRequested, this, &JobController::allJobsRequested);
    connect(m_pane, &JobsPane::runAgainRequested, m_runner, &RunController::runAgain);
    connect(m_pane, &JobsPane::editAsNewRequested, m_runner, &RunController::editAsNew);
    connect(m_pane, &JobsPane::retryRequested, m_runner,
        [this](const QString &uuid, bool failedOnly) { m_runner->askForRetry(uuid, failedOnly); });
    connect(m_pane, &JobsPane::copyYamlRequested, m_runner, [this](const QString &uuid) {
        m_runner->withDetail(uuid, [](const JobDetail &detail) { ExchangeController::copyToClipboard(detail.yaml); });
    });
    connect(m_pane, &JobsPane::yamlWanted, m_runner, [this](const QString &uuid) {
        m_runner->withDetail(uuid, [this, uuid](const JobDetail &detail) { m_pane->setYaml(uuid, detail.yaml); });
    });
}

void JobController::connectTab(RunTab *tab)
{
    const QString uuid = tab->jobUuid();
    connect(tab->run(), &RunPage::stopRequested, this, [this, uuid] { stopOne(uuid); });
    connect(tab->run(), &RunPage::retryNowRequested, this, [this, uuid] {
        RetryRequest now; // of a job that waits for a retry: it begins at once
        now.uuid = uuid;
        m_client->call<api::Retry>(now, this, sayErrorsOf(uuid));
    });
    connect(tab->run(), &RunPage::killRequested, this, [this, uuid] {
        m_client->call<api::Stop>({uuid, true}, this, sayErrorsOf(uuid));
    });
    connect(tab->run(), &RunPage::giveUpRequested, this, [this, uuid] {
        m_client->call<api::Stop>({uuid, false, true}, this, sayErrorsOf(uuid));
    });
    connect(tab->run(), &RunPage::copyAnswered, this, [this, uuid](bool isCopied) {
        m_client->call<api::AnswerCopy>({uuid, isCopied}, this, sayErrorsOf(uuid));
    });
    connect(tab->run(), &RunPage::pauseRequested, this, [this, uuid](bool on) { pause(uuid, on); });
    connect(
        tab->run(), &RunPage::releaseRequested, this, [this, uuid](const QStringList &tasks) { release(uuid, tasks); });
    connect(tab->run(), &RunPage::openFolderRequested, this, [this, uuid] { openFolder(uuid); });
    connect(tab->run(), &RunPage::jobRequested, m_runs, &RunTabs::openNumber);
}

std::function<void(const Result<bool> &)> JobController::sayErrorsOf(const QString &uuid)
{
    return [this, uuid](const Result<bool> &result) {
        if (!result) {
            m_workbench->sayOfJob(uuid, errorText(result.error()));
        }
    };
}

void JobController::stop(const QStringList &uuids)
{
    if (uuids.size() == 1) {
        stopOne(uuids.constFirst());
        return;
    }
    QMessageBox *box = makeAskBox(m_workbench->window(), tr("Stop %1 jobs?").arg(uuids.size()),
        tr("Their tasks are ended. What they have written stays."), QMessageBox::Yes | QMessageBox::Cancel);
    box->button(QMessageBox::Yes)->setText(tr("Stop them"));
    openAskBox(box, this, [this, uuids] {
        for (const QString &uuid : uuids) {
            stopNow(uuid);
        }
    });
}

// Including jobs that are older than the listed ones. If the engine cannot find a job, it says why when the job is
// retried.
void JobController::withJobs(
    const QStringList &uuids, const std::function<void(const QHash<QString, JobSummary> &found)> &use)
{
    struct Search {
        QHash<QString, JobSummary> found;
        qsizetype open = 0;
    };
    const auto search = std::make_shared<Search>();
    QStringList older;
    for (const QString &uuid : uuids) {
        if (const std::optional<JobSummary> job = jobInList(m_pane, m_client, uuid)) {
            search->found.insert(uuid, *job);
        } else {
            older.append(uuid);
        }
    }
    if (older.isEmpty()) {
        use(search->found);
        return;
    }
    search->open = older.size();
    for (const QString &uuid : std::as_const(older)) {
        m_client->call<api::FindJob>({uuid}, this, [search, use, uuid](const Result<JobSummary> &job) {
            if (job) {
                search->found.insert(uuid, *job);
            }
            if (--search->open == 0) {
                use(search->found);
            }
        });
    }
}

void JobController::retry(const QStringList &uuids)
{
    withJobs(uuids, [this, uuids](const QHash<QString, JobSummary> &found) {
        QStringList others;
        std::copy_if(uuids.cbegin(), uuids.cend(), std::back_inserter(others),
            [&found](const QString &uuid) { return found.value(uuid).state != State::Succeeded; });
        if (others.size() == uuids.size()) {
            retryNow(uuids);
        } else {
            askAboutSuccesses(uuids, others);
        }
    });
}

void JobController::askAboutSuccesses(const QStringList &uuids, const QStringList &others)
{
    QMessageBox *box = makeRetryBox(m_workbench->window(), uuids.size(), uuids.size() - others.size());
    connect(box, &QMessageBox::buttonClicked, this, [this, box, uuids, others](QAbstractButton *button) {
        const QMessageBox::StandardButton answer = box->standardButton(button);
        if (answer == QMessageBox::Yes || answer == QMessageBox::No) {
            retryNow(answer == QMessageBox::Yes ? uuids : others);
        }
    });
    box->open();
}

void JobController::retryNow(const QStringList &uuids)
{
    if (uuids.size() == 1) {
        m_runner->askForRetry(uuids.constFirst(), false);
        return;
    }
    for (const QString &uuid : uuids) {
        RetryRequest all;
        all.uuid = uuid;
        m_client->call<api::Retry>(all, this, sayErrorsOf(uuid));
    }
}

void JobController::finish() { m_removal->finish(); }

void JobController::stopOne(const QString &uuid)
{
    const std::optional<JobSummary> job = m_client->job(uuid);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (!job || !asksBeforeStop(*job, now)) {
        stopNow(uuid);
        return;
    }
    QWidget *window = m_workbench->window();
    if (const auto *open = window->findChild<QMessageBox *>(QStringLiteral("stopBox")); open && open->isVisible()) {
        return; // it is being asked
    }
    QMessageBox *box = makeStopBox(window, *job, now);
    openAskBox(box, this, [this, uuid] { stopNow(uuid); });
}

void JobController::stopNow(const QString &uuid) { m_client->call<api::Stop>({uuid}, this, sayErrorsOf(uuid)); }

void JobController::pause(const QString &uuid, bool on)
{
    m_client->call<api::Pause>({uuid, on}, this, sayErrorsOf(uuid));
}

void JobController::release(const QString &uuid, const QStringList &tasks)
{
    m_client->call<api::Release>({uuid, tasks}, this, sayErrorsOf(uuid));
}

void JobController::move(const QString &uuid, const QString &before)
{
    m_client->call<api::Move>({uuid, before}, this, [this](const Result<bool> &moved) {
        if (!moved) {
            m_workbench->say(errorText(moved.error()));
        } else if (!*moved) {
            m_workbench->say(tr("Only waiting jobs have a position in the queue."));
        }
    });
}

void JobController::openFolder(const QString &uuid)
{
    m_runner->withDetail(uuid, [this, uuid](const JobDetail &detail) {
        m_workbench->openOutside(QUrl::fromLocalFile(detail.runFolder), m_runs->find(uuid));
    });
}

QList<CommandPalette::Entry> JobController::paletteEntries()
{
    QList<CommandPalette::Entry> entries;
    const QList<JobSummary> jobs = m_removal->listedJobs();
    for (const JobSummary &job : jobs) {
        if (m_runs->find(job.uuid)) {
            continue; // it is among the open tabs
        }
        entries.append(
            {tr("%1 #%2").arg(job.name, QString::number(job.id)), stateLabel(shapeOf(job)), QStringLiteral("box"),
                [this, uuid = job.uuid] { m_runs->open(uuid)->focus(); }, true, {}, QLatin1String("job:") + job.uuid});
    }
    return entries;
}

} // namespace trainyard
