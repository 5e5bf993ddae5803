// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Whether `a` comes before `b` in the natural order of names: "b9" before "b10". In the C locale, too, where Qt
// compares bytes only. For the GUI thread.
bool naturalLess(const QString &a, const QString &b);

} // namespace trainyard
