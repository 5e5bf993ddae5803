// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/checkpointplan.h"

#include "engine/contract/taskfiles.h"

#include <QHash>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

bool isTrainyards(const QString &path) { return path.mid(path.lastIndexOf(u'/') + 1).startsWith(".trainyard"_L1); }

bool staysInside(const BringLink &link)
{
    qsizetype depth = link.path.count(u'/');
    QString rest = link.target;
    while (depth > 0 && rest.startsWith("../"_L1)) {
        rest.remove(0, 3);
        --depth;
    }
    return contract::isPlainFilePath(link.path.toStdString()) && contract::isPlainFilePath(rest.toStdString());
}

} // namespace

CheckpointPlan checkpointPlan(
    const QList<BringFile> &there, const QList<BringLink> &links, const QList<BringFile> &here)
{
    QHash<QString, BringFile> known;
    for (const BringFile &file : here) {
        known.insert(file.path, file);
    }
    CheckpointPlan plan;
    for (const BringFile &file : there) {
        const bool isOfSize = file.bytes >= 0 && file.bytes <= mostFileBytes;
        if (!isOfSize || isTrainyards(file.path) || !contract::isPlainFilePath(file.path.toStdString())) {
            continue;
        }
        const auto same = known.constFind(file.path);
        const bool isThere = same != known.cend()
            && (same->changedNs > file.changedNs || (same->changedNs == file.changedNs && same->bytes == file.bytes));
        if (!isThere) {
            plan.files.append(file);
            plan.bytes += file.bytes;
        }
    }
    std::sort(plan.files.begin(), plan.files.end(), [](const BringFile &a, const BringFile &b) {
        return a.bytes != b.bytes ? a.bytes < b.bytes : a.path < b.path;
    });
    for (const BringLink &link : links) {
        if (!isTrainyards(link.path) && staysInside(link)) {
            plan.links.append(link);
        }
    }
    return plan;
}

} // namespace trainyard
