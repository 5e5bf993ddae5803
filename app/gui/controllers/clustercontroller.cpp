// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/clustercontroller.h"

#include "app/gui/targetbox.h"
#include "engine/client/engineclient.h"

namespace trainyard
{

ClusterController::ClusterController(EngineClient *client, TargetBox *target, QObject *parent)
    : QObject(parent), m_client(client), m_target(target)
{
    connect(client, &EngineClient::reset, this, &ClusterController::ask);
    connect(target, &TargetBox::aboutToShow, this, &ClusterController::ask);
}

void ClusterController::ask()
{
    m_client->call<api::ListTargets>({}, this, [this](const Result<QList<ClusterInfo>> &clusters) {
        if (clusters) {
            m_target->setClusters(*clusters);
        }
    });
}

} // namespace trainyard
