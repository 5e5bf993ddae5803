// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpfiles.h"

#include "app/cli/console.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

class Descriptor
{
public:
    explicit Descriptor(int number) : m_number(number) { }
    ~Descriptor()
    {
        if (m_number >= 0) {
            ::close(m_number);
        }
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int number() const { return m_number; }
    bool isOpen() const { return m_number >= 0; }

private:
    int m_number;
};

QByteArray nameInProc(const Descriptor &file) { return "/proc/self/fd/" + QByteArray::number(file.number()); }

// Where an open file really is.
QByteArray placeOf(const Descriptor &file)
{
    std::array<char, PATH_MAX> place{};
    const ssize_t size = ::readlink(nameInProc(file).constData(), place.data(), place.size());
    return size > 0 && std::size_t(size) < place.size() ? QByteArray(place.data(), size) : QByteArray();
}

bool isInside(const QString &path, const QString &folder)
{
    return folder == "/"_L1 ? path.startsWith(u'/') : path.startsWith(folder + u'/');
}

QString shownPath(const QString &path) { return path.left(300); }

} // namespace

tl::expected<Roots, QString> Roots::of(const QStringList &folders)
{
    Roots roots;
    for (const QString &folder : folders) {
        const QFileInfo info(folder);
        if (!info.isDir() || info.canonicalFilePath().isEmpty()) {
            return tl::unexpected(tr("There is no folder '%1'.").arg(folder));
        }
        roots.m_given.append(QDir::cleanPath(info.absoluteFilePath()));
        roots.m_real.append(info.canonicalFilePath());
    }
    return roots;
}

bool Roots::isBelow(const QString &path) const
{
    const auto has = [&path](const QString &folder) { return isInside(path, folder); };
    return std::any_of(m_given.cbegin(), m_given.cend(), has) || std::any_of(m_real.cbegin(), m_real.cend(), has);
}

bool Roots::isReallyBelow(const QByteArray &path) const
{
    return std::any_of(m_real.cbegin(), m_real.cend(),
        [&path](const QString &folder) { return isInside(QFile::decodeName(path), folder); });
}

tl::expected<QByteArray, QString> Roots::read(const QString &path) const
{
    const auto refuse = [&path](const QString &sentence) { return tl::unexpected(sentence.arg(shownPath(path))); };
    // Whether something is there is not said either of what lies outside.
    const QString outside = tr("'%1' is not a file below the folders that may be read.");
    if (path.isEmpty() || path.contains(QChar(0))) {
        return refuse(outside);
    }
    const QStringList begins = path.startsWith(u'/') ? QStringList{QString()} : m_real;
    for (const QString &begin : begins) {
        const QString whole = QDir::cleanPath(begin.isEmpty() ? path : begin + u'/' + path);
        if (!isBelow(whole)) {
            continue;
        }
        // The opened file is checked, not its name, which another process may change meanwhile. O_PATH alone has no
        // effect on a device or a pipe.
        const Descriptor place(::open(QFile::encodeName(whole).constData(), O_PATH | O_CLOEXEC));
        if (!place.isOpen() || !isReallyBelow(placeOf(place))) {
            continue;
        }
        struct stat info {
        };
        if (::fstat(place.number(), &info) != 0 || !S_ISREG(info.st_mode)) {
            return refuse(tr("'%1' is not an ordinary file."));
        }
        if (info.st_size > mostBytes) {
            return refuse(tr("'%1' is larger than %2 bytes.").arg(u"%1"_s, QString::number(mostBytes)));
        }
        const Descriptor opened(::open(nameInProc(place).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        QFile file;
        if (!opened.isOpen() || !file.open(opened.number(), QIODevice::ReadOnly | QIODevice::Unbuffered)) {
            return refuse(tr("'%1' cannot be read."));
        }
        const QByteArray bytes = file.read(mostBytes + 1);
        if (bytes.size() > mostBytes) { // it grew
            return refuse(tr("'%1' is larger than %2 bytes.").arg(u"%1"_s, QString::number(mostBytes)));
        }
        return bytes;
    }
    return refuse(outside);
}

tl::expected<QString, QString> Roots::realPath(const QString &path) const
{
    const QStringList begins = path.startsWith(u'/') ? QStringList{QString()} : m_real;
    for (const QString &begin : path.isEmpty() || path.contains(QChar(0)) ? QStringList() : begins) {
        const QString whole = QDir::cleanPath(begin.isEmpty() ? path : begin + u'/' + path);
        const QString place = isBelow(whole) || m_given.contains(whole) || m_real.contains(whole)
            ? QFileInfo(whole).canonicalFilePath()
            : QString();
        if (!place.isEmpty() && (m_real.contains(place) || isReallyBelow(QFile::encodeName(place)))) {
            return place;
        }
    }
    return tl::unexpected(tr("'%1' is not below the folders that may be read.").arg(shownPath(path)));
}

} // namespace trainyard::cli::mcp
