// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/readyorder.h"

#include <sys/epoll.h>
#include <unistd.h>

namespace trainyard::agent
{

ReadyOrder::ReadyOrder() : m_epoll(::epoll_create1(EPOLL_CLOEXEC)) { }

ReadyOrder::~ReadyOrder()
{
    if (m_epoll >= 0) {
        ::close(m_epoll);
    }
}

bool ReadyOrder::add(std::size_t index, int fd)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    return ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void ReadyOrder::remove(int fd) { ::epoll_ctl(m_epoll, EPOLL_CTL_DEL, fd, nullptr); }

ReadyOrder::Ready ReadyOrder::take() const
{
    std::array<epoll_event, pipes> events{};
    const int count = ::epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), 0);
    Ready ready;
    for (int i = 0; i < count; ++i) {
        ready.indexes[ready.count++] = static_cast<std::size_t>(events[static_cast<std::size_t>(i)].data.u64);
    }
    return ready;
}

} // namespace trainyard::agent
