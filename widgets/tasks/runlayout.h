// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runpanes.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <utility>

namespace trainyard
{

// What is kept of the page of a run for another time: only what was chosen by hand, as the page shows by itself what
// matters then. Values only.
struct RunLayout {
    RunPanes::Sizes sizes;
    std::optional<int> tab;
    std::optional<std::pair<QString, int>> task; // role and index
    std::optional<bool> isFolded;
    QByteArray bookmarks; // as LogBookmarks gives them

    QByteArray toBytes() const;
    static std::optional<RunLayout> fromBytes(const QByteArray &bytes); // of an older version, what it had
};

} // namespace trainyard
