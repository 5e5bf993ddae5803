// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QSqlDatabase>

namespace trainyard
{

// Number of the newest schema, and how older files come to it.
inline constexpr int storeSchema = 3;

// Schema of the file, 0 when it is empty; writes nothing. Errors "store.newer" {schema, known}, "store.damaged"
// {detail}; the caller adds the path.
Result<int> schemaOf(QSqlDatabase &database);

// Makes an empty file a store, or brings an older one up to date, all in one transaction. Errors as above.
Result<void> migrateStore(QSqlDatabase &database);

} // namespace trainyard
