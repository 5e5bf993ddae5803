// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runpanes.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <utility>

namespace trainyard
{

// The stored layout of the page of a run: only the user's choices, because the page otherwise shows automatically what
// matters. Values only.
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
