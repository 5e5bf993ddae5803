// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/environmentsofhost.h"

#include "app/cli/console.h"
#include "app/cli/words.h"
#include "engine/api/valuejson.h"
#include "widgets/text/columns.h"
#include "widgets/text/hostusetexts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

Result<api::HostEnvironments> environmentsOf(Session &session, const QString &host)
{
    const Progress progress(tr("Looking for environments on %1 ...").arg(host));
    return session.call<api::GetHostEnvironments>({host});
}

} // namespace

int outEnvironments(Session &session, const QString &host, bool json)
{
    const Result<api::HostEnvironments> found = environmentsOf(session, host);
    if (!found) {
        return report(found.error());
    }
    if (json) {
        outJson(QJsonDocument(valuejson::toValue(*found).toObject()));
        return exitOk;
    }
    QList<QStringList> rows{{tr("NAME"), tr("KIND"), tr("ENVIRONMENT")}};
    for (const api::HostEnvironment &one : found->environments) {
        rows.append({one.name, environmentKindText(one), one.command});
    }
    for (const QString &name : found->modules) {
        rows.append({name, tr("module"), u"module load "_s + name});
    }
    if (rows.size() == 1) {
        errorLine(
            tr("No environment was found on %1: conda and venv are looked for in the home folder and in the usual "
               "places, modules in MODULEPATH.")
                .arg(host));
        return exitOk;
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
    if (!found->isWhole) {
        errorLine(tr("There are more: the search ended early."));
    }
    return exitOk;
}

void outLastHour(const api::HostHistory &history, const QList<GpuInfo> &gpus)
{
    QList<QStringList> rows;
    const QList<HourOfUse> uses = hostUses(history, gpus);
    for (const HourOfUse &use : uses) {
        rows.append({use.name, hostUseText(use)});
    }
    if (rows.isEmpty()) {
        return;
    }
    outLine(tr("In the last hour:"));
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(u"  "_s + line);
    }
}

} // namespace trainyard::cli
