// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/columns.h"

#include <algorithm>
#include <bit>

namespace trainyard::series
{

namespace
{

// Far from where sums of two of them could overflow or be rounded.
constexpr double largestCount = 4503599627370496.0;
bool isCount(double x)
{
    return std::abs(x) < largestCount && x == static_cast<double>(static_cast<std::int64_t>(x))
        && !(x == 0 && std::signbit(x));
}

bool fitsFloat(double value)
{
    if (std::isnan(value)) {
        // Only the one that a float gives back bit by bit.
        return std::bit_cast<std::uint64_t>(value)
            == std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(value)));
    }
    return std::isinf(value)
        || (std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())
            && static_cast<double>(static_cast<float>(value)) == value);
}

} // namespace

void RisingColumn::append(double x)
{
    if (m_isEven) {
        const auto next = static_cast<std::int64_t>(m_evenSize);
        if (isCount(x)) {
            const auto whole = static_cast<std::int64_t>(x);
            if (next == 0) {
                m_start = whole;
                m_stride = 0;
                m_evenSize = 1;
                return;
            }
            if (next == 1) {
                m_stride = whole - m_start;
                m_evenSize = 2;
                return;
            }
            if (m_start + m_stride * next == whole) {
                ++m_evenSize;
                return;
            }
        }
        spellOut();
    }
    m_all.push_back(x);
}

void RisingColumn::append(std::span<const double> xs)
{
    std::size_t i = 0;
    while (m_isEven && i < xs.size()) {
        append(xs[i++]);
        if (!m_isEven || m_evenSize < 2) {
            continue;
        }
        // On while each is what the one before it says; all such numbers are exact.
        const auto stride = static_cast<double>(m_stride);
        const std::size_t from = i;
        while (i < xs.size() && xs[i] == xs[i - 1] + stride && xs[i] < largestCount && xs[i] != 0) {
            ++i;
        }
        m_evenSize += i - from;
    }
    m_all.insert(m_all.end(), xs.begin() + static_cast<std::ptrdiff_t>(i), xs.end());
}

void RisingColumn::reserve(std::size_t count)
{
    if (!m_isEven) {
        m_all.reserve(count);
    }
}

void RisingColumn::spellOut()
{
    m_all.reserve(m_evenSize + 1);
    for (std::size_t i = 0; i < m_evenSize; ++i) {
        m_all.push_back((*this)[i]);
    }
    m_isEven = false;
}

void RisingColumn::truncate(std::size_t count)
{
    if (m_isEven) {
        m_evenSize = std::min(m_evenSize, count);
    } else {
        m_all.resize(std::min(m_all.size(), count));
    }
}

// From where we are in strides that double, as what is sought is mostly near.
template <class Before> std::size_t RisingColumn::partition(std::size_t from, Before before) const
{
    const std::size_t count = size();
    std::size_t stride = 1, low = from, high = from;
    while (high < count && before((*this)[high])) {
        low = high + 1;
        high += stride;
        stride *= 2;
    }
    high = std::min(high, count);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (before((*this)[middle])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

std::size_t RisingColumn::lowerBound(double x, std::size_t from) const
{
    return partition(from, [x](double other) { return other < x; });
}

std::size_t RisingColumn::upperBound(double x, std::size_t from) const
{
    return partition(from, [x](double other) { return other <= x; });
}

void TimeColumn::append(std::int64_t time)
{
    if (!m_isWide) {
        if (m_narrow.empty()) {
            m_base = time;
        }
        const std::uint64_t distance = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_base);
        if (time >= m_base && distance <= std::numeric_limits<std::uint32_t>::max()) {
            m_narrow.push_back(static_cast<std::uint32_t>(distance));
            return;
        }
        m_wide.reserve(m_narrow.size() + 1);
        for (const std::uint32_t narrow : m_narrow) {
            m_wide.push_back(m_base + narrow);
        }
        m_narrow = {};
        m_isWide = true;
    }
    m_wide.push_back(time);
}

void TimeColumn::append(std::span<const std::int64_t> times)
{
    if (times.empty()) {
        return;
    }
    if (!m_isWide && !m_narrow.empty()) {
        const std::size_t before = m_narrow.size();
        m_narrow.resize(before + times.size());
        std::uint64_t all = 0; // of a time before the base the upper bits are set, too
        for (std::size_t i = 0; i < times.size(); ++i) {
            const std::uint64_t distance = static_cast<std::uint64_t>(times[i]) - static_cast<std::uint64_t>(m_base);
            m_narrow[before + i] = static_cast<std::uint32_t>(distance);
            all |= distance;
        }
        if (all <= std::numeric_limits<std::uint32_t>::max()) {
            return;
        }
        m_narrow.resize(before);
    }
    for (const std::int64_t time : times) {
        append(time);
    }
}

void TimeColumn::reserve(std::size_t count) { m_isWide ? m_wide.reserve(count) : m_narrow.reserve(count); }

void TimeColumn::truncate(std::size_t count)
{
    if (m_isWide) {
        m_wide.resize(std::min(count, m_wide.size()));
    } else {
        m_narrow.resize(std::min(count, m_narrow.size()));
    }
}

std::size_t ValueColumn::size() const
{
    return std::visit([](const auto &pyramid) { return pyramid.size(); }, m_all);
}

double ValueColumn::operator[](std::size_t i) const
{
    return std::visit([i](const auto &pyramid) { return static_cast<double>(pyramid[i]); }, m_all);
}

void ValueColumn::append(double value)
{
    if (auto *floats = std::get_if<Pyramid<float>>(&m_all)) {
        if (fitsFloat(value)) {
            floats->append(static_cast<float>(value));
            return;
        }
        widen();
    }
    std::get<Pyramid<double>>(m_all).append(value);
}

void ValueColumn::append(std::span<const double> values)
{
    if (auto *floats = std::get_if<Pyramid<float>>(&m_all)) {
        std::vector<float> &all = floats->valuesToAppend();
        const std::size_t before = all.size();
        all.resize(before + values.size());
        bool fits = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto narrow = static_cast<float>(values[i]);
            all[before + i] = narrow;
            fits = fits && (static_cast<double>(narrow) == values[i] || fitsFloat(values[i]));
        }
        if (fits) {
            floats->grow();
            return;
        }
        all.resize(before);
        widen();
    }
    auto &doubles = std::get<Pyramid<double>>(m_all);
    std::vector<double> &all = doubles.valuesToAppend();
    all.insert(all.end(), values.begin(), values.end());
    doubles.grow();
}

void ValueColumn::reserve(std::size_t count)
{
    std::visit([count](auto &pyramid) { pyramid.reserve(count); }, m_all);
}

void ValueColumn::widen()
{
    Pyramid<double> wide;
    const auto &values = std::get<Pyramid<float>>(m_all).values();
    wide.rebuildFrom(0, std::vector<double>(values.begin(), values.end()));
    m_all = std::move(wide);
}

void ValueColumn::truncate(std::size_t count)
{
    std::visit([count](auto &pyramid) { pyramid.truncate(std::min(count, pyramid.size())); }, m_all);
}

Extent ValueColumn::extent(std::size_t from, std::size_t to) const
{
    return std::visit([from, to](const auto &pyramid) { return pyramid.extent(from, to); }, m_all);
}

std::size_t ValueColumn::find(double value, std::size_t from, std::size_t to) const
{
    return std::visit(
        [&]<class T>(const Pyramid<T> &pyramid) { return pyramid.find(static_cast<T>(value), from, to); }, m_all);
}

std::size_t ValueColumn::memory() const
{
    return std::visit([](const auto &pyramid) { return pyramid.memory(); }, m_all);
}

} // namespace trainyard::series
