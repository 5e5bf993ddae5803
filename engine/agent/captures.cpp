// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/captures.h"

#include "engine/agent/capturework.h"
#include "engine/agent/keeper.h"
#include "engine/agent/smalltext.h"
#include "engine/contract/taskfolder.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t gatherMs = 100; // tries that start together are looked at together
constexpr std::int64_t lookPatienceMs = 20000; // with a process that hangs on a file server
constexpr std::size_t mostFirsts = 256;

// The folder of the attempt, of which the try's is the second below.
std::string attemptFolder(const std::string &dir)
{
    std::string folder = dir;
    for (int level = 0; level < 2; ++level) {
        folder.resize(std::min(folder.rfind('/'), folder.size()));
    }
    return folder;
}

} // namespace

CaptureRequest::~CaptureRequest()
{
    std::for_each(secrets.begin(), secrets.end(), wipeText);
    for (contract::Variable &variable : own) {
        wipeText(variable.value);
    }
}

CaptureRequest captureOf(KeeperTask &task)
{
    const contract::Launch &launch = task.launch;
    CaptureRequest request;
    request.dir = launch.dir;
    request.workFolder = launch.cwd.empty() ? launch.dir + '/' + contract::file::work : launch.cwd;
    request.runtime = launch.plan.container.runtime;
    request.image = launch.plan.container.image;
    request.base = std::move(task.baseEnvironment);
    request.shared = task.sharedEnvironment;
    request.own = launch.env;
    request.secrets = launch.maskValues;
    if (!launch.registry.password.empty()) {
        request.secrets.push_back(launch.registry.password);
    }
    request.gpuIndexes = launch.plan.gpus;
    return request;
}

Captures::~Captures()
{
    if (m_timer != 0) {
        m_loop.cancel(m_timer);
    }
}

void Captures::add(CaptureRequest &&request)
{
    if (m_gpus && !request.gpuIndexes.empty()) {
        for (const contract::Gpu &gpu : m_gpus()) {
            const auto &wanted = request.gpuIndexes;
            if (std::find(wanted.begin(), wanted.end(), gpu.index) != wanted.end()) {
                request.gpus.push_back(gpu.name);
            }
        }
    }
    if (m_firsts.size() >= mostFirsts) {
        m_firsts.clear();
    }
    const bool hasOwnFolder = request.workFolder.starts_with(request.dir + '/'); // most likely an empty one
    const std::string key = attemptFolder(request.dir) + '\n' + (hasOwnFolder ? std::string() : request.workFolder)
        + '\n' + request.image;
    const auto [first, isNew] = m_firsts.try_emplace(key, request.dir);
    request.sameAs = isNew ? std::string() : first->second;
    m_pending.insert(request.dir);
    m_waiting.push_back(std::move(request));
    if (m_worker <= 0 && m_timer == 0) {
        m_timer = m_loop.after(gatherMs, [this] { start(); });
    }
}

void Captures::start()
{
    m_timer = 0;
    const std::vector<CaptureRequest> requests = std::exchange(m_waiting, {});
    m_worker = ::fork();
    if (m_worker == 0) {
        writeCaptures(requests);
        ::_exit(0);
    }
    for (const CaptureRequest &request : requests) {
        m_underWay.push_back(request.dir);
    }
    if (m_worker < 0) {
        reaped(m_worker);
        return;
    }
    m_timer = m_loop.after(lookPatienceMs, [this] {
        m_timer = 0;
        ::kill(m_worker, SIGKILL);
    });
}

void Captures::reaped(pid_t pid)
{
    if (pid != m_worker || m_underWay.empty()) {
        return;
    }
    m_worker = -1;
    if (m_timer != 0) {
        m_loop.cancel(m_timer);
        m_timer = 0;
    }
    if (!m_waiting.empty()) {
        m_timer = m_loop.after(gatherMs, [this] { start(); });
    }
    for (const std::string &dir : std::exchange(m_underWay, {})) {
        m_pending.erase(dir);
        if (m_done) {
            m_done(dir);
        }
    }
}

} // namespace trainyard::agent
