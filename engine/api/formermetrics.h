// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QMap>

namespace trainyard
{

// Metrics of the former runs of a document: jobs of this file, and jobs and sweeps of this name.
struct FormerMetrics {
    QMap<QString, int> runs; // how many have each
    int all = 0; // how many runs have any
    QStringList newest; // of the newest run that has succeeded, else of the newest one that has any
    // A few runs have it, likely with other settings: neither the newest one nor half of all.
    bool isRare(const QString &metric) const;
};
FormerMetrics formerMetrics(const QList<JobSummary> &jobs, const QString &file, const QString &name);

QStringList metricsOfRuns(const QList<JobSummary> &jobs, const QString &file, const QString &name);

} // namespace trainyard
