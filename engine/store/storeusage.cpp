// SPDX-License-Identifier: GPL-3.0-or-later
// Reads when tasks ran, and on what.
#include "engine/core/report.h"
#include "engine/store/storecolumns.h"
#include "engine/store/storeprivate.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

// Reads a row with the job's number, UUID, name, user and group, the role, the index and the task. Nothing where the
// newest try of the task did not begin, or is one of a former attempt, where it is found as well.
template <typename Rows> std::optional<UsageSpan> usageSpanOf(const Rows &row, bool isNewestTry)
{
    UsageSpan span;
    span.job = row.value(0).toLongLong();
    span.uuid = row.value(1).toString();
    span.name = row.value(2).toString();
    span.user = row.value(3).toString();
    span.group = row.value(4).toString();
    span.role = row.value(5).toString();
    span.index = row.value(6).toInt();
    const TaskInfo task = core::taskInfoOf(columns::taskOf(row.value(7)), span.role, span.index, 0);
    if (task.keptFrom) {
        return std::nullopt;
    }
    span.host = task.host;
    span.gpus = task.gpus;
    span.gpuCount = task.gpuCount;
    // The first start of a task that is tried again was that of another try.
    const qint64 launched = isNewestTry && task.tries > 0 ? 0 : task.launched.value_or(0);
    span.from = task.tryLaunched.value_or(launched);
    span.to = task.completed;
    span.state = stateWord(task.state);
    return span.from > 0 ? std::optional(span) : std::nullopt;
}

} // namespace

UsageReply Store::usage(qint64 from, qint64 to, int most) const
{
    UsageReply reply;
    const auto take = [&](Private::Rows &&rows, bool areNewestTries) {
        for (int read = 1; rows.next(); ++read) {
            reply.isCut = reply.isCut || read > most; // whatever becomes of these rows, there may be more of them
            const std::optional<UsageSpan> span = usageSpanOf(rows, areNewestTries);
            if (span && msWithin(*span, from, to) > 0) {
                reply.spans.append(*span);
            }
        }
    };
    take(d->read("SELECT job.id, uuid, name, user, grouped, role_name, idx, CAST(task.data AS BLOB) FROM task"
                 " JOIN job ON job.id = task.job WHERE began < ? AND (ended IS NULL OR ended > ?)"
                 " ORDER BY began DESC LIMIT ?",
             to, from, most + 1),
        true);
    take(d->read("SELECT job.id, uuid, name, user, grouped, role_name, idx, CAST(earlier_try.data AS BLOB)"
                 " FROM earlier_try JOIN job ON job.id = earlier_try.job"
                 " WHERE job.completed IS NULL OR job.completed > ? ORDER BY job.id DESC LIMIT ?",
             from, most + 1),
        false);
    std::sort(
        reply.spans.begin(), reply.spans.end(), [](const UsageSpan &a, const UsageSpan &b) { return a.from < b.from; });
    if (reply.spans.size() > most) {
        reply.isCut = true;
        reply.spans = reply.spans.last(most);
    }
    return reply;
}

} // namespace trainyard
