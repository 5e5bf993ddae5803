// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codesnapshot.h"
#include "engine/contract/datatree.h"

namespace trainyard
{

// Data of a job as it was at a moment.
struct DataSnapshot {
    contract::DataFiles files;
    std::vector<contract::CodeEntry> entries; // the same files, in the same order
    QByteArray text; // the tree
    QByteArray tree; // its name
    QString sum; // contract::dataSum()
};

// Reads what has changed since `names` saw it. For any thread; may take as long as the disk needs for all of the data.
// Errors: data.missing, data.link, data.odd-name, data.changes {path}, data.unreadable {path, reason}, data.too-many
// {path, most}, data.cancelled {path}.
Result<DataSnapshot> dataSnapshotOf(const QString &path, CodeNames &names, const ReadWatch &watch = {});

} // namespace trainyard
