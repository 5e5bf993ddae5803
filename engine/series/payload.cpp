// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/payload.h"

#include "engine/series/block.h"
#include "engine/series/doublecolumn.h"
#include "engine/series/intcolumn.h"

#include <algorithm>
#include <unordered_map>

namespace trainyard::series
{

namespace
{

constexpr std::size_t rowsWithSummary = 64;
constexpr std::size_t fullPayload = mostPayload / 2; // one more run of any kind fits above it
constexpr std::uint8_t flagRising = 1, flagGap = 1;

bool sameRows(const Run &a, const Run &b) { return a.times == b.times && a.xs == b.xs; }

std::uint64_t hashOfRows(const Run &run)
{
    std::uint64_t hash = run.size();
    const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29); };
    for (std::size_t i = 0; i < run.size(); ++i) {
        mix(std::bit_cast<std::uint64_t>(run.xs[i]));
        mix(static_cast<std::uint64_t>(run.times[i]));
    }
    return hash;
}

void putColumnOf(const std::string &column, std::string &out)
{
    putVarint(out, column.size());
    out += column;
}

void putRows(const Run &run, std::string &out)
{
    putVarint(out, run.size());
    std::string column;
    bool xIsTime = true;
    for (std::size_t i = 0; i < run.size() && xIsTime; ++i) {
        xIsTime = std::bit_cast<std::uint64_t>(run.xs[i])
            == std::bit_cast<std::uint64_t>(static_cast<double>(run.times[i]));
    }
    if (!xIsTime) {
        encodeDoubles(run.xs, column);
    }
    putColumnOf(column, out);
    column.clear();
    encodeInts(run.times, column);
    putColumnOf(column, out);
    if (run.size() >= rowsWithSummary) {
        putRaw(out, run.xs.front());
        putRaw(out, run.xs.back());
        putRaw(out, static_cast<std::uint8_t>(std::is_sorted(run.xs.begin(), run.xs.end()) ? flagRising : 0));
    }
}

void putValues(const Run &run, std::uint32_t idBefore, std::string &out)
{
    putVarint(out, run.id - idBefore);
    std::string column;
    encodeDoubles(run.values, column);
    putColumnOf(column, out);
    if (run.size() >= rowsWithSummary) {
        Extent extent;
        for (const double value : run.values) {
            extent.add(value);
        }
        putRaw(out, extent.min);
        putRaw(out, extent.max);
        putRaw(out, run.values.back());
        putRaw(out, static_cast<std::uint8_t>(extent.hasGap ? flagGap : 0));
    }
}

std::uint32_t takeColumn(Bytes &in, std::string_view payload, std::uint32_t &at)
{
    const std::string_view column = in.take(in.varint());
    at = in.failed() ? 0 : static_cast<std::uint32_t>(column.data() - payload.data());
    return static_cast<std::uint32_t>(column.size());
}

} // namespace

void encodePoints(const std::vector<const Run *> &runs, const std::function<void(std::string_view payload)> &put)
{
    // Those that share their rows stand together, in the order of the first of each.
    struct Group {
        std::uint64_t hash = 0;
        std::vector<const Run *> members;
    };
    std::vector<Group> groups;
    std::unordered_map<std::uint64_t, std::size_t> byHash;
    for (const Run *run : runs) {
        const std::uint64_t hash = hashOfRows(*run);
        const auto [known, isNew] = byHash.emplace(hash, groups.size());
        if (!isNew && sameRows(*groups[known->second].members.front(), *run)) {
            groups[known->second].members.push_back(run);
            continue;
        }
        groups.push_back({hash, {run}});
    }
    std::string payload;
    const auto finish = [&payload, &put] {
        put(payload);
        payload.clear();
    };
    for (const Group &group : groups) {
        std::size_t member = 0;
        while (member < group.members.size()) {
            if (payload.size() >= fullPayload) {
                finish();
            }
            putRows(*group.members[member], payload);
            std::string series;
            std::size_t count = 0;
            std::uint32_t before = 0;
            while (member < group.members.size() && payload.size() + series.size() < fullPayload) {
                putValues(*group.members[member], before, series);
                before = group.members[member++]->id;
                ++count;
            }
            putVarint(payload, count);
            payload += series;
        }
    }
    if (!payload.empty()) {
        finish();
    }
}

bool listRuns(std::string_view payload, std::vector<StoredRun> &runs)
{
    Bytes in(payload);
    while (!in.atEnd()) {
        StoredRun rows;
        const std::uint64_t count = in.varint();
        if (count == 0 || count > mostRows) {
            return false;
        }
        rows.rows = static_cast<std::uint32_t>(count);
        rows.xSize = takeColumn(in, payload, rows.xAt);
        rows.timeSize = takeColumn(in, payload, rows.timeAt);
        rows.hasSummary = count >= rowsWithSummary;
        if (rows.hasSummary) {
            rows.firstX = in.raw<double>();
            rows.lastX = in.raw<double>();
            rows.isRising = (in.raw<std::uint8_t>() & flagRising) != 0;
        }
        const std::uint64_t members = in.varint();
        std::uint64_t id = 0;
        for (std::uint64_t i = 0; i < members && !in.failed(); ++i) {
            StoredRun run = rows;
            id += in.varint();
            run.valueSize = takeColumn(in, payload, run.valueAt);
            if (run.hasSummary) {
                run.extent.min = in.raw<double>();
                run.extent.max = in.raw<double>();
                run.lastValue = in.raw<double>();
                run.extent.hasGap = (in.raw<std::uint8_t>() & flagGap) != 0;
            }
            if (id >= mostSeries || in.failed()) {
                return false;
            }
            run.id = static_cast<std::uint32_t>(id);
            runs.push_back(run);
        }
        if (in.failed()) {
            return false;
        }
    }
    return true;
}

bool decodeRun(const StoredRun &stored, std::string_view xs, std::string_view times, std::string_view values, Run &run)
{
    run.id = stored.id;
    Bytes xBytes(xs), timeBytes(times), valueBytes(values);
    if (!decodeInts(timeBytes, stored.rows, run.times) || !decodeDoubles(valueBytes, stored.rows, run.values)) {
        return false;
    }
    if (stored.xSize == 0) {
        run.xs.resize(stored.rows);
        std::transform(run.times.begin(), run.times.end(), run.xs.begin(),
            [](std::int64_t time) { return static_cast<double>(time); });
        return true;
    }
    return decodeDoubles(xBytes, stored.rows, run.xs);
}

std::string encodeNames(std::uint32_t first, const std::vector<Info> &infos)
{
    std::string payload;
    putVarint(payload, first);
    for (const Info &info : infos) {
        putVarint(payload, info.name.size());
        payload += info.name;
        putRaw(payload, static_cast<std::uint8_t>(info.axis));
        putRaw(payload, static_cast<std::uint8_t>(info.part));
        putRaw(payload,
            static_cast<std::uint8_t>(
                (info.stepBack == StepBack::Mixed ? 1 : 0) | (info.mayThin ? 2 : 0) | (info.onlyLast ? 4 : 0)));
    }
    return payload;
}

bool decodeNames(std::string_view payload, std::uint32_t &first, std::vector<Info> &infos)
{
    Bytes in(payload);
    const std::uint64_t begin = in.varint();
    if (begin >= mostSeries) {
        return false;
    }
    first = static_cast<std::uint32_t>(begin);
    while (!in.atEnd() && infos.size() < mostSeries - begin) {
        Info info;
        info.name = in.take(in.varint());
        const auto axis = in.raw<std::uint8_t>(), part = in.raw<std::uint8_t>(), flags = in.raw<std::uint8_t>();
        if (in.failed()) {
            return false;
        }
        info.axis = static_cast<Axis>(std::min(axis, static_cast<std::uint8_t>(Axis::Other)));
        info.part = static_cast<Part>(std::min(part, static_cast<std::uint8_t>(Part::Count)));
        info.stepBack = (flags & 1) != 0 ? StepBack::Mixed : StepBack::Voids;
        info.mayThin = (flags & 2) != 0;
        info.onlyLast = (flags & 4) != 0;
        infos.push_back(std::move(info));
    }
    return true;
}

std::string encodeVoid(std::uint32_t id, double x)
{
    std::string payload;
    putVarint(payload, id);
    putRaw(payload, x);
    return payload;
}

bool decodeVoid(std::string_view payload, std::uint32_t &id, double &x)
{
    Bytes in(payload);
    const std::uint64_t number = in.varint();
    x = in.raw<double>();
    id = static_cast<std::uint32_t>(number);
    return !in.failed() && number < mostSeries;
}

std::string encodeOrigin(const Origin &origin)
{
    std::string payload;
    putRaw(payload, origin.generation);
    putRaw(payload, origin.size);
    return payload;
}

bool decodeOrigin(std::string_view payload, Origin &origin)
{
    Bytes in(payload);
    origin.generation = in.raw<std::uint64_t>();
    origin.size = in.raw<std::uint64_t>();
    return !in.failed();
}

} // namespace trainyard::series
