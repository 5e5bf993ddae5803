// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

namespace trainyard::agent
{

// An event loop of one thread with epoll and timers. Handlers may add and remove descriptors and timers, their own
// included.
class Loop
{
public:
    Loop();
    ~Loop();
    Loop(const Loop &) = delete;
    Loop &operator=(const Loop &) = delete;

    using Handler = std::function<void(std::uint32_t events)>;
    // False when the descriptor cannot be polled (a plain file).
    bool watch(int fd, std::uint32_t events, Handler handler);
    void change(int fd, std::uint32_t events);
    void forget(int fd); // before it is closed

    using Timer = std::uint64_t;
    Timer after(std::int64_t ms, std::function<void()> handler);
    void cancel(Timer timer);

    void run(); // until quit()
    void quit() { m_running = false; }
    // Called whenever the loop is about to wait. When it returns true there is more to do, and the loop does not wait.
    void setIdle(std::function<bool()> idle) { m_idle = std::move(idle); }

private:
    struct Timed {
        Timer id = 0;
        std::function<void()> handler;
    };
    int m_epoll = -1;
    bool m_running = true;
    Timer m_nextTimer = 1;
    std::unordered_map<int, std::shared_ptr<Handler>> m_handlers;
    std::multimap<std::int64_t, Timed> m_timers;
    std::function<bool()> m_idle;
};

} // namespace trainyard::agent
