// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/loop.h"

#include "engine/agent/pump.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

Loop::Loop() : m_epoll(::epoll_create1(EPOLL_CLOEXEC)) { }

Loop::~Loop()
{
    if (m_epoll >= 0) {
        ::close(m_epoll);
    }
}

bool Loop::watch(int fd, std::uint32_t events, Handler handler)
{
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    if (::epoll_ctl(m_epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        return false;
    }
    m_handlers[fd] = std::make_shared<Handler>(std::move(handler));
    return true;
}

void Loop::change(int fd, std::uint32_t events)
{
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    ::epoll_ctl(m_epoll, EPOLL_CTL_MOD, fd, &event);
}

void Loop::forget(int fd)
{
    if (m_handlers.erase(fd) > 0) {
        ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, fd, nullptr);
    }
}

Loop::Timer Loop::after(std::int64_t ms, std::function<void()> handler)
{
    const Timer id = m_nextTimer++;
    m_timers.emplace(monotonicMs() + ms, Timed{id, std::move(handler)});
    return id;
}

void Loop::cancel(Timer timer)
{
    for (auto it = m_timers.begin(); it != m_timers.end(); ++it) {
        if (it->second.id == timer) {
            m_timers.erase(it);
            return;
        }
    }
}

void Loop::run()
{
    epoll_event events[64];
    while (m_running) {
        int timeout = -1;
        if (m_idle && m_idle()) {
            timeout = 0;
        } else if (!m_timers.empty()) {
            timeout = static_cast<int>(std::clamp<std::int64_t>(m_timers.begin()->first - monotonicMs(), 0, 60000));
        }
        if (!m_running) {
            break;
        }
        const int count = ::epoll_wait(m_epoll, events, 64, timeout);
        if (count < 0 && errno != EINTR) {
            break;
        }
        for (int i = 0; i < count && m_running; ++i) {
            const auto it = m_handlers.find(events[i].data.fd);
            if (it != m_handlers.end()) {
                const std::shared_ptr<Handler> handler = it->second; // it may forget itself
                (*handler)(events[i].events);
            }
        }
        const std::int64_t now = monotonicMs();
        while (m_running && !m_timers.empty() && m_timers.begin()->first <= now) {
            const std::function<void()> handler = std::move(m_timers.begin()->second.handler);
            m_timers.erase(m_timers.begin());
            handler();
        }
    }
}

} // namespace trainyard::agent
