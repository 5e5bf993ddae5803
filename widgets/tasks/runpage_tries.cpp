// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QFileInfo>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

// The log of the chosen task, and of its earlier tries.
namespace trainyard
{
namespace
{
constexpr qsizetype mostListed = 40; // in a menu

QString taskName(const TaskInfo &task) { return task.role + QLatin1Char('-') + QString::number(task.index); }

// A task whose result is that of a former attempt had its tries there.
int attemptOf(const TaskInfo &task) { return task.keptFrom.value_or(task.attempt); }

bool isSameTask(const TaskInfo &a, const TaskInfo &b)
{
    return a.index == b.index && a.role == b.role && a.attempt == b.attempt && attemptOf(a) == attemptOf(b);
}

// Between two tries it has no host, and its log is that of the one before.
bool isBegun(const TaskInfo &task) { return task.tries == 0 || !task.host.isEmpty(); }
} // namespace

void RunPage::forgetTries()
{
    m_triesOf.reset();
    m_earlierTries.clear();
    m_tryChosen.reset();
    updateTries();
}

void RunPage::updateLog(const TaskInfo &task)
{
    if (!m_triesOf || !isSameTask(*m_triesOf, task)) {
        m_earlierTries.clear();
        m_tryChosen.reset();
        m_triesOf.reset();
    }
    const bool isRetried = task.tries > (m_triesOf ? m_triesOf->tries : 0);
    m_triesOf = task;
    if (m_tryChosen == task.tries && isBegun(task)) {
        m_tryChosen.reset(); // chosen before it began: from now on it is the newest
    }
    updateTries();
    if (isRetried) {
        Q_EMIT earlierTriesRequested(attemptOf(task), task.role, task.index);
    }
}

void RunPage::setEarlierTries(int attempt, const QString &role, int index, const QList<TaskInfo> &tries)
{
    if (m_triesOf && attemptOf(*m_triesOf) == attempt && m_triesOf->role == role && m_triesOf->index == index) {
        m_earlierTries = tries;
        updateTries();
    }
}

QList<TaskInfo> RunPage::triesOf(const TaskInfo &task) const
{
    QList<TaskInfo> tries;
    for (const TaskInfo &one : m_earlierTries) {
        if (one.tries < task.tries) {
            tries.append(one);
        }
    }
    tries.append(task);
    if (!isBegun(task)) {
        tries.last().logFolder.clear();
    }
    return tries;
}

std::optional<TaskInfo> RunPage::shownTry() const
{
    if (!m_triesOf) {
        return std::nullopt;
    }
    const int number = m_tryChosen.value_or(isBegun(*m_triesOf) ? m_triesOf->tries : m_triesOf->tries - 1);
    const QList<TaskInfo> tries = triesOf(*m_triesOf);
    const auto at
        = std::find_if(tries.cbegin(), tries.cend(), [number](const TaskInfo &one) { return one.tries == number; });
    return at == tries.cend() ? *m_triesOf : *at;
}

void RunPage::updateTries()
{
    const std::optional<TaskInfo> shown = shownTry();
    if (!shown) {
        m_tryList->setTries({}, {}, 0);
        m_log->setTry({});
        return;
    }
    const QList<TaskInfo> tries = triesOf(*m_triesOf);
    m_tryList->setTries(tries, m_tasks->model()->hostLabels(), QDateTime::currentMSecsSinceEpoch());
    m_tryList->setShown(shown->tries);
    foldByItself();
    const QString name = taskName(*shown);
    const bool isGone = shown->tries < m_triesOf->tries && !shown->logFolder.isEmpty()
        && !QFileInfo::exists(shown->logFolder + QStringLiteral("/output.log"));
    QString why = reasonText(shown->reason, shown->reasonArgs);
    if (isGone) {
        why = tr("The output of this try is not on this computer.");
    } else if (why.isEmpty()) {
        why = shown->state == State::Waiting ? tr("%1 waits; its output appears here when it starts.").arg(name)
                                             : tr("%1 has written nothing yet.").arg(name);
    }
    m_log->setTry(m_triesOf->tries == 0
            ? QString()
            : tr("Try %1 of %2").arg(QString::number(shown->tries + 1), QString::number(m_triesOf->tries + 1)));
    m_log->setLog(name, isGone ? QString() : shown->logFolder, why);
    if (!m_log->titleButton()->menu()) {
        auto *tasksMenu = new QMenu(m_log->titleButton());
        m_log->titleButton()->setMenu(tasksMenu);
        connect(tasksMenu, &QMenu::aboutToShow, this, &RunPage::fillTaskMenu);
        auto *tryMenu = new QMenu(m_log->tryButton());
        m_log->tryButton()->setMenu(tryMenu);
        connect(tryMenu, &QMenu::aboutToShow, this, &RunPage::fillTryMenu);
    }
}

void RunPage::showTry(int number)
{
    const bool isNewest = m_triesOf && m_triesOf->tries == number && isBegun(*m_triesOf);
    m_tryChosen = isNewest ? std::nullopt : std::optional(number);
    updateTries();
}

void RunPage::fillTaskMenu()
{
    QMenu *menu = m_log->titleButton()->menu();
    menu->clear();
    const QList<TaskInfo> tasks = m_tasks->model()->tasks();
    for (const TaskInfo &task : tasks.mid(0, mostListed)) {
        menu->addAction(stateIcon(shapeOf(task.state)), plainCaption(taskName(task)), this,
            [this, role = task.role, index = task.index] { m_tasks->setCurrentTask(role, index); });
    }
    if (tasks.size() > mostListed) {
        menu->addAction(tr("%n more in the list", nullptr, int(tasks.size() - mostListed)))->setEnabled(false);
    }
}

void RunPage::fillTryMenu()
{
    QMenu *menu = m_log->tryButton()->menu();
    menu->clear();
    const std::optional<TaskInfo> shown = shownTry();
    if (!shown) {
        return;
    }
    const QList<TaskInfo> tries = triesOf(*m_triesOf);
    for (const TaskInfo &one : tries.mid(std::max<qsizetype>(0, tries.size() - mostListed))) {
        const QString exit = TasksModel::exitText(one);
        const QString text = tr("Try %1: %2").arg(QString::number(one.tries + 1), stateText(one.state));
        QAction *action
            = menu->addAction(stateIcon(shapeOf(one.state)), exit.isEmpty() ? text : tr("%1, %2").arg(text, exit), this,
                [this, number = one.tries] { showTry(number); });
        if (one.tries == shown->tries) {
            menu->setDefaultAction(action); // a check mark would hide the shape of its state
        }
    }
}

} // namespace trainyard
