// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

namespace trainyard
{

// Describes an error of JobFilter::parse(): what is wrong with a filter, and what may have been meant.
QString filterErrorText(const Error &error);

// A filter of jobs in which the causes of failures may be written as lists show them, as the engine reads it: with the
// names that they have for programs beside the words ("cause:oom,gpu-oom,host-oom").
QString withNamesOfCauses(const QString &filter);

} // namespace trainyard
