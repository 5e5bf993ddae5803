// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/queueplace.h"
#include "engine/api/values.h"

#include <QHash>

namespace trainyard::cli
{

// The columns of `ps` by which jobs are sorted and printed in a form of one's own: those with fixed names, and one for
// each parameter ("param:lr") and result ("result:loss", "min:loss", "max:loss").
const QStringList &columnNames(); // the fixed ones
bool isColumn(const QString &name);

// By a column, with '-' in front in descending order. Jobs without a value come last.
void sortJobs(QList<JobSummary> &jobs, const QString &sort);
// "{id} {name}" with the values of a job; \t and \n as a shell's printf has them. Times are UTC in ISO format, so that
// they sort and compare as text. `now` is ms UTC.
QString formatted(const JobSummary &job, const QString &format, qint64 now);
// The names in braces, in their order.
QStringList namedColumns(const QString &format);
// The first name in braces that is not a column; empty when all are.
QString unknownColumn(const QString &format);
// Comma-separated values of these columns, or of those of the table without any; a head with the names comes first.
QString csvOf(
    const QList<JobSummary> &jobs, const QStringList &columns, const QHash<QString, QueuePlace> &queue, qint64 now);

QString whyShown(const JobSummary &job); // why it waits or failed, or what was wrong with it although it ended well
QString tasksText(const JobSummary &job); // "3/8 (1 failed)"

} // namespace trainyard::cli
