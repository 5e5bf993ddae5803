// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/outputtriesfetch.h"

#include "engine/api/tasklabel.h"
#include "engine/client/engineclient.h"

#include <QPointer>

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
            [self = shared_from_this()](const Result<QList<TaskInfo>> &tasks) {
                if (!tasks || tasks->isEmpty()) {
                    self->end();
                    return;
                }
                self->m_all += *tasks;
                const int of = tasks->constFirst().attempt;
                if (self->m_newest.isEmpty()) {
                    self->m_newest = *tasks;
                    self->m_oldest = std::max(0, of - int(mostEarlierTries));
                }
                const auto isOnlyTry = [](const TaskInfo &task) { return task.tries == 0; };
                std::all_of(tasks->cbegin(), tasks->cend(), isOnlyTry) ? self->goBack(of) : self->askForTries(of);
            });
    }

    void askForTries(int attempt)
    {
        m_client->call<api::ListTries>({m_uuid, attempt, 0, EngineClient::tasksAtOnce}, m_context,
            [self = shared_from_this(), attempt](const Result<QList<TaskInfo>> &tries) {
                self->m_all += tries.value_or(QList<TaskInfo>());
                self->goBack(attempt);
            });
    }

    void goBack(int from)
    {
        if (from > m_oldest && m_client) {
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

    QPointer<EngineClient> m_client;
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
