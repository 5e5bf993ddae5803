// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/rundocument.h"

#include "app/gui/session.h"
#include "engine/api/compare/parametertext.h"

namespace trainyard
{

qsizetype documentOf(const JobDetail &job, const QList<OpenDocument> &documents)
{
    qsizetype own = -1, ofText = -1, ofFile = -1, saved = -1;
    for (qsizetype i = 0; i < documents.size(); ++i) {
        const OpenDocument &each = documents.at(i);
        const bool isOfOther = !each.run.isEmpty() && each.run != job.summary.uuid;
        const bool isSame = !job.yaml.isEmpty() && storable(each.bytes) == job.yaml;
        if (each.runs.contains(job.summary.uuid)) {
            own = i;
        } else if (isSame && each.file.isEmpty()) {
            ofText = i;
        } else if (isSame && job.summary.file.isEmpty()) {
            saved = i;
        } else if (!isOfOther && !job.summary.file.isEmpty() && each.runFile == job.summary.file) {
            ofFile = i;
        }
    }
    return own >= 0 ? own : ofText >= 0 ? ofText : ofFile >= 0 ? ofFile : saved;
}

bool hasOtherText(const JobDetail &job, const QByteArray &document)
{
    const QByteArray masked = storable(document);
    return !masked.isEmpty() && !job.yaml.isEmpty() && masked != yamlWithParameters(job.yaml, job.summary.parameters);
}

} // namespace trainyard
