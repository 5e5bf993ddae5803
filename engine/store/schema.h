// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QSqlDatabase>

class QSqlError;

namespace trainyard
{

// The number of the newest schema, and how older files are migrated to it.
inline constexpr int storeSchema = 10;

// The error about the file after a statement failed: "store.busy" {detail} where another program holds it,
// "store.unreadable" {detail} where this one has no memory or no file descriptor for it, else
// "store.damaged" {detail}.
Error storeFailure(const QSqlError &error);

// The schema of the file, 0 when it is empty. Writes nothing. Errors "store.newer" {schema, known}, and those of
// storeFailure(); the caller adds the path.
Result<int> schemaOf(QSqlDatabase &database);

// Makes a store of an empty file or migrates an older one, in one transaction. The errors are the same.
Result<void> migrateStore(QSqlDatabase &database);

} // namespace trainyard
