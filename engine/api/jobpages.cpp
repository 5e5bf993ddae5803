// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobpages.h"

namespace trainyard
{

std::optional<api::JobPage> nextJobPage(const api::JobPage &asked, const Result<QList<JobSummary>> &answer)
{
    api::JobPage next = asked;
    if (!answer) {
        next.limit = asked.limit / 2; // notes and tags are long
        const bool isTooLong = answer.error().code == QLatin1String("rpc.too-long");
        return isTooLong && next.limit > 0 ? std::optional(next) : std::nullopt;
    }
    if (answer->isEmpty() || answer->size() < asked.limit) {
        return std::nullopt;
    }
    next.before = answer->constLast().id;
    return next;
}

} // namespace trainyard
