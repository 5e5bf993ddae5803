// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/approvals.h"
#include "model/base/result.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimer>

#include <deque>
#include <functional>
#include <list>

namespace trainyard
{

// An assistant that speaks to the daemon.
struct Assistant {
    QString name; // as it calls itself
    QString session; // which no other program knows; empty: it is not an assistant
};

// The result that a submission would have.
struct JobOutlook {
    JobSummary summary; // name, tasks, GPUs
    QByteArray yaml; // secrets masked
    QString target, work, runIn; // settled
    QStringList hosts = {};
    QList<api::ProposedCommands> commands = {};
};

// The limits that the settings set for assistants, and their present use.
struct AssistantRules {
    bool isOn = false;
    int maxJobs = 0, maxGpus = 0; // of all assistants together, at a time
};
struct AssistantUse {
    int jobs = 0;
    qint64 gpus = 0; // a single job may say as many as an int holds
    int approved = 0; // proposals that are not submitted yet, whose GPUs count
};

// A person decides between an assistant and the engine. An assistant proposes; a person, in the window or on a
// terminal, approves or refuses the proposal, by a digest of its whole content; then the same assistant submits exactly
// that, once. Nothing of it is stored: proposals and approvals end with the daemon.
class Approvals : public QObject
{
    Q_OBJECT
public:
    static constexpr int mostOpen = 8; // that wait for a person
    static constexpr int mostAMinute = 12; // proposals
    static constexpr int mostKept = 50; // proposals that can still be looked at
    static constexpr qint64 openMs = 60 * 60 * 1000; // how long one waits for a person
    static constexpr qint64 approvedMs = 15 * 60 * 1000; // how long an approval is valid
    static constexpr qsizetype longestDocument = 512 * 1024;

    // The functions that it needs from the engine and the clock.
    struct Door {
        std::function<AssistantRules()> rules;
        std::function<AssistantUse()> used;
        std::function<Result<JobOutlook>(const SubmitRequest &request)> look;
        std::function<Result<void>(const SubmitRequest &request)> check; // whether it can run, secrets included
        std::function<Result<SubmitReply>(const SubmitRequest &request, const QJsonObject &origin)> submit;
        std::function<Result<JobSummary>(const QString &uuid)> job;
        std::function<Result<bool>(const QString &uuid, const Error &why)> stop; // `why`: as the job says it
        std::function<qint64()> utcMs;
        std::function<qint64()> steadyMs; // by which things expire, whatever becomes of the time of day
    };
    explicit Approvals(Door door, QObject *parent = nullptr);

    // A name as lists can show it: one short line, nothing hidden in it.
    static QString shownName(const QString &name);

    // Codes: assistant.off, assistant.too-fast {most}, assistant.too-many {most}, assistant.secrets-given,
    // assistant.too-long {most}, assistant.over-jobs {most, used}, assistant.over-jobs-approved {most, used, approved},
    // assistant.over-gpus {most, used, wanted}, and those of Engine::plan().
    Result<api::Proposal> propose(const Assistant &who, const SubmitRequest &request);
    // Only of a job that it has submitted itself. Codes: assistant.not-yours, job.unknown, and the first four above.
    Result<api::Proposal> proposeStop(const Assistant &who, const QString &uuid);
    Result<api::Proposal> proposal(const Assistant &who, const QString &id); // assistant.unknown {id}
    // Codes: assistant.unknown, assistant.wrong-digest, assistant.not-approved, assistant.refused, assistant.expired,
    // assistant.used, assistant.off, assistant.over-*, those of Engine::submit().
    Result<SubmitReply> submit(const Assistant &who, const api::ApprovedPlan &plan);

    QList<api::Proposal> proposals(); // the newest first
    // By a person. Codes: assistant.unknown, assistant.decided {id, state}, assistant.wrong-digest, assistant.off,
    // assistant.over-*, job.secrets-missing {names}, those of Engine::submit() and Engine::stop().
    Result<api::Proposal> approve(const api::Approval &approval);
    Result<api::Proposal> refuse(const api::ApprovalRefused &refusal);
    bool isWaiting(); // for a person, or for the submission of what was approved: the daemon does not end meanwhile

Q_SIGNALS:
    void changed(int open); // one was proposed, decided, submitted, or has expired

private:
    struct Entry {
        api::Proposal shown;
        QString session;
        SubmitRequest request; // with the secrets that a person has given, until it is submitted
        qint64 endsAt = 0; // by the steady clock
    };
    Result<void> admit(const Assistant &who);
    Result<void> checkBudget(int gpus, const Entry *own) const;
    Result<void> checkSubmittable(const Entry &entry) const;
    const api::Proposal &add(Entry entry);
    void expire();
    void close(Entry &entry, const QString &state);
    void tell();
    Entry *find(const QString &id);
    Entry *findOwn(const Assistant &who, const QString &id);

    Door m_door;
    std::list<Entry> m_entries; // the oldest first
    std::deque<qint64> m_proposed; // the times of the last minute
    QHash<QString, QSet<QString>> m_jobs; // UUIDs of the jobs that a session has submitted
    qint64 m_last = 0;
    QTimer m_expiry;
};

} // namespace trainyard
