// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/helpercopies.h"

#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/oldhelpers.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/smallfiles.h"
#include "model/base/shortdigest.h"
#include "model/base/threads.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

tl::unexpected<Error> helperFailure(const QString &path, const QString &why)
{
    return fail(u"slurm.folder"_s, {{u"folder"_s, path}, {u"message"_s, why}});
}

// Bytes that are free where the folder is, or is to be.
qint64 roomAt(const QString &folder)
{
    QString place = folder;
    while (!QFileInfo::exists(place) && place.contains(u'/')) {
        place.truncate(place.lastIndexOf(u'/'));
    }
    struct statvfs space = {};
    return ::statvfs(pathBytes(place.isEmpty() ? u"/"_s : place).c_str(), &space) == 0
        ? qint64(space.f_bavail) * qint64(space.f_frsize)
        : 0;
}

Result<QString> copyHelper(const QString &folder, const QString &program)
{
    QFile file(program);
    if (!file.open(QIODevice::ReadOnly)) {
        return helperFailure(program, file.errorString());
    }
    const QByteArray bytes = file.readAll();
    const QString path = folder + u"/trainyard-agent-"_s + shortDigest(bytes);
    // The folder may be one of several users, and the name is not hard to guess.
    if (contract::isOwnProgram(pathBytes(path))) {
        contract::noteHelperUse(pathBytes(path));
        return path;
    }
    const auto failed = [&folder, &bytes](int error) -> tl::unexpected<Error> {
        return tl::unexpected<Error>(helperCopyError(folder, error, bytes.size(), roomAt(folder)));
    };
    if (const int error = contract::makeFolders(pathBytes(folder), 0777); error != 0) {
        return failed(error);
    }
    // It is written beside its final path until it can be run, because that path may be searched at any moment. An
    // existing file is replaced, and a link is not followed.
    const std::string name = pathBytes(path);
    const std::string part = name + ".part-" + QUuid::createUuid().toString(QUuid::Id128).toStdString();
    int error = contract::writeAtomically(part, bytes.toStdString(), true);
    if (error == 0 && (::chmod(part.c_str(), 0700) != 0 || ::rename(part.c_str(), name.c_str()) != 0)) {
        error = errno;
        ::unlink(part.c_str());
    }
    return error == 0 ? Result<QString>(path) : failed(error);
}

} // namespace

Error helperCopyError(const QString &folder, int error, qint64 bytes, qint64 room)
{
    constexpr qint64 mebibyte = 1 << 20;
    QJsonObject args{{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}};
    if (error != ENOSPC && error != EDQUOT) {
        return {u"slurm.folder"_s, args};
    }
    args.insert(u"neededMiB"_s, (bytes + mebibyte - 1) / mebibyte);
    args.insert(u"freeMiB"_s, room / mebibyte);
    return {u"slurm.folder-full"_s, args};
}

HelperCopies::~HelperCopies()
{
    m_isEnding = true;
    m_threads.clear();
    m_threads.waitForDone();
}

std::optional<Result<QString>> HelperCopies::in(const QString &folder, const QString &program)
{
    const Place place(folder, program);
    if (const auto told = m_results.find(place); told != m_results.end()) {
        return told->second;
    }
    const QFileInfo installed(program);
    const QString of
        = u"%1 %2 %3"_s.arg(program).arg(installed.size()).arg(installed.lastModified().toMSecsSinceEpoch());
    if (const auto name = m_names.find(of); name != m_names.end()) {
        const QString path = folder + u'/' + name->second;
        if (QFileInfo(path).isExecutable()) {
            contract::noteHelperUse(pathBytes(path));
            return path;
        }
    }
    if (!m_underWay.insert(place).second) {
        return std::nullopt;
    }
    threads::runOnPool(
        [this, place, of] {
            const Result<QString> result = copyHelper(place.first, place.second);
            threads::callLater(this, [this, place, of, result] {
                m_underWay.erase(place);
                if (result) {
                    m_names.insert_or_assign(of, QFileInfo(*result).fileName());
                }
                m_results.insert_or_assign(place, result);
                Q_EMIT made();
                m_results.erase(place);
            });
            if (result) { // nothing waits for this
                contract::removeOldHelpers(pathBytes(*result), nowMs(), [this] { return !m_isEnding; });
            }
        },
        &m_threads);
    return std::nullopt;
}

} // namespace trainyard
