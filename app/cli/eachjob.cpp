// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/eachjob.h"

#include "app/cli/console.h"
#include "app/cli/groupjobs.h"

namespace trainyard::cli
{

void leaveOut(MeantJobs &meant, const IsWantedJob &wanted)
{
    meant.jobs.removeIf([&](const JobSummary &job) { return !meant.isNamed(job) && !wanted(job); });
}

void sayBefore(const MeantJobs &meant, const QString &sentence)
{
    if (meant.areSeveral && meant.jobs.size() > 1) {
        errorLine(sentence.arg(QString::number(meant.jobs.size()), jobNumbers(meant.jobs)));
        forgetFailure();
    }
}

void sayHowMany(const MeantJobs &meant, qsizetype changed, qsizetype all)
{
    if (!meant.areSeveral) {
        return;
    }
    errorLine(changed == 0  ? tr("No job changed.")
            : changed < all ? tr("%1 of %2 jobs changed.").arg(QString::number(changed), QString::number(all))
            : all == 1      ? tr("1 job changed.")
                            : tr("%1 jobs changed.").arg(all));
}

int askForEach(const QList<JobSummary> &jobs, const QString &progress, ActedJobs &acted, const RequestOfJob &request,
    const SayOfJob &yes, const SayOfJob &no)
{
    int status = exitOk;
    for (const JobSummary &job : jobs) {
        const qsizetype before = acted.size();
        const Result<bool> done = request(job, progress);
        if (!done) {
            status = acted.fail(job, done.error());
            continue;
        }
        if (const SayOfJob &said = *done ? yes : no) {
            said(job);
        }
        if (acted.size() == before) {
            acted.done(job, *done);
        }
    }
    return status;
}

} // namespace trainyard::cli
