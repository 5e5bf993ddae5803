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

// The way back from a thread that may outlive the receiver of its answers.
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

// A thread for one object that reads files. It ends when this object does, which does not wait long for a disk or a
// file server without an answer: then the thread is left behind, and ends together with the object once it has its
// answer. So the data of the object must be its own or shared with it, and it answers only by the way back.
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
