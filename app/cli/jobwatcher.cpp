// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobwatcher.h"

namespace trainyard::cli
{
namespace
{

// After the end, for the results: as long as more of them are read from one look to the next.
constexpr int lookForResultsMs = 3000;
constexpr int mostLooks = 3;

} // namespace

JobWatcher::JobWatcher(EngineClient &client, const QString &uuid, Tasks wanted, QObject *parent)
    : QObject(parent), m_client(client), m_uuid(uuid), m_wanted(wanted)
{
    connect(&client, &EngineClient::jobChanged, this, [this](const JobSummary &job) {
        if (job.uuid == m_uuid) {
            takeJob(job);
        }
    });
    connect(&client, &EngineClient::jobRemoved, this, [this](const QString &removed) {
        if (removed == m_uuid) {
            giveUp({QStringLiteral("job.unknown"), {{QStringLiteral("job"), m_uuid}}});
        }
    });
    connect(&client, &EngineClient::tasksChanged, this, [this](const QString &id, const QList<TaskInfo> &tasks) {
        if (id == m_uuid) {
            takeTasks(tasks);
        }
    });
    connect(&client, &EngineClient::reset, this, &JobWatcher::readAgain);
    connect(&client, &EngineClient::statusChanged, this, [this](EngineClient::Status status) {
        // Connecting passes; Offline means that the user stopped the engine, which must not be started against that.
        if (status == EngineClient::Status::Failed) {
            giveUp(m_client.lastError());
        } else if (status == EngineClient::Status::Offline) {
            giveUp({QStringLiteral("engine.stopped"), {}});
        }
    });
    if (m_wanted == Tasks::Follow) {
        client.watchTasks(uuid, true);
    }
    readAgain();
}

JobWatcher::~JobWatcher()
{
    if (m_wanted == Tasks::Follow) {
        m_client.watchTasks(m_uuid, false);
    }
}

void JobWatcher::readAgain()
{
    ++m_reading;
    m_finalRound = false;
    m_client.call<api::FindJob>({m_uuid}, this, [this, round = m_reading](const Result<JobSummary> &job) {
        if (round != m_reading || m_over) {
            return;
        }
        if (job) {
            takeJob(*job);
            if (!m_finalRound && m_wanted == Tasks::Follow) {
                readTasks(0);
            }
        } else if (job.error().code != QLatin1String("engine.gone")) {
            giveUp(job.error());
        }
    });
}

void JobWatcher::readTasks(int from)
{
    m_client.call<api::ListTasks>({m_uuid, -1, from, EngineClient::tasksAtOnce}, this,
        [this, from, round = m_reading, last = m_finalRound](const Result<QList<TaskInfo>> &tasks) {
            if (round != m_reading || m_over) {
                return;
            }
            if (!tasks) {
                if (tasks.error().code != QLatin1String("engine.gone")) {
                    giveUp(tasks.error());
                }
                return;
            }
            takeTasks(*tasks);
            if (tasks->size() == EngineClient::tasksAtOnce) {
                readTasks(from + EngineClient::tasksAtOnce);
            } else if (last) {
                end();
            }
        });
}

void JobWatcher::takeJob(const JobSummary &job)
{
    if (m_over) {
        return;
    }
    m_job = job;
    Q_EMIT changed();
    if (!isFinal(job.state) || !job.resultsPending) {
        m_patience.stop();
    } else if (!m_hasWaited) {
        m_hasWaited = true;
        m_patience.start(lookForResultsMs, this);
    }
    endIfOver();
}

void JobWatcher::timerEvent(QTimerEvent *)
{
    if (++m_looks >= mostLooks) {
        m_patience.stop();
        endIfOver();
        return;
    }
    m_client.call<api::FindJob>({m_uuid}, this, [this](const Result<JobSummary> &job) {
        if (m_over || !m_patience.isActive()) {
            return;
        }
        if (!job || job->results == m_job.results) { // what is missing may be on a host that does not answer
            m_patience.stop();
        }
        takeJob(job ? *job : JobSummary(m_job));
    });
}

void JobWatcher::endIfOver()
{
    if (isFinal(m_job.state) && !m_patience.isActive() && !m_finalRound && !m_over) {
        // All tasks are read again: the last events and this one may have crossed.
        m_finalRound = true;
        ++m_reading;
        if (m_wanted == Tasks::Follow) {
            readTasks(0);
        } else {
            end();
        }
    }
}

void JobWatcher::end()
{
    m_over = true;
    Q_EMIT changed();
    Q_EMIT over();
}

void JobWatcher::takeTasks(const QList<TaskInfo> &tasks)
{
    if (m_over) {
        return;
    }
    for (const TaskInfo &task : tasks) {
        if (task.attempt < m_attempt) {
            continue;
        }
        if (task.attempt > m_attempt) {
            m_attempt = task.attempt;
            m_tasks.clear();
        }
        qsizetype role = m_roles.indexOf(task.role);
        if (role < 0) {
            role = m_roles.size();
            m_roles.append(task.role);
        }
        m_tasks.insert({static_cast<int>(role), task.index}, task);
        Q_EMIT taskChanged(task);
    }
    if (!tasks.isEmpty()) {
        Q_EMIT changed();
    }
}

void JobWatcher::giveUp(const Error &error)
{
    if (!m_over) {
        m_over = true;
        Q_EMIT failed(error);
    }
}

} // namespace trainyard::cli
