// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/writer.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace trainyard::series
{

namespace
{

constexpr std::size_t mostPending = 1 << 20; // points of all series
constexpr std::size_t mostOut = 1 << 20; // bytes
constexpr std::size_t namesAtOnce = mostPayload - longestName - 64; // bytes of a block
constexpr std::uint64_t worthRewriting = 128 << 10; // bytes

std::string keyInWriter(const Info &info) { return static_cast<char>('0' + static_cast<int>(info.part)) + info.name; }

std::uint64_t newGeneration()
{
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device() | 1;
}

} // namespace

std::unique_ptr<Writer> Writer::open(const std::string &path, Error &error) { return openFile(path, false, error); }

std::unique_ptr<Writer> Writer::openFile(const std::string &path, bool isFresh, Error &error)
{
    std::unique_ptr<Writer> writer(new Writer);
    writer->m_path = path;
    error = writer->m_file.openToWrite(path, isFresh);
    if (error.fault == Fault::None) {
        error = writer->readOn();
    }
    return error.fault == Fault::None ? std::move(writer) : nullptr;
}

Writer::~Writer()
{
    if (m_file.isOpen()) {
        flush();
    }
}

Error Writer::begin()
{
    m_generation = newGeneration();
    if (const Error error = m_file.truncate(0); error.fault != Fault::None) {
        return error;
    }
    if (const Error error = m_file.write(0, encodeFileHeader(m_generation)); error.fault != Fault::None) {
        return error;
    }
    m_end = fileHeaderSize;
    return {};
}

// What is there already: the names, and where the last good block ends.
Error Writer::readOn()
{
    const std::string header = m_file.read(0, fileHeaderSize);
    std::uint64_t generation = 0;
    if (decodeFileHeader(header, generation) == HeaderState::Short) {
        return begin(); // empty, or it was killed right after it was made
    }
    Reader reader(m_path);
    const Reader::Change change = reader.poll();
    if (change.error.fault != Fault::None) {
        return change.error;
    }
    m_generation = reader.cursor().generation;
    m_end = reader.cursor().offset;
    m_smallBytes = reader.smallBytes();
    m_origin = reader.origin();
    m_infos = reader.infos();
    m_namesWritten = m_infos.size();
    m_pending.resize(m_infos.size());
    for (std::size_t id = 0; id < m_infos.size(); ++id) {
        m_pending[id].id = static_cast<std::uint32_t>(id);
        m_ids.emplace(keyInWriter(m_infos[id]), static_cast<std::uint32_t>(id));
        const Reader::Summary summary = reader.summary(static_cast<std::uint32_t>(id));
        constexpr double ages = 1e17; // ms: what is not within them is no time
        if (summary.count > 0 && std::abs(summary.firstX) < ages) {
            noteToThin(static_cast<std::uint32_t>(id), static_cast<std::int64_t>(summary.firstX));
        }
    }
    return m_file.truncate(m_end);
}

std::optional<std::uint32_t> Writer::define(const Info &info)
{
    const auto known = m_ids.find(keyInWriter(info));
    if (known != m_ids.end()) {
        return known->second;
    }
    if (info.name.empty() || info.name.size() > longestName || m_infos.size() >= mostSeries) {
        return std::nullopt;
    }
    const auto id = static_cast<std::uint32_t>(m_infos.size());
    m_ids.emplace(keyInWriter(info), id);
    m_infos.push_back(info);
    m_pending.emplace_back().id = id;
    return id;
}

void Writer::append(std::uint32_t id, const Point &point)
{
    append(id, {&point.x, 1}, {&point.time, 1}, {&point.value, 1});
}

void Writer::append(
    std::uint32_t id, std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values)
{
    if (id >= m_pending.size()) {
        return;
    }
    if (!times.empty()) {
        noteToThin(id, times.front());
    }
    Run &run = m_pending[id];
    for (std::size_t i = 0; i < xs.size(); ++i) {
        if (!std::isfinite(xs[i])) {
            continue;
        }
        // A run that is full waits for one more point: by then those that grow as fast are full, too, and share its
        // rows.
        if (run.size() >= mostRows) {
            encode(mostRows / 2);
        } else if (m_pendingPoints >= mostPending) {
            encode(1);
        }
        run.append({xs[i], times[i], values[i]});
        ++m_pendingPoints;
        if (m_out.size() >= mostOut) {
            write(); // what cannot be written now is written by the next flush
        }
    }
}

void Writer::noteToThin(std::uint32_t id, std::int64_t time)
{
    if (m_infos[id].mayThin && m_infos[id].part == Part::Value) {
        m_oldestToThin = std::min(m_oldestToThin.value_or(time), time);
    }
}

void Writer::voidFrom(std::uint32_t id, double x)
{
    if (id < m_pending.size() && !std::isnan(x)) {
        encode(1);
        putBlock(BlockKind::Void, encodeVoid(id, x), m_out);
    }
}

void Writer::encode(std::size_t least)
{
    while (m_namesWritten < m_infos.size()) {
        const auto first = m_infos.begin() + static_cast<std::ptrdiff_t>(m_namesWritten);
        std::size_t bytes = 0;
        auto last = first;
        while (last != m_infos.end() && bytes < namesAtOnce) {
            bytes += last->name.size() + 6;
            ++last;
        }
        putBlock(BlockKind::Names, encodeNames(static_cast<std::uint32_t>(m_namesWritten), {first, last}), m_out);
        m_namesWritten += static_cast<std::size_t>(last - first);
    }
    if (m_pendingPoints < least) {
        return; // to look at each series for each of them that goes back would take long
    }
    std::vector<const Run *> runs;
    for (const Run &run : m_pending) {
        if (run.size() >= least) {
            runs.push_back(&run);
        }
    }
    if (runs.empty()) {
        return;
    }
    encodePoints(runs, [this](std::string_view payload) {
        m_smallBytes += payload.size() < smallPayload ? payload.size() + blockHeaderSize : 0;
        putBlock(BlockKind::Points, payload, m_out);
    });
    for (Run &run : m_pending) {
        if (run.size() >= least) {
            m_pendingPoints -= run.size();
            run.xs.clear();
            run.times.clear();
            run.values.clear();
        }
    }
}

Error Writer::write()
{
    if (m_out.empty()) {
        return {};
    }
    const Error error = m_file.write(m_end, m_out);
    if (error.fault == Fault::None) {
        m_end += m_out.size();
        m_out.clear();
    }
    return error;
}

Error Writer::flush()
{
    encode(1);
    return write();
}

Error Writer::sync()
{
    const Error error = flush();
    return error.fault == Fault::None ? m_file.sync() : error;
}

bool Writer::isWorthRewriting() const
{
    const std::uint64_t small = m_smallBytes - m_smallKept;
    return small > worthRewriting && small * 2 > m_end;
}

} // namespace trainyard::series
