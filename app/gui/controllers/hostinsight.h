// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard
{

class EngineClient;
class HostsPage;

// Shows on the page what the chosen host was used for in the last hour and which environments it has.
void serveInsight(HostsPage *page, EngineClient *client);

} // namespace trainyard
