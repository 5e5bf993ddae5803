// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// The changes in the form of `diff -u` (and for `patch`), with this many equal lines around each change. Empty for
// equal texts.
QByteArray unifiedDiff(const QByteArray &oldText, const QByteArray &newText, const QByteArray &oldName,
    const QByteArray &newName, qsizetype context = 3);

} // namespace trainyard
