// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/removals.h"

#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/meantjobs.h"
#include "app/cli/words.h"
#include "widgets/text/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

void putInto(const JobSummary &job, bool keepsStarred, Removals &removals)
{
    (keepsStarred && job.labels.isStarred ? removals.kept : removals.jobs).append(job);
}

// "Archived among them: 3.", or nothing
QString archivedText(const QList<JobSummary> &jobs)
{
    const auto count
        = std::count_if(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return job.labels.isArchived; });
    return count == 0 ? QString() : u' ' + tr("Archived among them: %1.").arg(count);
}

} // namespace

Result<Removals> removalsByState(Session &session, const QStringList &states, qint64 endedBefore, bool alsoStarred)
{
    Removals wanted;
    const Result<QList<JobSummary>> jobs = allJobs(session, {});
    if (!jobs) {
        return tl::unexpected<Error>(jobs.error());
    }
    for (const JobSummary &job : *jobs) {
        const bool isState = states.isEmpty() || states.contains(stateWord(job.state).toLower());
        if (isFinal(job.state) && isState && job.completed.value_or(job.submitted) < endedBefore) {
            putInto(job, !alsoStarred, wanted);
        }
    }
    return wanted;
}

Removals removalsOf(const MeantJobs &meant, bool alsoStarred)
{
    Removals wanted;
    for (const JobSummary &job : meant.jobs) {
        putInto(job, !alsoStarred && !meant.isNamed(job), wanted);
    }
    return wanted;
}

bool isSureToRemove(const QList<JobSummary> &jobs, const QString &yes)
{
    const QString question
        = (jobs.size() == 1
                  ? tr("Remove 1 job with its logs (%1)?").arg(jobNumbers(jobs))
                  : tr("Remove %1 jobs with their logs (%2)?").arg(QString::number(jobs.size()), jobNumbers(jobs)))
        + archivedText(jobs) + u' ' + tr("This cannot be undone. [y/N] ");
    const std::optional<QString> answer = askOnTerminal(question, true);
    if (!answer) {
        errorLine(tr("There is no terminal to ask on. Use %1 to remove these jobs without a question.").arg(yes));
    }
    return isYes(answer.value_or(QString()));
}

QString removedText(const QList<JobSummary> &jobs)
{
    return (jobs.size() == 1 ? tr("1 job removed.") : tr("%1 jobs removed.").arg(jobs.size())) + archivedText(jobs);
}

void sayKept(const QList<JobSummary> &kept, const QString &starred)
{
    if (kept.isEmpty()) {
        return;
    }
    errorLine(tr("Kept because of a star: %1. Name a job by its number, or use %2, to remove it all the same.")
                  .arg(jobNumbers(kept), starred));
}

} // namespace trainyard::cli
