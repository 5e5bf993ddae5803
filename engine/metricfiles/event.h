// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/output.h"
#include "engine/metricfiles/point.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace trainyard::metricfiles
{

// The scalars of TensorBoard's Event messages. An event of a large record is read without its payloads.
class EventReader
{
public:
    // False when it is not such a message; what was read so far was given.
    bool read(std::string_view event, std::uint64_t offset, Output &output);
    // Whether read() would give anything.
    static bool saysAnything(std::string_view event);

private:
    struct Scalar {
        std::string_view tag;
        std::optional<double> value;
        bool isSingle = false;
        bool isOther = false; // its plugin says that it is not a scalar
    };
    static bool readValue(std::string_view message, Scalar &scalar);
    static bool readTensor(std::string_view message, Scalar &scalar);
    bool give(std::string_view summary, Point point, std::uint64_t offset, Output &output);

    std::unordered_set<std::uint32_t> m_others; // series of plugins that are not scalars
};

} // namespace trainyard::metricfiles
