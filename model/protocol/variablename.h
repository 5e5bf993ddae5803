// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Whether extras.trainyard.variables may set an environment variable of this name: letters, digits and '_', not a digit
// first. Names that begin with PAI_ or TRAINYARD_ are reserved for Trainyard's own variables.
bool isVariableName(const QString &name);

} // namespace trainyard
