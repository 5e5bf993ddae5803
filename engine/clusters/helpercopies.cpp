// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/helpercopies.h"

#include "engine/client/wholefile.h"
#include "model/base/shortdigest.h"
#include "model/base/threads.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

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
    if (QFileInfo(path).isExecutable()) {
        return path;
    }
    if (!QDir().mkpath(folder)) {
        return helperFailure(folder, {});
    }
    QSaveFile copy(path);
    if (!copy.open(QIODevice::WriteOnly)) {
        return helperFailure(folder, copy.errorString());
    }
    // Before it has its name: whoever finds it can run it.
    copy.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (const std::optional<QString> problem = writeWhole(copy, bytes)) {
        return helperFailure(folder, *problem);
    }
    return path;
}

} // namespace

HelperCopies::~HelperCopies()
{
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
            return path;
        }
    }
    if (!m_underWay.insert(place).second) {
        return std::nullopt;
    }
    threads::runOnPool(
        [this, place, of] {
            threads::callLater(this, [this, place, of, result = copyHelper(place.first, place.second)] {
                m_underWay.erase(place);
                if (result) {
                    m_names.insert_or_assign(of, QFileInfo(*result).fileName());
                }
                m_results.insert_or_assign(place, result);
                Q_EMIT made();
                m_results.erase(place);
            });
        },
        &m_threads);
    return std::nullopt;
}

} // namespace trainyard
