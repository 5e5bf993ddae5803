// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;
class QThreadPool;

// Work that goes from one thread to another. What the giving side did before is seen by the taking side: Qt's queues
// see to that, but its libraries are built without ThreadSanitizer, which therefore cannot know. These functions say it
// in our own code, so that what it still reports is ours.
namespace trainyard::threads
{

// Runs `call` on the thread of `receiver` when its event loop comes to it, and never when the receiver has died first.
// The receiver must be alive during this call.
void callLater(QObject *receiver, std::function<void()> call);

// Runs `work` on a thread of `pool`; null is the application's.
void runOnPool(std::function<void()> work, QThreadPool *pool = nullptr);

// For hand-overs of other kinds, such as the end of a thread: give() last on the one side, take() first on the other.
void give();
void take();

} // namespace trainyard::threads
