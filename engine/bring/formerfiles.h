// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/bringplan.h"

#include <QByteArray>

namespace trainyard::bringing
{

// Files that were brought before, and that what comes now would replace. Paths are encoded.

// 0, or errno; EEXIST: something is there.
int moveToFreeName(const QByteArray &from, const QByteArray &to);
// Whether a file begins with all that is in another one, as a table does to which a later try has added lines.
bool isContinuedBy(const QByteArray &former, const QByteArray &newer);

struct Kept {
    int error = 0; // errno
    QString name; // below the folder
};
// Moves a file that came from another host beside its place, named by that host. What was kept of that host before goes
// when this file continues it.
Kept keepFormer(const QString &folder, const QString &path, const KnownFile &former);

} // namespace trainyard::bringing
