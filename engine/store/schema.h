// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QSqlDatabase>

namespace trainyard
{

// Number of the newest schema, and how older files come to it.
inline constexpr int storeSchema = 2;

// Makes an empty file a store, or brings an older one up to date, all in one transaction. Errors "store.newer" {schema,
// known}, "store.damaged" {detail}; the caller adds the path.
Result<void> migrateStore(QSqlDatabase &database);

} // namespace trainyard
