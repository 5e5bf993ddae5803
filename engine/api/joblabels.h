// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

namespace trainyard
{

// Tags as they are kept: without space around them, sorted, each once. Those that differ only in case are the same tag,
// of which the spelling that comes first stays. Labels of hosts are told apart by case.
QStringList normalTags(const QStringList &tags, Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive);
// A tag that is added takes the place of one that differs only in case: it is kept as it was typed last.
JobLabels changedLabels(JobLabels labels, const api::LabelChange &change);

} // namespace trainyard
