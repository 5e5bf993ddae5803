// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlops.h"

#include <QList>
#include <QString>

namespace trainyard
{

// The operations that replace a name by the similar name of a field.
struct FieldRename {
    QString words; // the text afterwards: "memoryMB", or "memoryMB: 8192" where the value changes, too
    QList<edit::Op> ops;
};

// `path` ends with the key. An amount of memory in another unit becomes the same amount in that of the field, whether
// the unit is in the name (memoryGB: 8) or in the value (memory: 8Gi).
FieldRename fieldRename(const YamlPath &path, const QString &key, const YamlNode *value, const QString &field);

} // namespace trainyard
