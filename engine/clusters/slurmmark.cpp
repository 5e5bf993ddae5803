// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmmark.h"

#include <algorithm>

namespace trainyard::slurm
{

bool isMarked(const JobMark &mark, const QString &name, const QString &comment, const QString &line)
{
    const bool isOurs = std::any_of(mark.comments.cbegin(), mark.comments.cend(),
        [&](const QString &each) { return comment.contains(each) || line.contains(each); });
    const bool isOther = comment.contains(commentHead) || line.contains(commentHead);
    return isOurs || (!isOther && mark.names.contains(name));
}

} // namespace trainyard::slurm
