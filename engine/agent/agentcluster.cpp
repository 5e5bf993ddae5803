// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/agent.h"
#include "engine/agent/clusterwork.h"
#include "engine/agent/pump.h"
#include "engine/agent/removal.h"
#include "engine/contract/datatree.h"
#include "engine/contract/datause.h"
#include "engine/contract/oldhelpers.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

// The requests of an engine to the login node of a cluster (docs/clusters.md).
namespace trainyard::agent
{

void Agent::forCluster(const contract::Envelope &envelope)
{
    constexpr std::int64_t copyMs = 120'000, readMs = 60'000, spareMs = 10'000, tidyMs = 5000;
    const std::int64_t id = envelope.id;
    // Answers for what gives an error number.
    const auto done = [](const char *code, int error, const std::string &about) {
        return error == 0 ? contract::Message(contract::Done{})
                          : contract::Message(contract::Failure{code, about, error});
    };
    if (const auto *program = std::get_if<contract::RunProgram>(&envelope.message)) {
        m_login.whenKnown(true, m_account, [this, id, request = *program] {
            contract::ProgramSaid late;
            late.state = "late";
            m_side.work(
                id, request.program,
                [&] {
                    static_cast<void>(!::chdir("/"));
                    return contract::Message(runSlurmCommand(request, m_login.variables()));
                },
                request.ms + spareMs, late);
        });
    } else if (const auto *changed = std::get_if<contract::ReadChanged>(&envelope.message)) {
        contract::ChangedFiles nothing;
        nothing.systemError = ETIMEDOUT;
        m_side.work(
            id, changed->dir, [&] { return contract::Message(readChanged(*changed)); }, readMs, nothing);
    } else if (const auto *copy = std::get_if<contract::CopyHelper>(&envelope.message)) {
        const bool isFirst = !std::exchange(m_hasSoughtOldHelpers, true);
        m_side.work(
            id, copy->path,
            [&] {
                const auto unsafe = copy->trustsOwners ? std::nullopt : makeHelperFolder(copy->path, ::geteuid());
                if (unsafe) {
                    return contract::Message(contract::Failure{"folder.swappable", unsafe->part, EPERM});
                }
                const int error = copyHelper(copy->path);
                if (error == 0 && isFirst) {
                    const std::int64_t until = monotonicMs() + tidyMs;
                    contract::removeOldHelpers(copy->path, utcMs(), [until] { return monotonicMs() < until; });
                }
                return done("put.failed", error, copy->path);
            },
            copyMs, done("put.failed", ETIMEDOUT, copy->path));
    } else if (const auto *gone = std::get_if<contract::RemoveRun>(&envelope.message)) {
        m_side.work(
            id, gone->root,
            [&] {
                int error = EPERM;
                if (gone->launches.empty() || gone->launches == "*") {
                    contract::dropDataUses(contract::dataFolder(gone->root), gone->job);
                }
                if (!gone->launches.empty()) {
                    error = removeLaunches(gone->root, gone->job, gone->launches);
                } else if (isRootOfRuns(gone->root)) {
                    error = removeFolder(gone->root + "/runs/" + gone->job, gone->root);
                }
                return done("remove.failed", error, gone->root);
            },
            readMs, done("remove.failed", ETIMEDOUT, gone->root));
    }
}

} // namespace trainyard::agent
