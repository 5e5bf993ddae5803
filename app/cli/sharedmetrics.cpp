// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sharedmetrics.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "engine/client/filemetrics.h"
#include "engine/contract/metricbook.h"
#include "widgets/text/texts.h"

#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

bool isAboutSharing(const Error &remark)
{
    const std::string code = remark.code.toStdString();
    return code == contract::sharedFileNote || code == contract::laterFileNote;
}

} // namespace

QString remarkText(Session &session, const Error &remark)
{
    const QString sentence = errorText(remark);
    if (!isAboutSharing(remark)) {
        return sentence;
    }
    QStringList numbers;
    const QStringList uuids = remark.args.value(u"text"_s).toString().split(u' ', Qt::SkipEmptyParts);
    for (const QString &uuid : uuids) {
        if (const Result<JobDetail> detail = session.detail(uuid)) {
            numbers.append(u'#' + QString::number(detail->summary.id));
        }
    }
    return numbers.isEmpty()  ? sentence
        : numbers.size() == 1 ? tr("%1 The other job is %2.").arg(sentence, numbers.constFirst())
                              : tr("%1 The other jobs are %2.").arg(sentence, numbers.join(u", "_s));
}

QStringList sharedMetricsLines(Session &session, const QList<TaskInfo> &tasks)
{
    QStringList lines;
    QList<std::pair<QString, QJsonObject>> known; // the same of many tasks asks the engine once
    for (const TaskInfo &task : tasks) {
        const std::vector<Error> remarks
            = task.logFolder.isEmpty() ? std::vector<Error>() : FileMetrics::remarksIn(task.logFolder);
        for (const Error &remark : remarks) {
            const std::pair said(remark.code, remark.args);
            if (!isAboutSharing(remark) || known.contains(said)) {
                continue;
            }
            known.append(said);
            if (const QString line = remarkText(session, remark); !line.isEmpty() && !lines.contains(line)) {
                lines.append(line);
            }
        }
    }
    return lines;
}

} // namespace trainyard::cli
