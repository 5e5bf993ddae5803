// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clusterjobs.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/api/calls.h"
#include "engine/api/valuejson.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QDateTime>
#include <QJsonDocument>

namespace trainyard::cli
{

int printClusterJobs(Session &session, const QString &target, bool isJson)
{
    const Result<ClusterJobs> found = session.call<api::ListClusterJobs>({target}, tr("Asking %1 ...").arg(target));
    if (!found) {
        return report(found.error());
    }
    if (isJson) {
        outJson(QJsonDocument(valuejson::toValue(*found).toObject()));
        return exitOk;
    }
    if (found->jobs.isEmpty()) {
        errorLine(tr("You have no job on %1.").arg(target));
        return exitOk;
    }
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QList<QStringList> rows{{tr("NAME"), tr("STATE"), tr("CLUSTER"), tr("GPUS"), tr("SUBMITTED")}};
    for (const ClusterJob &job : found->jobs) {
        rows.append({job.name, clusterJobStateText(job.state).toLower(), job.virtualCluster, QString::number(job.gpus),
            job.submitted > 0 ? formatTime(job.submitted, now) : tr("-")});
    }
    const QStringList lines = alignedRows(rows);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        outLine(i == 0 ? paint(Colour::Bold, lines.at(i)) : lines.at(i));
    }
    if (const QString rest = shownClusterJobsText(*found); !rest.isEmpty()) {
        errorLine(rest + u'.');
    }
    return exitOk;
}

int printClusterDocument(Session &session, const QString &target, const QString &name)
{
    const Result<ClusterDocument> found
        = session.call<api::GetClusterDocument>({target, name}, tr("Asking %1 ...").arg(target));
    if (!found) {
        return report(found.error());
    }
    outFile(found->yaml.toUtf8());
    return exitOk;
}

int changeClusterTags(Session &session, const TagChange &change, bool isJson)
{
    const Result<ClusterTags> found = session.call<api::ChangeClusterTags>(change, tr("Asking %1 ...").arg(change.id));
    if (!found) {
        return report(found.error());
    }
    if (isJson) {
        outJson(QJsonDocument(valuejson::toValue(*found).toObject()));
        return exitOk;
    }
    for (const QString &tag : found->tags) {
        outLine(tag);
    }
    return exitOk;
}

} // namespace trainyard::cli
