// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard::cli
{

class Session;

// Offers a cluster of this computer, unless it was declined, or there is no controller that would accept jobs.
void offerCluster(Session &session);
// Asks the cluster and says what was found. Returns the exit status.
int checkOne(Session &session, const QString &target, bool isJson);
// Says how the new target does, and how it is used.
int checkAdded(Session &session, const QString &id, bool isJson);

} // namespace trainyard::cli
