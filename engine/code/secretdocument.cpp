// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/secretdocument.h"

#include "model/protocol/shownsecrets.h"

#include <QFile>

namespace trainyard
{

bool isSecretDocument(const QByteArray &path)
{
    if (!path.endsWith(".yaml") && !path.endsWith(".yml")) {
        return false;
    }
    QFile file(QFile::decodeName(path));
    if (file.size() > maxCheckedBytes || !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray bytes = file.read(maxCheckedBytes);
    if (!bytes.contains("taskRoles") || !(bytes.contains("secrets") || bytes.contains("password"))) {
        return false;
    }
    return !secretRangesIn(YamlDocument::parse(bytes)).isEmpty();
}

} // namespace trainyard
