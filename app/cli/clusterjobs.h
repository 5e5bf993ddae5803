// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"

#include <QString>

namespace trainyard::cli
{

class Session;

// The jobs that a cluster has of its user, as a table or in JSON. Both return the exit status.
int printClusterJobs(Session &session, const QString &target, bool isJson);
// The document of one of them, as a new job begins with it, to standard output.
int printClusterDocument(Session &session, const QString &target, const QString &name);
// Changes the tags of one of them, if there is anything to change, and prints those that it has then, one a line.
int changeClusterTags(Session &session, const TagChange &change, bool isJson);

} // namespace trainyard::cli
