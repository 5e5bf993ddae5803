// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"
#include "widgets/jobs/jobstablemodel.h"

// Jobs for the tests of tables and lists of them.
namespace tablejobs
{

using namespace trainyard;
using namespace Qt::StringLiterals;

inline JobSummary tableJob(qint64 id, State state = State::Succeeded)
{
    JobSummary job;
    job.id = id;
    job.uuid = u"uuid-%1"_s.arg(id);
    job.name = u"job_%1"_s.arg(id % 3);
    job.state = state;
    job.submitted = 1000 * id;
    job.parameters = {{u"lr"_s, 1.0 / double(id)}};
    return job;
}

inline QList<qint64> idsOf(const JobsTableModel &model)
{
    QList<qint64> ids;
    for (int row = 0; row < model.rowCount(); ++row) {
        ids.append(model.jobAt(model.index(row, 0))->id);
    }
    return ids;
}

inline JobFilter tableFilter(const QString &text) { return JobFilter::parse(text, 0).value(); }

} // namespace tablejobs
