// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whyfailed.h"

#include <QString>

namespace trainyard
{

// What the index of a try's output says of its end (docs/task-folder.md): which line was the last one on standard
// error. `output` are the last bytes of the output, `size` is its length and `firstLine` the number of the first line
// of `output`. Nothing when the index is not there, or the output was too long to be kept as one file.
std::optional<core::WrittenErrors> errorsOf(
    const QString &folder, QByteArrayView output, qint64 size, qint64 firstLine);

} // namespace trainyard
