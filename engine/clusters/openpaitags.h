// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/clusters/openpaiclient.h"

#include <functional>

namespace trainyard::openpai
{

// Takes tags away from a job of an OpenPAI cluster and adds others, one after the other, and then asks which ones it
// has. The first call that fails ends it: what was changed before stays changed, and doing all of it again does no
// harm. `client` outlives it. Codes: openpai.bad-tag {target, detail}, and those of the answers.
void changeTags(OpenPaiClient &client, const QString &target, const TagChange &change,
    const std::function<void(const Result<ClusterTags> &)> &then);

} // namespace trainyard::openpai
