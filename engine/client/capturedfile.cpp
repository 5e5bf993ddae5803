// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/capturedfile.h"

#include <QFile>
#include <QJsonDocument>

namespace trainyard
{

QJsonObject capturedEnvironmentIn(const QString &logFolder)
{
    constexpr qint64 most = 8 << 20; // with the changes that were not committed
    if (logFolder.isEmpty()) {
        return {};
    }
    QFile file(logFolder + QStringLiteral("/environment.json"));
    if (!file.open(QIODevice::ReadOnly) || file.size() > most) {
        return {};
    }
    return QJsonDocument::fromJson(file.read(most)).object();
}

} // namespace trainyard
