// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/openpaisettings.h"
#include "engine/client/settings.h"

#include <vector>

namespace trainyard
{

// An OpenPAI cluster of the settings openpai.NAME (its address), openpaiUser.NAME and openpaiCluster.NAME
// (docs/clusters.md).
struct OpenPaiTarget {
    QString name; // "lab"; as a target of jobs "openpai:lab"
    QString address; // "https://pai.example.org", without a slash at the end
    QString user;
    QString virtualCluster; // of jobs that name none
    Error problem = {}; // why nothing can be submitted with these settings, or nothing
    QString id() const { return openPaiTargetId(name); }
    friend bool operator==(const OpenPaiTarget &, const OpenPaiTarget &) = default;
};

std::vector<OpenPaiTarget> openPaiTargetsOf(const Settings &settings);

} // namespace trainyard
