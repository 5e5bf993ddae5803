// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace trainyard
{

// Whoever started long work on another thread can say that nobody wants its result any more. The work runs inside of a
// scope and asks isCancelled() now and then; what it returns after that is not to be used. Outside of any scope nothing
// is ever cancelled.
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
