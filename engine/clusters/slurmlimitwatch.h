// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmcommands.h"
#include "engine/clusters/slurmlimits.h"

#include <functional>
#include <memory>

namespace trainyard
{

// Finds out the numbers of the limits that jobs of a cluster wait for. They are asked for at most once a minute, sooner
// for a job that is new, and only while a job waits for a limit; what is known meanwhile is told at once.
class SlurmLimitWatch : public QObject
{
    Q_OBJECT
public:
    explicit SlurmLimitWatch(SlurmCommands &commands) : m_commands(commands) { }

    // As slurm::limitNumbers() has them; empty: not known, or not yet. `words` name the limit. The queue says the rest
    // of a job with an `id`; one that was refused has none.
    QJsonObject numbersOf(const slurm::LimitedJob &job, const QString &words);
    // The same once, without a pause. `then` is called later.
    void find(const slurm::LimitedJob &job, const QString &words, const std::function<void(const QJsonObject &)> &then);

Q_SIGNALS:
    void learned(); // something other than before

private:
    using Holder = slurm::NamedLimit::Holder;
    struct Wanted {
        slurm::LimitedJob job;
        slurm::NamedLimit named;
    };
    using AllWanted = QHash<QString, Wanted>; // by id and words
    using Numbers = QHash<QString, QJsonObject>; // the same
    // Nothing: the queue does not answer.
    using Then = std::function<void(const std::optional<Numbers> &)>;
    struct Asked;
    void ask(const AllWanted &wanted, const Then &then);
    void askUsualQos(const std::shared_ptr<Asked> &asked);
    void askLimits(const std::shared_ptr<Asked> &asked);
    static Numbers numbersIn(const Asked &asked);

    SlurmCommands &m_commands;
    AllWanted m_wanted; // since they were asked for
    Numbers m_numbers;
    qint64 m_askedAt = 0; // steady ms; 0: never
    bool m_isAsking = false;
};

} // namespace trainyard
