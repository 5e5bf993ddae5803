// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/pyramid.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

// The three columns of a series in memory, each as narrow as what is in it allows.
namespace trainyard::series
{

// Numbers that never fall. Steps that are counted evenly take no memory.
class RisingColumn
{
public:
    std::size_t size() const { return m_isEven ? m_evenSize : m_all.size(); }
    double operator[](std::size_t i) const
    {
        return m_isEven ? static_cast<double>(m_start + m_stride * static_cast<std::int64_t>(i)) : m_all[i];
    }
    void append(double x);
    void append(std::span<const double> xs);
    void reserve(std::size_t count);
    void truncate(std::size_t count);

    // The first index from `from` on whose number is not below x; and is above x.
    std::size_t lowerBound(double x, std::size_t from = 0) const;
    std::size_t upperBound(double x, std::size_t from = 0) const;
    std::size_t memory() const { return m_all.capacity() * sizeof(double); }

private:
    template <class Before> std::size_t partition(std::size_t from, Before before) const;
    void spellOut();

    bool m_isEven = true;
    std::size_t m_evenSize = 0;
    std::int64_t m_start = 0, m_stride = 0;
    std::vector<double> m_all;
};

// Times in ms: as distances from the first one while those fit.
class TimeColumn
{
public:
    std::size_t size() const { return m_isWide ? m_wide.size() : m_narrow.size(); }
    std::int64_t operator[](std::size_t i) const { return m_isWide ? m_wide[i] : m_base + m_narrow[i]; }
    void append(std::int64_t time);
    void append(std::span<const std::int64_t> times);
    void reserve(std::size_t count);
    void truncate(std::size_t count);
    std::size_t memory() const
    {
        return m_narrow.capacity() * sizeof(std::uint32_t) + m_wide.capacity() * sizeof(std::int64_t);
    }

private:
    bool m_isWide = false;
    std::int64_t m_base = 0;
    std::vector<std::uint32_t> m_narrow;
    std::vector<std::int64_t> m_wide;
};

// Values with their pyramid: floats while every one of them is a float, NaN and the infinities included.
class ValueColumn
{
public:
    std::size_t size() const;
    double operator[](std::size_t i) const;
    void append(double value);
    void append(std::span<const double> values);
    void reserve(std::size_t count);
    void truncate(std::size_t count);
    Extent extent(std::size_t from, std::size_t to) const;
    std::size_t find(double value, std::size_t from, std::size_t to) const;
    std::size_t memory() const;

    // Calls f with the vector of all values, of whichever type it is.
    template <class F> auto withValues(F f) const
    {
        return std::visit([&f](const auto &pyramid) { return f(pyramid.values()); }, m_all);
    }

private:
    void widen();

    std::variant<Pyramid<float>, Pyramid<double>> m_all;
};

} // namespace trainyard::series
