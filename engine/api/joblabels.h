// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

namespace trainyard
{

// Tags as they are kept: without space around them, sorted, each once.
QStringList normalTags(QStringList tags);
JobLabels changedLabels(JobLabels labels, const api::LabelChange &change);

} // namespace trainyard
