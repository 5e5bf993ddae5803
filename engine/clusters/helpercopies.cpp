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
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <sys/stat.h>
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
    if (!QDir().mkpath(folder)) {
        return helperFailure(folder, {});
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
    if (error != 0) {
        return helperFailure(folder, QString::fromLocal8Bit(std::strerror(error)));
    }
    return path;
}

} // namespace

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
