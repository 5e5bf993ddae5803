// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/formerjob.h"

#include "app/cli/console.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "engine/api/clusters.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/documentname.h"
#include "engine/api/formertarget.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

int readFormer(const QString &again, SubmissionWords &words, SubmitRequest &request)
{
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(again, job); status != exitOk) {
        return status;
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    if (!detail) {
        return report(detail.error());
    }
    words.former = {detail->summary.id, yamlWithParameters(detail->yaml, detail->summary.parameters)};
    words.file = detail->summary.file;
    const ParseOutcome outcome = parseJob(words.former->text);
    const QString ofText = outcome.spec ? outcome.spec->name : QString();
    if (words.name.isEmpty() && detail->summary.name != ofText) {
        words.name = detail->summary.name;
    }
    if (words.on.isEmpty()) {
        words.on = formerTarget(*detail);
        if (isAwayTarget(words.on)) {
            errorLine(tr("It runs on %1, as #%2 did; %3 chooses another target.")
                          .arg(words.on, QString::number(detail->summary.id), onOption().shown()));
        }
    }
    const QString &was = detail->summary.target;
    if (words.in.isEmpty() && (!clusterPlaceOf(was) || was == words.on)) {
        words.in = detail->runIn;
    }
    request.work = detail->work;
    const QString document = documentNameOf(*detail);
    request.documentName = document != ofText ? document : QString();
    return exitOk;
}

void takeSecretsOfFormer(SubmitRequest &request)
{
    const ParseOutcome outcome = parseJob(request.yaml);
    takeSecretsFromFile(outcome.spec ? outcome.spec->askedSecrets : QStringList(), request.file, request.secrets);
}

} // namespace trainyard::cli
