// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runpage.h"

#include "engine/api/formertarget.h"
#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/style.h"
#include "widgets/log/logbookmarks.h"
#include "widgets/log/logpane.h"
#include "widgets/plot/curvesaving.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/filesview.h"
#include "widgets/tasks/healthbars.h"
#include "widgets/tasks/runbars.h"
#include "widgets/tasks/runfailure.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runlayout.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/storykeeper.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/unresolvedtexts.h"

#include <QDateTime>
#include <QSet>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{
constexpr int leastFailure = 96; // the cause and a line of what it means
constexpr int leastTaskRows = 2;
} // namespace

QString RunPage::title() const
{
    const JobSummary &job = m_view.job;
    return job.id == 0 ? tr("Run") : tr("%1 #%2").arg(job.name, QString::number(job.id)); // 0: it is not known yet
}

void RunPage::setSummary(const JobSummary &job)
{
    if (job == m_view.job) {
        return;
    }
    const bool isFirst = m_view.job.uuid.isEmpty();
    const bool hasFailed = job.state == State::Failed && m_view.job.state != State::Failed;
    m_view.cuts = job.uuid == m_view.job.uuid || isFirst ? m_view.cuts : QList<HostCut>();
    m_view.cuts = cutsWith(m_view.cuts, job, QDateTime::currentMSecsSinceEpoch());
    m_view.waits = job.uuid == m_view.job.uuid || isFirst ? m_view.waits : QList<WaitNote>();
    m_view.waits = waitsWith(m_view.waits, job, QDateTime::currentMSecsSinceEpoch());
    m_view.job = job;
    m_panes->setFailed(job.state == State::Failed);
    if (!job.results.isEmpty() && job.state != State::Failed) { // of a failed one, one reads the log
        m_panes->suggestCurves(isFirst);
    } else if (hasFailed) {
        m_panes->foldForFailure();
    }
    m_tasks->setPaused(job.paused);
    m_tasks->model()->setPauses(job.pauses);
    m_history->setPauses(job.pauses);
    m_tasks->model()->setHealth(job.health);
    m_history->curves()->setHealth(job.health);
    m_history->curves()->saving()->setRun(job.name, job.id);
    m_log->setRun(job.name, job.id);
    m_health->setJob(job);
    updateAttemptExit();
    updateHead();
    updateReason();
    Q_EMIT titleChanged();
}

void RunPage::setDetail(const JobDetail &detail)
{
    m_view.services = detail.services;
    m_view.attempts = detail.attempts;
    m_view.work = detail.work;
    m_view.place = formerTarget(detail);
    if (m_view.yaml != detail.yaml) {
        m_view.yaml = detail.yaml;
        m_view.unresolved = unresolvedText(detail.yaml);
        updateGrace();
        setMetricPatterns(m_patterns);
    }
    m_view.runFolder = detail.runFolder;
    m_view.waits = detail.waits;
    m_view.isRehearsal = !detail.original.isEmpty();
    m_view.rehearsal = detail.rehearsal;
    m_view.promoted = detail.promoted;
    m_view.earlierTexts = detail.earlierTexts;
    m_files->setBrought(detail.brought);
    setSummary(detail.summary);
    updateConfiguration();
    m_history->setAttempts(detail.attempts, m_view.attempt);
    updateAttemptExit();
    m_bars->setKeptTasks(detail.summary.id, isFinal(detail.summary.state) ? QList<KeptTask>() : detail.held);
    updateAttempt();
}

void RunPage::setTasks(int attempt, const QList<TaskInfo> &tasks)
{
    m_hasTasks = true;
    m_view.attempt = attempt;
    m_history->setShownAttempt(attempt);
    updateConfiguration();
    updateAttemptExit();
    m_tasks->setTasks(tasks);
    m_story->apply(tasks);
    updateCurves();
    updateAttempt();
    if (tasks.isEmpty()) {
        m_taskLog->clear(tr("The tasks appear here when the job starts."));
    }
}

// The text of the shown attempt, beside that of the previous one if it was changed.
void RunPage::updateConfiguration()
{
    const std::optional<TextOfAttempt> text = m_view.textOf(m_view.attempt);
    const std::optional<TextOfAttempt> before = m_view.attempt > 0 ? m_view.textOf(m_view.attempt - 1) : std::nullopt;
    m_history->setConfiguration(text ? text->yaml : m_view.yaml, text && before ? before->yaml : QByteArray(),
        text ? QString()
             : tr("The text of attempt %1 is not known any more: it was not kept when the job was tried again. This is "
                  "the text of the newest attempt.")
                   .arg(m_view.attempt + 1));
}

// With those of the attempts before it, unless it was chosen by hand: then it is looked at by itself.
void RunPage::updateCurves()
{
    const QList<TaskInfo> &known = m_story->tries();
    const auto isOnlyTry = [this](const TaskInfo &one) { return one.tries == 0 && one.attempt == m_view.attempt; };
    QList<TaskInfo> tries;
    if (!std::all_of(known.cbegin(), known.cend(), isOnlyTry)) {
        std::copy_if(known.cbegin(), known.cend(), std::back_inserter(tries), [this](const TaskInfo &one) {
            return m_attemptChosen ? one.attempt == m_view.attempt : one.attempt <= m_view.attempt;
        });
    }
    m_curves->setTasks(m_tasks->model()->tasks(), tries);
}

void RunPage::updateAttemptExit()
{
    const AttemptInfo *attempt = m_view.shownAttempt();
    std::optional<int> exit = attempt ? attempt->exitCode : std::nullopt;
    if (!exit && m_view.job.stopRequested && m_view.showsNewest()) {
        exit = exitStoppedByUser; // some tasks end before the attempt does
    }
    if (exit != m_tasks->model()->attemptExit()) {
        m_tasks->model()->setAttemptExit(exit);
        showTries();
    }
}

void RunPage::updateAttempt()
{
    updateHead();
    // The news of the tasks of a short attempt may have come before that of the attempt itself. A list that is older
    // than the tasks, on the other hand, does not say which attempt tells most.
    const int telling = m_view.tellingAttempt();
    const bool isListed = telling >= 0 && m_view.attempt <= m_view.attempts.constLast().index;
    if (m_hasTasks && isListed && telling != m_view.attempt && !m_attemptChosen) {
        Q_EMIT attemptRequested(telling);
    }
    // The task that ended the job is the first one to read.
    if (const TaskName cause = taskNamed(m_view.causeTask()); cause.index >= 0) {
        m_tasks->suggestTask(cause.role, cause.index);
    }
    updateReason();
}

void RunPage::applyTasks(const QList<TaskInfo> &changed)
{
    m_story->apply(changed);
    QList<TaskInfo> shown;
    int newest = m_view.attempt;
    for (const TaskInfo &task : changed) {
        newest = std::max(newest, task.attempt);
    }
    const bool isTelling = !isFinal(m_view.job.state) || newest == m_view.tellingAttempt();
    if (newest > m_view.attempt && !m_attemptChosen && isTelling) {
        Q_EMIT attemptRequested(newest);
        return;
    }
    for (const TaskInfo &task : changed) {
        if (task.attempt == m_view.attempt) {
            shown.append(task);
        }
    }
    m_tasks->apply(shown);
    updateCurves();
    if (!shown.isEmpty() && m_view.failure()) {
        updateReason(); // why a task failed is known a little after its end
    }
}

void RunPage::setEarlierTries(int attempt, const QString &role, int index, const QList<TaskInfo> &tries)
{
    m_taskLog->setEarlierTries(attempt, role, index, tries);
}

void RunPage::setHosts(const QList<HostInfo> &hosts)
{
    QSet<QString> away, connecting;
    for (const HostInfo &host : hosts) {
        if (!host.target.isEmpty() && host.state == HostState::Connecting) {
            connecting.insert(host.id);
        }
        if (!host.target.isEmpty() && host.state != HostState::Online && host.state != HostState::Unknown) {
            away.insert(host.id);
        }
    }
    m_tasks->model()->setHostsAway(away);
    const QHash<QString, QString> labels = hostLabels(hosts);
    if (labels == m_view.hostLabels && connecting == m_view.connecting) {
        return; // they are measured all the time
    }
    m_view.hostLabels = labels;
    m_view.connecting = connecting;
    updateHead();
    m_tasks->model()->setHostLabels(labels);
    showTries();
    updateReason();
}

void RunPage::setMetricPatterns(const MetricPatterns &patterns)
{
    m_patterns = patterns;
    m_history->curves()->store()->setPatterns(m_patterns.with(MetricPatterns::ofJob(m_view.yaml)));
}

void RunPage::setDocumentDiffers(bool on) { m_why->setDocumentDiffers(on); }

bool RunPage::showsFailure() const { return m_why->isTold(); }
JobPlace RunPage::faultyPlace() const { return m_why->place(); }

void RunPage::setGracePeriod(qint64 seconds)
{
    m_graceSeconds = seconds;
    updateGrace();
    m_bars->setView(m_view);
}

void RunPage::updateGrace()
{
    m_view.graceSeconds = m_graceSeconds;
    if (m_view.yaml.contains("graceSeconds")) { // long texts are not read for nothing
        const ParseOutcome job = parseJob(m_view.yaml);
        if (job.spec && job.spec->trainyard.stop.graceSeconds) {
            m_view.graceSeconds = job.spec->trainyard.stop.graceSeconds;
        }
    }
}

void RunPage::setError(const QString &sentence, bool failed) { m_bars->setError(sentence, failed); }

void RunPage::setHistoryFolded(bool on) { m_panes->setFoldChosen(on); }

void RunPage::beginWithHistoryTab(int tab) { m_history->beginWithTab(tab); }

void RunPage::updateHead()
{
    m_tasks->setRetryBlocker(!isFinal(m_view.job.state) ? tr("The job has not ended.")
            : m_view.showsNewest()                      ? QString()
                                                        : tr("These are the tasks of an earlier attempt."));
    m_head->setView(m_view);
    tick();
}

void RunPage::updateReason()
{
    const bool hasFailed = m_why->setView(m_view);
    m_bars->setView(m_view);
    m_story->setView(m_view);
    if (hasFailed) {
        fitFailure(); // the bars came or went
    }
}

void RunPage::showTries()
{
    const TaskTries &tries = m_taskLog->tries();
    const std::optional<TaskInfo> shown = tries.shown();
    m_history->setTries(tries.all(), shown ? shown->tries : 0, m_view.hostLabels, m_tasks->model()->attemptExit());
}

void RunPage::tick()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_head->tick(now);
    m_bars->tick(now);
    if (!isFinal(m_view.job.state)) {
        m_tasks->tick(m_view.clock(now));
        m_history->tick(now); // a pause grows there, too
    }
}

void RunPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_head->fit(); // first: it may change how high the page must be
    m_panes->setPageHeight(height());
    fitFailure();
}

// Why a job failed may be a long story; the tasks and the log keep what they need at least. Where the page is too low
// even so, it scrolls.
void RunPage::fitFailure()
{
    const int bars = m_bars->shownHeight() + m_health->shownHeight();
    const int panes = m_panes->leastHeight() + bars + leastTaskRows * metrics::row; // in sight below it
    const int least = m_panes->isPageLow() ? m_panes->minimumSizeHint().height() : 0;
    const int taken = m_head->height() + std::max(panes, least);
    // The cause itself is read whole, unless it would take most of a low page.
    const int cause = std::clamp(m_failure->leastHeight(width()), leastFailure, std::max(leastFailure, height() / 2));
    m_failure->setMostHeight(std::max(cause, height() - taken));
}

void RunPage::showAttempt(int attempt)
{
    m_attemptChosen = attempt + 1 < m_view.attempts.size();
    Q_EMIT attemptRequested(attempt);
}

QByteArray RunPage::saveLayout() const
{
    return RunLayout{m_panes->savedSizes(), m_history->tabChosen(), m_tasks->chosenTask(), m_panes->foldChosen(),
        m_log->bookmarks()->save()}
        .toBytes();
}

void RunPage::restoreLayout(const QByteArray &bytes)
{
    const std::optional<RunLayout> layout = RunLayout::fromBytes(bytes);
    if (!layout) {
        return;
    }
    m_panes->restoreSizes(layout->sizes);
    if (layout->tab) {
        m_history->setTab(*layout->tab);
    }
    if (layout->task) {
        m_tasks->setCurrentTask(layout->task->first, layout->task->second);
    }
    if (layout->isFolded) {
        m_panes->setFoldChosen(*layout->isFolded);
    }
    if (!layout->bookmarks.isEmpty()) {
        m_log->bookmarks()->restore(layout->bookmarks);
    }
}

} // namespace trainyard
