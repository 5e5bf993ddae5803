// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <QRunnable>
#include <QThreadPool>

#include <mutex>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sched.h>
#include <sys/types.h>

#include <cstdarg>

// QProcess starts a program in a child that borrows this process's memory (CLONE_VM | CLONE_VFORK). ThreadSanitizer's
// own clone(), which this stands before, takes that for a fork: once a thread of a pool lives, the thread that starts
// programs is looked at no more, and the next thread that is to be started ends the process.
extern "C" {
int __clone(int (*run)(void *), void *stack, int flags, void *argument, ...); // glibc's, under its other name
int clone(int (*run)(void *), void *stack, int flags, void *argument, ...) noexcept
{
    std::va_list rest;
    va_start(rest, argument);
    auto *parent = va_arg(rest, pid_t *);
    void *storage = va_arg(rest, void *);
    auto *child = va_arg(rest, pid_t *);
    va_end(rest);
    return __clone(run, stack, flags, argument, parent, storage, child);
}
}
#endif

namespace trainyard::threads
{
namespace
{

// Held while an item is put into one of Qt's queues: the receiving thread waits until the sending one has finished, so
// that it also has the last reference to the item. Nothing of ours runs under it.
std::mutex handingOver;

class PoolWork : public QRunnable
{
public:
    explicit PoolWork(std::function<void()> work) : m_work(std::move(work)) { }
    void run() override
    {
        take(); // before the first look at a member
        m_work();
        m_work = {}; // what it holds ends here, not in Qt's code
    }

private:
    std::function<void()> m_work;
};

// Ends on the thread of the receiver, also when this is deleted before it was called.
class LaterCall
{
public:
    explicit LaterCall(std::function<void()> call) : m_call(std::move(call)) { }
    LaterCall(LaterCall &&other) noexcept : m_call(std::exchange(other.m_call, nullptr)) { }
    ~LaterCall()
    {
        if (m_call) {
            take();
        }
    }
    LaterCall(const LaterCall &) = delete;
    LaterCall &operator=(const LaterCall &) = delete;
    LaterCall &operator=(LaterCall &&) = delete;
    void operator()()
    {
        take();
        m_call();
    }

private:
    std::function<void()> m_call;
};

} // namespace

void give() { const std::lock_guard lock(handingOver); }
void take() { const std::lock_guard lock(handingOver); }

void callLater(QObject *receiver, std::function<void()> call)
{
    LaterCall taking(std::move(call));
    const std::lock_guard lock(handingOver);
    QMetaObject::invokeMethod(receiver, std::move(taking), Qt::QueuedConnection);
}

QThreadPool &workPool()
{
    static QThreadPool *const pool = [] {
        auto *made = new QThreadPool; // not deleted: work of other threads may come until the end of the process
        qAddPostRoutine([] { workPool().waitForDone(); });
        return made;
    }();
    return *pool;
}

void runOnPool(std::function<void()> work, QThreadPool *pool)
{
    auto runnable = new PoolWork(std::move(work)); // the pool deletes it
    const std::lock_guard lock(handingOver);
    (pool ? *pool : workPool()).start(runnable);
}

} // namespace trainyard::threads
