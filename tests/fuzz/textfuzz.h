// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trainyard::fuzz
{

// A text out of the bytes of a fuzzer. An even first byte stands for the bytes themselves; with an odd one, each byte
// is one of the words, so that texts come about which look like outputs. What lies beyond the words is itself.
inline std::string textOf(const std::uint8_t *data, std::size_t size, std::span<const std::string_view> words)
{
    if (size == 0 || data[0] % 2 == 0) {
        return size == 0 ? std::string() : std::string(reinterpret_cast<const char *>(data) + 1, size - 1);
    }
    std::string text;
    for (std::size_t i = 1; i < size; ++i) {
        if (data[i] < words.size()) {
            text += words[data[i]];
        } else {
            text += static_cast<char>(data[i]);
        }
    }
    return text;
}

} // namespace trainyard::fuzz
