// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/thinning.h"
#include "engine/series/writer.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard::series
{

// Rewrites the file of series, with a new generation, beside it: many small blocks become few, and with `rules` old
// figures of machines become buckets, which are further series of the same name (Part). The ids may change. The
// file itself stays as it is until takeRewritten(). Without rules, no point is lost or changed except those that newer
// ones replace (Info::onlyLast). For a large file this takes a second and some hundred MiB, so that another process may
// do it; the writer is not flushed meanwhile.
Error writeRewritten(const std::string &path, std::int64_t now = 0, const std::vector<ThinRule> &rules = {});

// The file that is rewritten replaces the old one, if it is whole, on the disk and made of all that the writer has
// written. The writer, with what waits in it to be written, goes on there; after an error it continues with the old
// file.
Error takeRewritten(std::unique_ptr<Writer> &writer);

void dropRewritten(const std::string &path); // and what there is of one that is not whole

// Does both, where nothing else waits for this process.
Error rewrite(std::unique_ptr<Writer> &writer, std::int64_t now = 0, const std::vector<ThinRule> &rules = {});

} // namespace trainyard::series
