// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runfiles.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QSet>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace trainyard
{
namespace
{

constexpr int deepest = 5;
constexpr qint64 mostText = 256 << 10;
constexpr qint64 mostImageBytes = 32 << 20;
constexpr qint64 mostPixels = 100'000'000;

void addBelow(const QString &folder, const QString &prefix, int depth, qsizetype most, RunFiles &found)
{
    const QFileInfoList entries = QDir(folder).entryInfoList(
        QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name | QDir::DirsLast);
    for (const QFileInfo &entry : entries) {
        if (found.files.size() >= most) {
            found.isCut = true;
            return;
        }
        if (entry.isDir()) {
            found.files.append(
                {prefix + entry.fileName() + QLatin1Char('/'), 0, entry.lastModified().toMSecsSinceEpoch()});
            if (depth < deepest) {
                addBelow(entry.filePath(), prefix + entry.fileName() + QLatin1Char('/'), depth + 1, most, found);
            }
        } else if (entry.isFile()) {
            found.files.append({prefix + entry.fileName(), entry.size(), entry.lastModified().toMSecsSinceEpoch()});
        }
    }
}

QString systemText() { return QString::fromLocal8Bit(std::strerror(errno)); }

FilePreview unreadable(const QString &why) { return {.kind = FilePreview::Kind::Unreadable, .text = why}; }

std::optional<FilePreview> imagePreview(QFile &file)
{
    QImageReader reader(&file);
    reader.setAutoTransform(true);
    if (!reader.canRead()) {
        return std::nullopt;
    }
    FilePreview preview;
    preview.imageSize = reader.size();
    const QSize &size = preview.imageSize;
    if (file.size() > mostImageBytes || !size.isValid() || qint64(size.width()) * size.height() > mostPixels) {
        preview.kind = FilePreview::Kind::TooLarge;
        return preview;
    }
    if (size.width() > imageEdge || size.height() > imageEdge) {
        reader.setScaledSize(size.scaled(imageEdge, imageEdge, Qt::KeepAspectRatio));
    }
    preview.image = reader.read();
    if (preview.image.isNull()) {
        return unreadable(reader.errorString());
    }
    preview.kind = FilePreview::Kind::Image;
    return preview;
}

} // namespace

RunFiles filesBelow(const QString &folder, qsizetype most)
{
    RunFiles found;
    addBelow(folder, {}, 1, most, found);
    return found;
}

RunFiles withoutLocks(RunFiles files)
{
    files.files.removeIf([](const RunFile &file) {
        return file.name == QLatin1StringView("keeper.lock") || file.name == QLatin1StringView("reserve");
    });
    return files;
}

RunFiles filesOnHost(const api::TaskFileList &told)
{
    constexpr qint64 nsOfMs = 1'000'000;
    RunFiles found;
    found.isCut = !told.isWhole;
    QSet<QString> folders;
    for (const api::TaskFile &file : told.files) {
        for (qsizetype slash = file.path.indexOf(u'/'); slash >= 0; slash = file.path.indexOf(u'/', slash + 1)) {
            const QString folder = file.path.first(slash + 1);
            if (!folders.contains(folder)) {
                folders.insert(folder);
                found.files.append({folder, 0, file.changedNs / nsOfMs});
            }
        }
        found.files.append({file.path, file.bytes, file.changedNs / nsOfMs});
    }
    return found;
}

FilePreview previewOf(const QString &path)
{
    // A pipe of this name would block a reader forever.
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || ::fstat(fd, &info) != 0) {
        const QString why = systemText();
        if (fd >= 0) {
            ::close(fd);
        }
        return unreadable(why);
    }
    if (!S_ISREG(info.st_mode)) {
        ::close(fd);
        return {.kind = FilePreview::Kind::Binary};
    }
    QFile file;
    if (!file.open(fd, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(fd);
        return unreadable(file.errorString());
    }
    if (std::optional<FilePreview> image = imagePreview(file)) {
        return *std::move(image);
    }
    file.seek(0);
    QByteArray bytes = file.read(mostText);
    if (bytes.contains('\0')) {
        return {.kind = FilePreview::Kind::Binary};
    }
    FilePreview preview{.kind = FilePreview::Kind::Text};
    preview.isCut = file.size() > bytes.size();
    if (preview.isCut && bytes.contains('\n')) {
        bytes.truncate(bytes.lastIndexOf('\n'));
    }
    preview.text = QString::fromUtf8(bytes);
    return preview;
}

} // namespace trainyard
