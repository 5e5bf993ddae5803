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
#include "widgets/tasks/codeopener.h"
#include "widgets/tasks/evidenceseeker.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/filesview.h"
#include "widgets/tasks/healthbars.h"
#include "widgets/tasks/runbars.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/storykeeper.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/unresolvedtexts.h"
#include "widgets/text/whytexts.h"

#include <QApplication>
#include <QDataStream>
#include <QDateTime>
#include <QSet>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{
constexpr int leastFailure = 96; // the cause and a line of what it means
constexpr int leastTaskRows = 2;
} // namespace

RunPage::RunPage(QWidget *parent)
    : QWidget(parent), m_bars(new RunBars(this)), m_health(new HealthBars(this)), m_head(new RunHead),
      m_failure(new FailurePanel), m_tasks(new TasksPane), m_log(new LogPane),
      m_taskLog(new TaskLog(m_tasks, m_log, this)), m_evidence(new EvidenceSeeker(this)),
      m_code(new CodeOpener(m_tasks, m_log, this)), m_history(new RunHistory), m_curves(m_history->curves()),
      m_files(m_history->files()), m_panes(new RunPanes(m_tasks, m_log, m_history)),
      m_story(new StoryKeeper(m_history, m_tasks, m_taskLog, this))
{
    arrange();
    wire();
    auto *timer = new QTimer(this);
    timer->start(1000);
    connect(timer, &QTimer::timeout, this, &RunPage::tick);
}

void RunPage::arrange()
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_head->resize(width(), m_head->height()); // it is fitted before the page is shown
    layout->addWidget(m_head);
    m_bars->addWaitTo(layout);
    layout->addWidget(m_failure);
    layout->addWidget(m_panes, 1);
    // One that comes or goes while the job runs moves nothing from under the pointer.
    m_bars->addTo(m_panes->barsPlace());
    m_health->addTo(m_panes->barsPlace());
    m_failure->hide();
    setFocusProxy(m_tasks->view()); // keys that come next look around, and end nothing
}

void RunPage::wire()
{
    const auto retryFailed = [this] { Q_EMIT retryRequested({}); };
    connect(m_head, &RunHead::stopRequested, this, &RunPage::stopRequested);
    connect(m_head, &RunHead::pauseRequested, this, &RunPage::pauseRequested);
    connect(m_head, &RunHead::retryRequested, this, retryFailed);
    connect(m_head, &RunHead::runAgainRequested, this, &RunPage::runAgainRequested);
    connect(m_head, &RunHead::editAsNewRequested, this, &RunPage::editAsNewRequested);
    connect(m_head, &RunHead::openFolderRequested, this, &RunPage::openFolderRequested);
    connect(m_head, &RunHead::addressRequested, this, &RunPage::addressRequested);
    connect(m_head, &RunHead::attemptChosen, this, &RunPage::showAttempt);
    connect(m_head, &RunHead::focusDropped, this, qOverload<>(&QWidget::setFocus));
    connect(m_bars, &RunBars::jobRequested, this, &RunPage::jobRequested);
    connect(m_bars, &RunBars::settingRequested, this, &RunPage::settingRequested);
    connect(m_bars, &RunBars::attemptChosen, this, &RunPage::showAttempt);
    connect(m_bars, &RunBars::copyAnswered, this, &RunPage::copyAnswered);
    connect(m_bars, &RunBars::killRequested, this, &RunPage::killRequested);
    connect(m_bars, &RunBars::giveUpRequested, this, &RunPage::giveUpRequested);
    connect(m_bars, &RunBars::retryNowRequested, this, &RunPage::retryNowRequested);
    connect(m_bars, &RunBars::releaseRequested, this, &RunPage::releaseRequested);
    connect(m_health, &HealthBars::silenceRequested, this, &RunPage::silenceHealthRequested);
    connect(m_health, &HealthBars::showRequested, m_taskLog, [this](const HealthMark &mark) {
        m_taskLog->showMoment(taskLabel(mark.role, mark.index), mark.at, mark.args.value(u"value"_s).toDouble(qQNaN()));
    });
    connect(m_failure, &FailurePanel::runAgainRequested, this, &RunPage::runAgainRequested);
    connect(m_failure, &FailurePanel::retryRequested, this, retryFailed);
    connect(m_failure, &FailurePanel::editRequested, this, &RunPage::editAsNewRequested);
    connect(m_failure, &FailurePanel::changeRequested, this, &RunPage::changeRequested);
    connect(m_failure, &FailurePanel::documentRequested, this, &RunPage::documentRequested);
    connect(m_failure, &FailurePanel::jobClicked, this, &RunPage::jobRequested);
    connect(m_failure, &FailurePanel::lineRequested, m_taskLog,
        [this](qint64 line) { m_taskLog->showLine(m_evidence->found().at(line)); });
    connect(m_failure, &FailurePanel::codeRequested, m_code, &CodeOpener::open);
    connect(m_code, &CodeOpener::found, m_failure, &FailurePanel::setCode);
    connect(m_code, &CodeOpener::openRequested, this, &RunPage::codeRequested);
    connect(m_code, &CodeOpener::problem, this, [this](const QString &sentence) { setError(sentence); });
    connect(m_tasks, &TasksPane::currentTaskChanged, this, [this] {
        if (m_tasks->chosenTask() && m_view.failure()) {
            updateReason();
        }
    });
    connect(m_tasks, &TasksPane::retryRequested, this, &RunPage::retryRequested);
    connect(m_tasks, &TasksPane::terminalRequested, this, &RunPage::terminalRequested);
    connect(m_tasks, &TasksPane::openRequested, this, &RunPage::openRequested);
    connect(m_tasks, &TasksPane::problem, this, [this](const QString &sentence) { setError(sentence); });
    connect(m_tasks, &TasksPane::saved, m_bars, &RunBars::setSaved);
    connect(m_files, &FilesView::terminalRequested, this, &RunPage::terminalRequested);
    connect(m_files, &FilesView::bringRequested, this, &RunPage::bringRequested);
    connect(m_files, &FilesView::openRequested, this, &RunPage::openRequested);
    connect(m_story, &StoryKeeper::attemptChosen, this, &RunPage::showAttempt);
    connect(m_taskLog, &TaskLog::earlierTriesRequested, this, &RunPage::earlierTriesRequested);
    connect(m_taskLog, &TaskLog::triesChanged, this, &RunPage::showTries);
    connect(m_evidence, &EvidenceSeeker::changed, this, &RunPage::updateReason);
    connect(m_log, &LogPane::statusChanged, this, [this](const QString &text) {
        m_status = text;
        Q_EMIT statusChanged(text);
    });
    connect(m_history, &RunHistory::attemptChosen, this, &RunPage::showAttempt);
    connect(m_history, &RunHistory::tryChosen, m_taskLog, &TaskLog::showTry);
    connect(m_curves, &CurvesView::wantsRoom, m_panes, &RunPanes::giveRoom);
    connect(m_curves, &CurvesView::momentChosen, m_taskLog, &TaskLog::showMoment);
    connect(m_curves, &CurvesView::timesChosen, m_log, [this](qint64 from, qint64 to) {
        m_log->setTimeRange(LogTimeRange{from, to});
    });
    connect(m_taskLog, &TaskLog::momentShown, m_curves, &CurvesView::setMomentLines);
    connect(m_taskLog, &TaskLog::timeChosen, m_curves, &CurvesView::setMoment);
    // Of two searches with the same key, neither would open.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
        m_log->findAction()->setShortcutContext(
            m_history->isInConfiguration(now) ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    });
    connect(m_panes, &RunPanes::folded, this, &RunPage::fitFailure);
    connect(m_panes, &RunPanes::foldChangedByHand, this, &RunPage::historyFoldChanged);
}

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
    m_view.job = job;
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
    m_view.isRehearsal = !detail.original.isEmpty();
    m_view.rehearsal = detail.rehearsal;
    m_view.promoted = detail.promoted;
    m_history->setConfiguration(detail.yaml);
    m_files->setBrought(detail.brought);
    setSummary(detail.summary);
    m_history->setAttempts(detail.attempts, m_view.attempt);
    updateAttemptExit();
    m_bars->setHeldTasks(detail.summary.id, isFinal(detail.summary.state) ? QList<HeldTask>() : detail.held);
    updateAttempt();
}

void RunPage::setTasks(int attempt, const QList<TaskInfo> &tasks)
{
    m_view.attempt = attempt;
    m_history->setShownAttempt(attempt);
    updateAttemptExit();
    m_tasks->setTasks(tasks);
    m_story->apply(tasks);
    m_history->curves()->setTasks(m_tasks->model()->tasks());
    updateAttempt();
    if (tasks.isEmpty()) {
        m_taskLog->clear(tr("The tasks appear here when the job starts."));
    }
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
    if (const int telling = m_view.tellingAttempt(); telling >= 0 && telling < m_view.attempt && !m_attemptChosen) {
        Q_EMIT attemptRequested(telling); // it was stopped before the next one began
    }
    // The task that ended the job is what one wants to read first.
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
    m_history->curves()->setTasks(m_tasks->model()->tasks());
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

void RunPage::setDocumentDiffers(bool on)
{
    if (std::exchange(m_documentDiffers, on) != on) {
        updateReason();
    }
}

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
    const std::optional<JobSummary> failed = m_view.failure();
    m_failure->setVisible(failed.has_value());
    if (failed) {
        // Of several tasks that failed, the one that somebody has chosen is told of.
        const std::optional<TaskInfo> task = m_tasks->chosenTask() ? m_tasks->currentTask() : std::nullopt;
        const std::optional<RunView::Failure> other = task ? m_view.otherFailure(*task) : std::nullopt;
        const AttemptInfo *shown = m_view.shownAttempt();
        const AttemptInfo *newest = m_view.attempts.isEmpty() ? nullptr : &m_view.attempts.constLast();
        const AttemptInfo *last = failed->state == m_view.job.state ? newest : shown;
        seekEvidence(other ? taskLabel(*task) : m_view.causeTask());
        const EvidenceSeeker::Found &found = m_evidence->found();
        const OutputQuote quote = found.evidence.root ? OutputQuote::SeenBeside : OutputQuote::Said;
        FailureText text = other
            ? failureText(other->job, &other->attempt, last == shown ? &other->attempt : last, m_view.hostLabels, quote)
            : failureText(*failed, shown, last, m_view.hostLabels, quote);
        if (other) {
            text.explanation += u'\n' + tr("The job failed because of %1.").arg(m_view.causeTask());
        }
        const QString stopped = m_view.job.state == State::Stopped && m_view.attempt < m_view.job.retries
            ? QLatin1Char(' ') + tr("The job was stopped before attempt %1 began.").arg(m_view.attempt + 2)
            : QString();
        m_failure->setFailure(text.cause, text.explanation + stopped, text.mayGoWell, text.advice);
        m_failure->setChanges(other ? QList<JobChange>() : m_changes.of(m_view)); // they are for what ended the job
        m_failure->setRetry(canRetryFailed(m_view.job), m_view.job.counts.succeeded > 0);
        using Document = FailurePanel::Document;
        const bool hasFile = !m_view.job.file.isEmpty();
        // Also where the same once more may go well: whoever wants to correct the job looks for it here. A run without
        // a file has its text in the store.
        m_failure->setDocument(hasFile && m_documentDiffers ? Document::OtherFile
                : hasFile                                   ? Document::File
                : text.missesScript                         ? Document::Place
                                                            : Document::Text);
        m_failure->setCodeLinks(m_code->isHere());
        m_code->seek(text.file, text.line);
        const LogEvidence &evidence = found.evidence;
        m_failure->setEvidence(found.title, evidence.firstLine, evidence.lines, evidence.root, evidence.isWhole);
        m_taskLog->setCause(evidence.root ? std::optional(found.at(*evidence.root)) : std::nullopt);
    } else {
        m_evidence->seek({}, {});
        m_taskLog->setCause({});
    }
    m_bars->setView(m_view);
    m_story->setView(m_view);
    if (failed) {
        fitFailure(); // the bars came or went
    }
    if (!failed) {
        m_failedText.reset();
    } else if (m_failedText != m_view.yaml) {
        m_failedText = m_view.yaml;
        Q_EMIT failureShown();
    }
}

void RunPage::seekEvidence(const QString &task)
{
    std::optional<TaskInfo> of = m_tasks->currentTask();
    if (const TaskName named = taskNamed(task); named.index >= 0) {
        const TasksModel *model = m_tasks->model();
        of = model->task(model->indexOf(named.role, named.index));
    }
    m_evidence->seek(of, of ? m_view.findingIn(*of) : FailureFacts());
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
    fitFailure();
}

// Why a job failed may be a long story; the tasks and the log keep what they need at least.
void RunPage::fitFailure()
{
    const int taken = m_head->height() + m_panes->leastHeight() + m_bars->shownHeight() + m_health->shownHeight()
        + leastTaskRows * metrics::row; // in sight below it
    // The cause itself is read whole, unless it would take most of a low page.
    const int least = std::clamp(m_failure->leastHeight(width()), leastFailure, std::max(leastFailure, height() / 2));
    m_failure->setMostHeight(std::max(least, height() - taken));
}

void RunPage::showAttempt(int attempt)
{
    m_attemptChosen = attempt + 1 < m_view.attempts.size();
    Q_EMIT attemptRequested(attempt);
}

QByteArray RunPage::saveLayout() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    const RunPanes::Sizes sizes = m_panes->savedSizes();
    // Only what was chosen by hand: another time the page shows by itself what matters then.
    stream << sizes.across << sizes.down << qint32(m_history->tabChosen().value_or(-1));
    const auto task = m_tasks->chosenTask();
    stream << (task ? task->first : QString()) << qint32(task ? task->second : -1);
    const std::optional<bool> folded = m_panes->foldChosen();
    stream << qint32(folded ? (*folded ? 1 : 0) : -1);
    stream << m_log->bookmarks()->save();
    return bytes;
}

void RunPage::restoreLayout(const QByteArray &layout)
{
    QDataStream stream(layout);
    RunPanes::Sizes sizes;
    qint32 tab = 0;
    stream >> sizes.across >> sizes.down >> tab;
    if (stream.status() == QDataStream::Ok) {
        m_panes->restoreSizes(sizes);
        if (tab >= 0) {
            m_history->setTab(tab);
        }
    }
    QString role;
    qint32 index = -1;
    stream >> role >> index;
    if (stream.status() == QDataStream::Ok && index >= 0) {
        m_tasks->setCurrentTask(role, index);
    }
    qint32 folded = -1;
    stream >> folded;
    if (stream.status() == QDataStream::Ok && folded >= 0) {
        m_panes->setFoldChosen(folded == 1);
    }
    QByteArray bookmarks;
    stream >> bookmarks;
    if (stream.status() == QDataStream::Ok) {
        m_log->bookmarks()->restore(bookmarks);
    }
}

} // namespace trainyard
