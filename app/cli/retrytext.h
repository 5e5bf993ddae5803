// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/cataloguefolder.h"

#include <QList>

// The text with which a job is retried, beside the one that it has.
namespace trainyard::cli
{

class Session;

// A job runs again with the text that it has. If the user has changed its file since, a message says so; for a job of a
// sweep, the file has another text. Empty: it has not changed.
QString changedFileOf(Session &session, const JobSummary &job, const CatalogueLookup &catalogue);
// A user who gives a text intends a different one, and may have forgotten to save it. For a text with a secret's value
// this is not known, because the job does not keep the value.
bool isFormerText(Session &session, const JobSummary &job, const QByteArray &whole);
// Another name than that of the job, which the text has and the job's text has not had before; else empty.
QString otherNameOf(Session &session, const JobSummary &job, const QByteArray &text);
// A text has one set of values: jobs that differ by them, as those of a sweep do, would all become the same.
bool differInParameters(const QList<JobSummary> &jobs);

} // namespace trainyard::cli
