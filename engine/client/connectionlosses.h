// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace trainyard
{

// Connections that are lost one after the other. After the first loss, the client reconnects at once, after the next
// ones later and later, so that it does not ask a daemon that ends each time, or that accepts no client, without a
// pause.
class ConnectionLosses
{
public:
    static constexpr qint64 lastingMs = 5000; // one that is lost later begins a new row

    void count(bool wasReady, bool hasLasted);
    void forget() { m_inRow = m_inVain = 0; }
    int inVain() const { return m_inVain; } // in a row, of connections that were never ready
    int pauseMs() const; // before the next connection

private:
    int m_inRow = 0;
    int m_inVain = 0;
};

} // namespace trainyard
