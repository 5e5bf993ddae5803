// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QString>

#include <optional>

class QFileDevice;
class QSaveFile;

namespace trainyard
{

// Writes the bytes, in pieces where necessary. Returns false when they do not fit; errorString() then says why.
bool writeAll(QFileDevice &file, const QByteArray &bytes);

// Whether no user may write the file, by its mode. Root could do it nevertheless, and any user who may write the folder
// could replace it: neither is what its mode asks for. It is false if there is no file.
bool isWriteProtected(const QString &path);

// Finishes writing a file: afterwards all bytes are on the disk, or the file is as it was before. It takes the owner
// and group of the file that it replaces, as far as this user may give them, its access list (without which the mode
// means something else) and the attributes that users give. QSaveFile::commit() alone does not promise this: it writes
// its buffer when it closes the file, and takes the new file for whole even when the disk was full.
// Returns why it failed, or nothing.
std::optional<QString> commitWhole(QSaveFile &file);

// The same for all bytes of a file at once.
std::optional<QString> writeWhole(QSaveFile &file, const QByteArray &bytes);

// Writes the bytes into an existing file, in a folder where no new file can replace it. Space for them is reserved
// before anything changes, and the former contents are written back if it fails nevertheless; a power cut may still
// leave it incomplete.
std::optional<QString> writeOver(const QString &path, const QByteArray &bytes);

// Puts a file with these bytes at a path, and replaces one that is there. Errors: file.no-folder {file, folder},
// file.unwritable {file, reason}.
Result<void> writeFile(const QString &path, const QByteArray &bytes);

} // namespace trainyard
