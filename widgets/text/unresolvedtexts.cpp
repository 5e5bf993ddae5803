// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/unresolvedtexts.h"

#include "model/protocol/jobdocument.h"
#include "widgets/text/whytexts.h"

namespace trainyard
{

QString unresolvedText(const QByteArray &yaml)
{
    constexpr qsizetype most = 5; // with so many, the user has seen it
    if (!yaml.contains("<%")) { // long texts are not read for nothing
        return {};
    }
    const ParseOutcome outcome = parseJob(yaml);
    const QList<UnresolvedReference> found
        = outcome.spec ? unresolvedReferences(*outcome.spec) : QList<UnresolvedReference>();
    QStringList sentences;
    for (const UnresolvedReference &each : found.mid(0, most)) {
        sentences.append(failureWords(unresolvedFacts(each)).sentence);
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace trainyard
