// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/engineclient.h"

#include <QObject>

#include <functional>

namespace trainyard
{

class HostsPage;
class Workbench;

// Shows Trainyard's files on hosts on their page, and removes them there or with the host.
class HostCleaning : public QObject
{
    Q_OBJECT
public:
    HostCleaning(Workbench *workbench, EngineClient *client);

    void serve(HostsPage *page); // shows the files of the chosen host while it is online
    // Asks whether what is on the host goes, too, where anything is or cannot be
    // seen; `remove` then removes the host itself. A host that was never reached is removed without a question.
    void askBeforeRemoval(const HostInfo &host, const std::function<void()> &remove);

private:
    void show(HostsPage *page, const HostInfo &host);
    void clean(HostsPage *page, const QString &id, bool everything);
    void askToEmpty(HostsPage *page, const QString &id, const QString &label);
    void askUnseen(const QString &label, const std::function<void()> &remove);

    Workbench *m_workbench;
    EngineClient *m_client;
};

} // namespace trainyard
