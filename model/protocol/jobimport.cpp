// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobimport.h"

#include <algorithm>

namespace trainyard
{

bool JobImport::hasErrors() const
{
    return std::any_of(report.begin(), report.end(), [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

} // namespace trainyard
