// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;

namespace trainyard
{

// Work for another thread; `work` runs there, what it returns runs on the GUI thread, if `receiver` still lives then.
void runAside(QObject *receiver, std::function<std::function<void()>()> work);

// In such work, around what may wait for a disk or a file server that does not answer: all other work goes on
// meanwhile.
class WaitAside
{
public:
    WaitAside();
    ~WaitAside();
    WaitAside(const WaitAside &) = delete;
    WaitAside &operator=(const WaitAside &) = delete;
};

} // namespace trainyard
