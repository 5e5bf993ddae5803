// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/proposedcommands.h"

#include "model/template/pluginsteps.h"
#include "model/template/render.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

Result<QList<api::ProposedCommands>> proposedCommands(const JobSpec &job)
{
    constexpr qsizetype longest = 16 * 1024; // of a role, in characters
    qsizetype left = 64 * 1024; // of the job
    QList<api::ProposedCommands> all;
    for (const TaskRole &role : job.taskRoles) {
        const Result<ComposedRole> composed = composeRole(job, role, {.strict = isStrict(job)});
        if (!composed) {
            return tl::unexpected<Error>(composed.error());
        }
        QStringList texts;
        const auto add = [&texts](const QList<PluginScript> &steps) {
            for (const PluginScript &step : steps) {
                if (step.plugin == "cmd"_L1) { // the others are made of what the document says
                    texts.append(step.script.trimmed());
                }
            }
        };
        add(composed->before);
        texts.append(composed->userScript);
        add(composed->after);
        const QString text = texts.join(u'\n');
        const qsizetype shown = qMin(text.size(), qMin(longest, left));
        left -= shown;
        all.append({role.name, text.left(shown), shown < text.size()});
    }
    return all;
}

} // namespace trainyard
