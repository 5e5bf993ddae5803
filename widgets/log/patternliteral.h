// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard
{

// A text in ASCII that every line matching this regular expression contains, the longest that can be derived from it;
// empty when none is certain, or when a match may span several lines. Pure.
QByteArray literalOfPattern(const QString &pattern);

} // namespace trainyard
