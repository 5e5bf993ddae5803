// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

class QFileDevice;
class QSaveFile;

namespace trainyard
{

// Writes the bytes, in pieces where it must. False when they do not fit, and then errorString() says why.
bool writeAll(QFileDevice &file, const QByteArray &bytes);

// Ends the writing of an open file: afterwards it has all that was written, on the disk, or is as it was before.
// QSaveFile::commit() alone does not keep this promise: what it still buffers it writes as it closes, and takes the new
// file for whole even when the disk was full. Returns why it failed, nothing when all is well.
std::optional<QString> commitWhole(QSaveFile &file);

// The same for all of a file's bytes at once.
std::optional<QString> writeWhole(QSaveFile &file, const QByteArray &bytes);

} // namespace trainyard
