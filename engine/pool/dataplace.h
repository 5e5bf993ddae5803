// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/launch/dataplan.h"
#include "engine/pool/hostpool.h"

namespace trainyard
{

// Where tasks find the data of their job: on a host, or on the nodes of a cluster, which share a folder.
struct DataPlace {
    launch::DataHost named; // as jobs name it; users see its id
    QString host; // whose agent sees to it
    QString cache; // the folder of the nodes, absolute, which keeps copies until their jobs end; empty: the host's own
};

DataPlace dataPlaceOf(const PoolHost &at);

// The data that the tasks of a role need there, and where it is.
QList<launch::DataWant> dataWantsOf(
    const JobSpec &spec, const StoredDocument &document, const QString &role, const launch::DataHost &at);

} // namespace trainyard
