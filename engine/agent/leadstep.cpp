// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadstep.h"

#include "engine/agent/pump.h"
#include "engine/agent/smalltext.h"
#include "engine/contract/srunwords.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t helloId = 1, launchId = 2, stopId = 3;
constexpr int recordLooks = 50;
constexpr std::int64_t recordLookMs = 200;
constexpr std::int64_t srunSaidBytes = 64 << 10;
constexpr std::int64_t firstRepeatMs = 1000, mostRepeatMs = 30'000; // between two srun for the same step
// Another step that holds the memory has ended by then, and a node that is restarted is back. The wait is limited,
// because an allocation without these resources would otherwise be idle to the end of its time.
constexpr std::int64_t longestAwaitedMs = 300'000;

// For what srun says. An earlier try can have put a pipe there, for which no process would read.
int openRuntimeLog(const std::string &folder)
{
    const int fd = ::open((folder + '/' + contract::file::runtime).c_str(),
        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
    struct stat info {
    };
    if (fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        return fd;
    }
    if (fd >= 0) {
        ::close(fd);
    }
    return ::open("/dev/null", O_WRONLY | O_CLOEXEC); // its words would damage the frames of the step
}

std::string newNonce()
{
    unsigned char bytes[8] = {};
    static_cast<void>(!::getrandom(bytes, sizeof bytes, 0));
    std::string nonce = "step-";
    constexpr const char *digits = "0123456789abcdef";
    for (const unsigned char byte : bytes) {
        nonce += digits[byte >> 4];
        nonce += digits[byte & 15];
    }
    return nonce;
}

} // namespace

LeadStep::LeadStep(Loop &loop, contract::LeadTask task, contract::Launch launch, std::int64_t loginMs, Told told)
    : m_loop(loop), m_task(std::move(task)), m_launch(std::move(launch)), m_loginMs(loginMs), m_told(std::move(told))
{
}

LeadStep::~LeadStep()
{
    m_loop.cancel(m_timer);
    closeInput();
    closeOutput();
    ::explicit_bzero(m_launch.script.data(), m_launch.script.size());
}

void LeadStep::closeInput()
{
    if (m_process.in >= 0) {
        m_loop.forget(m_process.in);
        ::close(m_process.in);
        m_process.in = -1;
    }
}

void LeadStep::closeOutput()
{
    if (m_process.out >= 0) {
        m_loop.forget(m_process.out);
        ::close(m_process.out);
        m_process.out = -1;
    }
}

void LeadStep::start(std::vector<std::string> srun, const std::vector<std::string> &environment)
{
    m_isStarted = true;
    if (const int error = contract::makeFolders(m_task.folder)) {
        fail(contract::ExitKind::StartFailed, error, "launch.folder-unwritable " + m_task.folder);
        return;
    }
    m_srun = std::move(srun);
    m_environment = environment;
    runSrun();
}

void LeadStep::runSrun()
{
    std::vector<std::string> srun = m_srun;
    const std::string nonce = newNonce();
    m_reader = contract::FrameReader(nonce);
    srun.push_back(nonce);
    ClientStart wanted;
    wanted.input = true;
    wanted.errors = openRuntimeLog(m_task.folder);
    struct stat log = {};
    m_saidBefore = wanted.errors >= 0 && ::fstat(wanted.errors, &log) == 0 ? log.st_size : 0;
    m_process = startClient(srun, m_environment, wanted);
    if (wanted.errors >= 0) {
        ::close(wanted.errors);
    }
    if (m_process.pid < 0) {
        fail(contract::ExitKind::StartFailed, m_process.error, "cluster.no-srun");
        return;
    }
    ::fcntl(m_process.in, F_SETFL, O_NONBLOCK);
    m_loop.watch(m_process.out, EPOLLIN, [this](std::uint32_t) { read(); });
}

void LeadStep::read()
{
    char bytes[64 * 1024];
    for (;;) {
        const ssize_t n = ::read(m_process.out, bytes, sizeof bytes);
        if (n > 0) {
            m_reader.feed({bytes, std::size_t(n)});
            continue;
        }
        if (n < 0 && errno == EINTR) {
            continue;
        }
        const bool isMore = n < 0 && errno == EAGAIN;
        if (m_reader.state() != contract::FrameReader::State::Banner && !m_isLaunched) {
            m_isLaunched = true;
            contract::HelloRequest hello;
            hello.build = "lead";
            hello.loginEnvironment = !m_launch.cleanEnvironment && !m_task.isInImage;
            hello.loginMs = m_loginMs;
            send(helloId, hello);
            send(launchId, std::move(m_launch));
            if (m_stop) {
                send(stopId, *m_stop);
            }
        }
        while (const std::optional<contract::Frame> frame = m_reader.next()) {
            receive(*frame);
        }
        if (!isMore) {
            closeInput();
            closeOutput();
            if (!isOver()) {
                srunEnded();
            }
        }
        return;
    }
}

void LeadStep::srunEnded()
{
    if (m_isLaunched || m_stop || !mayComeLater()) {
        lookForRecord(recordLooks);
        return;
    }
    const std::int64_t pauseMs = std::min(mostRepeatMs, firstRepeatMs << std::min(m_repeats++, 10));
    m_isInPause = true;
    m_timer = m_loop.after(pauseMs, [this] {
        m_isInPause = false;
        runSrun();
    });
}

// A cluster that does not answer ends no job. A step that srun could not make yet may be possible later.
bool LeadStep::mayComeLater()
{
    const contract::SrunWords words = contract::srunWords(
        endOfPlainFile(m_task.folder + '/' + contract::file::runtime, srunSaidBytes, m_saidBefore));
    if (!words.isMemoryTaken && !words.isNodeAway) {
        return words.isControllerAway;
    }
    const std::int64_t now = monotonicMs();
    m_awaitedSince = m_awaitedSince == 0 ? now : m_awaitedSince;
    return now - m_awaitedSince < longestAwaitedMs;
}

void LeadStep::receive(const contract::Frame &frame)
{
    const std::optional<contract::Envelope> envelope = contract::decode(frame, true);
    if (!envelope) {
        return;
    }
    if (const auto *launched = std::get_if<contract::Launched>(&envelope->message)) {
        if (launched->exit) {
            over(*launched->exit);
        } else {
            m_told.began();
        }
    } else if (const auto *exited = std::get_if<contract::Exited>(&envelope->message)) {
        over(exited->exit);
    } else if (const auto *failure = std::get_if<contract::Failure>(&envelope->message);
               failure && envelope->id == launchId) {
        // Only this lead has launched it.
        const std::string code = failure->code == "launch.unseen" ? "launch.folder-unwritable" : failure->code;
        fail(contract::ExitKind::StartFailed, failure->systemError, code + ' ' + failure->argument);
    }
}

void LeadStep::send(std::int64_t id, contract::Message message)
{
    contract::Envelope envelope;
    envelope.id = id;
    envelope.message = std::move(message);
    if (const std::optional<std::string> bytes = contract::encode(envelope)) {
        m_out += *bytes;
        write();
    }
}

void LeadStep::write()
{
    while (!m_out.empty() && m_process.in >= 0) {
        const ssize_t n = ::write(m_process.in, m_out.data(), m_out.size());
        if (n > 0) {
            m_out.erase(0, std::size_t(n));
        } else if (errno == EAGAIN) {
            m_loop.forget(m_process.in);
            m_loop.watch(m_process.in, EPOLLOUT, [this](std::uint32_t) { write(); });
            return;
        } else if (errno != EINTR) {
            m_out.clear(); // the end of its output says the rest
        }
    }
    if (m_process.in >= 0) {
        m_loop.forget(m_process.in);
    }
}

void LeadStep::stop(contract::Stop stop)
{
    if (isOver()) {
        return;
    }
    stop.dir = m_task.folder;
    m_stop = std::move(stop);
    if (m_isLaunched) {
        send(stopId, *m_stop);
    } else if (!m_isStarted || m_isInPause) {
        m_loop.cancel(m_timer);
        contract::makeFolders(m_task.folder);
        fail(contract::ExitKind::StartFailed, 0, "cluster.step-stopped");
    } else if (m_process.pid > 0) {
        // It waits for room in the allocation, or for its node. A helper that is about to greet does not mind.
        ::kill(m_process.pid, SIGTERM);
    }
}

void LeadStep::over(const contract::ExitRecord &exit)
{
    if (isOver()) {
        return;
    }
    m_exit = exit;
    send(0, contract::Bye());
    closeInput();
    m_timer = m_loop.after(0, [this] { m_told.ended(); });
}

void LeadStep::fail(contract::ExitKind kind, int value, const std::string &reason)
{
    contract::ExitRecord exit;
    exit.kind = kind;
    exit.value = value;
    exit.reason = reason;
    const std::optional<contract::StartedRecord> started = contract::readStartedRecord(m_task.folder);
    exit.ended = utcMs();
    exit.began = started ? started->at : exit.ended;
    contract::writeAtomically(m_task.folder + '/' + contract::file::exit, exit.format(), true);
    over(exit);
}

void LeadStep::lookForRecord(int looks)
{
    contract::refreshFolder(m_task.folder);
    if (const std::optional<contract::ExitRecord> exit = contract::readExitRecord(m_task.folder)) {
        over(*exit);
        return;
    }
    const bool wasStarted = contract::readStartedRecord(m_task.folder).has_value();
    if (looks > 0 && wasStarted) {
        m_timer = m_loop.after(recordLookMs, [this, looks] { lookForRecord(looks - 1); });
    } else if (wasStarted) {
        fail(contract::ExitKind::Lost, 0, "cluster.step-lost");
    } else {
        fail(contract::ExitKind::StartFailed, 0, m_stop ? "cluster.step-stopped" : "cluster.step-refused");
    }
}

} // namespace trainyard::agent
