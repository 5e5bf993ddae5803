// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include <functional>

namespace trainyard
{

// What these folders take on the disk, in bytes, with all that is below them; links are not followed. It takes its
// time: `then` is called with it later, on the thread of `context`, unless that is gone.
void measureFolders(const QStringList &folders, QObject *context, const std::function<void(qint64 bytes)> &then);

} // namespace trainyard
