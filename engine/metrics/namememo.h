// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trainyard::metrics
{

// What was found out about names, of which a program prints the same ones again and again. A newer name takes the place
// of an older one; those that are longer are asked about each time. All zero at first, so that one for each thread
// costs nothing where it is not used.
template <typename Value> class NameMemo
{
public:
    template <typename Find> Value of(std::string_view name, const Find &find)
    {
        if (name.empty() || name.size() > longest) {
            return find(name);
        }
        Slot &slot = m_slots[placeOf(name)];
        if (slot.size != name.size() || std::memcmp(slot.name, name.data(), name.size()) != 0) {
            const Value value = find(name); // which may ask for others
            slot.size = static_cast<std::uint8_t>(name.size());
            std::memcpy(slot.name, name.data(), name.size());
            slot.value = value;
        }
        return slot.value;
    }

private:
    static constexpr std::size_t longest = 31;
    struct Slot {
        std::uint8_t size = 0;
        char name[longest] = {};
        Value value = {};
    };
    static std::size_t placeOf(std::string_view name)
    {
        std::uint64_t first = 0, last = 0;
        const std::size_t part = name.size() < sizeof first ? name.size() : sizeof first;
        std::memcpy(&first, name.data(), part);
        std::memcpy(&last, name.data() + name.size() - part, part);
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
        const std::uint64_t mixed = ((first ^ (last << 7) ^ (last >> 57)) + name.size()) * odd;
        return static_cast<std::size_t>(mixed >> 56);
    }

    std::array<Slot, 256> m_slots = {};
};

} // namespace trainyard::metrics
