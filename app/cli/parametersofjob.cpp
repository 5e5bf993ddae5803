// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parametersofjob.h"

#include "app/cli/console.h"
#include "engine/api/compare/comparefacts.h"
#include "model/protocol/jobdocument.h"
#include "widgets/text/comparetexts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString parametersText(const JobSummary &job, const QByteArray &document)
{
    constexpr qsizetype most = 24;
    const ParseOutcome outcome = parseJob(document);
    const QJsonObject written = outcome.spec ? outcome.spec->parameters.toJson().toObject() : QJsonObject();
    QStringList given, asWritten;
    for (auto it = job.parameters.begin(); it != job.parameters.end(); ++it) {
        const QString value = it.key() + u' ' + factValue(compareText(it.value()));
        const QJsonValue own = written.value(it.key());
        if (own.isUndefined() || compareText(own) == compareText(it.value())) {
            asWritten.append(value);
        } else {
            given.append(tr("%1 (%2 in the document)").arg(value, factValue(compareText(own))));
        }
    }
    QStringList all = given + asWritten;
    if (const qsizetype more = all.size() - most; more > 0) {
        all = all.first(most) << tr("%1 more").arg(more);
    }
    return all.join(u", "_s);
}

} // namespace trainyard::cli
