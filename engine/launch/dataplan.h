// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/protocol/jobspec.h"

namespace trainyard::launch
{

// A host, as far as it decides where a task finds data.
struct DataHost {
    QString id;
    QStringList labels;
    bool isLocal = true;
    QString home; // empty: not known
};

// Data that a task needs on a host.
struct DataWant {
    QString name;
    QString path; // on the host if it has the data already, else on this computer
    bool isCopied = false; // from this computer
    QString sum; // as DataSource::sum
    Error problem; // why it cannot be had; no code: nothing is known against it
    friend bool operator==(const DataWant &a, const DataWant &b)
    {
        return a.name == b.name && a.path == b.path && a.isCopied == b.isCopied && a.sum == b.sum;
    }
};

// The data of extras.trainyard.data for the tasks of a role on a host, in the order of the job; none in a strict job.
// Relative paths of this computer are relative to `base`, which is empty when there is no such folder; `~/` is `home`
// there. Problems: data.nowhere, data.relative {name, path, host}.
QList<DataWant> dataFor(
    const JobSpec &job, const QString &role, const DataHost &host, const QString &base, const QString &home);

} // namespace trainyard::launch
