// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard::cli
{

// The parameters with which a job ran, those first that its submission gave another value than its document has:
// "lr 0.05 (0.1 in the document), batch 16". Empty: it has none.
QString parametersText(const JobSummary &job, const QByteArray &document);

} // namespace trainyard::cli
