// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "engine/api/taskoutline.h"
#include "engine/client/engineclient.h"

#include <QCommandLineParser>
#include <QEventLoop>
#include <QSocketNotifier>
#include <QTimer>

#include <memory>

namespace trainyard::cli
{

// The sentence of an error on stderr, and the exit status that it means.
int report(const Error &error);

// A line on stderr that says what takes so long, on a terminal only and only after a second. It is gone before anything
// else is written.
class Progress
{
public:
    explicit Progress(const QString &text);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

private:
    void draw();
    QString m_text;
    QTimer m_timer;
    int m_step = 0;
    bool m_shown = false;
};

// Ctrl+C (and TERM, HUP) as an event instead of the end. While one lives, they do nothing else.
class Interrupts : public QObject
{
    Q_OBJECT
public:
    explicit Interrupts(QObject *parent = nullptr);
    ~Interrupts() override;
    int count() const { return m_count; }

Q_SIGNALS:
    void pressed(int count);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_count = 0;
};

// A command's connection to the engine. Commands are short and do one thing after the other, so its functions wait (in
// an event loop) for the answers.
class Session
{
public:
    Session();
    ~Session();

    // Over the socket. 0, or the exit status when there is no engine (it has been said).
    int connect(EngineClient::Start start);
    // To an engine of this process.
    int connect(std::unique_ptr<RpcConnection> connection);
    // Over the socket, and finds the job that the word means. 0, or the exit status (it has been said).
    int connectFor(const QString &word, JobSummary &job);
    EngineClient &client() { return m_client; }

    // ask([&](auto reply) { client.stop(uuid, &context, reply); })
    template <typename T>
    Result<T> ask(const std::function<void(EngineClient::Reply<T>)> &send, const QString &what = {})
    {
        const Progress progress(what);
        std::optional<Result<T>> answer;
        QEventLoop loop;
        send([&](const Result<T> &result) {
            answer = result;
            loop.quit();
        });
        if (!answer) {
            loop.exec();
        }
        return *answer;
    }

    Result<JobSummary> findJob(const QString &word);
    Result<QList<TaskInfo>> allTasks(const QString &uuid, int attempt = -1);
    // Counted over all roles; limit <= 0: to the end.
    Result<QList<TaskInfo>> someTasks(const QString &uuid, int attempt, int from, int limit);
    // Tries that were not their task's last.
    Result<QList<TaskInfo>> earlierTries(const QString &uuid, int attempt);
    Result<TaskOutline> outline(const QString &uuid, int attempt, int most);
    Result<JobDetail> detail(const QString &uuid);
    QObject *context() { return &m_client; }

private:
    using AskPage = std::function<void(int from, int limit, QObject *context, EngineClient::Reply<QList<TaskInfo>>)>;
    Result<QList<TaskInfo>> allPages(const AskPage &askFor, int from, int limit);
    int waitUntilReady();
    EngineClient m_client;
};

// The one JOB of a command line; empty when there is not exactly one (it has been said).
QString oneJob(const QCommandLineParser &parser, const QString &command);

} // namespace trainyard::cli
