// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "engine/api/taskoutline.h"
#include "engine/client/engineclient.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard::cli
{

// What an error says of a job that this command has found: there was such a job, and it was removed meanwhile. Any
// other error stays as it is.
Error ofFoundJob(const Error &error);

// Writes the sentence of an error to stderr and returns its exit status.
int report(const Error &error);
int exitStatusOf(const Error &error); // the same without a word

// Shows a line on stderr that says what takes long: only on a terminal and after a second. It disappears before
// anything else is written.
class Progress
{
public:
    explicit Progress(const QString &text);
    ~Progress();
    void setText(const QString &text) { m_text = text; } // shown with the next turn of the wheel
    void keepUp(); // turns the wheel when it is time, for work that enters no event loop
    void hide(); // until the next turn; something else is written now
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

private:
    void draw();
    QString m_text;
    QTimer m_timer;
    QElapsedTimer m_sinceTurn;
    int m_step = 0;
    bool m_shown = false;
};

// Set for a command that may only read, such as one that answers an assistant: the engine then refuses everything else.
inline constexpr char readsOnlyVariable[] = "TRAINYARDCTL_READS_ONLY";

// Also set for a command that proposes something for an assistant: its name, and the word by which the engine groups
// proposals.
inline constexpr char assistantVariable[] = "TRAINYARDCTL_ASSISTANT";
inline constexpr char assistantSessionVariable[] = "TRAINYARDCTL_ASSISTANT_SESSION";

struct MeantJobs;

// A command's connection to the engine. Commands are short and do one thing after the other, so its functions wait (in
// an event loop) for the answers.
class Session
{
public:
    Session();
    ~Session();

    // Connects over the socket. Returns 0, or the exit status when there is no engine, after reporting that.
    int connect(EngineClient::Start start);
    // Connects to an engine that runs, and says nothing when none does.
    bool connectToRunning();
    // Connects to an engine in this process.
    int connect(std::unique_ptr<RpcConnection> connection);
    // Connects over the socket and finds the job, or the jobs, that the words mean (meantjobs.h). Returns 0, or the
    // exit status after reporting the error.
    int connectFor(const QString &word, JobSummary &job);
    // Only for commands that change none of these jobs.
    int connectFor(const QStringList &words, MeantJobs &jobs);
    // For every command that changes jobs: before that, refuses conditions in several words (meantjobs.h).
    int connectToChange(const QStringList &words, MeantJobs &jobs);
    // The same for what is done with active jobs: a name means the active job that has it.
    int connectToChangeActive(const QStringList &words, MeantJobs &jobs);
    EngineClient &client() { return m_client; }

    // One of the calls of engine/api/calls.h; waits for its answer. When the engine is lost meanwhile, what only reads
    // is asked of the next one.
    template <typename Call>
    Result<typename Call::Reply> call(const typename Call::Request &request, const QString &what = {})
    {
        std::optional<Result<typename Call::Reply>> answer;
        converse(what, Call::isReading, [&](const Answered &answered) {
            m_client.call<Call>(request, context(), [&answer, answered](const Result<typename Call::Reply> &result) {
                answer = result;
                answered(result ? nullptr : &result.error());
            });
        });
        return *answer;
    }

    // Like call(), but asks once. Nothing if Ctrl+C is pressed and no answer arrives within the patience; the key press
    // stays pending.
    template <typename Call>
    std::optional<Result<typename Call::Reply>> callUntilInterrupted(
        const typename Call::Request &request, const QString &what, int patienceMs)
    {
        std::optional<Result<typename Call::Reply>> answer;
        converseUntilInterrupted(what, patienceMs, [&](QObject *here, const std::function<void()> &answered) {
            m_client.call<Call>(request, here, [&answer, answered](const Result<typename Call::Reply> &result) {
                answer = result;
                answered();
            });
        });
        return answer;
    }

    Result<JobSummary> findJob(const QString &word);
    Result<QList<TaskInfo>> allTasks(const QString &uuid, int attempt = -1);
    // The tasks are counted over all roles; a `limit` of 0 or less means all of them.
    Result<QList<TaskInfo>> someTasks(const QString &uuid, int attempt, int from, int limit);
    // The tries that were not the last of their task.
    Result<QList<TaskInfo>> earlierTries(const QString &uuid, int attempt);
    Result<TaskOutline> outline(const QString &uuid, int attempt, int most);
    Result<JobDetail> detail(const QString &uuid);
    QObject *context() { return &m_client; }

    // From now on Ctrl+C is kept for the code that can handle it, because the command has begun work that continues
    // without it. This lasts until it may end the command again, or the session ends.
    void keepInterrupts()
    {
        if (!m_kept) {
            m_kept.emplace();
        }
    }
    void letInterruptsEnd() { m_kept.reset(); }
    // After the engine was lost: whether another one is there, after waiting for it.
    bool isThereAgain();

private:
    using JobsOfWord = std::function<Result<MeantJobs>(Session &session, const QString &word)>;
    int connectAndFind(const QStringList &words, MeantJobs &jobs, const JobsOfWord &jobsOf);
    using Answered = std::function<void(const Error *error)>; // nullptr when all is well
    void converse(const QString &what, bool isReading, const std::function<void(const Answered &)> &ask);
    void converseUntilInterrupted(const QString &what, int patienceMs,
        const std::function<void(QObject *here, const std::function<void()> &answered)> &ask);
    // The user has not stopped the engine.
    bool isComingBack() const
    {
        return m_client.status() == EngineClient::Status::Connecting
            || m_client.status() == EngineClient::Status::Ready;
    }
    using AskPage = std::function<void(int from, int limit, QObject *context, EngineClient::Reply<QList<TaskInfo>>)>;
    Result<QList<TaskInfo>> allPages(const AskPage &askFor, int from, int limit);
    void waitUntilReady();
    int readyOrReported();
    EngineClient m_client;
    std::optional<KeptInterrupts> m_kept;
};

} // namespace trainyard::cli
