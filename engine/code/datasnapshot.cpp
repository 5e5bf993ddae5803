// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/datasnapshot.h"

#include <QCryptographicHash>
#include <QFile>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

Error problemWith(const contract::DataFiles &files)
{
    const QString path = QFile::decodeName(files.about.c_str());
    if (files.problem == "missing") {
        return {u"data.missing"_s, {{u"path"_s, path}}};
    }
    if (files.problem == "link") {
        return {u"data.link"_s, {{u"path"_s, path}}};
    }
    if (files.problem == "name") {
        return {u"data.odd-name"_s, {{u"path"_s, path}}};
    }
    if (files.problem == "many") {
        return {u"data.too-many"_s, {{u"path"_s, path}, {u"most"_s, qint64(contract::mostDataFiles)}}};
    }
    if (files.problem == "cancelled") {
        return {u"data.cancelled"_s, {{u"path"_s, path}}};
    }
    return {u"data.unreadable"_s, {{u"path"_s, path}, {u"reason"_s, qt_error_string(files.systemError)}}};
}

// 0, or why it cannot be read.
int errorOfReading(const QByteArray &path)
{
    const int fd = ::open(path.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const int error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        ::close(fd);
    }
    return error;
}

} // namespace

Result<DataSnapshot> dataSnapshotOf(const QString &path, CodeNames &names, const ReadWatch &watch)
{
    const auto isCancelled = [&watch] { return watch.isCancelled && watch.isCancelled->load(); };
    DataSnapshot snapshot;
    snapshot.files = contract::dataFilesAt(QFile::encodeName(path).toStdString(), isCancelled);
    if (!snapshot.files.problem.empty()) {
        return tl::unexpected<Error>(problemWith(snapshot.files));
    }
    std::vector<std::string> contents;
    snapshot.files.bytes = 0;
    for (contract::DataFile &file : snapshot.files.files) {
        if (!file.target.empty()) {
            contents.emplace_back();
            continue;
        }
        const QByteArray full = QByteArray::fromStdString(snapshot.files.folder + '/' + file.path);
        QByteArray name;
        CodeFile status;
        constexpr int mostReads = 3; // of one that is being written
        for (int i = 0; i < mostReads && name.isEmpty() && !isCancelled() && status.readStatus(full); ++i) {
            name = names.of(full, status, watch);
        }
        if (isCancelled()) {
            return fail(u"data.cancelled"_s, {{u"path"_s, path}});
        }
        if (name.isEmpty()) {
            const int error = errorOfReading(full);
            const QJsonObject facts{{u"path"_s, QFile::decodeName(full)}, {u"reason"_s, qt_error_string(error)}};
            return fail(error != 0 && error != ENOENT ? u"data.unreadable"_s : u"data.changes"_s, facts);
        }
        file.bytes = std::uint64_t(status.bytes);
        file.changedNs = status.changedNs;
        snapshot.files.bytes += file.bytes;
        contents.push_back(name.toStdString());
    }
    snapshot.entries = contract::dataEntries(snapshot.files, contents);
    snapshot.text = QByteArray::fromStdString(contract::codeTreeText(snapshot.entries));
    snapshot.tree = QCryptographicHash::hash(snapshot.text, QCryptographicHash::Sha256).toHex();
    snapshot.sum = QString::fromStdString(contract::dataSum(snapshot.files, snapshot.entries));
    return snapshot;
}

} // namespace trainyard
