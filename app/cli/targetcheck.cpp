// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/targetcheck.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "engine/api/valuejson.h"
#include "engine/contract/slurmcommand.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/columns.h"

#include <QProcess>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

bool isGoodCheck(const ClusterInfo &checked)
{
    return std::all_of(
        checked.steps.cbegin(), checked.steps.cend(), [](const ClusterStep &step) { return step.isGood; });
}

int sayChecked(const ClusterInfo &checked)
{
    const QStringList lines = alignedRows(clusterStepRows(checked));
    for (const QString &line : lines) {
        outLine(line);
    }
    return isGoodCheck(checked) ? exitOk : exitNo;
}

} // namespace

void offerCluster(Session &session)
{
    constexpr int pingMs = 5000; // a controller that is away takes longer to be told so
    const Result<QJsonObject> settings = session.call<api::GetSettings>({});
    if (!settings || !settings->value("clusters.offerSlurm"_L1).toBool(true)) {
        return;
    }
    QProcess ping;
    ping.start(u"scontrol"_s, {u"ping"_s});
    if (!ping.waitForFinished(pingMs)) {
        ping.kill();
        ping.waitForFinished();
        return;
    }
    if (contract::isSlurmUp(ping.readAllStandardOutput().toStdString())) {
        errorLine(
            tr("A Slurm cluster answers on this computer: 'trainyardctl targets add slurm:NAME' makes it a target. "
               "'trainyardctl settings clusters.offerSlurm false' turns this hint off."));
    }
}

int checkOne(Session &session, const QString &target, bool isJson)
{
    const Result<ClusterInfo> checked = session.call<api::CheckTarget>({target}, tr("Asking %1 ...").arg(target));
    if (!checked) {
        return report(checked.error());
    }
    if (isJson) {
        outJson(QJsonDocument(valuejson::toValue(*checked).toObject()));
        return isGoodCheck(*checked) ? exitOk : exitNo;
    }
    return sayChecked(*checked);
}

int checkAdded(Session &session, const QString &id, bool isJson)
{
    const int status = checkOne(session, id, isJson);
    if (status == exitOk && isJson) {
        return status;
    }
    if (status == exitOk) {
        outLine(tr("'trainyardctl run --on %1 JOB' runs a job there.").arg(id));
    } else {
        errorLine(tr(
            "%1 is kept. 'trainyardctl targets check %1' checks it again, 'trainyardctl targets remove %1' removes it.")
                      .arg(id));
    }
    return status;
}

} // namespace trainyard::cli
