// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard
{

// A text in ASCII that stands in every line in which this regular expression matches, the longest that can be seen in
// it; empty when none is sure, or when a match may reach over several lines. Pure.
QByteArray literalOfPattern(const QString &pattern);

} // namespace trainyard
