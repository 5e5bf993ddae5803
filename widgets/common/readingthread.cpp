// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/readingthread.h"

#include "model/base/threads.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QThread>

#include <utility>

namespace trainyard
{

void WayBack::callLater(std::function<void()> call)
{
    const std::lock_guard lock(m_mutex);
    if (m_receiver) {
        threads::callLater(m_receiver, std::move(call));
    }
}

void WayBack::close()
{
    const std::lock_guard lock(m_mutex);
    m_receiver = nullptr;
}

ReadingThread::ReadingThread(const QString &name, QObject *worker, std::shared_ptr<WayBack> wayBack)
    : m_thread(new QThread), m_wayBack(std::move(wayBack))
{
    worker->moveToThread(m_thread);
    QObject::connect(m_thread, &QThread::finished, worker, &QObject::deleteLater);
    QObject::connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->setObjectName(name);
    m_thread->start(QThread::LowPriority);
}

ReadingThread::~ReadingThread()
{
    m_wayBack->close();
    m_thread->quit();
    if (m_thread->wait(QDeadlineTimer(longestWaitMs))) {
        threads::take();
        delete m_thread; // there may be no event loop any more
    }
}

} // namespace trainyard
