// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/reader.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace trainyard::series
{

namespace
{

constexpr std::size_t readAtOnce = 4 * (mostPayload + blockHeaderSize);
constexpr std::size_t looseRows = 8192; // small runs are kept together up to here

std::string keyOf(std::string_view name, Part part)
{
    return static_cast<char>('0' + static_cast<int>(part)) + std::string(name);
}

} // namespace

Reader::Reader(std::string path) : m_path(std::move(path)) { }

void Reader::reset()
{
    m_cursor = {};
    m_damaged = 0;
    m_smallBytes = 0;
    m_origin = {};
    m_infos.clear();
    m_ids.clear();
    m_known.clear();
    m_missed.clear();
}

// Opens the file, again when another one has its name or its bytes were taken back.
Error Reader::ensureOpen(Change &change)
{
    if (m_file.isOpen() && (!m_file.isAt(m_path) || m_file.size() < static_cast<std::int64_t>(m_cursor.offset))) {
        m_file.close();
        change.isReset = m_cursor != Cursor();
        reset();
    }
    bool wasClosed = false;
    if (!m_file.isOpen()) {
        if (const Error error = m_file.openToRead(m_path); error.fault != Fault::None) {
            return error;
        }
        wasClosed = true;
    }
    if (m_cursor.offset > 0 && !wasClosed) {
        return {};
    }
    std::uint64_t generation = 0;
    const HeaderState header = decodeFileHeader(m_file.read(0, fileHeaderSize), generation);
    if (m_cursor.offset > 0) {
        if (header == HeaderState::Good && generation == m_cursor.generation
            && m_file.size() >= static_cast<std::int64_t>(m_cursor.offset)) {
            return {};
        }
        change.isReset = true;
        reset();
    }
    switch (header) {
    case HeaderState::Good:
        m_cursor = {generation, fileHeaderSize};
        return {};
    case HeaderState::Short:
        return {};
    case HeaderState::Newer:
        return {Fault::Newer, 0};
    case HeaderState::NotSeries:
        break;
    }
    return {Fault::NotSeries, 0};
}

Reader::Change Reader::poll()
{
    Change change;
    if (hasMissed()) {
        m_file.close(); // the name may lead to another file by now
    }
    change.error = ensureOpen(change);
    if (change.error.fault != Fault::None || m_cursor.offset == 0) {
        return change;
    }
    for (const std::uint32_t id : std::exchange(m_missed, {})) {
        note(id, change);
    }
    const auto end = static_cast<std::uint64_t>(std::max<std::int64_t>(m_file.size(), 0));
    // No good block begins between the cursor and here. That holds for this poll only: a writer may take back what is
    // not whole, and write something else there.
    std::uint64_t searched = 0;
    while (m_cursor.offset < end) {
        const std::uint64_t from = std::max(m_cursor.offset, searched);
        const std::string bytes
            = m_file.read(from, static_cast<std::size_t>(std::min<std::uint64_t>(readAtOnce, end - from)));
        BlockScanner scanner(bytes);
        while (const std::optional<Block> block = scanner.next()) {
            take(*block, from + block->offset, change);
        }
        if (scanner.end() > 0) {
            m_damaged += from - m_cursor.offset + scanner.damaged();
            m_cursor.offset = from + scanner.end();
        } else if (from + bytes.size() < end && bytes.size() > mostPayload + blockHeaderSize) {
            searched = from + bytes.size() - (mostPayload + blockHeaderSize);
        } else {
            break;
        }
    }
    std::sort(change.grown.begin(), change.grown.end());
    for (const std::uint32_t id : change.grown) {
        m_known[id].hasGrown = false;
    }
    return change;
}

void Reader::take(const Block &block, std::uint64_t at, Change &change)
{
    m_smallBytes += block.payload.size() < smallPayload ? block.payload.size() + blockHeaderSize : 0;
    switch (block.kind) {
    case BlockKind::Names:
        takeNames(block.payload);
        break;
    case BlockKind::Points:
        takePoints(block.payload, at, change);
        break;
    case BlockKind::Void: {
        std::uint32_t id = 0;
        double x = 0;
        if (decodeVoid(block.payload, id, x)) {
            known(id).events.emplace_back(VoidMark{x});
            known(id).summary.isRising = false;
            note(id, change);
        }
        break;
    }
    case BlockKind::Origin:
        decodeOrigin(block.payload, m_origin);
        break;
    }
}

void Reader::takeNames(std::string_view payload)
{
    std::uint32_t first = 0;
    std::vector<Info> infos;
    decodeNames(payload, first, infos);
    for (std::size_t i = 0; i < infos.size(); ++i) {
        const std::size_t id = first + i;
        known(static_cast<std::uint32_t>(id));
        m_ids.emplace(keyOf(infos[i].name, infos[i].part), static_cast<std::uint32_t>(id));
        m_infos[id] = std::move(infos[i]);
    }
}

void Reader::takePoints(std::string_view payload, std::uint64_t at, Change &change)
{
    std::vector<StoredRun> runs;
    listRuns(payload, runs);
    for (const StoredRun &stored : runs) {
        Known &series = known(stored.id);
        Summary &all = series.summary;
        const auto addRun = [&all](std::uint64_t rows, bool isRising, double firstX, double lastX, double lastValue) {
            all.isRising = all.isRising && isRising && (all.count == 0 || firstX >= all.lastX);
            all.firstX = all.count == 0 ? firstX : all.firstX;
            all.lastX = lastX;
            all.lastValue = lastValue;
            all.count += rows;
        };
        if (stored.hasSummary) {
            series.events.emplace_back(OnDisk{at, stored});
            addRun(stored.rows, stored.isRising, stored.firstX, stored.lastX, stored.lastValue);
            all.extent.add(stored.extent);
        } else {
            Run run;
            if (!decodeRun(stored, payload.substr(stored.xAt, stored.xSize),
                    payload.substr(stored.timeAt, stored.timeSize), payload.substr(stored.valueAt, stored.valueSize),
                    run)) {
                continue;
            }
            addRun(run.size(), std::is_sorted(run.xs.begin(), run.xs.end()), run.xs.front(), run.xs.back(),
                run.values.back());
            for (const double value : run.values) {
                all.extent.add(value);
            }
            addLoose(series, std::move(run));
        }
        note(stored.id, change);
    }
}

Reader::Known &Reader::known(std::uint32_t id)
{
    if (id >= m_known.size()) {
        m_known.resize(id + 1);
        m_infos.resize(id + 1);
    }
    return m_known[id];
}

void Reader::note(std::uint32_t id, Change &change)
{
    if (!std::exchange(m_known[id].hasGrown, true)) {
        change.grown.push_back(id);
    }
}

std::optional<std::uint32_t> Reader::find(std::string_view name, Part part) const
{
    const auto known = m_ids.find(keyOf(name, part));
    return known == m_ids.end() ? std::nullopt : std::optional(known->second);
}

Reader::Summary Reader::summary(std::uint32_t id) const
{
    return id < m_known.size() ? m_known[id].summary : Summary();
}

// Runs of a few points that follow each other are kept as one.
void Reader::addLoose(Known &series, Run &&run)
{
    Run *last = series.events.empty() ? nullptr : std::get_if<Run>(&series.events.back());
    if (!last || last->size() >= looseRows) {
        series.events.emplace_back(std::move(run));
        return;
    }
    last->xs.insert(last->xs.end(), run.xs.begin(), run.xs.end());
    last->times.insert(last->times.end(), run.times.begin(), run.times.end());
    last->values.insert(last->values.end(), run.values.begin(), run.values.end());
}

bool Reader::load(std::uint32_t id, Sink &sink, Place &place, std::size_t most) const
{
    if (id >= m_known.size()) {
        return false;
    }
    const std::vector<Event> &events = m_known[id].events;
    Run decoded;
    for (std::size_t i = place.event; i < events.size(); ++i) {
        if (most-- == 0) {
            return true;
        }
        const std::size_t row = i == place.event ? place.row : 0;
        if (const auto *run = std::get_if<Run>(&events[i])) {
            if (row < run->size()) {
                sink.take(std::span(run->xs).subspan(row), std::span(run->times).subspan(row),
                    std::span(run->values).subspan(row));
            }
            place = i + 1 < events.size() ? Place{i + 1, 0} : Place{i, run->size()}; // the last one may grow
            continue;
        }
        if (const auto *mark = std::get_if<VoidMark>(&events[i])) {
            place = {i + 1, 0};
            sink.takeVoid(mark->x);
            continue;
        }
        const OnDisk &onDisk = std::get<OnDisk>(events[i]);
        bool isThere = true;
        const auto part = [&](std::uint32_t at, std::uint32_t size) {
            std::string bytes = size > 0 ? m_file.read(onDisk.payloadAt + at, size) : std::string();
            isThere = isThere && bytes.size() == size;
            return bytes;
        };
        const StoredRun &stored = onDisk.run;
        const std::string xs = part(stored.xAt, stored.xSize), times = part(stored.timeAt, stored.timeSize),
                          values = part(stored.valueAt, stored.valueSize);
        if (!isThere) {
            place = {i, 0};
            m_missed.insert(id);
            return false;
        }
        place = {i + 1, 0};
        if (decodeRun(stored, xs, times, values, decoded)) {
            sink.take(decoded.xs, decoded.times, decoded.values);
        }
    }
    return false;
}

} // namespace trainyard::series
