// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/documentname.h"

#include "model/protocol/jobdocument.h"

namespace trainyard
{

QString documentNameOf(const JobDetail &detail)
{
    if (!detail.documentName.isEmpty()) {
        return detail.documentName;
    }
    // A job that was given a name leaves that of its text, and a rehearsal has a text beside that of the document.
    const ParseOutcome outcome = parseJob(detail.original.isEmpty() ? detail.yaml : detail.original);
    return outcome.spec && !outcome.spec->name.isEmpty() ? outcome.spec->name : detail.summary.name;
}

} // namespace trainyard
