// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/thinning.h"
#include "engine/series/writer.h"

#include <memory>
#include <vector>

namespace trainyard::series
{

// Rewrites the file, with a new generation, and replaces the old one when it is whole and on the disk: many small
// blocks become few, and with `rules` old figures of machines become buckets, which are further series of the same name
// (Part). The ids may become others. After an error the writer continues with the old file.
Error rewrite(std::unique_ptr<Writer> &writer, std::int64_t now = 0, const std::vector<ThinRule> &rules = {});

} // namespace trainyard::series
