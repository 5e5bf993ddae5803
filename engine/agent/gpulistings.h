// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::agent
{

// A GPU that is listed as its MIG instances instead of as a whole.
struct DividedGpu {
    std::string uuid;
    int index = 0;
};
constexpr int migStep = 100; // instance 2 of GPU 0 has index 102, of GPU 1 it is 202

// Splits a stream of rows into listings. The stream does not mark where a listing ends, but its rows come in the order
// of their indexes.
class GpuListings
{
public:
    void restart() { *this = {}; }
    // Takes the next row. When it begins a listing, returns the UUIDs of the listing before, if all of that was seen.
    std::optional<std::set<std::string>> next(int index, const std::string &uuid);
    void skip(int index); // a row that is not looked at
    std::optional<std::set<std::string>> end(); // the UUIDs of the last listing, when it is known to be over

private:
    std::set<std::string> m_seen;
    int m_lastIndex = -1;
    bool m_isWhole = true;
};

// Keeps known GPUs that are not in a listing in it as missing: they may come back, and users want to know.
std::vector<contract::Gpu> withMissing(
    std::vector<contract::Gpu> listed, const std::vector<contract::Gpu> &known, const std::vector<DividedGpu> &divided);
// The same for a listing of which only the UUIDs are known.
void markMissing(
    std::vector<contract::Gpu> &known, const std::set<std::string> &listed, const std::vector<DividedGpu> &divided);

} // namespace trainyard::agent
