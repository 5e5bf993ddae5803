// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace trainyard::series
{

// The summary of some values. `min` and `max` are those of the finite ones, and min > max where there are none.
struct Extent {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    bool hasGap = false; // NaN, or infinite

    bool hasFinite() const { return min <= max; }
    void add(double value)
    {
        if (std::isfinite(value)) {
            min = value < min ? value : min;
            max = value > max ? value : max;
        } else {
            hasGap = true;
        }
    }
    void add(const Extent &other)
    {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        hasGap = hasGap || other.hasGap;
    }
};

// Values with, above each 16 of them, their minimum and maximum, and so on upwards. A node is made when its 16 are
// there, so a value costs O(1) when it is added and when it is taken back.
template <class T> class Pyramid
{
public:
    static constexpr std::size_t fan = 16;

    std::size_t size() const { return m_values.size(); }
    T operator[](std::size_t i) const { return m_values[i]; }
    const std::vector<T> &values() const { return m_values; }

    void reserve(std::size_t count) { m_values.reserve(count); }
    void append(T value)
    {
        m_values.push_back(value);
        if (m_values.size() % fan == 0) {
            grow();
        }
    }
    // The caller calls grow() after the last of them.
    std::vector<T> &valuesToAppend() { return m_values; }

    void truncate(std::size_t count)
    {
        m_values.resize(count);
        for (Level &level : m_levels) {
            count /= fan;
            level.resize(count);
        }
        while (!m_levels.empty() && m_levels.back().nodes.empty()) {
            m_levels.pop_back();
        }
    }
    void rebuildFrom(std::size_t index, std::vector<T> &&values)
    {
        truncate(index);
        m_values.insert(m_values.end(), values.begin(), values.end());
        grow();
    }

    // Makes the nodes that can be made.
    void grow()
    {
        if (m_values.size() < fan) {
            return;
        }
        if (m_levels.empty()) {
            m_levels.emplace_back();
        }
        Level &lowest = m_levels.front();
        for (std::size_t i = lowest.nodes.size(); i < m_values.size() / fan; ++i) {
            bool hasGap = false;
            const Node node = nodeOf(m_values.data() + i * fan, hasGap);
            lowest.nodes.push_back(node);
            lowest.gaps.push_back(hasGap);
        }
        for (std::size_t l = 0; m_levels[l].nodes.size() >= fan; ++l) {
            if (l + 1 == m_levels.size()) {
                m_levels.emplace_back();
            }
            const Level &below = m_levels[l];
            Level &level = m_levels[l + 1];
            for (std::size_t i = level.nodes.size(); i < below.nodes.size() / fan; ++i) {
                Node node = below.nodes[i * fan];
                bool hasGap = below.gaps[i * fan];
                for (std::size_t k = i * fan + 1; k < (i + 1) * fan; ++k) {
                    node.min = std::min(node.min, below.nodes[k].min);
                    node.max = std::max(node.max, below.nodes[k].max);
                    hasGap = hasGap || below.gaps[k];
                }
                level.nodes.push_back(node);
                level.gaps.push_back(hasGap);
            }
        }
    }

    Extent extent(std::size_t from, std::size_t to) const
    {
        Extent all;
        // Up the left side and the right side at once, as far as whole nodes reach.
        while (from < to && from % fan != 0) {
            all.add(static_cast<double>(m_values[from++]));
        }
        while (from < to && to % fan != 0) {
            all.add(static_cast<double>(m_values[--to]));
        }
        from /= fan;
        to /= fan;
        for (std::size_t l = 0; from < to; ++l) {
            const bool isTop = l + 1 == m_levels.size();
            while (from < to && (isTop || from % fan != 0)) {
                all.add(extentOf(l, from++));
            }
            while (from < to && to % fan != 0) {
                all.add(extentOf(l, --to));
            }
            from /= fan;
            to /= fan;
        }
        return all;
    }

    // The first index in [from, to) whose value is this, which is the minimum or the maximum there. `to` otherwise.
    std::size_t find(T value, std::size_t from, std::size_t to) const
    {
        while (from < to) {
            // The largest node that begins here and ends in the range.
            std::size_t size = 1, l = 0;
            while (l < m_levels.size() && from % (size * fan) == 0 && from + size * fan <= to) {
                size *= fan;
                ++l;
            }
            if (l == 0) {
                if (m_values[from] == value) {
                    return from;
                }
                ++from;
                continue;
            }
            const Node &node = m_levels[l - 1].nodes[from / size];
            if (node.min <= value && value <= node.max && hasInside(l, from / size, value, from)) {
                return from;
            }
            from += size;
        }
        return to;
    }

    std::size_t memory() const
    {
        std::size_t bytes = m_values.capacity() * sizeof(T);
        for (const Level &level : m_levels) {
            bytes += level.nodes.capacity() * sizeof(Node) + level.gaps.capacity() / 8;
        }
        return bytes;
    }

private:
    struct Node {
        T min, max;
    };
    struct Level {
        std::vector<Node> nodes;
        std::vector<bool> gaps;
        void resize(std::size_t count)
        {
            nodes.resize(std::min(count, nodes.size()));
            gaps.resize(nodes.size());
        }
    };

    static Node nodeOf(const T *values, bool &hasGap)
    {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        // It checks for finite values without a branch: zero times any other value is NaN. It uses lanes, which depend
        // less on each other.
        using Lanes __attribute__((vector_size(16))) = T;
        constexpr std::size_t lanes = sizeof(Lanes) / sizeof(T);
        Lanes low, high, zero{};
        std::memcpy(&low, values, sizeof(Lanes));
        high = low;
        for (std::size_t k = 0; k < fan; k += lanes) {
            Lanes now;
            std::memcpy(&now, values + k, sizeof(Lanes));
            low = now < low ? now : low;
            high = now > high ? now : high;
            zero += now * 0;
        }
        T least = low[0], most = high[0], sum = zero[0];
        for (std::size_t lane = 1; lane < lanes; ++lane) {
            least = low[lane] < least ? low[lane] : least;
            most = high[lane] > most ? high[lane] : most;
            sum += zero[lane];
        }
        hasGap = sum != 0;
        if (!hasGap) {
            return {least, most};
        }
        least = infinity;
        most = -infinity;
        for (std::size_t k = 0; k < fan; ++k) {
            if (std::isfinite(values[k])) {
                least = std::min(least, values[k]);
                most = std::max(most, values[k]);
            }
        }
        return {least, most};
    }

    Extent extentOf(std::size_t level, std::size_t index) const
    {
        const Node &node = m_levels[level].nodes[index];
        return {static_cast<double>(node.min), static_cast<double>(node.max), m_levels[level].gaps[index]};
    }

    // Looks below one node of level l (counted from one) and leaves the index in `index`.
    bool hasInside(std::size_t l, std::size_t node, T value, std::size_t &index) const
    {
        for (std::size_t k = node * fan; k < (node + 1) * fan; ++k) {
            if (l == 1) {
                if (m_values[k] == value) {
                    index = k;
                    return true;
                }
                continue;
            }
            const Node &child = m_levels[l - 2].nodes[k];
            if (child.min <= value && value <= child.max && hasInside(l - 1, k, value, index)) {
                return true;
            }
        }
        return false;
    }

    std::vector<T> m_values;
    std::vector<Level> m_levels;
};

} // namespace trainyard::series
