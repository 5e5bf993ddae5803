// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasklog.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>
#include <cmath>

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
constexpr qsizetype mostInMenu = 40;

} // namespace

TaskLog::TaskLog(TasksPane *tasks, LogPane *log, QObject *parent) : QObject(parent), m_tasks(tasks), m_log(log)
{
    connect(tasks, &TasksPane::currentTaskChanged, this, &TaskLog::setTask);
    connect(log->view(), &LogView::completed, this, &TaskLog::completed);
    connect(log->view(), &LogView::completed, this, &TaskLog::showWantedMoment);
    connect(log->view(), &LogView::sizeChanged, this, &TaskLog::showWantedMoment);
}

void TaskLog::setTask(const TaskInfo &task)
{
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
    m_tries.choose(number);
    update();
}

void TaskLog::clear(const QString &emptyText)
{
    m_tries.clear();
    update();
    m_log->setLog({}, {}, emptyText);
}

void TaskLog::update()
{
    Q_EMIT triesChanged();
    const std::optional<TaskInfo> shown = m_tries.shown();
    if (!shown) {
        m_log->setTry({});
        return;
    }
    const int newest = m_tries.task()->tries;
    const bool isGone = shown->tries < newest && !shown->logFolder.isEmpty()
        && !QFileInfo::exists(shown->logFolder + QStringLiteral("/output.log"));
    m_log->setTry(newest == 0 ? QString()
                              : tr("Try %1 of %2").arg(QString::number(shown->tries + 1), QString::number(newest + 1)));
    m_log->tryButton()->setToolTip(
        plainTip(tr("Choose the try whose log is shown.") + QLatin1Char('\n') + TryList::meaning(taskLabel(*shown))));
    m_log->setLog(taskLabel(*shown), isGone ? QString() : shown->logFolder, emptyText(*shown, isGone));
    makeMenus();
}

QString TaskLog::emptyText(const TaskInfo &shown, bool isGone) const
{
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

// With the first task: a button without a menu has no arrow.
void TaskLog::makeMenus()
{
    if (m_log->titleButton()->menu()) {
        return;
    }
    auto *tasksMenu = new QMenu(m_log->titleButton());
    m_log->titleButton()->setMenu(tasksMenu);
    connect(tasksMenu, &QMenu::aboutToShow, this, &TaskLog::fillTaskMenu);
    auto *tryMenu = new QMenu(m_log->tryButton());
    m_log->tryButton()->setMenu(tryMenu);
    connect(tryMenu, &QMenu::aboutToShow, this, &TaskLog::fillTryMenu);
}

void TaskLog::fillTaskMenu()
{
    QMenu *menu = m_log->titleButton()->menu();
    menu->clear();
    const QList<TaskInfo> tasks = m_tasks->model()->tasks();
    for (const TaskInfo &task : tasks.mid(0, mostInMenu)) {
        menu->addAction(stateIcon(shapeOf(task.state)), plainCaption(taskLabel(task)), this,
            [this, role = task.role, index = task.index] { m_tasks->setCurrentTask(role, index); });
    }
    if (tasks.size() > mostInMenu) {
        menu->addAction(tr("%n more in the list", nullptr, int(tasks.size() - mostInMenu)))->setEnabled(false);
    }
}

void TaskLog::fillTryMenu()
{
    QMenu *menu = m_log->tryButton()->menu();
    menu->clear();
    const std::optional<TaskInfo> shown = m_tries.shown();
    const QList<TaskInfo> tries = m_tries.all();
    for (const TaskInfo &one : tries.mid(std::max<qsizetype>(0, tries.size() - mostInMenu))) {
        const QString exit = TasksModel::exitText(one, m_tasks->model()->attemptExit());
        const QString text = tr("Try %1: %2").arg(QString::number(one.tries + 1), stateText(one.state));
        QAction *action
            = menu->addAction(stateIcon(shapeOf(one.state)), exit.isEmpty() ? text : tr("%1, %2").arg(text, exit), this,
                [this, number = one.tries] { showTry(number); });
        if (one.tries == shown->tries) {
            menu->setDefaultAction(action); // a check mark would hide the shape of its state
        }
    }
}

TaskLog::Tail TaskLog::tail(qint64 lines) const
{
    const LogView *view = m_log->view();
    if (!m_tasks->currentTask() || !view->isComplete() || view->lineCount() == 0) {
        return {};
    }
    const qint64 first = std::max<qint64>(0, view->lineCount() - lines);
    return {m_log->title(), first, view->text(first, lines).split(QLatin1Char('\n'))};
}

void TaskLog::showLine(qint64 line) { m_log->view()->showLine(line); }

void TaskLog::showMoment(const QString &task, qint64 time, double value)
{
    const std::optional<TaskInfo> current = m_tasks->currentTask();
    if (!current || taskLabel(*current) != task) {
        const qsizetype slash = task.lastIndexOf(u'/');
        m_tasks->setCurrentTask(task.left(slash), task.mid(slash + 1).toInt());
    }
    m_wantedMoment = Moment{time, value};
    showWantedMoment();
}

void TaskLog::showWantedMoment()
{
    constexpr qint64 mostLines = 500;
    if (!m_wantedMoment) {
        return;
    }
    LogView *view = m_log->view();
    const qint64 first = view->lineAtTime(m_wantedMoment->time);
    if (first < 0) {
        return;
    }
    // What was written together has one time.
    const qint64 next = view->lineAtTime(m_wantedMoment->time + 1);
    const qint64 end = std::min(next < 0 ? view->lineCount() : next, first + mostLines);
    qint64 line = first;
    while (line < end && !hasNumber(view->lineText(line), m_wantedMoment->value)) {
        ++line;
    }
    m_wantedMoment.reset();
    view->markLine(line < end ? line : first);
}

} // namespace trainyard
