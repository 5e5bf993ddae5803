// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmmark.h"

#include <QRegularExpression>

#include <algorithm>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

// Whether a line belongs to a job that was not sent in an array.
static bool isScriptOfSubmission(const QString &line)
{
    static const QRegularExpression script(u"/allocations/[^/]+/job\\.sh\\s*\\z"_s);
    return script.match(line).hasMatch();
}

bool isMarked(const JobMark &mark, const QString &name, const QString &comment, const QString &line)
{
    // The folder of the submission, or the file of its array.
    const auto isInPath = [&line](const QString &own) {
        return !own.isEmpty()
            && (line.contains(QString(u'/' + own + u'/')) || line.contains(QString(u'-' + own + u".sh"_s)));
    };
    const bool isOurs = std::any_of(mark.comments.cbegin(), mark.comments.cend(), [&](const QString &each) {
        return comment.contains(each) || line.contains(each) || isInPath(each.mid(commentHead.size()));
    });
    const bool isOther = comment.contains(commentHead) || line.contains(commentHead) || isScriptOfSubmission(line);
    return isOurs || (!isOther && mark.names.contains(name));
}

} // namespace trainyard::slurm
