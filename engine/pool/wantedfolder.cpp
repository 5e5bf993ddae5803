// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/wantedfolder.h"

#include "engine/backend/backend.h"
#include "engine/core/schedulerdata.h"
#include "engine/pool/poolhost.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// The job says itself, for each of its roles, on which hosts it runs, and this computer is none of them.
bool namesOtherHosts(const JobSpec &spec, const PoolHost &here)
{
    return std::all_of(spec.taskRoles.cbegin(), spec.taskRoles.cend(), [&](const TaskRole &role) {
        const HostRule rule = spec.trainyard.hostRule(role.name);
        const bool mayBeHere
            = (rule.names.isEmpty() || rule.names.contains(here.id)) && core::hasLabels(here.capacity.labels, rule);
        return !mayBeHere;
    });
}

} // namespace

Result<void> checkWantedFolder(const Prepared &prepared, const PoolHost &here, bool onlyHere)
{
    const StoredDocument &document = prepared.document;
    const bool isNamed = !document.work.isEmpty();
    QString folder = document.work;
    if (!isNamed) {
        folder = document.file.isEmpty() ? QString() : QFileInfo(document.file).path();
    } else if (onlyHere && folder.startsWith("~/"_L1)) {
        folder = QDir::homePath() + folder.mid(1);
    }
    if (!folder.startsWith(u'/') || QFileInfo(folder).isDir()) {
        return {}; // one of each host's own, or it is there
    }
    const bool isElsewhere = !onlyHere && (!document.target.isEmpty() || namesOtherHosts(prepared.spec, here));
    if (isElsewhere && (isNamed || !copiesWork(prepared.spec))) {
        return {};
    }
    const QString code = QFileInfo::exists(folder) ? u"job.work-no-folder"_s
        : !isNamed                                 ? u"job.file-folder-missing"_s
        : onlyHere                                 ? u"job.work-missing"_s
                                                   : u"job.work-missing-here"_s;
    return fail(code, {{u"folder"_s, folder}});
}

} // namespace trainyard
