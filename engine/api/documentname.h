// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// The name of the document that the job was made from, under which its secrets are kept. The jobs of a sweep have other
// names, and any other job may have one.
QString documentNameOf(const JobDetail &detail);

} // namespace trainyard
