// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/loop.h"
#include "engine/agent/shared.h"
#include "engine/contract/messages.h"

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace trainyard::agent
{

struct KeeperTask;

// The launch of a try, for the record of its environment. Its secrets are wiped when it is destroyed.
struct CaptureRequest {
    CaptureRequest() = default;
    CaptureRequest(CaptureRequest &&) = default;
    CaptureRequest &operator=(CaptureRequest &&) = default;
    ~CaptureRequest();

    std::string dir, workFolder;
    std::int64_t moment = 0; // before its commands began (changedsince.h)
    std::string runtime, image;
    std::vector<std::string> base; // NAME=VALUE of the login shell
    std::shared_ptr<const SharedText> shared; // of the attempt, or null
    std::vector<contract::Variable> own;
    std::vector<int> gpuIndexes;
    std::vector<std::string> gpus; // models
    std::vector<std::string> secrets;
    std::string sameAs; // the folder of the try whose record may say the same already, or empty
};
// Takes what it needs from a task whose keeper was forked.
CaptureRequest captureOf(KeeperTask &task);

// Writes environment.json of tries that have started (docs/task-folder.md): which host, commit and Python a task found.
// A separate process collects this, at a low priority, for all tries that started together, so neither the agent nor a
// task ever waits for a slow disk.
class Captures
{
public:
    explicit Captures(Loop &loop) : m_loop(loop) { }
    ~Captures();
    void setGpus(std::function<std::vector<contract::Gpu>()> gpus) { m_gpus = std::move(gpus); }
    void setDone(std::function<void(const std::string &dir)> done) { m_done = std::move(done); }

    void add(CaptureRequest &&request);
    bool isPending(const std::string &dir) const { return m_pending.contains(dir); }
    void reaped(pid_t pid); // a child of the agent

private:
    Loop &m_loop;
    std::function<std::vector<contract::Gpu>()> m_gpus;
    std::function<void(const std::string &)> m_done;
    std::vector<CaptureRequest> m_waiting;
    std::vector<std::string> m_underWay; // folders of those that the worker looks at
    std::unordered_set<std::string> m_pending; // folders of all
    std::map<std::string, std::string> m_firsts; // the first try of an attempt with this folder and image
    pid_t m_worker = -1;
    Loop::Timer m_timer = 0; // the next start, or the end of patience

    void start();
};

} // namespace trainyard::agent
