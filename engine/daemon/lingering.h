// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <optional>

namespace trainyard
{

// Whether the user's processes continue after the last logout, which systemd calls lingering. The result is nothing if
// no systemd manages the user's processes, in which case no logout ends them. `answer` is called once, at once or
// within 2 s.
void askForLingering(QObject *context, const std::function<void(std::optional<bool>)> &answer);

} // namespace trainyard
