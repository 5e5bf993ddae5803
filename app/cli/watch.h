// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/jobwatcher.h"
#include "app/cli/session.h"

namespace trainyard::cli
{

struct WatchOptions {
    bool follow = false; // logs of all tasks on stdout, as they come
    bool table = false; // a table of the tasks that redraws itself, on a terminal
    bool isBeingStopped = false; // a stop was requested: a line says so, and Ctrl+C changes nothing
    bool hasNumber = true; // known to other programs; a private store counts from 1 each time
    qint64 number = 0; // of the job, for what is said before anything else is known of it
    bool stopOnInterrupt = false; // Ctrl+C stops the job (the engine is ours); otherwise it goes on without us
};

struct Watched {
    int status = 0;
    JobSummary job;
    QList<TaskInfo> tasks; // none if neither their logs, nor their table, nor killing them was requested
    bool over = false; // the job is final; false: interrupted or the engine is gone
};

// Says on stderr what a watched job waits for, once for each cause and each retry, and not when it starts within a
// second, and once in a row that its host cannot be reached or that its disk is full. It does so as long as it exists.
class ReasonTeller : public QObject
{
    Q_OBJECT
public:
    enum class About { All, HostsOnly };

    ReasonTeller(const JobWatcher &watcher, About about, bool hasNumber = true);
    void leaveOutQuestions() { m_tellsQuestions = false; } // other code asks them

private:
    bool isWorthSaying() const;
    void look();
    void say();

    const JobWatcher &m_watcher;
    const About m_about;
    const bool m_hasNumber;
    QTimer m_patience;
    QString m_said; // code; of a retry also its number
    bool m_isHeldUp = false;
    bool m_hasSaidHowToStop = false;
    bool m_tellsQuestions = true;
};

// Waits for the end of a job and then says on stderr how it ended.
Watched watchJob(Session &session, const QString &uuid, const WatchOptions &options);

// 0 SUCCEEDED; FAILED: the status of the program, or the code, if it is 1 to 125, else 1; STOPPED: 130.
int statusOf(const JobSummary &job);
// "#41 resnet succeeded after 12 min 05 s."
QString endSentence(const JobSummary &job, bool withWhereToRead = true);
// As unretriedText() says it; asks the engine for the text of the job only where that is needed.
QString unretriedSentence(Session &session, const JobSummary &job);
// The message to a user who leaves it with Ctrl+C.
QString jobKeepsRunning(qint64 number);
QString jobKeepsWaiting(qint64 number); // of one that never ran
// The sentence for a job that has ended and whose metrics are those read so far (JobSummary::resultsPending).
QString pendingResults(const JobSummary &job);
QString jobTitle(const JobSummary &job); // "#41 resnet"
QString noSuchAttempt(const JobSummary &job, qsizetype attempts); // "#41 resnet has 2 attempts."
QString noSuchTry(const QString &role, int index, int tries); // "The task worker/0 has 2 tries."

} // namespace trainyard::cli
