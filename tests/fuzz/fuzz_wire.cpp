// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes, in any pieces, from either side of the agent wire: no crash, and what is understood survives encoding.
#include "engine/contract/messages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace contract = trainyard::contract;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size < 2) {
        return 0;
    }
    // The first byte says how the rest is cut and who sent it.
    const bool fromAgent = data[0] & 1;
    const bool banner = data[0] & 2;
    const std::size_t piece = 1 + static_cast<std::size_t>(data[0] >> 2) * 3;
    contract::FrameReader reader = banner ? contract::FrameReader("n") : contract::FrameReader();
    for (std::size_t at = 1; at < size; at += piece) {
        reader.feed(std::string_view(reinterpret_cast<const char *>(data) + at, std::min(piece, size - at)));
        while (const std::optional<contract::Frame> frame = reader.next()) {
            std::string problem;
            const std::optional<contract::Envelope> envelope = contract::decode(*frame, fromAgent, &problem);
            if (!envelope) {
                if (problem.empty()) {
                    std::abort();
                }
                continue;
            }
            const std::optional<std::string> again = contract::encode(*envelope);
            contract::FrameReader second;
            second.feed(again.value_or(std::string()));
            const std::optional<contract::Frame> copy = second.next();
            // Escaping may make a header too long for a frame; what fits must be understood.
            if (again && (!copy || !contract::decode(*copy, fromAgent))) {
                std::abort();
            }
        }
    }
    // The same bytes as files of a try.
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    if (const auto exit = contract::ExitRecord::parse(text)) {
        if (contract::ExitRecord::parse(exit->format()) != exit) {
            std::abort();
        }
    }
    contract::StartedRecord::parse(text);
    contract::KeeperRecord::parse(text);
    contract::StopRecord::parse(text);
    contract::parsePlan(text);
    contract::decodeTailHeader(text);
    return 0;
}
