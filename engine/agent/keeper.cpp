// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/detach.h"
#include "engine/agent/keeper_p.h"
#include "engine/agent/ownmemory.h"
#include "engine/agent/recovery.h"
#include "engine/agent/scriptlink.h"

#include <fcntl.h>
#include <unistd.h>

namespace trainyard::agent
{

namespace file = contract::file;

Keeper::Keeper(const KeeperTask &task)
    : m_task(task), m_secrets(task.launch.maskValues), m_pump(m_secrets, task.launch.plan.limits.outputBytes)
{
    m_cgroup.takeOver(task.cgroup);
    if (!task.markWord.empty()) {
        m_steps = std::make_unique<StepOutput>(
            task.markWord, m_secrets,
            [this](contract::Stream stream, std::string_view bytes) { m_pump.take(stream, bytes); },
            [this](contract::Stream stream) { return readNow(stream); });
    }
}

void Keeper::run()
{
    contract::ExitRecord failed;
    failed.began = utcMs();
    if (!prepare(failed) || !start(failed)) {
        failed.ended = utcMs();
        leaveCgroup();
        removeScriptLinks("."); // the try's folder, which has a long path
        const std::string text = failed.format();
        if (contract::writeAtomically(file::exit, text, false) != 0) {
            contract::writeOver(file::reserve, file::exit, text, false);
        }
        ::unlink(file::reserve);
        sendNote(m_task.notes, note::exit, text);
        return;
    }
    for (const Source &source : m_sources) {
        ::fcntl(source.fd, F_SETFL, O_NONBLOCK); // the task may read its own output
    }
    m_bufferSize = defaultPipe;
    m_buffer = std::make_unique_for_overwrite<char[]>(m_bufferSize);
    handleStop(); // one that came before the signal could be seen
    loop();
    drain();
    finish(result());
    if (m_container) {
        m_container->remove(); // the last of all: the result is safe
    }
}

namespace
{

pid_t forkDetached(KeeperTask &task, void (*work)(const KeeperTask &))
{
    noteIgnoredSignals();
    trimMemory(); // it would count as memory of the task
    const pid_t keeper = ::fork();
    if (keeper != 0) {
        return keeper;
    }
    if (task.launch.hasSteps) {
        task.markWord = newMarkWord();
    }
    if (detach(task)) {
        work(task);
    }
    ::_exit(0);
}

} // namespace

pid_t forkKeeper(KeeperTask &task)
{
    return forkDetached(task, [](const KeeperTask &own) {
        Keeper keeper(own);
        keeper.run();
        ::_exit(0); // nothing is freed: each page touched for that would first be copied from the agent's
    });
}

pid_t forkRecovery(KeeperTask &task) { return forkDetached(task, recover); }

} // namespace trainyard::agent
