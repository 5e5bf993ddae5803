// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/alljobstab.h"

#include "app/gui/controllers/jobcontroller.h"
#include "app/gui/controllers/joblabelcontroller.h"
#include "app/gui/controllers/jobremoval.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/controllers/undobars.h"
#include "app/gui/workbench/actionregistry.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/api/jobpages.h"
#include "engine/client/engineclient.h"
#include "engine/client/wholefile.h"
#include "model/base/threads.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/icons.h"
#include "widgets/common/searchfield.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

} // namespace

AllJobsTab::AllJobsTab(Workbench *workbench, EngineClient *client, JobController *jobs, RunTabs *runs)
    : Page(new JobsTablePage), m_workbench(workbench), m_client(client), m_page(static_cast<JobsTablePage *>(widget())),
      m_export(new QAction(tr("Export the table…"), this))
{
    JobsTableModel *model = m_page->model();
    connect(m_page, &JobsTablePage::openRequested, runs, &RunTabs::open);
    connect(m_page, &JobsTablePage::groupRequested, jobs, &JobController::compareGroupRequested);
    connect(m_page, &JobsTablePage::stopRequested, jobs, &JobController::stop);
    connect(m_page, &JobsTablePage::retryRequested, jobs, &JobController::retry);
    connect(m_page, &JobsTablePage::compareRequested, jobs, &JobController::compareRequested);
    connect(m_page, &JobsTablePage::labelsRequested, jobs->labels(), &JobLabelController::edit);
    connect(m_page, &JobsTablePage::starRequested, jobs->labels(), &JobLabelController::star);
    connect(m_page, &JobsTablePage::archiveRequested, jobs->labels(), &JobLabelController::archive);
    connect(m_page, &JobsTablePage::removeRequested, jobs->removal(), &JobRemoval::remove);
    connect(m_page, &JobsTablePage::exportRequested, this, &AllJobsTab::exportTable);
    connect(m_export, &QAction::triggered, this, &AllJobsTab::exportTable);
    connect(m_page, &JobsTablePage::arranged, this, &Page::edited);
    connect(jobs->removal(), &JobRemoval::hiddenChanged, model, &JobsTableModel::setHidden);
    model->setHidden(jobs->removal()->hidden());
    jobs->undoBars()->follow(m_page->undoBar(), m_page);
    connect(client, &EngineClient::jobChanged, m_page, [this](const JobSummary &job) { m_page->addJobs({job}); });
    connect(client, &EngineClient::jobRemoved, model, &JobsTableModel::remove);
    connect(client, &EngineClient::reset, this, [this] { loadAll(); });
    model->add(client->jobs());
    m_page->setColumns(suggestedJobColumns(client->jobs()));
    loadAll();
}

void AllJobsTab::install(PageRegistry *pages, ActionRegistry *actions, Workbench *workbench, EngineClient *client,
    JobController *jobs, RunTabs *runs)
{
    pages->addSingle(
        kind, [=] { return new AllJobsTab(workbench, client, jobs, runs); },
        [](Page *page, const SessionTab &place) { static_cast<AllJobsTab *>(page)->restore(place); });
    actions->add({"allJobs", u"table"_s, tr("&All jobs"), tr("All jobs as a table, with their parameters and results")},
        pages, [pages] { pages->enter(kind); });
    connect(jobs, &JobController::allJobsRequested, pages, [pages](const QString &filter) {
        if (auto *tab = static_cast<AllJobsTab *>(pages->open(kind)); tab && !filter.isEmpty()) {
            tab->m_page->filter()->setText(filter);
        }
    });
}

// If there are more jobs than can be compared, the user chooses.
QStringList AllJobsTab::chosenJobs() const
{
    const QStringList chosen = m_page->chosen();
    return chosen.size() > JobsTablePage::mostCompared ? QStringList() : chosen;
}

QString AllJobsTab::title() const { return tr("All jobs"); }

QIcon AllJobsTab::icon() const { return trainyard::icon(u"table"_s, Colour::Muted); }

void AllJobsTab::focus() { m_page->filter()->field()->setFocus(); }

std::optional<SessionTab> AllJobsTab::place() const
{
    SessionTab tab;
    tab.kind = kind;
    const QJsonObject layout{{u"filter"_s, m_page->filter()->text()},
        {u"columns"_s, QJsonArray::fromStringList(m_page->model()->columns())},
        {u"sortedBy"_s, m_page->model()->sortKey()},
        {u"ascending"_s, m_page->model()->sortOrder() == Qt::AscendingOrder},
        {u"columnsChosen"_s, m_page->areColumnsChosen()}, {u"folded"_s, m_page->model()->isFolded()}};
    tab.layout = QJsonDocument(layout).toJson(QJsonDocument::Compact);
    return tab;
}

void AllJobsTab::restore(const SessionTab &place)
{
    const QJsonObject layout = QJsonDocument::fromJson(place.layout).object();
    const QJsonArray columns = layout.value("columns"_L1).toArray();
    QStringList keys;
    for (const QJsonValue &key : columns) {
        keys.append(key.toString());
    }
    if (!keys.isEmpty()) {
        m_page->setColumns(keys);
        m_page->setColumnsChosen(layout.value("columnsChosen"_L1).toBool(true)); // not known of an earlier version
    }
    m_page->setSorting(layout.value("sortedBy"_L1).toString(),
        layout.value("ascending"_L1).toBool() ? Qt::AscendingOrder : Qt::DescendingOrder);
    m_page->setFolded(layout.value("folded"_L1).toBool(true));
    m_page->filter()->setText(layout.value("filter"_L1).toString());
}

void AllJobsTab::loadAll()
{
    ++m_round;
    m_seen.clear();
    load({{}, 0, jobsOfPage});
}

void AllJobsTab::load(const api::JobPage &page)
{
    if (m_client->status() != EngineClient::Status::Ready) {
        return; // reset() follows
    }
    m_page->setLoading(true);
    m_client->call<api::ListJobs>(page, this, [this, page, round = m_round](const Result<QList<JobSummary>> &jobs) {
        if (round != m_round) {
            return;
        }
        const std::optional<api::JobPage> next = nextJobPage(page, jobs);
        if (!jobs && !next) {
            m_page->setLoading(false);
            m_workbench->sayOf(this, errorText(jobs.error()));
            return;
        }
        if (jobs) {
            m_page->addJobs(*jobs);
            for (const JobSummary &job : *jobs) {
                m_seen.insert(job.uuid);
            }
        }
        if (next) {
            load(*next);
        } else {
            finishLoading();
        }
    });
}

// Jobs that were removed while the engine was not connected disappear. New ones are in the client's own list.
void AllJobsTab::finishLoading()
{
    const QList<JobSummary> known = m_page->model()->allJobs();
    for (const JobSummary &job : known) {
        if (job.id != 0 && !m_seen.contains(job.uuid) && !m_client->job(job.uuid)) {
            m_page->model()->remove(job.uuid);
        }
    }
    m_seen.clear();
    m_page->setLoading(false);
}

// Written on another thread: the table may have a hundred thousand rows.
void AllJobsTab::exportTable()
{
    const auto write = [this](const QString &file) {
        const QList<JobSummary> jobs = m_page->model()->shownJobs();
        const QStringList columns = m_page->model()->columns();
        threads::runOnPool([this, file, jobs, columns, guard = QPointer<QWidget>(m_page)] {
            const Result<void> written
                = writeFile(file, jobsAsText(jobs, columns, ',', QDateTime::currentMSecsSinceEpoch()));
            threads::callLater(qApp, [this, guard, file, written, count = jobs.size()] {
                if (guard && written) {
                    Q_EMIT savedRequested(tr("%n job(s) are in %1.", nullptr, int(count)).arg(file), file);
                } else if (guard) {
                    Q_EMIT sayRequested(errorText(written.error()), true);
                }
            });
        });
    };
    askWhereToSave(m_workbench->window(), tr("Export the table"), u"jobs.csv"_s, savedTables(), this, write);
}

} // namespace trainyard
