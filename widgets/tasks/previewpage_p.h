// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace trainyard
{

// The number of the task that a row of the tasks stands for. Only the sources of PreviewPage include this.
constexpr int previewTaskRole = Qt::UserRole;
// Of what is listed beside the script: what a cluster is asked for.
constexpr int previewSubmissionChoice = 3;

} // namespace trainyard
