// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads.h"

#include <QMetaObject>
#include <QObject>
#include <QRunnable>
#include <QThreadPool>

#include <mutex>

namespace trainyard::threads
{
namespace
{

// Held while something is put into one of Qt's queues: whoever takes it out waits until the giving side is through, so
// that it also has the last reference to it. Nothing of ours runs under it.
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

} // namespace

void give() { const std::lock_guard lock(handingOver); }
void take() { const std::lock_guard lock(handingOver); }

void callLater(QObject *receiver, std::function<void()> call)
{
    auto taking = [call = std::move(call)] {
        take();
        call();
    };
    const std::lock_guard lock(handingOver);
    QMetaObject::invokeMethod(receiver, std::move(taking), Qt::QueuedConnection);
}

void runOnPool(std::function<void()> work)
{
    auto runnable = new PoolWork(std::move(work)); // the pool deletes it
    const std::lock_guard lock(handingOver);
    QThreadPool::globalInstance()->start(runnable);
}

} // namespace trainyard::threads
