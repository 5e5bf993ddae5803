// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Rows of lists of jobs that are runs of other programs, read from their files (engine/foreign): no engine knows them.
inline constexpr QLatin1StringView foreignPrefix{"file-"}; // of their uuids
inline bool isForeign(const QString &uuid) { return uuid.startsWith(foreignPrefix); }

} // namespace trainyard
