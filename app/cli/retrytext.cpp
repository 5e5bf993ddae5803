// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/retrytext.h"

#include "app/cli/console.h"
#include "app/cli/secrets.h"
#include "app/cli/session.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>

namespace trainyard::cli
{

QString changedFileOf(Session &session, const JobSummary &job, const CatalogueLookup &catalogue)
{
    constexpr qint64 longestText = 16 << 20;
    if (!isFinal(job.state)) {
        return {};
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    if (!detail || !detail->documentName.isEmpty()) {
        return {};
    }
    const QString file = detail->textFile.isEmpty() ? job.file : detail->textFile;
    const QFileInfo about(file);
    const qint64 changed = std::max(about.fileTime(QFileDevice::FileModificationTime).toMSecsSinceEpoch(),
        about.fileTime(QFileDevice::FileMetadataChangeTime).toMSecsSinceEpoch());
    if (!about.isAbsolute() || !about.isFile() || about.size() > longestText || changed < job.submitted) {
        return {};
    }
    const Result<QByteArray> bytes = readInput(file);
    const Result<QByteArray> whole = bytes && catalogue ? withCatalogue(*bytes, catalogue) : bytes;
    const Result<QByteArray> masked = whole ? maskSecrets(*whole) : whole;
    return masked && !isSameWithJobName(*masked, detail->yaml, job.name) ? file : QString();
}

bool isFormerText(Session &session, const JobSummary &job, const QByteArray &whole)
{
    const Result<QByteArray> masked = maskSecrets(whole);
    const Result<JobDetail> detail = session.detail(job.uuid);
    return masked && *masked == whole && detail && detail->documentName.isEmpty()
        && isSameWithJobName(whole, detail->yaml, job.name);
}

QString otherNameOf(Session &session, const JobSummary &job, const QByteArray &text)
{
    const ParseOutcome outcome = parseJob(text);
    const QString name = outcome.spec && isJobName(outcome.spec->name) ? outcome.spec->name : QString();
    if (name.isEmpty() || name == job.name) {
        return {};
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    const ParseOutcome former = detail ? parseJob(detail->yaml) : ParseOutcome();
    return former.spec && former.spec->name == name ? QString() : name; // submitted with a name of its own
}

bool differInParameters(const QList<JobSummary> &jobs)
{
    return std::any_of(jobs.cbegin(), jobs.cend(),
        [&jobs](const JobSummary &job) { return job.parameters != jobs.constFirst().parameters; });
}

} // namespace trainyard::cli
