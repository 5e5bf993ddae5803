// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/slurmpartitions.h"

#include <algorithm>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

QJsonArray partitionsOf(const QJsonArray &partitions, const QStringList &options)
{
    QStringList names;
    for (const QString &option : options) {
        if (option.startsWith("--partition="_L1)) {
            names = option.section(u'=', 1).split(u',', Qt::SkipEmptyParts);
        }
    }
    QJsonArray found;
    for (const QJsonValue &each : partitions) {
        const bool isMeant = names.isEmpty() ? each.toObject().value("isDefault"_L1).toBool()
                                             : names.contains(each.toObject().value("name"_L1).toString());
        if (isMeant) {
            found.append(each);
        }
    }
    return found;
}

QJsonObject largestOf(const QJsonArray &partitions)
{
    QJsonObject largest;
    for (const QJsonValue &each : partitions) {
        const QJsonObject its = each.toObject().value("largest"_L1).toObject();
        for (auto it = its.begin(); it != its.end(); ++it) {
            largest.insert(it.key(), std::max(it->toInteger(), largest.value(it.key()).toInteger()));
        }
    }
    return largest;
}

} // namespace trainyard::slurm
