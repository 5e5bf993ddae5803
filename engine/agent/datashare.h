// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <string>

namespace trainyard::agent
{

// Whether nodes that have the folder of copies (which may not be made yet) are known to have this path, too: both are
// on the same file system, and that is one of the network.
bool isSeenWith(const std::string &cache, const std::string &path);

// Notes that the job of a request about shared copies needs their tree, before anything is looked at, and keeps the
// note. While this lives, no process removes the tree.
class SharedDataUse
{
public:
    explicit SharedDataUse(const contract::Data &request);
    ~SharedDataUse();
    SharedDataUse(const SharedDataUse &) = delete;
    SharedDataUse &operator=(const SharedDataUse &) = delete;
    bool isBusy() const { return m_isBusy; } // another process is just removing it
    int error() const { return m_error; } // errno; 0: it is noted

private:
    int m_lock = -1;
    int m_error = 0;
    bool m_isBusy = false;
};

} // namespace trainyard::agent
