// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/clusteroffers.h"

#include <QObject>

#include <functional>

namespace trainyard
{

class DesignerPage;
class EngineClient;
class HostController;
class Secrets;

// Keeps the forms of documents informed of their environment: hosts, the place of secrets, storages and limits of the
// settings, and offers of clusters.
class FormKnowledge : public QObject
{
    Q_OBJECT
public:
    FormKnowledge(EngineClient *client, HostController *hosts, Secrets *secrets, QObject *parent);
    void tell(DesignerPage *designer);
    void setOffers(const std::function<ClusterOffers()> &offers);

Q_SIGNALS:
    void offersChanged();

private:
    void followSettings(DesignerPage *designer);
    ClusterOffers knownClusters() const;

    EngineClient *m_client;
    HostController *m_hosts;
    Secrets *m_secrets;
    std::function<ClusterOffers()> m_offers;
};

} // namespace trainyard
