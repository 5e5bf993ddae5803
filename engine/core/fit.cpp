// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/fit.h"

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
            for (const RoleFit &change : changes) {
                if (change.gpu || change.memoryMiB) {
                    fit.roles.append(change);
                }
            }
            return fit;
        }
        any = true;
        const qsizetype role = request.roleNames.indexOf(never->args.value("role"_L1).toString());
        if (never->code == "refuse.gang"_L1 && request.gang && gangChange == GangChange::Allowed) {
            request.gang = false;
            gangOff = true;
        } else if (never->code == "refuse.gpu"_L1 && role >= 0) {
            RoleFit &change = changes[std::size_t(role)];
            change.role = request.roleNames.at(role);
            change.gpu = request.needs[std::size_t(role)].gpu = never->args.value("most"_L1).toInt();
        } else if (never->code == "refuse.memory"_L1 && role >= 0 && never->args.value("mostMiB"_L1).toInteger() > 0) {
            RoleFit &change = changes[std::size_t(role)];
            change.role = request.roleNames.at(role);
            change.memoryMiB = request.needs[std::size_t(role)].memoryMiB = never->args.value("mostMiB"_L1).toInteger();
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace trainyard::core
