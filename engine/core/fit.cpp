// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/fit.h"

#include "engine/api/reasons.h"

namespace trainyard::core
{

using namespace Qt::StringLiterals;

std::optional<Fit> fitTo(const Scheduler &scheduler, PlacementRequest request, GangChange gangChange)
{
    std::vector<RoleFit> changes(request.needs.size());
    bool gangOff = false;
    bool any = false;
    // Each refusal names one figure of one role; after at most three of each role there is nothing left to give up.
    for (std::size_t round = 0; round <= 3 * request.needs.size() + 1; ++round) {
        const std::optional<Error> never = scheduler.impossible(request);
        if (!never) {
            if (!any) {
                return std::nullopt;
            }
            Fit fit;
            fit.gangOff = gangOff;
            const int mostCpus = scheduler.mostCpus(request.where);
            for (std::size_t role = 0; role < changes.size(); ++role) {
                RoleFit &change = changes[role];
                if (!change.gpu && !change.memoryMiB) {
                    continue;
                }
                if (mostCpus > 0 && request.needs[role].cpu > mostCpus) {
                    change.cpu = mostCpus;
                }
                fit.roles.append(change);
            }
            return fit;
        }
        any = true;
        const auto indexOf = [&](const QString &role) { return request.roleNames.indexOf(role); };
        const auto gpu = reason::as<reason::RefuseGpu>(*never);
        const auto memory = reason::as<reason::RefuseMemory>(*never);
        if (never->code == reason::RefuseGang::code && request.gang && gangChange == GangChange::Allowed) {
            request.gang = false;
            gangOff = true;
        } else if (gpu && indexOf(gpu->role) >= 0) {
            const auto role = std::size_t(indexOf(gpu->role));
            changes[role].role = gpu->role;
            changes[role].gpu = request.needs[role].gpu = gpu->most;
        } else if (memory && indexOf(memory->role) >= 0 && memory->mostMiB > 0) {
            const auto role = std::size_t(indexOf(memory->role));
            changes[role].role = memory->role;
            changes[role].memoryMiB = request.needs[role].memoryMiB = memory->mostMiB;
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace trainyard::core
