// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/meantjobs.h"
#include "app/cli/watch.h"
#include "engine/client/enginesocket.h"
#include "engine/client/paths.h"
#include "engine/client/rpcconnection.h"
#include "widgets/text/terminaltext.h"
#include "widgets/text/texts.h"

#include <QHash>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int progressAfterMs = 1000;
constexpr int progressStepMs = 200;
constexpr int endPatienceMs = 3000; // an engine that ends gives its socket up before its folder
constexpr int endLookMs = 50;

// The jobs that this command has found, by UUID: "#41 resnet".
QHash<QString, QString> &titlesOfFound()
{
    static QHash<QString, QString> jobs;
    return jobs;
}

void noteTitles(const QList<JobSummary> &jobs)
{
    for (const JobSummary &job : jobs) {
        titlesOfFound().insert(job.uuid, jobTitle(job));
    }
}

// Taken out of the environment at once: what this command starts, such as the engine, goes on without it.
bool mayOnlyRead()
{
    static const bool only = [] {
        const bool isSet = qEnvironmentVariableIsSet(readsOnlyVariable);
        qunsetenv(readsOnlyVariable);
        return isSet;
    }();
    return only;
}

// Taken out of the environment likewise.
std::pair<QString, QString> assistantOfCommand()
{
    static const std::pair<QString, QString> assistant = [] {
        const std::pair<QString, QString> found{
            qEnvironmentVariable(assistantVariable), qEnvironmentVariable(assistantSessionVariable)};
        qunsetenv(assistantVariable);
        qunsetenv(assistantSessionVariable);
        return found;
    }();
    return assistant;
}

// "Not running" would be wrong of an engine that cannot be reached.
Error whyNotReached(const Error &error)
{
    const QString folder = paths::stateFolder();
    if (error.code != "engine.not-running"_L1) {
        return error;
    }
    for (int waited = 0; isStateFolderHeld(folder); waited += endLookMs) {
        if (waited >= endPatienceMs) {
            return {u"engine.already-running"_s, {{u"folder"_s, folder}}};
        }
        ::usleep(endLookMs * 1000);
    }
    return error;
}

} // namespace

Error ofFoundJob(const Error &error)
{
    const QString title
        = error.code == "job.unknown"_L1 ? titlesOfFound().value(error.args.value("job"_L1).toString()) : QString();
    return title.isEmpty() ? error : Error{u"job.removed"_s, {{u"job"_s, title}}};
}

int report(const Error &error)
{
    const Error told = ofFoundJob(error);
    failureLine(told);
    return exitStatusOf(told);
}

int exitStatusOf(const Error &error)
{
    const QString &code = error.code;
    static const QStringList refusals{u"host.exists"_s, u"host.bad-name"_s, u"host.bad-target"_s, u"host.in-use"_s,
        u"host.in-use-stopping"_s, u"host.bad-label"_s, u"host.bad-hours"_s, u"host.always-closed"_s,
        u"host.bad-address"_s, u"host.no-interface"_s, u"host.no-quarantine"_s, u"host.local"_s, u"host.is-local"_s,
        u"host.only-ssh"_s, u"host.logs-pending"_s, u"host.login-node"_s, u"host.results-pending"_s,
        u"host.logs-coming"_s, u"host.results-coming"_s, u"store.full"_s, u"store.later"_s, u"store.write"_s,
        u"store.write-unsure"_s}; // by an engine whose disk is full
    if (refusals.contains(code)) {
        return exitRefused;
    }
    if (code.startsWith("engine."_L1) || code.startsWith("host."_L1) || code.startsWith("socket."_L1)
        || code.startsWith("folder."_L1) || code.startsWith("store."_L1) || code.startsWith("ssh."_L1)
        || code == "hosts.unreadable"_L1) { // with which no engine begins
        return exitNoEngine;
    }
    if (code.startsWith("file."_L1) || code.startsWith("results."_L1) || code.startsWith("rpc."_L1)
        || code.startsWith("filter."_L1) || code == "jobs.none"_L1 || code == "jobs.only-archived"_L1
        || code == "jobs.no-filter"_L1 || code == "job.unknown"_L1 || code == "job.removed"_L1
        || code == "job.unknown-term"_L1 || code == "job.unknown-near"_L1 || code == "job.ambiguous"_L1
        || code == "job.several-active"_L1 || code == "tag.too-long"_L1 || code == "note.too-long"_L1
        || code == "group.unknown"_L1 || code == "forward.bad-port"_L1 || code == "task.unknown"_L1
        || code == "settings.unknown"_L1 || code == "settings.bad-value"_L1 || code == "settings.reversed"_L1) {
        return exitUnusable;
    }
    return exitRefused;
}

Progress::Progress(const QString &text) : m_text(text)
{
    // A line that is drawn again and again needs a terminal that understands how.
    if (!text.isEmpty() && canDraw(Stream::Error)) {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { draw(); });
        m_timer.start(progressAfterMs);
        m_sinceTurn.start();
    }
}

Progress::~Progress() { hide(); }

void Progress::hide()
{
    if (std::exchange(m_shown, false)) {
        std::fputs("\r\x1b[K", stderr);
    }
}

void Progress::keepUp()
{
    if (m_timer.isActive() && m_sinceTurn.hasExpired(m_shown ? progressStepMs : progressAfterMs)) {
        draw();
    }
}

void Progress::draw()
{
    static const char16_t wheel[] = u"|/-\\";
    m_shown = true;
    m_timer.setInterval(progressStepMs);
    m_sinceTurn.start();
    const QString line = QString(QChar(wheel[m_step++ % 4])) + u' ' + m_text;
    std::fputs(QByteArray("\r\x1b[K" + terminalText(line).toUtf8()).constData(), stderr);
}

Session::Session()
{
    m_client.setReadsOnly(mayOnlyRead());
    const auto [assistant, session] = assistantOfCommand();
    if (!session.isEmpty()) {
        m_client.setAssistant(assistant, session);
    }
}
Session::~Session() = default;

int Session::connect(EngineClient::Start start)
{
    m_client.start(start);
    waitUntilReady();
    return readyOrReported();
}

bool Session::connectToRunning()
{
    m_client.start(EngineClient::Start::Never);
    waitUntilReady();
    return m_client.status() == EngineClient::Status::Ready;
}

int Session::connect(std::unique_ptr<RpcConnection> connection)
{
    m_client.startWith(std::move(connection));
    waitUntilReady();
    return readyOrReported();
}

int Session::connectFor(const QString &word, JobSummary &job)
{
    if (const int status = connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<MeantJobs> found = jobsOfWord(*this, word);
    if (!found) {
        return report(found.error());
    }
    if (const qsizetype count = found->jobs.size(); count > 1) {
        errorLine(tr("This command takes one job. '%1' means %2: %3.")
                      .arg(word, QString::number(count), jobNumbers(found->jobs)));
        return exitUnusable;
    }
    job = found->jobs.constFirst();
    noteTitles({job});
    return exitOk;
}

int Session::connectFor(const QStringList &words, MeantJobs &jobs) { return connectAndFind(words, jobs, jobsOfWord); }

int Session::connectToChange(const QStringList &words, MeantJobs &jobs)
{
    return refusesSplitConditions(words) ? int(exitUnusable) : connectAndFind(words, jobs, jobsOfWord);
}

int Session::connectToChangeActive(const QStringList &words, MeantJobs &jobs)
{
    return refusesSplitConditions(words) ? int(exitUnusable) : connectAndFind(words, jobs, activeJobsOfWord);
}

int Session::connectAndFind(const QStringList &words, MeantJobs &jobs, const JobsOfWord &jobsOf)
{
    if (const int status = connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    for (const QString &word : words) {
        const Result<MeantJobs> meant = jobsOf(*this, word);
        if (!meant) {
            return report(meant.error());
        }
        jobs.add(*meant);
    }
    noteTitles(jobs.jobs);
    return exitOk;
}

void Session::waitUntilReady()
{
    const Progress progress(tr("Connecting to the engine ..."));
    QEventLoop loop;
    const QMetaObject::Connection watching
        = QObject::connect(&m_client, &EngineClient::statusChanged, &loop, [&](EngineClient::Status status) {
              if (status != EngineClient::Status::Connecting) {
                  loop.quit();
              }
          });
    if (m_client.status() == EngineClient::Status::Connecting) {
        loop.exec();
    }
    QObject::disconnect(watching);
}

bool Session::isThereAgain()
{
    if (isComingBack()) {
        waitUntilReady();
    }
    return m_client.status() == EngineClient::Status::Ready;
}

int Session::readyOrReported()
{
    if (m_client.status() == EngineClient::Status::Ready) {
        return exitOk;
    }
    const int status = report(whyNotReached(m_client.lastError()));
    return status == exitRefused ? exitNoEngine : status; // no engine was there to refuse
}

// Asks, and waits until there is an answer; asks again when the engine is lost, as long as the call only reads and an
// answer is possible.
void Session::converse(const QString &what, bool isReading, const std::function<void(const Answered &)> &ask)
{
    const Progress progress(what);
    for (int lost = 1;; ++lost) {
        bool isAnswered = false;
        bool isLost = false;
        QEventLoop loop;
        ask([&](const Error *error) {
            isAnswered = true;
            isLost = error && error->code == "engine.gone"_L1;
            loop.quit();
        });
        if (!isAnswered) {
            loop.exec();
        }
        if (!isReading || !isLost || lost >= EngineClient::mostLosses || !isComingBack()) {
            return;
        }
    }
}

void Session::converseUntilInterrupted(const QString &what, int patienceMs,
    const std::function<void(QObject *here, const std::function<void()> &answered)> &ask)
{
    const Progress progress(what);
    const KeptInterrupts kept;
    bool isAnswered = false;
    QEventLoop loop;
    QTimer patience;
    patience.setSingleShot(true);
    QObject::connect(&patience, &QTimer::timeout, &loop, &QEventLoop::quit);
    const std::unique_ptr<QSocketNotifier> pressed = KeptInterrupts::notifier();
    if (pressed) {
        QObject::connect(pressed.get(), &QSocketNotifier::activated, &loop, [&] {
            pressed->setEnabled(false);
            patience.start(patienceMs);
        });
    }
    QObject here; // an answer that comes too late is dropped
    ask(&here, [&] {
        isAnswered = true;
        loop.quit();
    });
    if (!isAnswered) {
        loop.exec();
    }
}

Result<JobSummary> Session::findJob(const QString &word)
{
    return call<api::FindJob>({word}, tr("Looking for the job ..."));
}

Result<JobDetail> Session::detail(const QString &uuid) { return call<api::GetJob>({uuid}, tr("Reading the job ...")); }

Result<QList<TaskInfo>> Session::allTasks(const QString &uuid, int attempt) { return someTasks(uuid, attempt, 0, 0); }

Result<QList<TaskInfo>> Session::someTasks(const QString &uuid, int attempt, int from, int limit)
{
    return allPages(
        [&](int first, int wanted, QObject *here, EngineClient::Reply<QList<TaskInfo>> reply) {
            m_client.call<api::ListTasks>({uuid, attempt, first, wanted}, here, std::move(reply));
        },
        from, limit);
}

Result<QList<TaskInfo>> Session::earlierTries(const QString &uuid, int attempt)
{
    return allPages(
        [&](int first, int wanted, QObject *here, EngineClient::Reply<QList<TaskInfo>> reply) {
            m_client.call<api::ListTries>({uuid, attempt, first, wanted}, here, std::move(reply));
        },
        0, 0);
}

Result<QList<TaskInfo>> Session::allPages(const AskPage &askFor, int from, int limit)
{
    const Progress progress(tr("Reading the tasks ..."));
    QList<TaskInfo> all;
    std::optional<Error> error;
    bool over = false;
    int asked = 0, open = 0;
    QEventLoop loop;
    QObject here; // answers that come too late are dropped
    const std::function<void()> askNext = [&] {
        const int wanted = limit > 0 ? std::min(limit - asked, EngineClient::tasksAtOnce) : EngineClient::tasksAtOnce;
        if (over || wanted <= 0 || from > std::numeric_limits<int>::max() - asked - wanted) {
            return;
        }
        const int first = from + asked;
        asked += wanted;
        ++open;
        askFor(first, wanted, &here, [&, wanted](const Result<QList<TaskInfo>> &page) {
            --open;
            if (!page) {
                error = page.error();
                over = true;
            } else if (!over) {
                all += *page;
                over = page->size() < wanted;
                askNext();
            }
            if (open == 0) {
                loop.quit();
            }
        });
    };
    // Two pages are requested at a time: the engine makes one while the other is read here.
    askNext();
    askNext();
    if (open > 0) {
        loop.exec();
    }
    if (error) {
        return tl::unexpected(*error);
    }
    return all;
}

Result<TaskOutline> Session::outline(const QString &uuid, int attempt, int most)
{
    return call<api::GetOutline>({uuid, attempt, most}, tr("Reading the tasks ..."));
}

} // namespace trainyard::cli
