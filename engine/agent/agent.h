// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/connection.h"
#include "engine/agent/datastore.h"
#include "engine/agent/dockerprobe.h"
#include "engine/agent/environment.h"
#include "engine/agent/filewriter.h"
#include "engine/agent/follower.h"
#include "engine/agent/gpumonitor.h"
#include "engine/agent/hardware.h"
#include "engine/agent/heldlaunches.h"
#include "engine/agent/loop.h"
#include "engine/agent/peertests.h"
#include "engine/agent/sideprocesses.h"
#include "engine/agent/tcpstreams.h"
#include "engine/agent/tries.h"

#include <string>
#include <vector>

namespace trainyard::agent
{

// Serves one client over two descriptors, until the input ends. The keepers that it started live on. Large because each
// request of the contract ends here, in a few lines that hand it to the part that does the work.
class Agent
{
public:
    Agent(int in, int out, std::string nonce, std::string version, std::string build);
    ~Agent();
    void becomeStep(); // of a cluster's allocation
    int run();

private:
    std::string m_nonce, m_version, m_build;
    Loop m_loop;
    Account m_account;
    Connection m_connection;
    LoginEnvironment m_login;
    Tries m_tries;
    HeldLaunches m_launches;
    Follower m_follower;
    TcpStreams m_streams;
    bool m_streamsFirst = false; // logs and TCP connections take turns
    PeerTests m_peers;
    SideProcesses m_side;
    FileWriter m_writer;
    DataHolds m_data;
    GpuMonitor m_gpus;
    DockerProbe m_docker;
    CpuMeter m_cpu;
    bool m_isStep = false, m_asksForGpus = false;
    std::vector<std::string> m_stepVariables;
    std::int64_t m_sampleMs = 0;
    Loop::Timer m_sampleTimer = 0;
    int m_signals = -1;

    void receive(contract::Envelope &&envelope);
    bool pump();
    void hello(std::int64_t id, const contract::HelloRequest &request);
    void replyHello(std::int64_t id);
    void inventory(std::int64_t id);
    void setSampling(std::int64_t id, const contract::SampleRequest &request);
    void sample();
    void measureStep();
    void ports(std::int64_t id, const contract::Ports &request);
    void forCluster(const contract::Envelope &envelope); // what is asked of a login node
    void reapChildren();
    void lookThrough(std::int64_t id, const contract::LookThrough &request);
    void takeOwnFolder(std::int64_t id, const contract::OwnFolder &request);
    void makeTopOfJobs(const std::string &path); // spreadJobs(), if that has not just been done
    bool m_hasSoughtOldHelpers = false; // of a cluster: once for each connection
    std::string m_jobsFolder; // the last one that it made
};

} // namespace trainyard::agent
