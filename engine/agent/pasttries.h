// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/fileclaims.h"

#include <deque>
#include <set>

namespace trainyard::agent
{

// The data of a try that has ended.
struct PastTry {
    Claimant who;
    std::set<std::string> folders;
    std::map<std::string, TryMetrics::Present> files; // by their paths

    FileUse useOf(const FileUse &mine) const; // of the files of another one; may wait for a file server
};

// The tries that ended while others ran: only those may find what they have left.
class PastTries
{
public:
    const std::deque<PastTry> &all() const { return m_tries; } // in the order of their ends
    void leaveOut(std::int64_t earliest); // that had ended when the first of those that run began
    void add(PastTry past); // in the place of the oldest one when there are too many

private:
    std::deque<PastTry> m_tries;
};

} // namespace trainyard::agent
