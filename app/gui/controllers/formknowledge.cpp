// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/formknowledge.h"

#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/secrets.h"
#include "engine/api/hostlimits.h"
#include "engine/client/engineclient.h"
#include "widgets/form/designerpage.h"

namespace trainyard
{

FormKnowledge::FormKnowledge(EngineClient *client, HostController *hosts, Secrets *secrets, QObject *parent)
    : QObject(parent), m_client(client), m_hosts(hosts), m_secrets(secrets)
{
}

void FormKnowledge::tell(DesignerPage *designer)
{
    designer->setHosts(m_hosts->hosts());
    connect(m_hosts, &HostController::changed, designer, &DesignerPage::setHosts);
    designer->setSecretVault(m_secrets->vault());
    connect(m_secrets, &Secrets::vaultChanged, designer, &DesignerPage::setSecretVault);
    designer->setSecretMemory(m_secrets->memory());
    const auto tellClusters = [this, designer] { designer->setKnownClusters([this] { return knownClusters(); }); };
    connect(this, &FormKnowledge::offersChanged, designer, tellClusters);
    tellClusters();
    followSettings(designer);
}

// Storages that the settings know, whenever an engine is there to be asked.
void FormKnowledge::followSettings(DesignerPage *designer)
{
    const auto ask = [this, designer] {
        if (m_client->status() != EngineClient::Status::Ready) {
            return;
        }
        m_client->call<api::GetSettings>({}, designer, [designer](const Result<QJsonObject> &settings) {
            if (!settings) {
                return;
            }
            designer->setStorages(storageNames(*settings));
            designer->setMemoryReserve(memoryReserveOf(*settings));
        });
    };
    connect(m_client, &EngineClient::statusChanged, designer, ask);
    ask();
}

// The virtual clusters that earlier jobs were in, and what clusters offer.
ClusterOffers FormKnowledge::knownClusters() const
{
    ClusterOffers known = m_offers ? m_offers() : ClusterOffers();
    const QList<JobSummary> jobs = m_client->jobs();
    for (const JobSummary &job : jobs) {
        if (!job.virtualCluster.isEmpty() && !known.queues.contains(job.virtualCluster)) {
            known.queues.append(job.virtualCluster);
        }
    }
    known.queues.sort();
    return known;
}

void FormKnowledge::setOffers(const std::function<ClusterOffers()> &offers)
{
    m_offers = offers;
    Q_EMIT offersChanged();
}

} // namespace trainyard
