// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard::yamltree
{

// The real reason for the parser's error at `pos` if there is text after the end of a value: the parser's `reason` is
// only what it expected. "after-value" (behind a closing bracket or quote), "no-comma" (the same inside of brackets),
// "extra-bracket" (closes nothing that is open); any other reason stays as it is.
QString strayReason(const QByteArray &bytes, qsizetype pos, const QString &reason);

} // namespace trainyard::yamltree
