// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/outputtriesfetch.h"

#include "engine/api/tasklabel.h"
#include "engine/client/engineclient.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace trainyard
{
namespace
{

// One question after the other: the attempts from the newest back, of each its tasks and the tries before their last.
class TriesFetch : public std::enable_shared_from_this<TriesFetch>
{
public:
    using Done = std::function<void(const QList<QList<OutputTry>> &)>;
    TriesFetch(EngineClient *client, QObject *context, QString uuid, int tasks, Done done)
        : m_client(client), m_context(context), m_uuid(std::move(uuid)), m_count(tasks), m_done(std::move(done))
    {
    }

    void begin() { askForTasks(-1); }

private:
    void askForTasks(int attempt)
    {
        m_client->call<api::ListTasks>({m_uuid, attempt, 0, m_count}, m_context,
            [self = shared_from_this(), attempt](
                const Result<QList<TaskInfo>> &tasks) { self->takeTasks(attempt, tasks); });
    }

    void takeTasks(int attempt, const Result<QList<TaskInfo>> &tasks)
    {
        const bool isNewest = attempt < 0;
        if (!tasks || (isNewest && tasks->isEmpty())) {
            m_done({});
            return;
        }
        m_all += *tasks;
        const int of = isNewest ? tasks->constFirst().attempt : attempt;
        if (isNewest) {
            m_newest = *tasks;
            m_oldest = std::max(0, of - int(mostEarlierTries));
        }
        if (std::all_of(tasks->cbegin(), tasks->cend(), [](const TaskInfo &task) { return task.tries == 0; })) {
            goBack(of);
        } else {
            askForTries(of);
        }
    }

    void askForTries(int attempt)
    {
        m_client->call<api::ListTries>({m_uuid, attempt, 0, EngineClient::tasksAtOnce}, m_context,
            [self = shared_from_this(), attempt](const Result<QList<TaskInfo>> &tries) {
                if (!tries) {
                    self->m_done({});
                    return;
                }
                self->m_all += *tries;
                self->goBack(attempt);
            });
    }

    void goBack(int from)
    {
        if (from > m_oldest) {
            askForTasks(from - 1);
        } else {
            end();
        }
    }

    void end()
    {
        const QHash<QString, QList<OutputTry>> tries = outputTries(m_all);
        QList<QList<OutputTry>> found;
        for (const TaskInfo &task : std::as_const(m_newest)) {
            const QList<OutputTry> ofTask = tries.value(taskLabel(task));
            if (!ofTask.isEmpty()) {
                found.append(ofTask.mid(std::max<qsizetype>(0, ofTask.size() - 1 - mostEarlierTries)));
            }
        }
        m_done(found);
    }

    EngineClient *m_client; // which gives the answers
    QObject *m_context; // no answer comes after it
    QString m_uuid;
    int m_count;
    Done m_done;
    QList<TaskInfo> m_newest, m_all;
    int m_oldest = 0; // attempt that is asked for
};

} // namespace

void fetchOutputTries(EngineClient *client, QObject *context, const QString &uuid, int tasks,
    std::function<void(const QList<QList<OutputTry>> &)> done)
{
    std::make_shared<TriesFetch>(client, context, uuid, tasks, std::move(done))->begin();
}

} // namespace trainyard
