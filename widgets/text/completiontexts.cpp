// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/completiontexts.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{
constexpr qsizetype mostNamed = 3; // other roles; more are not named one by one

struct CompletionTexts {
    Q_DECLARE_TR_FUNCTIONS(CompletionTexts)
};
} // namespace

QString failureRuleText(const CompletionRule &rule)
{
    if (rule.failed < 0) {
        return CompletionTexts::tr("Failed %1 tasks do not fail the job").arg(rule.role);
    }
    return rule.failed == 1
        ? CompletionTexts::tr("The job fails as soon as one %1 task fails").arg(rule.role)
        : CompletionTexts::tr("The job fails as soon as %1 %2 tasks have failed").arg(rule.failed).arg(rule.role);
}

QString successRuleText(const CompletionRule &rule)
{
    if (rule.succeeded < 0 && !rule.enders.isEmpty()) {
        return rule.enders.size() > mostNamed
            ? CompletionTexts::tr("it succeeds, and stops %1, when enough tasks of another role have succeeded")
                  .arg(rule.role)
            : CompletionTexts::tr("it succeeds, and stops %1, when enough tasks of %2 have succeeded")
                  .arg(rule.role, rule.enders.join(CompletionTexts::tr(" or ")));
    }
    if (rule.succeeded < 0) {
        return rule.failed < 0 ? CompletionTexts::tr("it succeeds when all tasks have finished, failed or not")
                               : CompletionTexts::tr("otherwise it succeeds when all tasks have finished");
    }
    if (rule.succeeded > rule.instances) {
        return rule.instances == 1
            ? CompletionTexts::tr("%1 successes are not possible: there is 1 task").arg(rule.succeeded)
            : CompletionTexts::tr("%1 successes are not possible: there are %2 tasks")
                  .arg(rule.succeeded)
                  .arg(rule.instances);
    }
    const QString text = rule.succeeded == 1 ? CompletionTexts::tr("1 success ends it too")
                                             : CompletionTexts::tr("%1 successes end it too").arg(rule.succeeded);
    const QString rest = rule.others.size() > mostNamed ? CompletionTexts::tr("the other roles")
                                                        : rule.others.join(QStringLiteral(", "));
    if (rest.isEmpty()) {
        return text;
    }
    return text
        + (rule.succeeded == 1 ? CompletionTexts::tr(", and stops %1") : CompletionTexts::tr(", and stop %1"))
              .arg(rest);
}

} // namespace trainyard
