// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/freegroup.h"

#include "engine/client/engineclient.h"

namespace trainyard
{
namespace
{

void tryGroup(EngineClient *client, const QString &name, int number, QObject *context,
    const std::function<void(const Result<QString> &)> &found)
{
    const QString group = number > 1 ? name + QLatin1Char('-') + QString::number(number) : name;
    client->call<api::ListJobs>(
        {QStringLiteral("group:") + group, 0, 1}, context, [=](const Result<QList<JobSummary>> &known) {
            if (!known) {
                found(tl::unexpected(known.error()));
            } else if (known->isEmpty()) {
                found(group);
            } else {
                tryGroup(client, name, number + 1, context, found);
            }
        });
}

} // namespace

void findFreeGroup(EngineClient *client, const QString &name, QObject *context,
    const std::function<void(const Result<QString> &)> &found)
{
    tryGroup(client, name, 1, context, found);
}

} // namespace trainyard
