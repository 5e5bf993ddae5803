// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/tasks/runview.h"

#include <QHash>
#include <QSet>

namespace trainyard
{

// Everything that happened to a run, as far as it is known: what its timeline and its events are made of.
struct RunStory {
    JobSummary job;
    QList<AttemptInfo> attempts; // oldest first
    QList<TaskInfo> tries; // of all attempts that were asked for: each try of each task once
    QHash<QString, QString> hostLabels; // by the id of the host
    QHash<QString, qint64> commandsBegan; // ms UTC, by the folder of the try: when its prerequisites were over
    QList<HostCut> cuts = {}; // oldest first
    QList<WaitNote> waits = {}; // oldest first
    bool isWhole = true; // else more of it comes at once
    QString trouble = {}; // a sentence: why some of it cannot be read
};

// Gathers the tries of a run from what comes in pieces. Values only.
class RunTries
{
public:
    void setAttempt(int attempt, const QList<TaskInfo> &tries); // all of it, instead of what was known
    // Newer states of tries, and new tries. True: a try has a predecessor that is not known in its last state, so that
    // its attempt should be asked for again.
    bool apply(const QList<TaskInfo> &changed);
    bool has(int attempt) const { return m_whole.contains(attempt); }
    const QList<TaskInfo> &all() const { return m_tries; }

private:
    struct Key {
        int attempt, index, number;
        QString role;
        friend bool operator==(const Key &, const Key &) = default;
        friend size_t qHash(const Key &key, size_t seed = 0)
        {
            return qHashMulti(seed, key.attempt, key.index, key.number, key.role);
        }
    };
    static Key keyOf(const TaskInfo &task) { return {task.attempt, task.index, task.tries, task.role}; }
    void put(const TaskInfo &task);
    QList<TaskInfo> m_tries;
    QHash<Key, qsizetype> m_places;
    QSet<int> m_whole;
};

// When the commands of a try began, according to its runtime.log: ms UTC, to the second. Nothing if no step preceded
// them.
std::optional<qint64> commandsBegan(QByteArrayView runtimeLog);

} // namespace trainyard
