// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

// What each of these folders takes on the disk, in bytes, with all that is below it; links are not followed, and what
// is not there takes nothing. It can take long: `then` is called with it later, on the thread of `context`. When that
// is gone, nothing is called, and no further file is looked at.
void measureEach(
    const QStringList &folders, QObject *context, const std::function<void(const QList<qint64> &bytes)> &then);
// ... and all of them together.
void measureFolders(const QStringList &folders, QObject *context, const std::function<void(qint64 bytes)> &then);

} // namespace trainyard
