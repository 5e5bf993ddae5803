// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard::cli
{

// Whether a command's result goes to this file, and not to standard output: neither empty nor "-".
bool isOutputFile(const QString &path);
// Refuses a file that exists already, unless `force`; `option` is what would replace it.
bool refuseExisting(const QString &path, bool force, const QString &option);
// Reports that a file is protected against writing, and then returns true; `option` writes it nevertheless (empty: no
// option does).
bool refuseProtected(const QString &path, const QString &option = {});
// Writes it whole or not at all. Says what is wrong and returns false when it cannot be written. A new file is for its
// owner alone where `from`, whose text is in it, is a file that others cannot read.
bool writeOutput(const QString &path, const QByteArray &bytes, const QString &from = {});
// Replaces the file completely or not at all and keeps its permissions; a link stays a link, and its target is written.
// Says what is wrong and returns false when it cannot be written, or has something else than `before` by now: what
// another program wrote since it was read stays.
bool writeInPlace(const QString &path, const QByteArray &before, const QByteArray &bytes);

} // namespace trainyard::cli
