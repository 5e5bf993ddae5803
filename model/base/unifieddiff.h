// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// What changed, in the form of `diff -u` (and for `patch`), with so many equal lines around each change. Nothing for
// equal texts.
QByteArray unifiedDiff(const QByteArray &oldText, const QByteArray &newText, const QByteArray &oldName,
    const QByteArray &newName, qsizetype context = 3);

} // namespace trainyard
