// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/loop.h"

#include <sys/types.h>

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::agent
{

// The process that reads the files of metrics of all tries, so that a file server that does not answer holds up nothing
// else. It is started for the first try, and again when it has died or does not answer; it ends when there are none.
class MetricProcess
{
public:
    explicit MetricProcess(Loop &loop);
    ~MetricProcess();
    MetricProcess(const MetricProcess &) = delete;
    MetricProcess &operator=(const MetricProcess &) = delete;

    void begin(const std::string &dir); // the try runs; safe to repeat
    // These values are hidden in what its files say. They are kept in memory until it has ended, since the process may
    // have to be started again; the first ones of a try count. Wiped by forget(), and when nothing more comes.
    void hide(const std::string &dir, const std::vector<std::string> &secrets);
    void forget(const std::string &dir);
    void end(const std::string &dir); // it has ended
    // Whether more may come into the folder of this try.
    bool isBusy(const std::string &dir) const { return m_tries.contains(dir); }
    // Called for each try that has ended when nothing more comes, after some seconds in any case.
    void setDone(std::function<void(const std::string &dir)> done) { m_done = std::move(done); }

private:
    static constexpr std::int64_t pingMs = 30000; // a walk over a slow file server takes long
    static constexpr std::int64_t againMs = 5000;
    static constexpr std::int64_t patienceMs = 10000; // with the end of a try
    static constexpr std::int64_t youngMs = 200; // nothing is looked for before: many tries are over by then
    // Everything that happened on this host before an end is known by then, including the starts of other tries.
    static constexpr std::int64_t settleMs = 10;
    static constexpr std::int64_t idleMs = 3000; // until it leaves: tries often follow one another

    struct Try {
        bool isYoung = false; // the process does not know of it
        bool hasEnded = false;
        Loop::Timer timer = 0;
    };

    void tellYoung();
    void tellOver();
    void start();
    void stop();
    void restart();
    void ping();
    void send(char kind, const std::string &dir);
    void tell(char kind, const std::string &dir); // of a try, with its secrets before
    void tellSecrets(const std::string &dir);
    void write();
    void receive();
    void finish(const std::string &dir);

    Loop &m_loop;
    std::map<std::string, Try> m_tries; // by folder
    std::map<std::string, std::vector<std::string>> m_secrets; // by folder
    std::vector<std::string> m_young; // folders of tries of which the process does not know yet
    std::vector<std::string> m_over; // folders of tries of whose end the process does not know yet
    std::function<void(const std::string &)> m_done;
    std::deque<std::string> m_waiting; // that the socket has no room for
    int m_socket = -1;
    pid_t m_process = -1;
    bool m_isAnswered = true, m_isWatchingForRoom = false;
    Loop::Timer m_youngTimer = 0, m_overTimer = 0, m_pingTimer = 0, m_againTimer = 0, m_idleTimer = 0;
};

} // namespace trainyard::agent
