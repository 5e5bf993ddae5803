// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QObject;

namespace trainyard
{

// Work for another thread; `work` runs there, what it returns runs on the GUI thread, if `receiver` still lives then.
void runAside(QObject *receiver, std::function<std::function<void()>()> work);

} // namespace trainyard
