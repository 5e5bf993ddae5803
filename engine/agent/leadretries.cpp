// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadretries.h"

#include "engine/agent/smalltext.h"
#include "engine/contract/srunwords.h"

#include <sys/types.h>

namespace trainyard::agent
{
namespace
{

constexpr off_t leadSearchedBytes = off_t(10) << 20; // as the engine searches
constexpr off_t leadRuntimeBytes = off_t(64) << 10;

// Whether something other than the program contributed to this end: a step before or after it, a GPU, or the cluster,
// which ended it because of its memory. The engine then decides.
bool isForEngine(std::string_view runtime)
{
    return runtime.find("STEP FAILED ") != std::string_view::npos
        || runtime.find("The kernel of this host said of ") != std::string_view::npos
        || contract::srunWords(runtime).isOverMemory;
}

void replaceInTry(std::string &text, const std::string &from, const std::string &to)
{
    for (std::size_t at = text.find(from); !from.empty() && at != std::string::npos; at = text.find(from, at)) {
        const std::size_t behind = at + from.size();
        if (behind < text.size() && text[behind] >= '0' && text[behind] <= '9') {
            at = behind; // the number of the try goes on: another folder
            continue;
        }
        text.replace(at, from.size(), to);
        at += to.size();
    }
}

// Turns the names of the first try here into those of a later one.
class RenamedTry
{
public:
    RenamedTry(const contract::LeadTask &task, std::size_t again)
        : m_folder(task.folder), m_uuid(task.tryUuid), m_newFolder(contract::folderOfTry(task, again)),
          m_newUuid(contract::uuidOfTry(task, again))
    {
    }
    void in(std::string &text) const
    {
        replaceInTry(text, m_folder, m_newFolder);
        replaceInTry(text, m_uuid, m_newUuid);
    }
    void in(std::vector<std::string> &texts) const
    {
        for (std::string &text : texts) {
            in(text);
        }
    }

private:
    std::string m_folder, m_uuid, m_newFolder, m_newUuid;
};

} // namespace

contract::LeadTask taskOfTry(const contract::LeadTask &task, std::size_t again)
{
    contract::LeadTask later = task;
    later.folder = contract::folderOfTry(task, again);
    later.tryUuid = contract::uuidOfTry(task, again);
    later.tryNumber = task.tryNumber + int(again);
    RenamedTry(task, again).in(later.stepOptions);
    return later;
}

contract::Launch launchOfTry(const contract::Launch &first, const contract::LeadTask &task, std::size_t again)
{
    const RenamedTry renamed(task, again);
    const std::string former = std::to_string(first.plan.tryNumber);
    contract::Launch launch = first;
    launch.plan.tryNumber += int(again);
    for (std::string *text : {&launch.dir, &launch.cwd, &launch.script, &launch.maskedScript, &launch.plan.tryUuid,
             &launch.plan.cwd, &launch.plan.container.name}) {
        renamed.in(*text);
    }
    renamed.in(launch.plan.container.run);
    for (contract::Variable &each : launch.env) {
        renamed.in(each.value);
        if ((each.name == "TRAINYARD_TASK_TRY" || each.name == "FC_TASK_ATTEMPT_ID") && each.value == former) {
            each.value = std::to_string(launch.plan.tryNumber);
        }
    }
    return launch;
}

LeadRetries::LeadRetries(contract::LeadRetries retries, contract::LeadTask task, contract::Launch launch)
    : m_retries(std::move(retries)), m_task(std::move(task)),
      m_launch(std::move(launch)), m_counts{m_task.charged, m_task.consecutiveFreeRetries}
{
}

std::optional<std::int64_t> LeadRetries::pauseAfter(const contract::ExitRecord &exit)
{
    const bool isProgram = exit.kind == contract::ExitKind::Exited || exit.kind == contract::ExitKind::Signaled;
    if (!isProgram || m_again >= m_task.furtherTries.size()) {
        return std::nullopt;
    }
    const std::string folder = contract::folderOfTry(m_task, m_again) + '/';
    const bool hasFailed = exit.shellStatus() != 0;
    if (hasFailed && isForEngine(endOfPlainFile(folder + contract::file::runtime, leadRuntimeBytes))) {
        return std::nullopt;
    }
    const std::string output = hasFailed
        ? contract::withoutEscapes(endOfPlainFile(folder + contract::file::output, leadSearchedBytes))
        : std::string();
    const contract::LeadDecision decision = contract::decideLeadRetry(
        m_retries, m_counts, exit.shellStatus(), exit.began > 0 ? exit.ended - exit.began : 0, output);
    if (decision.next != contract::LeadNext::Again) {
        return std::nullopt;
    }
    m_counts = {m_counts.charged + (decision.isCharged ? 1 : 0), decision.consecutiveFreeRetries};
    ++m_again;
    return decision.pauseMs;
}

} // namespace trainyard::agent
