// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;
class QThreadPool;

// Passes work from one thread to another. Everything that the giving thread did before is seen by the taking one. Qt's
// queues ensure that, but its libraries are built without ThreadSanitizer, which therefore cannot see it. These
// functions make it visible in our own code, so that the remaining reports are our errors.
namespace trainyard::threads
{

// Runs `call` on the thread of `receiver` from its event loop, and never when the receiver is deleted before. The
// receiver must exist during this call.
void callLater(QObject *receiver, std::function<void()> call);

// The pool of the application's own work. It is not Qt's: Qt paints large areas with the threads of its pool, and the
// GUI thread waits for them. The application ends when the work is done.
QThreadPool &workPool();

// Runs `work` on a thread of `pool`; null means workPool().
void runOnPool(std::function<void()> work, QThreadPool *pool = nullptr);

// For other hand-overs, such as the end of a thread: call give() last on the giving side and take() first on the taking
// side.
void give();
void take();

} // namespace trainyard::threads
