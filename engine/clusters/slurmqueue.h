// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmcommands.h"
#include "engine/clusters/slurmlimitwatch.h"
#include "engine/clusters/slurmmark.h"
#include "engine/clusters/slurmtext.h"

#include <QHash>
#include <QSet>
#include <QTimer>

namespace trainyard
{

class Settings;

// Follows the jobs of this engine on the cluster: one query for all of them is repeated while any is followed, and less
// often while nothing changes. The accounts are asked about jobs that have left the queue. No job ends because the
// cluster does not answer.
class SlurmQueue : public QObject
{
    Q_OBJECT
public:
    SlurmQueue(SlurmCommands &commands, const Settings &settings);

    // Follows a job, with all its elements if it is an array, or one element ("12_3"), in which case the others are not
    // expected. Answers about another job with that number do not count for this one.
    void follow(const QString &id, const slurm::JobMark &mark);
    void unfollow(const QString &id);
    void refresh(); // soon, and often again; but never so often that the cluster suffers

    struct Known {
        QString state; // empty: it does not know the job
        QString reason;
        qint64 start = 0; // UTC seconds
        qint64 since = 0; // steady ms: when the answer with this state was first heard
        qint64 accountsAt
            = 0; // steady ms: the newest answer of the accounts, or that there are none, since it is unknown
        bool wasThere = false; // an answer has had it
    };
    // The newest answer; `id` with the number of an element ("12_3"). For a heterogeneous job it is the first
    // component.
    Known known(const QString &id) const;
    // Whether the newest answer has other elements of the array of this one, which it does not have.
    bool hasOthersOf(const QString &id) const;
    // The position of a job or element that waits for its turn; nothing when it is not known, or when it no longer
    // waits.
    std::optional<slurm::LinePlace> placeOf(const QString &id) const;
    SlurmLimitWatch &limits() { return m_limits; } // what it learns comes with answered()
    bool hasAnswered() const { return m_answeredAt > 0; }
    qint64 answeredAt() const { return m_answeredAt; } // steady ms, the newest time; 0: never
    const Error &problem() const { return m_problem; } // why the last query had no answer, or nothing
    // Why the accounts gave no answer the last time that something had left the queue, or nothing. Where a site keeps
    // none, that is not a problem.
    const Error &accountsProblem() const { return m_accountsProblem; }
    bool wereAccountsSilent(qint64 forMs) const; // some time in so many ms before the newest answer

    // The job with this name and comment, which was perhaps sent at `sentAt` (UTC ms): its id, or empty, when the
    // cluster has said so; nothing when it does not answer.
    using Found = std::function<void(const std::optional<QString> &id)>;
    void find(const QString &name, const QString &comment, qint64 sentAt, const Found &then);
    // The jobs or elements among these that are in the queue and still have this mark; nothing when the queue does not
    // answer.
    using Picked = std::function<void(const std::optional<QStringList> &ids)>;
    void pick(const QStringList &ids, const slurm::JobMark &mark, const Picked &then);

Q_SIGNALS:
    void answered(); // or not, which problem() says

private:
    void ask();
    void take(const QList<slurm::QueueRow> &rows);
    void askForPlaces();
    void askAccounts();
    bool lacksLines(const SlurmCommands::Answer &answer);
    void takeAccounts(const QStringList &asked, const SlurmCommands::Answer &answer);
    bool isFollowed(const QString &id) const;
    bool isOurs(const QString &id, const QString &name, const QString &comment, const QString &line) const;
    void findInAccounts(const QString &name, const QString &comment, qint64 sentAt, const Found &then);
    void note(const QString &id, const QString &state, const QString &reason, qint64 start);
    void askLater();

    SlurmCommands &m_commands;
    const Settings &m_settings;
    SlurmLimitWatch m_limits{m_commands};
    QHash<QString, QHash<QString, slurm::JobMark>> m_followed; // what of it, by the id without the number of an element
    QHash<QString, Known> m_known; // by id, also of elements
    QSet<QString> m_arrays; // of which the newest answer has elements
    mutable QSet<QString> m_missed; // elements that were asked for, and that no answer has had
    QHash<QString, slurm::LinePlace> m_places; // by id, without the number of an element
    QTimer m_timer;
    qint64 m_askedAt = 0, m_answeredAt = 0, m_accountsSilentAt = 0; // steady ms
    Error m_problem, m_accountsProblem;
    bool m_hasLines = true; // the accounts have the lines of submission, as far as is known
    qint64 m_placesAskedAt = 0; // steady ms
    bool m_isAsking = false, m_isWanted = false, m_isAskingAccounts = false, m_isAskingForPlaces = false;
    QString m_lastOfAccounts; // that the accounts were asked about: the next query continues after it
    int m_quiet = 0; // answers in a row without news
};

} // namespace trainyard
