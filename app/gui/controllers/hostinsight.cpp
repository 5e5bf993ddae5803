// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/hostinsight.h"

#include "engine/client/engineclient.h"
#include "widgets/hosts/hostspage.h"

namespace trainyard
{

void serveInsight(HostsPage *page, EngineClient *client)
{
    QObject::connect(page, &HostsPage::hourWanted, page, [page, client](const QString &id) {
        client->call<api::GetHostHistory>({id}, page, [page](const Result<api::HostHistory> &history) {
            if (history) {
                page->setHour(*history);
            }
        });
    });
    QObject::connect(page, &HostsPage::environmentsWanted, page, [page, client](const QString &id) {
        client->call<api::GetHostEnvironments>({id}, page, [page](const Result<api::HostEnvironments> &found) {
            if (found) {
                page->setEnvironments(*found);
            }
        });
    });
}

} // namespace trainyard
