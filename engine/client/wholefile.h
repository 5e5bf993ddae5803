// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

class QFileDevice;
class QSaveFile;

namespace trainyard
{

// Writes the bytes, in pieces where necessary. Returns false when they do not fit; errorString() then says why.
bool writeAll(QFileDevice &file, const QByteArray &bytes);

// Finishes writing a file: afterwards all bytes are on the disk, or the file is as it was before. QSaveFile::commit()
// alone does not promise this: it writes its buffer when it closes the file, and takes the new file for whole even when
// the disk was full. Returns why it failed, or nothing.
std::optional<QString> commitWhole(QSaveFile &file);

// The same for all bytes of a file at once.
std::optional<QString> writeWhole(QSaveFile &file, const QByteArray &bytes);

} // namespace trainyard
