// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmunheard.h"

#include <QJsonArray>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

QList<JobNote> unheardNotes(const core::JobPolicy &policy, const QString &target)
{
    QStringList named, arranged, typed, sized;
    for (const core::RolePolicy &role : policy.roles) {
        const HostRule &rule = role.needs.hosts;
        if (!rule.names.isEmpty() || !rule.labels.isEmpty()) {
            named.append(role.name);
        }
        // Each element of an array has nodes of its own.
        if (isHard(rule.arrange) && role.instances > 1 && !policy.gang) {
            arranged.append(role.name);
        }
        if (role.needs.gpu > 0 && !role.needs.gpuType.isEmpty()) {
            typed.append(role.name);
        }
        if (role.needs.gpu > 0 && role.needs.gpuMemoryMiB > 0) {
            sized.append(role.name);
        }
    }
    QList<JobNote> notes;
    const auto note = [&](const QString &code, const QStringList &roles) {
        if (!roles.isEmpty()) {
            notes.append(JobNote{code, {{u"target"_s, target}, {u"roles"_s, QJsonArray::fromStringList(roles)}}});
        }
    };
    note(u"slurm.hosts-named"_s, named);
    note(u"slurm.hosts-arranged"_s, arranged);
    note(u"slurm.gpu-type-unused"_s, typed);
    note(u"slurm.gpu-memory-unused"_s, sized);
    return notes;
}

} // namespace trainyard::slurm
