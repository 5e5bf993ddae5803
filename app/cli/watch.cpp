// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/watch.h"

#include "app/cli/console.h"
#include "app/cli/copyquestion.h"
#include "app/cli/jobtable.h"
#include "app/cli/logtrail.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/unretriedtexts.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whytexts.h"

#include <QDateTime>

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int drawMs = 250;
constexpr int detailPatienceMs = 200; // after Ctrl+C
constexpr int startPatienceMs = 1000; // a job that starts within it has not been waiting
constexpr QLatin1StringView hostAway{"job.host-out-of-reach"};

// Each retry is a cause of its own.
QString whatWaits(const JobSummary &job)
{
    return job.reason == reason::WaitRetry::code
        ? job.reason + u' ' + QString::number(job.reasonArgs.value("number"_L1).toInt())
        : job.reason;
}

// There may be many retries, with long pauses between them, and also when the job asks for none.
void sayHowToStop(const JobSummary &job, bool hasNumber)
{
    if (hasNumber) {
        errorLine(tr("'trainyardctl stop %1' gives the job up, 'trainyardctl retry %1' tries it at once.").arg(job.id));
    }
    if (job.reasonArgs.value("free"_L1).toBool()) {
        errorLine(tr("The setting retry.freeCap limits such retries; 'trainyardctl settings retry.freeCap 0' forbids "
                     "them for later jobs."));
    }
}

} // namespace

QString jobTitle(const JobSummary &job)
{
    return job.id > 0 ? QString(u'#' + QString::number(job.id) + u' ' + job.name) : job.name;
}

QString noSuchTry(const QString &role, int index, int tries)
{
    return tries == 1 ? tr("The task %1/%2 has 1 try.").arg(role).arg(index)
                      : tr("The task %1/%2 has %3 tries.").arg(role).arg(index).arg(tries);
}

QString noSuchAttempt(const JobSummary &job, qsizetype attempts)
{
    return attempts == 1 ? tr("%1 has 1 attempt.").arg(jobTitle(job))
                         : tr("%1 has %2 attempts.").arg(jobTitle(job)).arg(attempts);
}

int statusOf(const JobSummary &job)
{
    switch (job.state) {
    case State::Succeeded:
        return exitOk;
    case State::Stopped:
        return exitInterrupted;
    case State::Failed: {
        // A command that ended with a status of its own: scripts want that one, not the code that stands for its cause.
        const int code = statusOrCode(job).value_or(0);
        return code >= 1 && code <= 125 ? code : exitNo;
    }
    case State::Waiting:
    case State::Running:
    case State::Stopping:
    case State::Unknown:
        break;
    }
    return exitNo;
}

QString endSentence(const JobSummary &job, bool withWhereToRead)
{
    QString time = elapsed(job, job.completed.value_or(job.countedFrom()));
    if (job.retries > 0) {
        time = tr("%1 in attempt %2").arg(time, QString::number(job.retries + 1));
    }
    QString text;
    if (job.retries > 0 && neverBegan(job)) {
        text = tr("%1 was stopped before attempt %2 began.");
        time = QString::number(job.retries + 1);
    } else if (job.state == State::Succeeded) {
        const QString failed = failedTasksText(job);
        text = failed.isEmpty()
            ? tr("%1 succeeded after %2.")
            : tr("%1 succeeded after %2 by its completion policy, but %3.").arg(u"%1"_s, u"%2"_s, failed);
    } else if (job.state == State::Stopped) {
        text = tr("%1 was stopped after %2.");
    } else {
        text = tr("%1 failed after %2.");
    }
    text = text.arg(jobTitle(job), time);
    if (job.state == State::Stopped && job.reason == reason::StopWorse::code) {
        text += u' ' + whyText(job);
    }
    if (job.state == State::Failed) {
        if (!job.reason.isEmpty()) {
            text += u' ' + whyText(job);
        } else if (job.exitCode) {
            text += u' ' + tr("Its code is %1.").arg(*job.exitCode);
        }
        if (const QString role = job.reasonArgs.value("role"_L1).toString(); withWhereToRead && !role.isEmpty()) {
            const QString cause = failureFacts(job.reasonArgs).task;
            const QString task = cause.isEmpty() ? taskLabel(role, job.reasonArgs.value("index"_L1).toInt()) : cause;
            text += u' ' + tr("Its output: trainyardctl logs %1 %2").arg(QString::number(job.id), task);
        }
    }
    return text;
}

QString unretriedSentence(Session &session, const JobSummary &job)
{
    if (!isPermanentFailure(job)) {
        return {};
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    return detail ? unretriedText(job, detail->yaml) : QString();
}

QString jobKeepsRunning(qint64 number)
{
    return tr("The job keeps running. 'trainyardctl logs -f %1' follows it again, 'trainyardctl stop %1' stops it.")
        .arg(number);
}

QString jobKeepsWaiting(qint64 number)
{
    return tr("The job keeps waiting. 'trainyardctl wait %1' waits for its end, 'trainyardctl stop %1' stops it.")
        .arg(number);
}

QString pendingResults(const JobSummary &job)
{
    if (resultLines(job.results).isEmpty()) { // there may be none
        return tr("The output of %1 is still being read; 'trainyardctl show %2' says when all of it has been read.")
            .arg(jobTitle(job), QString::number(job.id));
    }
    return tr(
        "The output of %1 is still being read, so its metrics are not final; 'trainyardctl show %2' says when they "
        "are.")
        .arg(jobTitle(job), QString::number(job.id));
}

ReasonTeller::ReasonTeller(const JobWatcher &watcher, About about, bool hasNumber)
    : m_watcher(watcher), m_about(about), m_hasNumber(hasNumber)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &ReasonTeller::say);
    connect(&watcher, &JobWatcher::changed, this, &ReasonTeller::look);
}

bool ReasonTeller::isWorthSaying() const
{
    const JobSummary &job = m_watcher.job();
    const bool isAway = !isFinal(job.state) && (job.reason == hostAway || isUnheardStop(job));
    if (asksToCopy(job) && !m_tellsQuestions) {
        return false;
    }
    const bool isKept = job.state == State::Running && job.reason == reason::TaskKept::code;
    return isAway || isHeldUp(job) || (m_about == About::All && (isKept || asksToCopy(job)))
        || (m_about == About::All && job.state == State::Waiting && !job.reason.isEmpty());
}

void ReasonTeller::look()
{
    const JobSummary &job = m_watcher.job();
    m_isHeldUp = m_isHeldUp || isHeldUp(job);
    if ((m_said == hostAway && whatWaits(job) != hostAway) || (m_isHeldUp && !isHeldUp(job))) {
        m_said.clear(); // it is back, and may go again; or there was room, and it may end again
        m_isHeldUp = false;
    }
    const bool mayWait = m_about == About::All && job.state == State::Waiting;
    if ((mayWait || isWorthSaying()) && whatWaits(job) != m_said && !m_patience.isActive()) {
        m_patience.start(startPatienceMs);
    }
}

void ReasonTeller::say()
{
    const JobSummary &job = m_watcher.job();
    if (!isWorthSaying() || whatWaits(job) == m_said) {
        return;
    }
    m_said = whatWaits(job);
    errorLine(tr("%1: %2").arg(m_hasNumber ? jobTitle(job) : job.name, whyText(job)));
    if (job.reason == reason::WaitRetry::code && !std::exchange(m_hasSaidHowToStop, true)) {
        sayHowToStop(job, m_hasNumber);
    }
    if (m_hasNumber && asksToCopy(job)) {
        errorLine(howToAnswerCopy(job));
    }
    if (m_hasNumber && job.reason == reason::TaskKept::code) {
        const QString task
            = taskLabel(job.reasonArgs.value("role"_L1).toString(), job.reasonArgs.value("index"_L1).toInt());
        errorLine(tr("'trainyardctl exec %1 %2' opens a shell in it, 'trainyardctl release %1 %2' releases it.")
                      .arg(QString::number(job.id), task));
    }
}

Watched watchJob(Session &session, const QString &uuid, const WatchOptions &options)
{
    Watched result;
    session.keepInterrupts(); // until a watcher takes them
    QEventLoop loop;
    const bool needsTasks = options.follow || options.table || options.stopOnInterrupt;
    JobWatcher watcher(session.client(), uuid, needsTasks ? JobWatcher::Tasks::Follow : JobWatcher::Tasks::Ignore);
    JobTable table;
    std::unique_ptr<LogFollow> logs;
    std::unique_ptr<LogTrail> trail;
    QTimer drawTimer;
    QString farewell;
    std::optional<Progress> progress;
    if (options.isBeingStopped && !options.table) {
        progress.emplace(tr("Waiting until the tasks have ended ..."));
    }

    if (options.follow) {
        LogStyle style;
        const auto job = session.callUntilInterrupted<api::GetJob>({uuid}, tr("Reading the job ..."), detailPatienceMs);
        if (!job && !options.stopOnInterrupt) {
            session.letInterruptsEnd();
            errorLine(jobKeepsRunning(options.number));
            result.status = exitInterrupted;
            return result;
        }
        style.labels = job && *job && (*job)->summary.totalTasks > 1; // as 'logs' prints them
        logs = std::make_unique<LogFollow>(style);
        trail = std::make_unique<LogTrail>(session.client(), watcher, *logs);
        QObject::connect(logs.get(), &LogFollow::done, &loop, &QEventLoop::quit);
    }
    const auto draw = [&] {
        JobSummary job = watcher.job();
        job.id = options.hasNumber ? job.id : 0;
        table.draw(job, watcher.tasks());
    };
    if (options.table) {
        QObject::connect(&drawTimer, &QTimer::timeout, &loop, [&] {
            if (!watcher.job().uuid.isEmpty()) {
                draw();
            }
        });
        drawTimer.start(drawMs);
    }
    if (options.table && !options.isBeingStopped) { // which shows for what it waits, but not the way out
        QObject::connect(&watcher, &JobWatcher::changed, &loop, [&, hasSaid = false]() mutable {
            if (watcher.job().reason == reason::WaitRetry::code && !std::exchange(hasSaid, true)) {
                draw();
                table.finish();
                sayHowToStop(watcher.job(), options.hasNumber);
            }
        });
    }
    std::unique_ptr<ReasonTeller> reasons; // where no table shows them
    if (!options.table) {
        reasons = std::make_unique<ReasonTeller>(watcher, ReasonTeller::About::All, options.hasNumber);
    }
    CopyAsker asker(session, options.stopOnInterrupt, [&] {
        if (options.table) {
            table.finish();
        }
    });
    QObject::connect(&watcher, &JobWatcher::changed, &asker, [&] { asker.look(watcher.job()); });
    if (reasons && (CopyAsker::canAsk() || options.stopOnInterrupt)) {
        reasons->leaveOutQuestions();
    }
    QObject::connect(&watcher, &JobWatcher::over, &loop, [&] {
        result.over = true;
        if (!logs) {
            loop.quit();
        }
    });
    std::optional<Error> lost; // said below the table
    QObject::connect(&watcher, &JobWatcher::failed, &loop, [&](const Error &error) {
        lost = error;
        loop.quit();
    });
    const auto leave = [&](int status) {
        const JobSummary &job = watcher.job(); // empty until the engine has reported it
        result.status = status;
        if (isFinal(job.state)) { // only its results were waited for, or the rest of its output
            farewell = endSentence(job);
        } else if (options.isBeingStopped || job.stopRequested) {
            farewell
                = tr("The job is still being stopped. 'trainyardctl wait %1' waits for its end.").arg(options.number);
        } else if (!job.uuid.isEmpty() && job.state == State::Waiting && job.retries == 0) {
            farewell = jobKeepsWaiting(options.number);
        } else {
            farewell = jobKeepsRunning(options.number);
        }
        loop.quit();
    };
    if (logs) {
        QObject::connect(logs.get(), &LogFollow::outputEnded, &loop, [&] {
            if (result.over) {
                loop.quit();
            } else if (!options.stopOnInterrupt && !watcher.job().uuid.isEmpty()) {
                leave(outputFailed() ? exitUnusable : exitInterrupted);
            }
        });
    }
    const auto tell = [&](const QString &message) {
        const bool isDrawn = options.table && !watcher.job().uuid.isEmpty();
        if (isDrawn) {
            table.say(message);
            draw();
        }
        if (!isDrawn || !stderrIsTerminal()) {
            errorLine(message);
        }
    };
    Interrupts interrupts;
    session.letInterruptsEnd(); // when these are over
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&](int count) {
        if (result.over) { // only what is still being written
            loop.quit();
            return;
        }
        if (!options.stopOnInterrupt) {
            leave(exitInterrupted);
        } else if (count == 1) {
            tell(tr("Stopping the job; press Ctrl+C again to kill it."));
            session.client().call<api::Stop>({uuid}, &watcher, [](const Result<bool> &) {});
        } else if (count == 2) {
            tell(tr("Killing the tasks."));
            session.client().call<api::Stop>({uuid, true}, &watcher, [](const Result<bool> &) {});
        } else {
            result.status = exitInterrupted;
            loop.quit();
        }
    });
    loop.exec();
    if (logs) {
        logs->finish();
    }
    progress.reset();

    result.job = watcher.job();
    result.tasks = watcher.tasks();
    if (options.table && !result.job.uuid.isEmpty()) {
        draw();
        table.finish();
    }
    if (lost) {
        result.status = report(*lost);
    }
    if (result.over && options.hasNumber && result.job.resultsPending) {
        errorLine(pendingResults(result.job));
    }
    if (!farewell.isEmpty()) { // below the table, which would be drawn over it
        errorLine(farewell);
    }
    if (result.over && result.status == exitOk) {
        result.status = statusOf(result.job);
    }
    return result;
}

} // namespace trainyard::cli
