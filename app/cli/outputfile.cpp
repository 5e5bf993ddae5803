// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outputfile.h"

#include "app/cli/console.h"
#include "engine/client/wholefile.h"
#include "widgets/text/texts.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <sys/stat.h>

#include <optional>

namespace trainyard::cli
{

bool isOutputFile(const QString &path) { return !path.isEmpty() && path != QLatin1String("-"); }

bool refuseExisting(const QString &path, bool force, const QString &option)
{
    if (force || !isOutputFile(path) || !QFileInfo::exists(path)) {
        return false;
    }
    errorLine(tr("%1 already exists. Use %2 to replace it, or choose another name.").arg(path, option));
    return true;
}

bool refuseProtected(const QString &path, const QString &option)
{
    if (!isWriteProtected(path)) {
        return false;
    }
    const QString sentence = tr("%1 is protected against writing and was left as it is.").arg(path);
    errorLine(option.isEmpty() ? sentence : sentence + u' ' + tr("%1 writes it all the same.").arg(option));
    return true;
}

bool writeOutput(const QString &path, const QByteArray &bytes, const QString &from)
{
    const QFileInfo source(from);
    const bool isPrivate
        = isOutputFile(from) && source.isFile() && !(source.permissions() & (QFile::ReadGroup | QFile::ReadOther));
    const mode_t usual = isPrivate ? ::umask(S_IRWXG | S_IRWXO) : 0; // so that it is so from its first byte on
    const Result<void> written = writeFile(path, bytes);
    if (isPrivate) {
        ::umask(usual);
    }
    if (!written) {
        errorLine(errorText(written.error()));
    }
    return written.has_value();
}

bool writeInPlace(const QString &path, const QByteArray &before, const QByteArray &bytes)
{
    const QFileInfo info(path);
    const QString target = info.isSymLink() ? info.canonicalFilePath() : path;
    // Without what this user may do beside the mode: to root, every file is writable.
    const QFile::Permissions mode
        = QFileInfo(target).permissions() & ~(QFile::ReadUser | QFile::WriteUser | QFile::ExeUser);
    const bool isProtected = isWriteProtected(target);
    if (!QFileInfo(target).isFile()) { // it would be replaced by one
        errorLine(errorText(Error{QStringLiteral("file.unwritable"),
            {{QStringLiteral("file"), path}, {QStringLiteral("reason"), tr("it is not a regular file")}}}));
        return false;
    }
    if (QFile now(target); now.open(QIODevice::ReadOnly) && now.readAll() != before) {
        errorLine(tr("%1 was changed by another program meanwhile. Nothing was written to it.").arg(path));
        return false;
    }
    QSaveFile file(target);
    const auto failed = [&](const QString &why) {
        if (isProtected) {
            QFile::setPermissions(target, mode);
        }
        errorLine(errorText(Error{
            QStringLiteral("file.unwritable"), {{QStringLiteral("file"), path}, {QStringLiteral("reason"), why}}}));
        return false;
    };
    if (isProtected) { // the caller owns it
        QFile::setPermissions(target, mode | QFile::WriteOwner);
    }
    if (target.isEmpty() || !file.open(QIODevice::WriteOnly)) {
        return failed(file.errorString());
    }
    file.setPermissions(mode);
    const std::optional<QString> why = writeWhole(file, bytes);
    return !why || failed(*why);
}

} // namespace trainyard::cli
