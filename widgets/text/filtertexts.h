// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

namespace trainyard
{

// What is wrong with a filter of jobs, and what may have been meant: an error of JobFilter::parse().
QString filterErrorText(const Error &error);

} // namespace trainyard
