// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <optional>

namespace trainyard
{

// For how long a host has said that it has nothing of this engine, as when a file system is not mounted there. It is
// asked again and again, and what lies between two answers counts only as far as that takes: meanwhile the host was
// perhaps out of reach, and it is not known what it had. A host that comes for a short while again and again gets
// there, too, and one that was gone for long has not said anything for as long.
class AwayClock
{
public:
    // It has said so at `nowMs`, asked `pauseMs` after its last answer. How much that makes of all.
    qint64 say(qint64 nowMs, qint64 pauseMs)
    {
        if (m_last) {
            m_awayMs += std::clamp<qint64>(nowMs - *m_last, 0, 2 * pauseMs);
        }
        m_last = nowMs;
        return m_awayMs;
    }
    void reset() { *this = {}; } // it has something

private:
    std::optional<qint64> m_last; // steady
    qint64 m_awayMs = 0;
};

} // namespace trainyard
