// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/client/settings.h"
#include "engine/daemon/jobnotice.h"
#include "engine/daemon/jobreadings.h"

#include <QObject>
#include <QSet>

#include <unordered_map>

namespace trainyard
{

// The state of a job that decides which notices there are.
struct NoticeState {
    State state = State::Waiting;
    int retries = 0;
    bool hasRun = false; // in its first attempt
    QStringList marks; // codes that were there at any time
    QString asksFor; // the folder that waits for an answer (code.asks); empty: nothing does
};
// The kinds that the change makes, in their order. A job is said to run once, when its first task starts.
QStringList noticesBetween(const NoticeState &before, const JobSummary &now);
NoticeState noticeStateOf(const JobSummary &job, const NoticeState &before = {});

// The notices that a job asks for: extras.jobStatusChangeNotification.
QStringList wantedNotices(const JobSpec &spec);

// Says which changes of jobs are worth a notice: those that the job asks for, and those that the setting notify.on
// names, and that a job waits for an answer. Events before the start of this engine are not announced.
class JobNotices : public QObject
{
    Q_OBJECT
public:
    JobNotices(const ActiveJobs &jobs, const Settings &settings, const JobReadings &readings)
        : m_jobs(jobs), m_settings(settings), m_readings(readings)
    {
    }
    void begin(const QList<JobSummary> &active); // as they are now
    void take(const JobSummary &job); // has changed
    // These are announced whatever the setting says: jobs are deleted, or nothing runs on a host until a person has
    // looked.
    void announceRemovals(const QList<JobSummary> &jobs);
    void announceQuarantine(const QString &host, const Quarantine &quarantine);

Q_SIGNALS:
    void noticed(const trainyard::JobNotice &notice);

private:
    struct Known {
        NoticeState state;
        QStringList wanted;
        bool isRead = true; // not yet by this engine: an earlier one has reported what its outputs show so far
    };
    Known &known(const JobSummary &job);
    void forgetOver();
    bool isNewQuestion(const JobSummary &job) const;
    Error formerEnd(const QString &uuid) const; // of the newest attempt that has ended

    const ActiveJobs &m_jobs;
    const Settings &m_settings;
    const JobReadings &m_readings;
    std::unordered_map<QString, Known> m_known; // active ones
    QSet<QString> m_over; // of these, those whose end was reported
};

} // namespace trainyard
