// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

// The disk use of each of these folders in bytes, with everything below it. Links are not followed, and a missing
// folder uses nothing. This can take long: `then` is called with the result later, on the thread of `context`. When
// `context` is gone, nothing is called, and no further file is read.
void measureEach(
    const QStringList &folders, QObject *context, const std::function<void(const QList<qint64> &bytes)> &then);
// ... and all of them together.
void measureFolders(const QStringList &folders, QObject *context, const std::function<void(qint64 bytes)> &then);

} // namespace trainyard
