// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/outputwatch.h"

#include "engine/results/watchedoutput.h"
#include "model/base/threads.h"

#include <QElapsedTimer>
#include <QTimer>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace trainyard
{
namespace
{

// Times what a piece took, it rests: while the task runs it uses at most a tenth of a core, also of an output that
// grows faster than a network carries it.
constexpr int restShare = 9, restShareAtEnd = 1;
constexpr qint64 tellEveryMs = 2000;
constexpr int lookAtEndMs = 50;
// How often an output is read that a client shows, while it says something, and while it does not.
constexpr int lookCloselyMs = 250, lookAtQuietMs = 500;
constexpr int mostFollowed = 16; // of more, none is looked at more often
// It must not be in the way of training. Yet the weakest of all, 19, would get a hundredth of a processor that is busy
// all the time, and results would come minutes after the end.
constexpr int niceness = 10;

} // namespace

// Lives on the thread of the watch. One step reads a piece of one output.
class OutputWatch::Worker : public QObject
{
public:
    using Tell = std::function<void(quint64, OutputReading)>;
    using TellProgress = std::function<void(quint64, ProgressRate)>;
    Worker(Tell tell, TellProgress tellProgress)
        : m_tell(std::move(tell)), m_tellProgress(std::move(tellProgress)), m_timer(new QTimer(this))
    {
        m_clock.start();
        m_timer->setSingleShot(true);
        connect(m_timer, &QTimer::timeout, this, &Worker::step);
    }
    ~Worker() override { threads::give(); }

    void watch(quint64 key, const QString &folder, const OutputRules &rules)
    {
        m_outputs.try_emplace(key, std::make_unique<Watched>(folder, rules));
        goOn(0);
    }
    void follow(quint64 key, bool on)
    {
        if (const auto found = m_outputs.find(key); found != m_outputs.end() && found->second->isFollowed != on) {
            found->second->isFollowed = on;
            m_followed += on ? 1 : -1;
            if (on) {
                found->second->due = 0;
                goOn(0);
            }
        }
    }
    void hurry(quint64 key)
    {
        if (const auto found = m_outputs.find(key); found != m_outputs.end()) {
            found->second->due = 0;
            found->second->restMs = lookAtEndMs;
            found->second->isAwaited = true;
            found->second->sinceTold.invalidate();
            goOn(0);
        }
    }
    void forget(quint64 key)
    {
        if (const auto found = m_outputs.find(key); found != m_outputs.end()) {
            m_followed -= found->second->isFollowed ? 1 : 0;
            m_outputs.erase(found);
        }
    }

private:
    struct Watched {
        Watched(const QString &folder, const OutputRules &rules) : output(folder, rules) { }
        WatchedOutput output;
        QElapsedTimer sinceTold;
        bool isFollowed = false;
        bool isAwaited = false; // its try has ended, and its results may be waited for
        qint64 due = 0; // by the clock of the worker: when it is looked at again
        int restMs = WatchedOutput::lookEveryMs; // then
    };

    void goOn(int ms)
    {
        if (!m_timer->isActive() || m_timer->remainingTime() > ms) {
            m_timer->start(ms);
        }
    }

    void step()
    {
        if (!m_isWeak) { // of this thread alone, which Linux allows
            m_isWeak = true;
            ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), niceness);
        }
        if (m_outputs.empty()) {
            return;
        }
        const qint64 now = m_clock.elapsed();
        const bool isResting = now < m_restUntil;
        auto next = m_outputs.end();
        for (auto it = m_outputs.begin(); it != m_outputs.end(); ++it) {
            const bool mayGoOn = !isResting || isShortAndAwaited(*it->second);
            if (mayGoOn && (next == m_outputs.end() || it->second->due < next->second->due)) {
                next = it;
            }
        }
        const qint64 due = next == m_outputs.end() ? m_restUntil : next->second->due;
        if (due > now) {
            goOn(int((isResting ? std::min(due, m_restUntil) : due) - now));
            return;
        }
        const int share = next->second->isAwaited ? restShareAtEnd : restShare;
        read(next->first, *next->second);
        const qint64 end = m_clock.elapsed();
        m_restUntil = std::max(m_restUntil, end) + (end - now) * share;
        goOn(0);
    }

    // Somebody waits for it, and it is read in no time: not only after a rest from others.
    static bool isShortAndAwaited(const Watched &watched) { return watched.isAwaited && !watched.output.hasMore(); }

    void read(quint64 key, Watched &watched)
    {
        WatchedOutput &output = watched.output;
        const bool isFollowed = watched.isFollowed && m_followed <= mostFollowed && !watched.isAwaited;
        const WatchedOutput::Piece piece = output.readPiece(isFollowed);
        if (piece.isOver
            || (output.hasNews() && (!watched.sinceTold.isValid() || watched.sinceTold.elapsed() >= tellEveryMs))) {
            watched.sinceTold.start();
            m_tell(key, output.takeReading(piece));
        } else if (piece.isFollowed && output.hasAdvanced()) {
            m_tellProgress(key, output.takeProgress());
        }
        const qint64 now = m_clock.elapsed();
        if (piece.hasMore) {
            watched.due = now; // behind the others
            return;
        }
        output.pause();
        // All at once, so that the processor rests in between; what is over soon is looked at sooner.
        if (piece.isFollowed) {
            watched.restMs = piece.hasSaid ? lookCloselyMs : lookAtQuietMs;
        }
        watched.due = (now / watched.restMs + 1) * watched.restMs;
        watched.restMs = std::min(watched.restMs * 2, WatchedOutput::lookEveryMs);
        if (piece.isOver) {
            forget(key);
        }
    }

    Tell m_tell;
    TellProgress m_tellProgress;
    QTimer *m_timer;
    std::map<quint64, std::unique_ptr<Watched>> m_outputs;
    QElapsedTimer m_clock;
    int m_followed = 0;
    qint64 m_restUntil = 0; // by m_clock
    bool m_isWeak = false;
};

OutputWatch::OutputWatch()
    : m_worker(new Worker(
        [this](quint64 key, OutputReading reading) {
            threads::callLater(this, [this, key, reading = std::move(reading)] { Q_EMIT told(key, reading); });
        },
        [this](quint64 key, ProgressRate progress) {
            threads::callLater(this, [this, key, progress = std::move(progress)] { Q_EMIT advanced(key, progress); });
        }))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("results"));
    m_thread.start();
}

OutputWatch::~OutputWatch()
{
    m_thread.quit();
    m_thread.wait();
    threads::take();
}

void OutputWatch::watch(quint64 key, const QString &folder, const OutputRules &rules)
{
    threads::callLater(m_worker, [worker = m_worker, key, folder, rules] { worker->watch(key, folder, rules); });
}

void OutputWatch::follow(quint64 key, bool on)
{
    threads::callLater(m_worker, [worker = m_worker, key, on] { worker->follow(key, on); });
}

void OutputWatch::hurry(quint64 key)
{
    threads::callLater(m_worker, [worker = m_worker, key] { worker->hurry(key); });
}

void OutputWatch::forget(quint64 key)
{
    threads::callLater(m_worker, [worker = m_worker, key] { worker->forget(key); });
}

} // namespace trainyard
