// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/clusteroffers.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

void addName(QStringList &names, const QString &name)
{
    if (!name.isEmpty() && !names.contains(name)) {
        names.append(name);
        names.sort();
    }
}

} // namespace

void ClusterOffers::add(const QList<ClusterStep> &steps)
{
    for (const ClusterStep &step : steps) {
        const QJsonArray clusters = step.args.value("clusters"_L1).toArray();
        for (const QJsonValue &each : clusters) {
            if (each.toObject().value("isOwn"_L1).toBool()) {
                addName(queues, each.toObject().value("name"_L1).toString());
            }
        }
        const QJsonArray found = step.args.value("skus"_L1).toArray();
        for (const QJsonValue &each : found) {
            addName(skus, each.toObject().value("name"_L1).toString());
        }
        if (step.id == "storages"_L1) {
            const QJsonArray names = step.args.value("names"_L1).toArray();
            for (const QJsonValue &each : names) {
                addName(storages, each.toString());
            }
        }
    }
}

} // namespace trainyard
