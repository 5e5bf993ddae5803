// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/connectionlosses.h"

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int firstPauseMs = 50, longestPauseMs = 400;

} // namespace

void ConnectionLosses::count(bool wasReady, bool hasLasted)
{
    m_inRow = wasReady && hasLasted ? 0 : m_inRow + 1;
    m_inVain = wasReady ? 0 : m_inVain + 1;
}

int ConnectionLosses::pauseMs() const
{
    return m_inRow <= 1 ? 0 : std::min(longestPauseMs, firstPauseMs << std::min(m_inRow - 2, 8));
}

} // namespace trainyard
