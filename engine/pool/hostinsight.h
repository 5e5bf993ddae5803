// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hostenvironments.h"
#include "engine/api/hosthistory.h"
#include "engine/pool/hostpool.h"

#include <functional>

namespace trainyard
{

// Queries about a host beyond its present figures.
class HostInsight
{
public:
    using Environments = std::function<void(const Result<api::HostEnvironments> &)>;

    explicit HostInsight(const HostPool &hosts) : m_hosts(hosts) { }
    Result<api::HostHistory> history(const QString &id) const; // host.unknown {host}
    // host.unknown, host.not-connected {host}, host.gone; files.failed {host, message}. `answer` is not called when
    // `context` is gone.
    void environments(const QString &id, QObject *context, const Environments &answer) const;
    static api::HostEnvironments told(const QString &host, const contract::EnvironmentsFound &found);

private:
    const HostPool &m_hosts;
};

} // namespace trainyard
