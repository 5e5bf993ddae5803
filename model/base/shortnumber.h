// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

QString shortNumber(double number); // the shortest digits that give it back: "5e-4" rather than "5e-04"

} // namespace trainyard
