// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/filesharing.h"
#include "engine/agent/trymetrics.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

// Decides to which of several tries a file belongs that was found. No I/O.
namespace trainyard::agent
{

struct Claimant { // a try
    std::string job, dir;
    Life life;
};

// A file belongs to the try whose folder is the deepest above it. Where two are equally deep, it belongs to none of two
// jobs, and of two tasks to the one that was there when it was written. The ties are those of TryMetrics::tieTo().
TryMetrics::Whose fileClaimOf(
    const Claimant &other, std::size_t theirTie, const Claimant &own, std::size_t ownTie, const FileTimes &times);

// Which try has which file, also after its end: no try takes what another one has.
class FileOwners
{
public:
    // Whether it belongs to another try than that in `dir`, which began then (ms UTC) and not after the other one's
    // end.
    bool isOfOther(const std::string &path, const std::string &dir, std::int64_t began) const;
    void take(const std::string &path, const std::string &dir, std::int64_t ended);
    void noteEnd(const std::string &dir, std::int64_t ended);
    void makeRoom(); // for a try's files: forgets all when they are too many

private:
    struct Owner {
        std::string dir;
        std::int64_t ended = 0; // ms UTC; 0: it runs
    };
    std::map<std::string, Owner> m_owners; // by the path of the file
};

} // namespace trainyard::agent
