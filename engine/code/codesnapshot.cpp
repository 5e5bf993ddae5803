// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codesnapshot.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDateTime>
#include <QFile>
#include <QSaveFile>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint32 namesMark = 0x74796e31; // of the form of the file

QByteArray nameOf(const QByteArray &path, const CodeFile &file, const ReadWatch &watch)
{
    const int fd = ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return {};
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    qint64 bytes = 0;
    QByteArray part(256 << 10, Qt::Uninitialized);
    ssize_t n = 0;
    while ((n = ::read(fd, part.data(), std::size_t(part.size()))) > 0) {
        hash.addData(QByteArrayView(part.constData(), n));
        bytes += n;
        if (watch.bytesRead) {
            *watch.bytesRead += n;
        }
        if (watch.isCancelled && watch.isCancelled->load()) {
            break;
        }
    }
    ::close(fd);
    CodeFile after;
    const bool isSame = n == 0 && bytes == file.bytes && after.readStatus(path) && after.isSameAs(file);
    return isSame ? hash.result().toHex() : QByteArray();
}

} // namespace

QByteArray CodeNames::of(const QByteArray &path, const CodeFile &file, const ReadWatch &watch)
{
    {
        const std::lock_guard guard(m_lock);
        const auto known = m_known.constFind(path);
        if (known != m_known.cend() && known->file.isSameAs(file)) {
            return known->name;
        }
    }
    const QByteArray name = nameOf(path, file, watch);
    // One that changed a moment ago may change once more within the same tick of the file system's clock.
    constexpr qint64 settledNs = 2'000'000'000;
    const bool isSettled = QDateTime::currentMSecsSinceEpoch() * 1'000'000 - file.statusNs > settledNs;
    if (!name.isEmpty() && isSettled) {
        const std::lock_guard guard(m_lock);
        constexpr qsizetype most = 200'000;
        if (m_known.size() >= most) {
            m_known.clear();
        }
        m_known.insert(path, {file, name});
        m_isNew = true;
    }
    return name;
}

void CodeNames::load(const QString &file)
{
    QFile from(file);
    if (!from.open(QIODevice::ReadOnly)) {
        return;
    }
    QDataStream stream(&from);
    stream.setVersion(QDataStream::Qt_6_0);
    qint32 mark = 0, count = 0;
    stream >> mark >> count;
    QHash<QByteArray, Known> all;
    for (qint32 i = 0; i < count && mark == namesMark && stream.status() == QDataStream::Ok; ++i) {
        QByteArray path;
        Known known;
        stream >> path >> known.file.bytes >> known.file.changedNs >> known.file.statusNs >> known.file.inode
            >> known.name;
        all.insert(path, known);
    }
    if (mark != namesMark || stream.status() != QDataStream::Ok || all.size() != count) {
        return;
    }
    const std::lock_guard guard(m_lock);
    all.insert(m_known); // which are newer
    m_known = all;
}

void CodeNames::save(const QString &file)
{
    QHash<QByteArray, Known> all;
    {
        const std::lock_guard guard(m_lock);
        if (!m_isNew) {
            return;
        }
        m_isNew = false;
        all = m_known;
    }
    QSaveFile to(file);
    if (!to.open(QIODevice::WriteOnly)) {
        return; // then they are read once more
    }
    QDataStream stream(&to);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << namesMark << qint32(all.size());
    for (auto each = all.cbegin(); each != all.cend(); ++each) {
        const CodeFile &known = each->file;
        stream << each.key() << known.bytes << known.changedNs << known.statusNs << known.inode << each->name;
    }
    to.commit();
}

Result<CodeSnapshot> snapshotOf(
    const QString &folder, const CodeLimits &limits, CodeNames &names, const std::atomic<bool> *isCancelled)
{
    Result<CodeFiles> code = codeFilesOf(folder, limits, isCancelled);
    if (!code) {
        return tl::unexpected<Error>(code.error());
    }
    CodeSnapshot snapshot;
    const QByteArray top = QFile::encodeName(code->folder) + '/';
    for (CodeFile &file : code->files) {
        QByteArray name;
        // One that is being written may be whole a moment later.
        constexpr int mostReads = 5;
        for (int i = 0; i < mostReads && name.isEmpty() && !file.isLink; ++i) {
            if (i > 0 && !file.readStatus(top + file.path)) {
                break;
            }
            name = names.of(top + file.path, file);
        }
        contract::CodeEntry entry;
        entry.path = file.path.toStdString();
        entry.target = file.target.toStdString();
        entry.bytes = std::uint64_t(file.bytes);
        entry.isExecutable = file.isExecutable;
        entry.isPrivate = file.isPrivate;
        if (!file.isLink) {
            if (name.isEmpty()) {
                return fail(u"code.unreadable"_s, {{u"file"_s, QFile::decodeName(top + file.path)}});
            }
            entry.content = name.toStdString();
        }
        if (isCancelled && isCancelled->load()) {
            return fail(u"code.cancelled"_s, {{u"folder"_s, folder}});
        }
        snapshot.entries.push_back(std::move(entry));
    }
    snapshot.code = std::move(*code);
    snapshot.text = QByteArray::fromStdString(contract::codeTreeText(snapshot.entries));
    snapshot.tree = QCryptographicHash::hash(snapshot.text, QCryptographicHash::Sha256).toHex();
    return snapshot;
}

} // namespace trainyard
