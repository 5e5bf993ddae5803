// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace trainyard
{

// When a cluster that keeps refusing is asked to take a job again. Other waiting jobs would be refused, too: one of
// them at a time finds out whether the cluster takes jobs again.
class SlurmPause
{
public:
    static qint64 msAfter(int refusals) // 1: after the first one
    {
        constexpr qint64 firstMs = 5000, mostMs = 300'000;
        return std::min(mostMs, firstMs << std::clamp(refusals - 1, 0, 6));
    }
    // Whether a job may be submitted now; then the others wait for its outcome.
    bool mayTry(qint64 now)
    {
        if (m_refusals < someRefusals) {
            return true;
        }
        if (now < m_until) {
            return false;
        }
        m_until = now + msAfter(m_refusals);
        return true;
    }
    void refused(qint64 now)
    {
        ++m_refusals;
        m_until = now + msAfter(m_refusals);
    }
    void tryNow() { m_until = 0; } // one of them
    void taken() { m_refusals = 0; }
    qint64 until() const { return m_until; } // by the clock of `now`

private:
    static constexpr int someRefusals = 3; // in a row, of whatever job
    int m_refusals = 0;
    qint64 m_until = 0;
};

} // namespace trainyard
