// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"

#include <optional>

namespace trainyard
{

// The most that any one host has, and what the settings say of storages; nothing where that is not known.
struct HostLimits {
    std::optional<qint64> gpus;
    std::optional<qint64> memoryMiB;
    std::optional<QStringList> storages; // names that have a folder
    std::optional<QStringList> gpuNames = {}; // of all GPUs of all hosts
    friend bool operator==(const HostLimits &, const HostLimits &) = default;
};

// What a task of the job asks for and no host has: a warning with the figures, and the figures as a fix; types of GPUs
// that no host has; and storages without a folder. Apart from parseJob(), because hosts come and go while the text
// stays. Nothing is said about CPUs: they are shared, not counted.
QList<Diagnostic> checkCapacity(const YamlDocument &document, const JobSpec &job, const HostLimits &limits);

} // namespace trainyard
