// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whyfailed.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace trainyard
{

// The end of a try's output with whole lines, split by its index, which says which bytes went to which stream
// (docs/task-folder.md)
struct TryLines {
    QByteArray text;
    std::optional<core::WrittenErrors> errors = {}; // by lines of `text`; nothing: it is not known
};

// `output` are the last bytes of the output, and `size` is its length. They stay as they are when the index is not
// there, or when the output was too long to be kept as one file.
TryLines tryLines(const QString &folder, const QByteArray &output, qint64 size);

} // namespace trainyard
