// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/unretriedtexts.h"

#include "model/protocol/jobdocument.h"
#include "widgets/text/exittexts.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{
struct UnretriedTexts {
    Q_DECLARE_TR_FUNCTIONS(UnretriedTexts)
};
} // namespace

bool isPermanentFailure(const JobSummary &job)
{
    return job.state == State::Failed && job.exitCode && exitText(*job.exitCode).neverRetried;
}

QString unretriedText(const JobSummary &job, const QByteArray &yaml)
{
    if (!isPermanentFailure(job) || !yaml.contains("jobRetryCount")) { // long texts are not read for nothing
        return {};
    }
    const ParseOutcome outcome = parseJob(yaml);
    const qint64 asked = outcome.spec ? outcome.spec->jobRetryCount : 0;
    return asked >= 0 && asked <= job.userRetries
        ? QString()
        : UnretriedTexts::tr("It is not retried although jobRetryCount is %1: as long as nothing changes, the same "
                             "would happen.")
              .arg(asked);
}

} // namespace trainyard
