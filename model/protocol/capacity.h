// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"

#include <optional>

namespace trainyard
{

// The names and labels by which a job may refer to a host.
struct HostWords {
    QString name;
    QStringList labels;
    friend bool operator==(const HostWords &, const HostWords &) = default;
};

// The most that any one host has, and what the settings say about storages; what is not known is missing.
struct HostLimits {
    std::optional<qint64> gpus;
    std::optional<qint64> memoryMiB;
    std::optional<QStringList> storages; // names that have a folder
    std::optional<QStringList> gpuNames = {}; // of all GPUs of all hosts
    std::optional<QList<HostWords>> hosts = {}; // all of them, whether they can be reached or not
    std::optional<qint64> cpus = {};
    bool hasOtherTargets = false; // clusters, which may have more
    QString cluster = {}; // whose nodes these are; empty: they are hosts
    friend bool operator==(const HostLimits &, const HostLimits &) = default;
};

// Warns when a task of the job asks for more than any host has, with the figures in the text and, where
// no cluster may have more, as a fix; about types
// of GPUs, names and labels that no host has; and about storages without a folder. It is not part of parseJob(),
// because hosts come and go while the text stays. Tasks that ask for more CPUs than a host has start nevertheless,
// because CPUs are shared; those of clusters do not.
QList<Diagnostic> checkCapacity(const YamlDocument &document, const JobSpec &job, const HostLimits &limits);

} // namespace trainyard
