// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard
{

/**
 * What of a role's completion policy decides about the job. Numbers as they take effect: `failed` below 0 means that
 * failures never end the job, `succeeded` below 0 that the successes of this role alone do not end it.
 */
struct CompletionRule {
    QString role;
    qint64 instances = 1;
    qint64 failed = 1;
    qint64 succeeded = -1;
    QStringList others; /**< names of the job's other roles, which are stopped when this one ends the job */
    QStringList enders; /**< those of them whose successes end the job, and stop this one */
};

/** "The job fails as soon as one worker task fails": without a full stop, to stand alone or before a semicolon. */
QString failureRuleText(const CompletionRule &rule);
/** "otherwise it succeeds when all tasks have finished": goes on after failureRuleText(). */
QString successRuleText(const CompletionRule &rule);

} // namespace trainyard
