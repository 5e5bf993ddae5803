// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/trymessages.h"

#include "engine/launch/launchplan.h"
#include "engine/pool/tryanswers.h"

namespace trainyard
{

contract::Observe observeOf(const LiveTry &entry)
{
    contract::Observe observe{entry.folder.toStdString(), {}, !entry.job->spec};
    const QStringList secrets = entry.job->spec ? launch::secretValues(*entry.job->spec) : QStringList();
    for (const QString &value : secrets) {
        observe.maskValues.push_back(value.toStdString());
    }
    return observe;
}

contract::Stop stopOf(const ActiveJob &job, const std::string &folder, qint64 graceSeconds)
{
    contract::Stop stop;
    stop.dir = folder;
    stop.graceMs = graceSeconds * 1000;
    if (job.spec) {
        const StopRule &rule = job.spec->trainyard.stop;
        stop.signal = rule.signal > 0 ? rule.signal : stop.signal;
        stop.onlyMain = rule.onlyMain;
        stop.graceMs = rule.graceSeconds ? *rule.graceSeconds * 1000 : stop.graceMs;
    }
    stop.graceMs = job.killNow ? 0 : stop.graceMs;
    return stop;
}

bool mayHaveBegun(const contract::Failure &why, bool isAgain)
{
    return why.code == pool::unreadable || why.code == pool::noProcess || (why.code == pool::unseenLaunch && isAgain);
}

contract::ExitRecord notStarted(const contract::Failure &why, qint64 now)
{
    const std::string code = why.code == pool::unseenLaunch ? "launch.folder-unwritable" : why.code;
    contract::ExitRecord record;
    record.kind = contract::ExitKind::StartFailed;
    record.value = why.systemError;
    record.reason = code + (why.argument.empty() ? "" : " " + why.argument);
    record.ended = now;
    return record;
}

} // namespace trainyard
