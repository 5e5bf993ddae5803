// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <optional>

namespace trainyard
{

// Whether the user's processes continue after the last logout, which systemd calls lingering. Nothing where no systemd
// manages the user's processes: then no logout ends them. `answer` comes once, at once or within 2 s.
void askForLingering(QObject *context, const std::function<void(std::optional<bool>)> &answer);

} // namespace trainyard
