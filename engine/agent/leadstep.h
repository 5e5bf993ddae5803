// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/client.h"
#include "engine/agent/loop.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/messages.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::agent
{

// A task of an allocation: a step of the cluster with a helper in it, which the lead speaks to over srun's input and
// output as the engine speaks to one on a host.
class LeadStep
{
public:
    struct Told {
        std::function<void()> began; // its first process runs
        std::function<void()> ended; // once, later: the task has ended and its record is written
    };
    // `loginMs`: how long the login shell may take there.
    LeadStep(Loop &loop, contract::LeadTask task, contract::Launch launch, std::int64_t loginMs, Told told);
    ~LeadStep();
    LeadStep(const LeadStep &) = delete;
    LeadStep &operator=(const LeadStep &) = delete;

    // `srun` is the whole command, but for the nonce that the helper greets with. What srun says for people goes to the
    // task's runtime.log. It is repeated while it says that the controller of the cluster does not answer, and for a
    // while if it says that the node does not, or that another step holds the memory.
    void start(std::vector<std::string> srun, const std::vector<std::string> &environment);
    void stop(contract::Stop stop); // also before it has begun
    const contract::LeadTask &task() const { return m_task; }
    bool isOver() const { return m_exit.has_value(); }
    const contract::ExitRecord &exit() const { return *m_exit; } // when it is over

private:
    void runSrun();
    void srunEnded();
    bool mayComeLater();
    void read();
    void receive(const contract::Frame &frame);
    void send(std::int64_t id, contract::Message message);
    void write();
    void over(const contract::ExitRecord &exit);
    void closeInput();
    void closeOutput();
    // The helper is gone without a word of the end: its record may still be on its way through the file system.
    void lookForRecord(int looks);
    void fail(contract::ExitKind kind, int value, const std::string &reason);

    Loop &m_loop;
    const contract::LeadTask m_task;
    contract::Launch m_launch;
    const std::int64_t m_loginMs;
    std::vector<std::string> m_srun, m_environment;
    std::int64_t m_saidBefore = 0; // bytes of the runtime log from before this srun
    std::int64_t m_awaitedSince = 0; // monotonic ms: when srun first said so of the memory or of the node
    int m_repeats = 0;
    bool m_isInPause = false; // before srun is repeated
    ClientProcess m_process;
    contract::FrameReader m_reader;
    std::string m_out; // not yet written
    std::optional<contract::Stop> m_stop;
    bool m_isStarted = false; // srun was, or could not be
    bool m_isLaunched = false; // it was asked for
    std::optional<contract::ExitRecord> m_exit;
    Told m_told;
    Loop::Timer m_timer = 0;
};

} // namespace trainyard::agent
