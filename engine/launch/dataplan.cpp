// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/dataplan.h"

#include "model/template/pluginsteps.h"

#include <algorithm>

namespace trainyard::launch
{
namespace
{

using namespace Qt::StringLiterals;

// Nothing: the host is not named.
QString pathOn(const DataSource &source, const DataHost &host)
{
    const auto of = [&source](const auto &fits) {
        const auto found = std::find_if(
            source.paths.cbegin(), source.paths.cend(), [&fits](const auto &path) { return fits(path.first); });
        return found == source.paths.cend() ? QString() : found->second;
    };
    const QString byName = of([&host](const QString &key) { return key == host.id; });
    return byName.isEmpty() ? of([&host](const QString &key) { return host.labels.contains(key); }) : byName;
}

QString expanded(const QString &path, const QString &home)
{
    return path == "~"_L1 || path.startsWith("~/"_L1) ? home + path.sliced(1) : path;
}

} // namespace

QList<DataWant> dataFor(
    const JobSpec &job, const QString &role, const DataHost &host, const QString &base, const QString &home)
{
    QList<DataWant> wants;
    if (isStrict(job)) {
        return wants;
    }
    for (const DataSource &source : job.trainyard.data) {
        if (!source.roles.isEmpty() && !source.roles.contains(role)) {
            continue;
        }
        DataWant want;
        want.name = source.name;
        want.sum = source.sum;
        const QJsonObject facts{{u"name"_s, source.name}, {u"path"_s, source.from}, {u"host"_s, host.id}};
        if (const QString there = pathOn(source, host); !there.isEmpty()) {
            want.path = expanded(there, host.isLocal ? home : host.home);
        } else if (source.from.isEmpty()) {
            want.problem = {u"data.nowhere"_s, facts};
        } else {
            want.path = expanded(source.from, home);
            want.isCopied = !host.isLocal;
            if (!want.path.startsWith(u'/') && base.isEmpty()) {
                want.problem = {u"data.relative"_s, facts};
            } else if (!want.path.startsWith(u'/')) {
                want.path = base + u'/' + want.path;
            }
        }
        wants.append(want);
    }
    return wants;
}

} // namespace trainyard::launch
