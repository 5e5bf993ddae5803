// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasklog.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/labels.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/outputlook.h"
#include "widgets/tasks/tasklogmenus.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/scriptnames.h"
#include "widgets/text/texts.h"
#include "widgets/text/whytexts.h"

#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard
{
namespace
{

bool hasNumber(const QString &text, double value)
{
    static const QRegularExpression number(
        QStringLiteral("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|nan|[-+]?inf(?:inity)?"),
        QRegularExpression::CaseInsensitiveOption);
    for (QRegularExpressionMatchIterator all = number.globalMatch(text); all.hasNext();) {
        const double found = all.next().captured().toLower().toDouble();
        if (found == value || (std::isnan(found) && std::isnan(value))) {
            return true;
        }
    }
    return false;
}

} // namespace

TaskLog::TaskLog(TasksPane *tasks, LogPane *log, QObject *parent)
    : QObject(parent), m_tasks(tasks), m_log(log), m_menus(new TaskLogMenus(tasks, log, &m_tries, this)),
      m_output(new OutputLook(this))
{
    connect(m_menus, &TaskLogMenus::tryChosen, this, &TaskLog::showTry);
    connect(m_menus, &TaskLogMenus::togetherChosen, this, &TaskLog::showTogether);
    connect(m_menus, &TaskLogMenus::taskChosen, this, [this](const QString &role, int index) {
        if (!m_together.isEmpty()) {
            m_together.clear();
            update(); // it may be the chosen one already
        }
        m_tasks->setCurrentTask(role, index);
    });
    connect(m_output, &OutputLook::changed, this, &TaskLog::show);
    connect(tasks, &TasksPane::currentTaskChanged, this, &TaskLog::setTask);
    connect(tasks->model(), &QAbstractItemModel::dataChanged, this, &TaskLog::updateTogether);
    connect(tasks->model(), &QAbstractItemModel::rowsInserted, this, &TaskLog::updateTogether);
    connect(log, &LogPane::nextFailedRequested, this, &TaskLog::showNextFailed);
    connect(log->view(), &LogView::currentLineChanged, this, [this] {
        const auto line = m_log->view()->currentLine();
        Q_EMIT timeChosen(line ? m_log->view()->timeOf(*line) : std::nullopt);
    });
    connect(log->view(), &LogView::completed, this, [this] {
        if (std::exchange(m_seeksError, false)) {
            m_log->view()->jump(LogView::Jump::FirstError);
        }
    });
    connect(log->view(), &LogView::completed, this, &TaskLog::showWantedMoment);
    connect(log->view(), &LogView::sizeChanged, this, &TaskLog::showWantedMoment);
    connect(log->view(), &LogView::completed, this, &TaskLog::showWantedLine);
    connect(log->view(), &LogView::sizeChanged, this, &TaskLog::showWantedLine);
    connect(log->view(), &LogView::sizeChanged, this, [this](qint64 lines) {
        if (lines == 0) {
            markCause(); // another log is shown, or other lines of it
        }
    });
}

void TaskLog::dropWishes(const TaskInfo &task)
{
    const QString label = taskLabel(task);
    const std::optional<TaskInfo> before = m_tries.task();
    if (before && taskLabel(*before) != label) {
        m_seeksError = false;
    }
    if (m_wantedLine && m_wantedLine->task != label) {
        m_wantedLine.reset();
    }
    if (m_wantedMoment && m_wantedMoment->task != label) {
        m_wantedMoment.reset();
    }
}

void TaskLog::setTask(const TaskInfo &task)
{
    if (!m_together.isEmpty()) {
        const std::optional<TaskInfo> before = m_tries.task();
        if (before && before->role == task.role && before->index == task.index) {
            m_tries.setTask(task); // it only has changed
            return;
        }
        m_together.clear();
    }
    dropWishes(task);
    const bool isRetried = m_tries.setTask(task);
    update();
    if (isRetried) {
        Q_EMIT earlierTriesRequested(m_tries.attempt(), task.role, task.index);
    }
}

void TaskLog::setEarlierTries(int attempt, const QString &role, int index, const QList<TaskInfo> &tries)
{
    if (m_tries.setEarlier(attempt, role, index, tries)) {
        update();
    }
}

void TaskLog::showTry(int number)
{
    m_together.clear();
    m_tries.choose(number);
    update();
}

void TaskLog::clear(const QString &emptyText)
{
    m_together.clear();
    m_tries.clear();
    update();
    m_log->setLog({}, {}, emptyText);
}

void TaskLog::update()
{
    Q_EMIT triesChanged();
    const std::optional<TaskInfo> shown = m_tries.shown();
    m_output->look(shown ? shown->logFolder : QString());
    show();
}

void TaskLog::show()
{
    if (!m_together.isEmpty()) {
        updateTogether();
        return;
    }
    const std::optional<TaskInfo> shown = m_tries.shown();
    if (!shown) {
        m_log->setTry({});
        return;
    }
    const int newest = m_tries.task()->tries;
    using Place = OutputLook::Place;
    const Place output = m_output->place();
    const bool isMissing = output == Place::NoOutput || output == Place::NoFolder;
    const bool isGone = isMissing && shown->tries < newest;
    // On a cluster the folder is there as soon as the job is handed over.
    const bool isToCome = output != Place::Here && shown->state == State::Waiting;
    // Missing output of another host may still arrive.
    const bool isLost = output == Place::NoFolder && !isGone && isFinal(shown->state) && shown->tryLaunched
        && shown->host == QLatin1String("local");
    m_log->setTry(newest == 0 ? QString()
                              : tr("Try %1 of %2").arg(QString::number(shown->tries + 1), QString::number(newest + 1)));
    m_log->tryButton()->setToolTip(
        plainTip(tr("Choose the try whose log is shown.") + QLatin1Char('\n') + TryList::meaning(taskLabel(*shown))));
    m_log->setLog(taskLabel(*shown), isGone || isToCome || isLost ? QString() : shown->logFolder,
        emptyText(*shown, isGone, isLost));
    m_menus->add();
}

QString TaskLog::emptyText(const TaskInfo &shown, bool isGone, bool isLost) const
{
    if (isLost) {
        return tr("The output of %1 no longer exists. It was in %2.").arg(taskLabel(shown), shown.logFolder);
    }
    if (isGone) {
        return tr("The output of this try is not on this computer.");
    }
    if (const QString why = reasonText(shown.reason, shown.reasonArgs); !why.isEmpty()) {
        return why;
    }
    return (shown.state == State::Waiting ? tr("%1 waits; its output appears here when it starts.")
            : isFinal(shown.state)        ? tr("%1 wrote nothing.")
                                          : tr("%1 has written nothing yet."))
        .arg(taskLabel(shown));
}

void TaskLog::showTogether(const QList<std::pair<QString, int>> &tasks)
{
    m_together = tasks.mid(0, mostTogether);
    if (tasks.size() > mostTogether) {
        m_log->say(tr("The log shows the first %1 of %2 tasks together.")
                       .arg(QString::number(mostTogether), QString::number(tasks.size())));
    }
    update();
}

// Tasks that have started meanwhile join.
void TaskLog::updateTogether()
{
    if (m_together.isEmpty()) {
        return;
    }
    QStringList folders;
    QList<LogPart> parts;
    const QList<TaskInfo> tasks = m_tasks->model()->tasks();
    for (qsizetype i = 0; i < tasks.size(); ++i) {
        const TaskInfo &task = tasks.at(i);
        if (m_together.contains(std::pair(task.role, task.index)) && !task.logFolder.isEmpty()) {
            folders.append(task.logFolder);
            parts.append({taskLabel(task), int(i % 8)}); // as the curves have it
        }
    }
    m_log->setTry({});
    m_log->setLogs(tr("%n task(s) together", nullptr, int(m_together.size())), folders, parts,
        tr("These tasks have written nothing yet."));
}

void TaskLog::showNextFailed()
{
    const QList<TaskInfo> tasks = m_tasks->model()->tasks();
    const std::optional<TaskInfo> current = m_tasks->currentTask();
    const auto at = std::find_if(tasks.cbegin(), tasks.cend(), [&current](const TaskInfo &task) {
        return current && task.role == current->role && task.index == current->index;
    });
    const qsizetype first = at == tasks.cend() ? 0 : at - tasks.cbegin() + 1;
    for (qsizetype i = 0; i < tasks.size(); ++i) {
        const TaskInfo &task = tasks.at((first + i) % tasks.size());
        if (task.state == State::Failed) {
            m_together.clear();
            m_tasks->setCurrentTask(task.role, task.index);
            update();
            if (m_log->view()->isComplete()) {
                m_log->view()->jump(LogView::Jump::FirstError);
            } else {
                m_seeksError = true;
            }
            return;
        }
    }
    m_log->say(tr("No task of this attempt has failed."));
}

bool TaskLog::showsWhole(const LoggedLine &place) const
{
    const std::optional<TaskInfo> shown = m_tries.shown();
    return m_together.isEmpty() && shown && taskLabel(*shown) == place.task && shown->tries == place.number
        && m_log->showsAll();
}

void TaskLog::setCause(const std::optional<LoggedLine> &place)
{
    m_cause = place;
    markCause();
}

void TaskLog::markCause()
{
    const bool isShown = m_cause && showsWhole(*m_cause);
    m_log->view()->setCauseLine(isShown ? std::optional(m_cause->line) : std::nullopt);
}

void TaskLog::showLine(const LoggedLine &place)
{
    const std::optional<TaskInfo> current = m_tasks->currentTask();
    const TaskName named = taskNamed(place.task);
    if (named.index < 0) {
        return;
    }
    m_wantedLine = place;
    m_together.clear();
    if (!current || taskLabel(*current) != place.task) {
        m_tasks->setCurrentTask(named.role, named.index);
    }
    if (m_tries.task() && taskLabel(*m_tries.task()) == place.task) {
        m_tries.choose(place.number);
        update();
    }
    m_log->showAll(); // the number is that of the whole log
    showWantedLine();
}

void TaskLog::showWantedLine()
{
    const LogView *view = m_log->view();
    if (m_wantedLine && showsWhole(*m_wantedLine) && (view->isComplete() || view->lineCount() > m_wantedLine->line)) {
        m_log->view()->showLine(m_wantedLine->line);
        m_wantedLine.reset();
    }
}

void TaskLog::showMoment(const QString &task, qint64 time, double value, std::optional<int> tryNumber)
{
    const TaskName named = taskNamed(task);
    const QList<TaskInfo> tasks = m_tasks->model()->tasks();
    const auto whose
        = std::find_if(tasks.cbegin(), tasks.cend(), [&task](const TaskInfo &one) { return taskLabel(one) == task; });
    const bool isEarlier = tryNumber && whose != tasks.cend() && *tryNumber != TaskTries::newestBegun(*whose);
    if (isEarlier && !m_together.isEmpty()) { // only the newest tries are shown together
        m_together.clear();
        update();
    }
    const std::optional<TaskInfo> current = m_tasks->currentTask();
    if (m_together.isEmpty() && (!current || taskLabel(*current) != task)) {
        m_tasks->setCurrentTask(named.role, named.index);
    }
    m_wantedMoment = Moment{task, time, value, tryNumber};
    if (!showsTry(*m_wantedMoment)) {
        showTry(*tryNumber); // its log may still have to be found
    }
    showWantedMoment();
}

void TaskLog::showTimes(qint64 from, qint64 to, const QString &task, int tryNumber)
{
    if (!showsTry({task, to, 0, tryNumber})) {
        showTry(tryNumber);
    }
    m_log->setTimeRange(LogTimeRange{from, to});
}

bool TaskLog::showsTry(const Moment &moment) const
{
    const std::optional<TaskInfo> shown = m_tries.shown();
    if (!moment.tryNumber || !m_together.isEmpty() || !shown || taskLabel(*shown) != moment.task) {
        return true; // whichever it is
    }
    const bool isOfTryBefore = shown->tries == m_tries.task()->tries; // it has the log of that until it begins
    return (isOfTryBefore ? TaskTries::newestBegun(*shown) : shown->tries) == *moment.tryNumber;
}

void TaskLog::showWantedMoment()
{
    constexpr qint64 mostLines = 500;
    if (!m_wantedMoment || !showsTry(*m_wantedMoment)) {
        return;
    }
    LogView *view = m_log->view();
    const qint64 first = view->lineAtTime(m_wantedMoment->time);
    if (first < 0) {
        return;
    }
    // Lines that were written together have the same time.
    const qint64 next = view->lineAtTime(m_wantedMoment->time + 1);
    const qint64 end = std::min(next < 0 ? view->lineCount() : next, first + mostLines);
    qint64 line = first;
    while (line < end && !hasNumber(view->lineText(line), m_wantedMoment->value)) {
        ++line;
    }
    m_wantedMoment.reset();
    if (line >= end) {
        line = first;
    }
    view->markLine(line);
    constexpr qint64 linesTold = 2;
    Q_EMIT momentShown(view->text(line, linesTold).split(QLatin1Char('\n')));
}

} // namespace trainyard
