// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QSqlDatabase>

namespace trainyard
{

// The number of the newest schema, and how older files are migrated to it.
inline constexpr int storeSchema = 8;

// The schema of the file, 0 when it is empty. Writes nothing. Errors "store.newer" {schema, known}, "store.damaged"
// {detail}; the caller adds the path.
Result<int> schemaOf(QSqlDatabase &database);

// Makes a store of an empty file or migrates an older one, in one transaction. The errors are the same.
Result<void> migrateStore(QSqlDatabase &database);

} // namespace trainyard
