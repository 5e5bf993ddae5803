// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/metricservice.h"

#include "engine/agent/fileclaims.h"
#include "engine/agent/filestamps.h"
#include "engine/agent/pasttries.h"
#include "engine/agent/pump.h"
#include "engine/agent/trieselsewhere.h"
#include "engine/agent/trymetrics.h"
#include "engine/agent/trynotice.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t firstLookMs = 1000; // after the start: most tasks of a moment have ended by then
constexpr std::int64_t restWhenGrown = 4, restElse = 100; // times as long as it works
constexpr std::int64_t longestRestMs = 30000;
constexpr std::int64_t noticeMs = 10000; // in which another step has looked for files
// Between looks for files that other steps have as well: a look may have to wait for a file server. The second one
// where nothing has changed for a while.
constexpr std::int64_t elsewhereMs = 2000, longestElsewhereMs = 10000;
constexpr std::int64_t noticesSoughtMs = 5000; // where there may be none
constexpr std::size_t fewTries = 50; // with more at a time, those that end are looked through for known files only

// Large because whose a file is depends on all that is known of all tries.
class MetricService
{
public:
    MetricService(int socket, bool isInStep) : m_socket(socket), m_isInStep(isInStep) { }

    void run()
    {
        while (takeMessages()) {
            takeRewritten();
            lookAtOne();
        }
    }

private:
    using Whose = TryMetrics::Whose;
    struct Entry {
        std::unique_ptr<TryMetrics> metrics;
        std::unique_ptr<NoticeWriter> notice;
        std::int64_t next = 0; // monotonic ms
        bool hasEnded = false;
        std::int64_t ended = 0; // ms UTC; 0: it runs
        std::int64_t last = 0; // the same by the clock of the files, which is never before
    };

    std::map<std::string, Entry>::iterator nextEntry()
    {
        return std::min_element(m_tries.begin(), m_tries.end(),
            [this](const auto &a, const auto &b) { return dueOf(a.second) < dueOf(b.second); });
    }

    // A client waits for one that has ended.
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
        for (;;) {
            const ssize_t size = ::recv(m_socket, m_message.data(), m_message.size(), MSG_DONTWAIT);
            if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
                return false;
            }
            if (size < 0) {
                return true;
            }
            take(m_message[0], std::string(m_message.data() + 1, static_cast<std::size_t>(size) - 1));
        }
    }

    void take(char kind, const std::string &dir)
    {
        if (kind == 'P') {
            answer('P', {});
            return;
        }
        if (kind == metricmessage::secret) {
            const std::size_t end = dir.find('\0');
            if (end != std::string::npos) {
                takeSecret(dir.substr(0, end), dir.substr(end + 1));
            }
            return;
        }
        Entry &entry = m_tries[dir];
        const bool isNew = !entry.metrics;
        if (isNew) {
            entry.metrics = std::make_unique<TryMetrics>(dir);
            entry.metrics->hide(m_secrets[dir]);
            entry.notice = std::make_unique<NoticeWriter>(dir, entry.metrics->job(), m_isInStep);
            entry.next = monotonicMs() + firstLookMs;
        }
        if (kind == 'E') {
            // By its own record: this message may have waited, and the next try of the task may run.
            const std::optional<contract::ExitRecord> exit = contract::readExitRecord(dir);
            entry.hasEnded = true;
            entry.ended = exit && exit->ended > 0 ? exit->ended : utcMs();
            entry.next = monotonicMs();
            // A try's own time stands still while the computer sleeps; its record was written right after its end.
            const auto [key, written] = fileKeyOf(dir + '/' + contract::file::exit);
            entry.last = std::max(entry.ended, written);
            m_owners.noteEnd(dir, entry.ended);
            entry.metrics->end(!isNew);
        }
        tellOthers(entry);
    }

    // The helpers of steps. Where none has run, there is no folder for what they tell each other.
    void tellOthers(const Entry &entry)
    {
        const TryMetrics &metrics = *entry.metrics;
        if (!m_isInStep && monotonicMs() >= m_noticesSought) {
            m_noticesSought = monotonicMs() + noticesSoughtMs;
            m_hasNotices = contract::isRealFolderAt(noticeFolder(folderOfJobs(metrics.dir(), metrics.job())));
        }
        if (m_isInStep || m_hasNotices) {
            entry.notice->tell({{}, {}, metrics.began(), entry.ended, metrics.workFolder(), metrics.filesForSure()});
        }
    }

    // It may arrive again with the end of the try.
    void takeSecret(const std::string &dir, const std::string &secret)
    {
        std::vector<std::string> &known = m_secrets[dir];
        if (std::find(known.begin(), known.end(), secret) != known.end()) {
            return;
        }
        known.push_back(secret);
        if (const auto entry = m_tries.find(dir); entry != m_tries.end()) {
            entry->second.metrics->hide(known);
        }
    }

    void answer(char kind, const std::string &dir) const
    {
        const std::string message = kind + dir;
        ::send(m_socket, message.data(), message.size(), MSG_NOSIGNAL);
    }

    static Claimant claimantOf(const Entry &entry)
    {
        const TryMetrics &metrics = *entry.metrics;
        return {metrics.job(), metrics.dir(), {metrics.began(), entry.hasEnded ? entry.last : 0}};
    }

    // Its path names another job: one that is known here, or runs on another computer that has the same folder.
    bool isNamedOther(const std::string &path, const TryMetrics &metrics) const
    {
        return !namesJob(path, metrics.job())
            && (std::any_of(m_tries.begin(), m_tries.end(),
                    [&path](const auto &each) { return namesJob(path, each.second.metrics->job()); })
                || std::any_of(m_past.all().begin(), m_past.all().end(),
                    [&path](const PastTry &past) { return namesJob(path, past.who.job); })
                || metrics.isNamedAfterOther(path));
    }

    Whose whoseIs(const std::string &path, const Entry &own)
    {
        const TryMetrics &metrics = *own.metrics;
        if (m_owners.isOfOther(path, metrics.dir(), metrics.began()) || isNamedOther(path, metrics)) {
            return Whose::Other;
        }
        const bool isNamed = namesJob(path, metrics.job()); // other jobs have no claim then
        struct stat about = {};
        const bool isThere = ::stat(path.c_str(), &about) == 0;
        const FileTimes times = isThere ? fileTimesOf(path, about) : FileTimes();
        const std::int64_t slack = times.slack, latest = times.changedUntil + slack;
        const Claimant self = claimantOf(own);
        if (self.life.ended > 0 && !isNamed && isThere && isChangedAfter(about, self.life.ended, slack)) {
            return Whose::Other; // of a program that may not be known here yet
        }
        const std::size_t tie = metrics.tieTo(path);
        Whose whose = Whose::Own;
        for (const auto &[dir, entry] : m_tries) {
            const TryMetrics &other = *entry.metrics;
            const bool isBefore = entry.hasEnded && entry.ended <= metrics.began();
            const bool isAfter = other.began() > latest; // nothing has changed since it began
            const bool isStranger = isNamed && other.job() != metrics.job();
            if (&other != &metrics && !other.isOver() && !isBefore && !isAfter && !isStranger) {
                whose = std::max(whose,
                    other.hasFile(path) ? Whose::Other
                                        : fileClaimOf(claimantOf(entry), other.tieTo(path), self, tie, times));
            }
        }
        for (const PastTry &past : m_past.all()) {
            const Life &life = past.who.life;
            const bool isStranger = isNamed && past.who.job != metrics.job();
            if (past.who.dir != metrics.dir() && life.ended > metrics.began() && whose != Whose::Other && !isStranger) {
                const Whose claim = fileClaimOf(past.who, deepestAbove(path, past.folders), self, tie, times);
                whose
                    = claim > whose && isThere && mayBeChangedBy(about, life.began, life.ended, slack) ? claim : whose;
            }
        }
        const Whose here = whose;
        elsewhere(metrics, true, [&](const TryElsewhere &other) {
            const Life &life = other.who.life;
            const bool isStranger = isNamed && other.who.job != metrics.job();
            const bool isBeside = life.began <= latest && (life.ended == 0 || life.ended > metrics.began());
            const bool mayBe = life.ended == 0 || (isThere && mayBeChangedBy(about, life.began, life.ended, slack));
            if (isBeside && mayBe && !isStranger) {
                whose = std::max(whose,
                    other.files.contains(path)
                        ? Whose::Other
                        : fileClaimOf(other.who, deepestAbove(path, other.folders), self, tie, times));
            }
        });
        if (whose != here && whose != Whose::Other && !own.hasEnded && isNewHere(path)) {
            return Whose::Later;
        }
        return whose != Whose::Other && isHeldByOther(path, metrics) ? Whose::Other : whose;
    }

    // Of other steps. They are looked for once for each look at a try, if it needs to be known now or may have changed.
    template <typename Take> void elsewhere(const TryMetrics &metrics, bool isNeeded, Take take)
    {
        if (!m_isInStep) {
            return;
        }
        if (!m_hasLookedElsewhere && (isNeeded || monotonicMs() >= m_elsewhereDue)) {
            m_hasLookedElsewhere = true;
            const bool hasChanged = m_elsewhere.refresh(folderOfJobs(metrics.dir(), metrics.job()), metrics.began());
            m_elsewhereMs = hasChanged ? elsewhereMs : std::min(m_elsewhereMs * 2, longestElsewhereMs);
            m_elsewhereDue = monotonicMs() + m_elsewhereMs;
        }
        m_elsewhere.forEachBegun([&](const TryElsewhere &other) {
            if (!m_tries.contains(other.who.dir)) {
                take(other);
            }
        });
    }

    // A step that has it open notes that when it looks for files the next time.
    bool isNewHere(const std::string &path)
    {
        constexpr std::size_t mostAwaited = 10000;
        if (m_firstSeen.size() > mostAwaited) {
            m_firstSeen.clear();
        }
        const std::int64_t now = monotonicMs();
        return now - m_firstSeen.try_emplace(path, now).first->second < noticeMs;
    }

    // It may work elsewhere, and was not looked at since it opened the file.
    bool isHeldByOther(const std::string &path, const TryMetrics &metrics)
    {
        if (!m_heldByOthers) {
            m_heldByOthers.emplace();
            std::size_t looked = 0;
            for (const auto &[dir, entry] : m_tries) {
                if (entry.metrics.get() != &metrics && ++looked <= fewTries) {
                    entry.metrics->addOpenFiles(*m_heldByOthers);
                }
            }
        }
        return m_heldByOthers->contains(path);
    }

    void takeRewritten()
    {
        int status = 0;
        for (pid_t process = 0; (process = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            for (const auto &[dir, entry] : m_tries) {
                entry.metrics->reaped(process, status);
            }
        }
    }

    // One at a time: it takes some memory.
    void rewrite(TryMetrics &metrics)
    {
        const std::int64_t now = utcMs();
        const bool isBusy = std::any_of(
            m_tries.begin(), m_tries.end(), [](const auto &each) { return each.second.metrics->isRewriting(); });
        if (!isBusy && metrics.isRewritingDue(now)) {
            metrics.startRewriting(now);
        }
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
        m_heldByOthers.reset();
        m_hasLookedElsewhere = false;
        m_looksAtEnd = entry.hasEnded;
        const bool isInHurry = m_tries.size() > fewTries && entry.hasEnded;
        const TryMetrics::Look look = metrics.look(
            [this, &entry, &metrics, isInHurry](const std::string &path) {
                return !isInHurry ? whoseIs(path, entry)
                    : m_owners.isOfOther(path, metrics.dir(), metrics.began()) || isNamedOther(path, metrics)
                    ? Whose::Other
                    : Whose::OfFirstTask;
            },
            [this, &entry, isInHurry] {
                tellOthers(entry); // before it is asked what they have: of two at the same time, one sees the other
                leaveOutShared(entry, entry.hasEnded && !isInHurry);
            });
        remember(entry);
        const std::int64_t now = monotonicMs();
        const std::int64_t rest = (now - began) * (look.hasGrown ? restWhenGrown : restElse);
        m_restUntil = entry.hasEnded ? m_restUntil : now + std::min(rest, longestRestMs);
        const std::int64_t age = utcMs() - metrics.began();
        constexpr std::int64_t part = 60, least = 1000, most = 5000, soon = 100;
        entry.next = look.isMore ? now : now + (entry.hasEnded ? soon : std::clamp(age / part, least, most));
        if (!look.isMore) {
            rewrite(metrics);
        }
        if (metrics.isOver()) {
            forget(entry);
            const std::string dir = next->first;
            m_tries.erase(next);
            m_secrets.erase(dir);
            answer('D', dir);
        }
    }

    static FileUse useOf(const Entry &entry, bool isOfOther)
    {
        FileUse use{entry.metrics->job(), entry.metrics->began(), entry.hasEnded ? entry.ended : 0};
        for (const auto &[path, file] : entry.metrics->presentFiles()) {
            if (file.isWritten || !isOfOther) {
                use.files.emplace(file.key, file.changed);
            }
        }
        return use;
    }

    // Files that others have open are searched for only at the end: while the try runs, they are found before the next
    // look.
    void leaveOutShared(const Entry &entry, bool looksAtOpenFiles)
    {
        TryMetrics &metrics = *entry.metrics;
        const FileUse mine = useOf(entry, false);
        if (mine.files.empty()) {
            return;
        }
        std::vector<FileUse> others;
        std::size_t looked = 0;
        for (const auto &[dir, other] : m_tries) {
            if (other.metrics->job() != metrics.job()) {
                others.push_back(useOf(other, true));
                if (looksAtOpenFiles && !other.hasEnded && ++looked <= fewTries) {
                    others.back().files.merge(other.metrics->openFileKeys());
                }
            }
        }
        for (const PastTry &past : m_past.all()) {
            if (past.who.job != metrics.job()) {
                others.push_back(past.useOf(mine));
            }
        }
        elsewhere(metrics, m_looksAtEnd, [&](const TryElsewhere &other) {
            if (other.who.job != metrics.job() && !other.files.empty()) {
                others.push_back(other.useOf(metrics.presentFiles()));
            }
        });
        if (!others.empty()) {
            metrics.leaveOut(sharedFiles(mine, others));
        }
    }

    void remember(const Entry &entry)
    {
        m_owners.makeRoom();
        entry.metrics->forEachFile(
            [&](const std::string &path) { m_owners.take(path, entry.metrics->dir(), entry.ended); });
    }

    // Only those that ran beside it may find what it has left.
    void forget(const Entry &entry)
    {
        const TryMetrics &metrics = *entry.metrics;
        std::int64_t earliest = entry.ended;
        for (const auto &[dir, other] : m_tries) {
            earliest = other.metrics.get() != &metrics ? std::min(earliest, other.metrics->began()) : earliest;
        }
        m_past.leaveOut(earliest);
        m_past.add({{metrics.job(), metrics.dir(), {metrics.began(), entry.ended}}, metrics.folders(),
            metrics.presentFiles()});
    }

    int m_socket;
    bool m_isInStep;
    std::vector<char> m_message = std::vector<char>(PATH_MAX + metricmessage::longestSecret + 16);
    std::map<std::string, std::vector<std::string>> m_secrets; // by the folder of their try
    std::map<std::string, Entry> m_tries;
    FileOwners m_owners;
    PastTries m_past;
    TriesElsewhere m_elsewhere;
    std::map<std::string, std::int64_t> m_firstSeen; // files that a try of another step may have: monotonic ms
    bool m_hasLookedElsewhere = false; // during one look
    bool m_looksAtEnd = false; // at a try that has ended: what is found now counts
    std::int64_t m_elsewhereDue = 0, m_elsewhereMs = elsewhereMs; // monotonic ms
    bool m_hasNotices = false; // of this host, which is no step of a cluster
    std::int64_t m_noticesSought = 0; // monotonic ms
    std::optional<std::set<std::string>> m_heldByOthers; // files, during one look
    std::int64_t m_restUntil = 0; // monotonic ms
};

} // namespace

void serveMetrics(int socket, bool isInStep)
{
#ifdef M_TRIM_THRESHOLD
    // Else the memory of each short try is given back to the kernel at its end, only to be asked for by the next.
    constexpr int kept = 1 << 20;
    ::mallopt(M_TRIM_THRESHOLD, kept);
#endif
    constexpr int weakest = 19;
    ::setpriority(PRIO_PROCESS, 0, weakest);
#ifdef SYS_ioprio_set
    constexpr int ofProcess = 1, idle = 3 << 13;
    ::syscall(SYS_ioprio_set, ofProcess, 0, idle);
#endif
    MetricService(socket, isInStep).run();
}

} // namespace trainyard::agent
