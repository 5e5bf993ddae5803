// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/shortsecrets.h"

#include "model/protocol/plugins.h"

namespace trainyard
{

std::optional<JobNote> noteOfShortSecrets(
    const QMap<QString, QString> &given, const std::function<bool(const QString &name)> &isOfJob)
{
    QStringList names;
    for (auto it = given.cbegin(); it != given.cend(); ++it) {
        if (!it->isEmpty() && it->toUtf8().size() < shortestMaskedSecret && isOfJob(it.key())) {
            names.append(it.key());
        }
    }
    if (names.isEmpty()) {
        return std::nullopt;
    }
    return JobNote{QStringLiteral("secrets.given-short"),
        {{QStringLiteral("names"), names.join(QStringLiteral(", "))},
            {QStringLiteral("shortest"), shortestMaskedSecret}}};
}

} // namespace trainyard
