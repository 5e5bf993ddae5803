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

// What the forms of documents know of the world around them, now and later: hosts, where secrets are kept, storages and
// limits of the settings, and what clusters offer.
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
