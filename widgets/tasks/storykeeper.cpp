// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/storykeeper.h"

#include "engine/api/tasklabel.h"
#include "widgets/tasks/commandstarts.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/tasks/tasktries.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int gatherChangesMs = 150; // a burst of thousands is drawn once
constexpr int longestStoryPauseMs = 2000;
constexpr int pausePerWork = 10; // the story of ten thousand tasks is updated less often
} // namespace

StoryKeeper::StoryKeeper(RunHistory *history, TasksPane *tasks, TaskLog *log, QObject *parent)
    : QObject(parent), m_history(history), m_tasks(tasks), m_log(log), m_starts(new CommandStarts(this)),
      m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    m_timer->setInterval(gatherChangesMs);
    connect(m_timer, &QTimer::timeout, this, &StoryKeeper::update);
    connect(m_starts, &CommandStarts::changed, this, &StoryKeeper::updateSoon);
    connect(history, &RunHistory::storyWanted, this, [this] {
        m_isWanted = true;
        m_failed.clear(); // it may be read now
        askForTries();
        update();
    });
    connect(history, &RunHistory::tryOfTaskChosen, this, &StoryKeeper::showTry);
    connect(history, &RunHistory::logsInSightChanged, m_starts, &CommandStarts::want);
    connect(history, &RunHistory::lineChosen, this, [this](const QString &role, int index, qint64 line) {
        m_tasks->setCurrentTask(role, index);
        if (const std::optional<TaskInfo> task = m_log->tries().task()) {
            m_log->showLine({taskLabel(role, index), TaskTries::newestBegun(*task), line});
        }
    });
    connect(log, &TaskLog::triesChanged, this, &StoryKeeper::showWanted);
}

void StoryKeeper::setView(const RunView &view)
{
    m_view = view;
    if (m_isWanted) {
        askForTries();
    }
    updateSoon();
}

void StoryKeeper::apply(const QList<TaskInfo> &tasks)
{
    if (m_tries.apply(tasks)) {
        for (const TaskInfo &task : tasks) {
            if (task.tries > 0) {
                m_asked.remove(task.attempt);
            }
        }
        if (m_isWanted) {
            askForTries();
        }
    }
    updateSoon();
}

void StoryKeeper::setAttemptTries(int attempt, const QList<TaskInfo> &tries)
{
    m_tries.setAttempt(attempt, tries);
    m_failed.remove(attempt);
    updateSoon();
    Q_EMIT triesChanged();
}

void StoryKeeper::setTriesFailed(int attempt, const QString &sentence)
{
    m_asked.remove(attempt);
    m_failed.insert(attempt, sentence);
    updateSoon();
}

void StoryKeeper::askForTries()
{
    for (const AttemptInfo &attempt : std::as_const(m_view.attempts)) {
        if (!m_asked.contains(attempt.index)) {
            m_asked.insert(attempt.index);
            Q_EMIT triesRequested(attempt.index);
        }
    }
}

void StoryKeeper::updateSoon()
{
    // Unfolding asks for it.
    if (m_isWanted && !m_history->isFolded() && !m_timer->isActive()) {
        m_timer->start();
    }
}

void StoryKeeper::update()
{
    QElapsedTimer work;
    work.start();
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const bool isWhole = !m_view.attempts.isEmpty()
        && std::all_of(m_view.attempts.cbegin(), m_view.attempts.cend(),
            [this](const AttemptInfo &attempt) { return m_tries.has(attempt.index); });
    m_history->setStory({m_view.job, m_view.attempts, m_tries.all(), m_view.hostLabels, m_starts->known(), m_view.cuts,
                            m_view.waits, isWhole, m_failed.isEmpty() ? QString() : m_failed.first()},
        now);
    m_timer->setInterval(std::clamp(int(work.elapsed()) * pausePerWork, gatherChangesMs, longestStoryPauseMs));
}

void StoryKeeper::showTry(int attempt, const QString &role, int index, int number)
{
    m_wanted = Wanted{attempt, index, number, role};
    const bool isShown = attempt == m_view.attempt;
    m_tasks->setCurrentTask(role, index);
    if (isShown) {
        showWanted();
    } else {
        Q_EMIT attemptChosen(attempt);
    }
}

// The log follows when the task of the wanted attempt is the chosen one.
void StoryKeeper::showWanted()
{
    const std::optional<TaskInfo> &task = m_log->tries().task();
    if (m_wanted && task && task->attempt == m_wanted->attempt && task->role == m_wanted->role
        && task->index == m_wanted->index) {
        const int number = m_wanted->number;
        m_wanted.reset();
        m_log->showTry(number);
    }
}

} // namespace trainyard
