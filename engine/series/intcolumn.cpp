// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/intcolumn.h"

#include <algorithm>

namespace trainyard::series
{

namespace
{

constexpr std::size_t perPack = 64;
constexpr int asVarints = 4; // a bit beside the order

// Differences wrap around, as those of any two numbers may.
std::int64_t wrappedDifference(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrappedSum(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

struct Pack {
    std::int64_t least = 0;
    unsigned width = 0; // bits
};

Pack packOf(std::span<const std::int64_t> values)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const auto range = static_cast<std::uint64_t>(wrappedDifference(*most, *least));
    return {*least, static_cast<unsigned>(std::bit_width(range))};
}

std::size_t packedSize(std::span<const std::int64_t> values)
{
    std::size_t size = 0;
    for (std::size_t at = 0; at < values.size(); at += perPack) {
        const auto part = values.subspan(at, std::min(perPack, values.size() - at));
        const Pack pack = packOf(part);
        size += varintSize(zigzag(pack.least)) + 1 + (part.size() * pack.width + 7) / 8;
    }
    return size;
}

std::size_t varintsSize(std::span<const std::int64_t> values)
{
    std::size_t size = 0;
    for (const std::int64_t value : values) {
        size += varintSize(zigzag(value));
    }
    return size;
}

void putPacked(std::span<const std::int64_t> values, std::string &out)
{
    for (std::size_t at = 0; at < values.size(); at += perPack) {
        const auto part = values.subspan(at, std::min(perPack, values.size() - at));
        const Pack pack = packOf(part);
        putVarint(out, zigzag(pack.least));
        out += static_cast<char>(pack.width);
        std::uint64_t buffer = 0;
        unsigned filled = 0;
        for (const std::int64_t value : part) {
            const auto above = static_cast<std::uint64_t>(wrappedDifference(value, pack.least));
            buffer |= above << filled;
            if (filled + pack.width < 64) {
                filled += pack.width;
                continue;
            }
            putRaw(out, buffer);
            const unsigned written = 64 - filled;
            buffer = written < 64 ? above >> written : 0;
            filled = pack.width - written;
        }
        char rest[8];
        std::memcpy(rest, &buffer, 8);
        out.append(rest, (filled + 7) / 8);
    }
}

bool takePacked(Bytes &in, std::size_t count, std::int64_t *values)
{
    for (std::size_t at = 0; at < count; at += perPack) {
        const std::size_t size = std::min(perPack, count - at);
        const std::int64_t least = unzigzag(in.varint());
        const unsigned width = in.raw<std::uint8_t>();
        if (width > 64) {
            return false;
        }
        const std::string_view bytes = in.take((size * width + 7) / 8);
        if (in.failed()) {
            return false;
        }
        if (width == 0) {
            std::fill_n(values + at, size, least);
            continue;
        }
        // One word beyond the last one is read, so they are copied to where there is one.
        std::uint64_t words[perPack + 2] = {};
        std::memcpy(words, bytes.data(), bytes.size());
        const std::uint64_t mask = width == 64 ? ~0ULL : (1ULL << width) - 1;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t bit = i * width;
            const unsigned shift = bit % 64;
            std::uint64_t above = words[bit / 64] >> shift;
            if (shift + width > 64) {
                above |= words[bit / 64 + 1] << (64 - shift);
            }
            values[at + i] = wrappedSum(least, static_cast<std::int64_t>(above & mask));
        }
    }
    return true;
}

void toDifferences(std::vector<std::int64_t> &values, std::size_t from)
{
    for (std::size_t i = values.size(); i-- > from;) {
        values[i] = wrappedDifference(values[i], values[i - 1]);
    }
}

void toSums(std::vector<std::int64_t> &values, std::size_t from)
{
    for (std::size_t i = from; i < values.size(); ++i) {
        values[i] = wrappedSum(values[i], values[i - 1]);
    }
}

} // namespace

void encodeInts(std::span<const std::int64_t> values, std::string &out)
{
    if (values.empty()) {
        return;
    }
    std::vector<std::int64_t> work(values.begin(), values.end()), best;
    std::size_t least = 0;
    std::size_t bestOrder = 0;
    bool bestIsVarints = false;
    for (std::size_t order = 0; order < 3 && order < values.size(); ++order) {
        if (order > 0) {
            toDifferences(work, order);
        }
        const std::span<const std::int64_t> rest = std::span<const std::int64_t>(work).subspan(order);
        const std::size_t heads = varintsSize(std::span<const std::int64_t>(work).first(order));
        const std::size_t packed = heads + packedSize(rest), varints = heads + varintsSize(rest);
        const std::size_t size = std::min(packed, varints);
        if (order == 0 || size < least) {
            least = size;
            best = work;
            bestOrder = order;
            bestIsVarints = varints < packed;
        }
    }
    out += static_cast<char>(static_cast<int>(bestOrder) | (bestIsVarints ? asVarints : 0));
    for (std::size_t i = 0; i < bestOrder; ++i) {
        putVarint(out, zigzag(best[i]));
    }
    const std::span<const std::int64_t> rest = std::span<const std::int64_t>(best).subspan(bestOrder);
    if (!bestIsVarints) {
        putPacked(rest, out);
        return;
    }
    for (const std::int64_t value : rest) {
        putVarint(out, zigzag(value));
    }
}

bool decodeInts(Bytes &in, std::size_t count, std::vector<std::int64_t> &values)
{
    values.resize(count);
    if (count == 0) {
        return true;
    }
    const unsigned form = in.raw<std::uint8_t>();
    const std::size_t order = form & 3;
    if (in.failed() || order > 2 || order > count || form > (2 | asVarints)) {
        return false;
    }
    for (std::size_t i = 0; i < order; ++i) {
        values[i] = unzigzag(in.varint());
    }
    if ((form & asVarints) != 0) {
        for (std::size_t i = order; i < count; ++i) {
            values[i] = unzigzag(in.varint());
        }
    } else if (!takePacked(in, count - order, values.data() + order)) {
        return false;
    }
    for (std::size_t i = order; i > 0; --i) {
        toSums(values, i);
    }
    return !in.failed();
}

} // namespace trainyard::series
