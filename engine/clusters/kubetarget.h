// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/kubeoptions.h"
#include "engine/client/settings.h"

#include <vector>

namespace trainyard
{

// A cluster that kubectl reaches from this computer: the settings kubernetes.NAME (options of kubectl) and
// kubernetesQueue.NAME (docs/clusters.md).
struct KubeTarget {
    QString name; // "lab"; as a target of jobs "kubernetes:lab"
    QStringList options; // of kubectl, one each: "--context=lab"
    QString queue; // of Kueue; empty: none
    Error problem = {}; // why nothing can be handed over with these settings, or nothing
    QString id() const { return kubeTargetId(name); }
};

std::vector<KubeTarget> kubeTargetsOf(const Settings &settings);

} // namespace trainyard
