// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sharedmetrics.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "engine/client/filemetrics.h"
#include "engine/contract/metricbook.h"
#include "widgets/text/texts.h"

#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype mostLines = 10;

bool isAboutSharing(const Error &remark) { return contract::isAboutSharing(remark.code.toStdString()); }

} // namespace

QString remarkText(Session &session, const Error &remark)
{
    const QString sentence = errorText(remark);
    if (!isAboutSharing(remark) || remark.code.toStdString() == contract::tasksFileNote) {
        return sentence; // of no other job
    }
    QStringList numbers;
    const QStringList uuids = remark.args.value(u"text"_s).toString().split(u' ', Qt::SkipEmptyParts);
    for (const QString &uuid : uuids) {
        if (const Result<JobDetail> detail = session.detail(uuid)) {
            numbers.append(u'#' + QString::number(detail->summary.id));
        }
    }
    // Others may have come later: what was found first is enough to leave the file out.
    return numbers.isEmpty() ? sentence
                             : tr("%1 It was noticed when %2 wrote it.").arg(sentence, numbers.join(u", "_s));
}

QStringList sharedMetricsLines(Session &session, qint64 job, const QList<TaskInfo> &tasks)
{
    QList<Error> known; // many tasks have the same
    for (const TaskInfo &task : tasks) {
        const std::vector<Error> remarks
            = task.logFolder.isEmpty() ? std::vector<Error>() : FileMetrics::remarksIn(task.logFolder);
        for (const Error &remark : remarks) {
            if (isAboutSharing(remark) && !known.contains(remark)) {
                known.append(remark);
            }
        }
    }
    QStringList lines;
    const QList<Error> shown = known.mid(0, mostLines);
    for (const Error &remark : shown) {
        lines.append(remarkText(session, remark));
    }
    if (known.size() > mostLines) {
        lines.append(tr("%1 more; 'trainyardctl metrics %2' shows all")
                         .arg(QString::number(known.size() - mostLines), QString::number(job)));
    }
    return lines;
}

} // namespace trainyard::cli
