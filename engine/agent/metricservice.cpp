// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/metricservice.h"

#include "engine/agent/pump.h"
#include "engine/agent/trymetrics.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <map>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t firstLookMs = 1000; // after the start: most tasks of a moment have ended by then
constexpr std::int64_t restWhenGrown = 4, restElse = 100; // times as long as it works
constexpr std::int64_t longestRestMs = 30000;
constexpr std::size_t fewEnds = 50; // more at a time are looked through for known files only
constexpr std::size_t mostOwners = 100000;

class MetricService
{
public:
    explicit MetricService(int socket) : m_socket(socket) { }

    void run()
    {
        while (takeMessages()) {
            lookAtOne();
        }
    }

private:
    struct Entry {
        std::unique_ptr<TryMetrics> metrics;
        std::int64_t next = 0; // monotonic ms
        bool hasEnded = false;
    };
    struct Owner {
        std::string dir;
        std::int64_t ended = 0; // ms UTC; 0: it runs
    };

    std::map<std::string, Entry>::iterator nextEntry()
    {
        return std::min_element(m_tries.begin(), m_tries.end(),
            [this](const auto &a, const auto &b) { return dueOf(a.second) < dueOf(b.second); });
    }

    // Somebody waits for one that has ended.
    std::int64_t dueOf(const Entry &entry) const
    {
        return entry.hasEnded ? entry.next : std::max(entry.next, m_restUntil);
    }

    int waitMs()
    {
        const auto next = nextEntry();
        if (next == m_tries.end()) {
            return -1;
        }
        return static_cast<int>(std::clamp<std::int64_t>(dueOf(next->second) - monotonicMs(), 0, longestRestMs));
    }

    // Waits until something is to be done; false when the agent is gone.
    bool takeMessages()
    {
        pollfd wait{m_socket, POLLIN, 0};
        ::poll(&wait, 1, waitMs());
        char message[PATH_MAX + 16];
        for (;;) {
            const ssize_t size = ::recv(m_socket, message, sizeof message, MSG_DONTWAIT);
            if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
                return false;
            }
            if (size < 0) {
                return true;
            }
            take(message[0], std::string(message + 1, static_cast<std::size_t>(size) - 1));
        }
    }

    void take(char kind, const std::string &dir)
    {
        if (kind == 'P') {
            answer('P', {});
            return;
        }
        Entry &entry = m_tries[dir];
        const bool isNew = !entry.metrics;
        if (isNew) {
            entry.metrics = std::make_unique<TryMetrics>(dir);
            entry.next = monotonicMs() + firstLookMs;
        }
        if (kind == 'E' || kind == 'W') {
            entry.hasEnded = true;
            entry.next = monotonicMs();
            entry.metrics->end(!isNew || kind == 'W');
        }
    }

    void answer(char kind, const std::string &dir) const
    {
        const std::string message = kind + dir;
        ::send(m_socket, message.data(), message.size(), MSG_NOSIGNAL);
    }

    TryMetrics::Walk walkOf(const TryMetrics &metrics) const
    {
        TryMetrics::Walk walk = TryMetrics::Walk::All;
        for (const auto &[dir, entry] : m_tries) {
            const TryMetrics &other = *entry.metrics;
            if (&other == &metrics || other.isOver() || !isShared(metrics, other)) {
                continue;
            }
            if (other.job() != metrics.job()) {
                return TryMetrics::Walk::BesideOpen;
            }
            if (other.dir() < metrics.dir()) {
                walk = TryMetrics::Walk::OfFirstTask;
            }
        }
        return walk;
    }

    static bool isShared(const TryMetrics &one, const TryMetrics &other)
    {
        const auto isBelow = [](const std::string &path, const std::string &folder) {
            return path == folder || path.starts_with(folder + '/');
        };
        return std::any_of(one.folders().begin(), one.folders().end(), [&](const std::string &mine) {
            return std::any_of(other.folders().begin(), other.folders().end(),
                [&](const std::string &theirs) { return isBelow(mine, theirs) || isBelow(theirs, mine); });
        });
    }

    void lookAtOne()
    {
        const auto next = nextEntry();
        const std::int64_t began = monotonicMs();
        if (next == m_tries.end() || dueOf(next->second) > began) {
            return;
        }
        Entry &entry = next->second;
        TryMetrics &metrics = *entry.metrics;
        const TryMetrics::Look look
            = metrics.look(m_tries.size() > fewEnds && entry.hasEnded ? TryMetrics::Walk::OfFirstTask : walkOf(metrics),
                [this, &metrics](const std::string &path) { return isOfOther(path, metrics); });
        remember(metrics);
        const std::int64_t now = monotonicMs();
        const std::int64_t rest = (now - began) * (look.hasGrown ? restWhenGrown : restElse);
        m_restUntil = entry.hasEnded ? m_restUntil : now + std::min(rest, longestRestMs);
        const std::int64_t age = utcMs() - metrics.began();
        constexpr std::int64_t part = 60, least = 1000, most = 5000, soon = 100;
        entry.next = look.isMore ? now : now + (entry.hasEnded ? soon : std::clamp(age / part, least, most));
        if (metrics.isOver()) {
            forget(metrics.dir());
            const std::string dir = next->first;
            m_tries.erase(next);
            answer('D', dir);
        }
    }

    bool isOfOther(const std::string &path, const TryMetrics &metrics) const
    {
        const auto owner = m_owners.find(path);
        return owner != m_owners.end() && owner->second.dir != metrics.dir()
            && (owner->second.ended == 0 || owner->second.ended > metrics.began());
    }

    void remember(const TryMetrics &metrics)
    {
        if (m_owners.size() > mostOwners) {
            m_owners.clear();
        }
        metrics.forEachFile([&](const std::string &path) { m_owners[path] = {metrics.dir(), 0}; });
    }

    void forget(const std::string &dir)
    {
        const std::int64_t now = utcMs();
        for (auto &[path, owner] : m_owners) {
            owner.ended = owner.dir == dir ? now : owner.ended;
        }
    }

    int m_socket;
    std::map<std::string, Entry> m_tries;
    std::map<std::string, Owner> m_owners; // by the path of the file
    std::int64_t m_restUntil = 0; // monotonic ms
};

} // namespace

void serveMetrics(int socket)
{
    constexpr int weakest = 19;
    ::setpriority(PRIO_PROCESS, 0, weakest);
#ifdef SYS_ioprio_set
    constexpr int ofProcess = 1, idle = 3 << 13;
    ::syscall(SYS_ioprio_set, ofProcess, 0, idle);
#endif
    MetricService(socket).run();
}

} // namespace trainyard::agent
