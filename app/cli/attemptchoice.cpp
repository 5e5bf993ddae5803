// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attemptchoice.h"

#include "app/cli/console.h"
#include "app/cli/watch.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

std::optional<int> chosenAttempt(const JobSummary &job, const std::optional<qint64> &wanted)
{
    if (!wanted) {
        return newestThatRan;
    }
    const int attempts = job.retries + 1;
    if (*wanted > attempts) {
        errorLine(noSuchAttempt(job, attempts));
        return std::nullopt;
    }
    return int(*wanted) - 1;
}

void sayIfFormer(const JobSummary &job, const std::optional<qint64> &wanted, const QList<TaskInfo> &tasks)
{
    if (!wanted && !tasks.isEmpty() && tasks.constFirst().attempt < job.retries) {
        errorLine(
            tr("Attempt %1 of %2 has not begun. This is of attempt %3.")
                .arg(QString::number(job.retries + 1), jobTitle(job), QString::number(tasks.constFirst().attempt + 1)));
    }
}

} // namespace trainyard::cli
