// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace trainyard
{

// Cancels long work on another thread whose result is no longer needed. The work runs inside a scope and asks
// isCancelled() from time to time; what it returns after that must not be used. Outside of any scope nothing is ever
// cancelled.
class CancelScope
{
public:
    explicit CancelScope(const std::atomic_bool *flag) : m_before(current()) { current() = flag; }
    ~CancelScope() { current() = m_before; }
    CancelScope(const CancelScope &) = delete;
    CancelScope &operator=(const CancelScope &) = delete;
    static bool isCancelled()
    {
        const std::atomic_bool *flag = current();
        return flag && flag->load(std::memory_order_relaxed);
    }

private:
    static const std::atomic_bool *&current()
    {
        thread_local const std::atomic_bool *flag = nullptr;
        return flag;
    }
    const std::atomic_bool *m_before;
};

} // namespace trainyard
