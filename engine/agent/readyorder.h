// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace trainyard::agent
{

// Which of two pipes was written to first, as far as the kernel knows: for epoll, it queues what becomes ready in that
// order, while poll() only reports what is ready by now. A pipe that is already in the queue keeps its place, so of
// several writes to both before they are read, only the first one counts.
class ReadyOrder
{
public:
    static constexpr std::size_t pipes = 2;

    ReadyOrder();
    ~ReadyOrder();
    ReadyOrder(const ReadyOrder &) = delete;
    ReadyOrder &operator=(const ReadyOrder &) = delete;

    bool add(std::size_t index, int fd);
    void remove(int fd); // before it is closed: another process may have it open, too

    // Readable when a pipe is, or -1: there is no descriptor left for it. Waiting for it also removes from the queue
    // the pipes that were read in the meantime, which would otherwise keep their old position.
    int descriptor() const { return m_epoll; }

    struct Ready {
        std::array<std::size_t, pipes> indexes{};
        std::size_t count = 0;
    };
    Ready take() const; // those that are ready, the first one first; never waits

private:
    int m_epoll = -1;
};

} // namespace trainyard::agent
