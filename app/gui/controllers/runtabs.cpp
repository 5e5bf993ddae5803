// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/runtabs.h"

#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/taskbringing.h"
#include "app/gui/controllers/taskterminals.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/pages/settingstab.h"
#include "app/gui/workbench/pageregistry.h"
#include "app/gui/workbench/workbench.h"
#include "engine/bring/bringplan.h"
#include "engine/client/engineclient.h"
#include "model/protocol/jobdocument.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runpage.h"
#include "widgets/text/texts.h"

#include <QDir>

#include <algorithm>
#include <utility>

namespace trainyard
{

RunTabs::RunTabs(
    Workbench *workbench, PageRegistry *pages, EngineClient *client, HostController *hosts, GuiSettings *settings)
    : QObject(workbench->window()), m_workbench(workbench), m_pages(pages), m_client(client), m_hosts(hosts),
      m_settings(settings)
{
    pages->add(RunTab::kind, [this](const SessionTab &place) -> Page * {
        if (place.uuid.isEmpty()) {
            return nullptr;
        }
        RunTab *tab = open(place.uuid);
        tab->run()->restoreLayout(place.layout);
        tab->setFormerTitle(place.name);
        Q_EMIT tab->changed();
        return tab;
    });
    connect(workbench, &Workbench::closing, this,
        [this](Page *page) { m_tabs.removeIf([page](const RunTab *tab) { return tab == page; }); });
}

RunTab *RunTabs::find(const QString &uuid) const
{
    const auto it
        = std::find_if(m_tabs.cbegin(), m_tabs.cend(), [&uuid](const RunTab *tab) { return tab->jobUuid() == uuid; });
    return it == m_tabs.cend() ? nullptr : *it;
}

RunTab *RunTabs::current() const
{
    const auto it = std::find(m_tabs.cbegin(), m_tabs.cend(), m_workbench->front());
    return it == m_tabs.cend() ? nullptr : *it;
}

void RunTabs::openNumber(qint64 number)
{
    const QList<JobSummary> jobs = m_client->jobs();
    const auto job
        = std::find_if(jobs.cbegin(), jobs.cend(), [number](const JobSummary &each) { return each.id == number; });
    if (job != jobs.cend()) {
        open(job->uuid);
        return;
    }
    // It is older than what the client mirrors, or gone.
    m_client->call<api::FindJob>({u'#' + QString::number(number)}, this, [this](const Result<JobSummary> &found) {
        if (found) {
            open(found->uuid);
        } else {
            m_workbench->say(errorText(found.error()));
        }
    });
}

RunTab *RunTabs::open(const QString &uuid)
{
    if (RunTab *tab = find(uuid)) {
        tab->keep();
        m_workbench->show(tab);
        return tab;
    }
    auto *tab = new RunTab(m_client, uuid);
    keepWhatIsUsed(tab);
    m_tabs.append(tab);
    tab->run()->setHosts(m_hosts->hosts());
    connect(m_hosts, &HostController::changed, tab->run(), &RunPage::setHosts);
    connect(tab->run(), &RunPage::openRequested, tab,
        [this, tab](const QString &path) { m_workbench->openOutside(QUrl::fromLocalFile(path), tab); });
    connect(tab->run(), &RunPage::terminalRequested, tab, [tab](const TaskInfo &task) {
        openTerminal(
            tab->run()->summary(), task, [run = tab->run()](const QString &sentence) { run->setError(sentence); });
    });
    connect(tab->run(), &RunPage::bringRequested, tab, [this, tab](const TaskInfo &task, const QStringList &globs) {
        const JobSummary &job = tab->run()->summary();
        const ParseOutcome parsed = parseJob(tab->run()->maskedYaml());
        const QString to = parsed.spec ? parsed.spec->trainyard.results.to : QString();
        TaskPull::Wanted wanted{job.uuid, task.role, task.index,
            bringOrder(task.keptFrom.value_or(task.attempt), task.tries), globs,
            resultsFolder(to, job.file, QDir::homePath(), QDir::homePath()) + QLatin1Char('/')
                + resultsFolderOfJob(job.id, job.name) + QLatin1Char('/') + resultsFolderOfTask(task.role, task.index),
            true, false, task.attempt};
        new TaskBringing(*m_client, wanted, task.host, tab->run());
    });
    connect(tab->run(), &RunPage::hostRequested, this, &RunTabs::hostRequested);
    connect(tab->run(), &RunPage::settingRequested, this, [this](const QString &key) {
        SessionTab setting;
        setting.kind = SettingsTab::kind;
        setting.name = key;
        m_pages->open(SettingsTab::kind, setting);
    });
    connect(tab->run()->logPane(), &LogPane::openRequested, tab,
        [this, tab](const QString &file) { m_workbench->openOutside(QUrl::fromLocalFile(file), tab); });
    tab->run()->logPane()->setWrapped(m_settings->wrapsLogs());
    connect(tab->run()->logPane(), &LogPane::wrappedChanged, this, &RunTabs::setWrapped);
    if (const std::optional<bool> isFolded = m_settings->foldsRunHistory()) {
        tab->run()->setHistoryFolded(*isFolded);
    }
    connect(tab->run(), &RunPage::historyFoldChanged, this, &RunTabs::setHistoryFolded);
    if (const std::optional<int> last = m_settings->runHistoryTab()) {
        tab->run()->beginWithHistoryTab(*last);
    }
    connect(tab->run(), &RunPage::historyTabChosen, this,
        [this](int historyTab) { m_settings->setRunHistoryTab(historyTab); });
    Q_EMIT opened(tab);
    m_workbench->add(tab);
    return tab;
}

RunTab *RunTabs::look(const QString &uuid)
{
    if (RunTab *tab = find(uuid)) {
        m_workbench->show(tab);
        return tab;
    }
    const auto isLook = [](const RunTab *tab) { return tab->isTemporary(); };
    const auto before = std::find_if(m_tabs.cbegin(), m_tabs.cend(), isLook);
    RunTab *former = before == m_tabs.cend() ? nullptr : *before;
    RunTab *tab = open(uuid);
    tab->setTemporary(true);
    if (former) {
        m_workbench->remove(former); // only now: something is in front all the time
    }
    return tab;
}

// A user who does something with a run expects to see the result.
void RunTabs::keepWhatIsUsed(RunTab *tab)
{
    const auto keptAt = [tab](auto... wishes) { (connect(tab->run(), wishes, tab, [tab] { tab->keep(); }), ...); };
    keptAt(&RunPage::stopRequested, &RunPage::killRequested, &RunPage::giveUpRequested, &RunPage::pauseRequested,
        &RunPage::copyAnswered, &RunPage::retryNowRequested, &RunPage::retryRequested, &RunPage::releaseRequested,
        &RunPage::runAgainRequested, &RunPage::originalRequested, &RunPage::editAsNewRequested,
        &RunPage::changeRequested, &RunPage::terminalRequested, &RunPage::bringRequested);
}

// One choice for all logs, now and later.
void RunTabs::setWrapped(bool on)
{
    m_settings->setWrapsLogs(on);
    for (RunTab *tab : std::as_const(m_tabs)) {
        tab->run()->logPane()->setWrapped(on);
    }
}

// Likewise for the pane below the tasks: it opens and folds by itself only until the user has said how it is to be.
void RunTabs::setHistoryFolded(bool on)
{
    m_settings->setFoldsRunHistory(on);
    for (RunTab *tab : std::as_const(m_tabs)) {
        tab->run()->setHistoryFolded(on);
    }
}

} // namespace trainyard
