// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <memory>
#include <mutex>

class QObject;
class QThread;

namespace trainyard
{

// From a thread that may outlive who wants its answers back to that one.
class WayBack
{
public:
    explicit WayBack(QObject *receiver) : m_receiver(receiver) { }
    // Runs `call` on the thread of the receiver from its event loop, and never when close() comes before.
    void callLater(std::function<void()> call);
    void close(); // before the receiver goes; on its thread

private:
    std::mutex m_mutex;
    QObject *m_receiver;
};

// A thread for one object that reads files. It ends when this does, except that nobody waits long for a disk or a file
// server that does not answer: then the thread is left behind, and ends with the object once it has its answer. So what
// the object uses must be its own or shared with it, and it answers by the way back only.
class ReadingThread
{
public:
    static constexpr int longestWaitMs = 100;

    ReadingThread(const QString &name, QObject *worker, std::shared_ptr<WayBack> wayBack); // takes the worker
    ~ReadingThread();
    ReadingThread(const ReadingThread &) = delete;
    ReadingThread &operator=(const ReadingThread &) = delete;

private:
    QThread *m_thread; // deletes itself when it is left behind
    std::shared_ptr<WayBack> m_wayBack;
};

} // namespace trainyard
