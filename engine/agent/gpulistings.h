// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trainyard::agent
{

// GPUs that are listed as their MIG instances instead of by themselves.
struct DividedGpu {
    std::string uuid;
    int index = 0;
};
constexpr int migStep = 100; // instance 2 of GPU 0 has index 102, of GPU 1 it is 202

// The listings of a stream, which says nowhere where one ends: their rows come in the order of their indexes.
class GpuListings
{
public:
    void restart() { *this = {}; }
    // The next row. At the beginning of a listing: whom the one before has listed, when all of it was seen.
    std::optional<std::set<std::string>> next(int index, const std::string &uuid);
    void skip(int index); // a row that nobody looked at

private:
    std::set<std::string> m_seen;
    int m_lastIndex = -1;
    bool m_isWhole = true;
};

// What was known and is not in a listing stays in it as missing: it may come back, and people want to know.
std::vector<contract::Gpu> withMissing(
    std::vector<contract::Gpu> listed, const std::vector<contract::Gpu> &known, const std::vector<DividedGpu> &divided);
// The same for a listing of which only the UUIDs are known.
void markMissing(
    std::vector<contract::Gpu> &known, const std::set<std::string> &listed, const std::vector<DividedGpu> &divided);

} // namespace trainyard::agent
