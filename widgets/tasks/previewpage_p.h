// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace trainyard
{

// The number of the task in a row of the tasks. Only the sources of PreviewPage include this.
constexpr int previewTaskRole = Qt::UserRole;
// Of the lists beside the script: the request to a cluster.
constexpr int previewSubmissionChoice = 3;

} // namespace trainyard
