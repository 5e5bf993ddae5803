// SPDX-License-Identifier: GPL-3.0-or-later
// How the page of a run is made of its parts, and what they wish of it and of each other.
#include "engine/api/tasklabel.h"
#include "widgets/common/infobar.h"
#include "widgets/log/logpane.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/codeopener.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/filesview.h"
#include "widgets/tasks/healthbars.h"
#include "widgets/tasks/runbars.h"
#include "widgets/tasks/runfailure.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/runscroll.h"
#include "widgets/tasks/storykeeper.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QApplication>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace trainyard
{

RunPage::RunPage(QWidget *parent)
    : QWidget(parent), m_bars(new RunBars(this)), m_health(new HealthBars(this)), m_head(new RunHead),
      m_failure(new FailurePanel), m_tasks(new TasksPane), m_log(new LogPane),
      m_taskLog(new TaskLog(m_tasks, m_log, this)), m_code(new CodeOpener(m_tasks, m_log, this)),
      m_why(new RunFailure(m_failure, m_tasks, m_taskLog, m_code, this)), m_history(new RunHistory),
      m_curves(m_history->curves()), m_files(m_history->files()), m_panes(new RunPanes(m_tasks, m_log, m_history)),
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
    auto *below = new RunScroll;
    below->column()->addWidget(m_failure);
    below->column()->addWidget(m_panes, 1);
    layout->addWidget(below, 1);
    // One that comes or goes while the job runs moves nothing from under the pointer.
    m_bars->addTo(m_panes->barsPlace());
    m_health->addTo(m_panes->barsPlace());
    m_failure->hide();
    // They were made before the panes, and keys are to come to them where they are seen.
    findChild<InfoBar *>(u"runPageWait"_s)->comeAfter(m_failure->previousInFocusChain());
    QWidget *before = m_log;
    for (QWidget *next = m_log->nextInFocusChain(); m_log->isAncestorOf(next); next = next->nextInFocusChain()) {
        before = next;
    }
    for (int i = 0; i < m_panes->barsPlace()->count(); ++i) {
        if (auto *bar = qobject_cast<InfoBar *>(m_panes->barsPlace()->itemAt(i)->widget())) {
            before = bar->comeAfter(before);
        }
    }
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
    connect(m_bars, &RunBars::hostRequested, this, &RunPage::hostRequested);
    connect(m_tasks, &TasksPane::hostRequested, this, &RunPage::hostRequested);
    connect(m_bars, &RunBars::attemptChosen, this, &RunPage::showAttempt);
    connect(m_bars, &RunBars::copyAnswered, this, &RunPage::copyAnswered);
    connect(m_bars, &RunBars::killRequested, this, &RunPage::killRequested);
    connect(m_bars, &RunBars::giveUpRequested, this, &RunPage::giveUpRequested);
    connect(m_bars, &RunBars::retryNowRequested, this, &RunPage::retryNowRequested);
    connect(m_bars, &RunBars::originalRequested, this, &RunPage::originalRequested);
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
    connect(m_why, &RunFailure::changed, this, &RunPage::fitFailure);
    connect(m_why, &RunFailure::told, this, &RunPage::failureShown);
    connect(m_code, &CodeOpener::openRequested, this, &RunPage::codeRequested);
    connect(m_code, &CodeOpener::problem, this, [this](const QString &sentence) { setError(sentence); });
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
    connect(m_log, &LogPane::statusChanged, this, [this](const QString &text) {
        m_status = text;
        Q_EMIT statusChanged(text);
    });
    connect(m_history, &RunHistory::attemptChosen, this, &RunPage::showAttempt);
    connect(m_history, &RunHistory::tryChosen, m_taskLog, &TaskLog::showTry);
    connect(m_curves, &CurvesView::wantsRoom, m_panes, &RunPanes::giveRoom);
    connect(m_story, &StoryKeeper::triesChanged, this, &RunPage::updateCurves);
    connect(m_tasks, &TasksPane::currentTaskChanged, m_curves,
        [this](const TaskInfo &task) { m_curves->setCurrentTask(taskLabel(task.role, task.index)); });
    connect(m_curves, &CurvesView::momentChosen, m_taskLog,
        [this](const QString &task, qint64 time, double value, std::optional<int> tryNumber) {
            if (tryNumber) { // the log is one of the attempt shown
                m_taskLog->showMoment(task, time, value, tryNumber);
            }
        });
    connect(m_curves, &CurvesView::timesChosen, m_taskLog,
        [this](qint64 from, qint64 to, const QString &task, std::optional<int> tryNumber) {
            if (tryNumber) {
                m_taskLog->showTimes(from, to, task, *tryNumber);
            } else {
                m_log->say(tr("That time is of another attempt. Choose that attempt above to see its log."));
            }
        });
    connect(m_log, &LogPane::timeRangeDropped, m_curves, &CurvesView::dropTimes);
    connect(m_curves, &CurvesView::timesDropped, m_log, [this] { m_log->setTimeRange(std::nullopt); });
    connect(m_taskLog, &TaskLog::momentShown, m_curves, &CurvesView::setMomentLines);
    connect(m_taskLog, &TaskLog::timeChosen, m_curves, &CurvesView::setMoment);
    // If two searches had the same key, neither would open.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
        m_log->findAction()->setShortcutContext(
            m_history->isInConfiguration(now) ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    });
    connect(m_panes, &RunPanes::folded, this, &RunPage::fitFailure);
    connect(m_panes, &RunPanes::foldChangedByHand, this, &RunPage::historyFoldChanged);
    connect(m_history, &RunHistory::tabChosenByHand, this, &RunPage::historyTabChosen);
}

} // namespace trainyard
