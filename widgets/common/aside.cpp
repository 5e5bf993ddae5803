// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/aside.h"

#include "model/base/threads.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace trainyard
{

void runAside(QObject *receiver, std::function<std::function<void()>()> work)
{
    QPointer<QObject> guard(receiver);
    threads::runOnPool([guard, work = std::move(work)] {
        std::function<void()> result = work();
        // The application object outlives the receiver; the guard is read on its thread only.
        threads::callLater(QCoreApplication::instance(), [guard, result = std::move(result)] {
            if (guard) {
                result();
            }
        });
    });
}

// A thread that waits does not count among those that the pool may have.
WaitAside::WaitAside() { threads::workPool().releaseThread(); }

WaitAside::~WaitAside() { threads::workPool().reserveThread(); }

} // namespace trainyard
