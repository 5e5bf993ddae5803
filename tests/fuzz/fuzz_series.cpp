// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a column and as a file of series: no crash, what is understood survives coding, and a
// writer can always go on behind what a reader understands.
#include "engine/series/block.h"
#include "engine/series/doublecolumn.h"
#include "engine/series/intcolumn.h"
#include "engine/series/seriesset.h"
#include "engine/series/smoothing.h"
#include "engine/series/writer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>

namespace series = trainyard::series;

namespace
{

void hold(bool condition)
{
    if (!condition) {
        std::abort();
    }
}

// A file without a disk.
class Memory
{
public:
    Memory() : m_fd(::memfd_create("fuzz", MFD_CLOEXEC)) { hold(m_fd >= 0); }
    ~Memory() { ::close(m_fd); }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_fd); }
    void add(std::string_view bytes) const
    {
        hold(::write(m_fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    }

private:
    int m_fd;
};

std::vector<std::uint64_t> bitsOf(const std::vector<double> &values)
{
    std::vector<std::uint64_t> bits;
    for (const double value : values) {
        bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return bits;
}

void columns(std::string_view bytes, std::size_t count)
{
    std::vector<double> doubles, doublesBack;
    series::Bytes in(bytes);
    if (!series::decodeDoubles(in, count, doubles)) {
        // The bytes themselves, as values.
        doubles.resize(bytes.size() / sizeof(double));
        bytes.copy(reinterpret_cast<char *>(doubles.data()), doubles.size() * sizeof(double));
    }
    std::string coded;
    series::encodeDoubles(doubles, coded);
    series::Bytes codedDoubles(coded);
    hold(series::decodeDoubles(codedDoubles, doubles.size(), doublesBack) && codedDoubles.atEnd());
    hold(bitsOf(doubles) == bitsOf(doublesBack));

    std::vector<std::int64_t> ints, intsBack;
    for (const double value : doubles) {
        ints.push_back(std::bit_cast<std::int64_t>(value));
    }
    coded.clear();
    series::encodeInts(ints, coded);
    series::Bytes codedInts(coded);
    hold(series::decodeInts(codedInts, ints.size(), intsBack) && codedInts.atEnd() && ints == intsBack);
}

std::uint64_t readAll(series::SeriesSet &set)
{
    std::uint64_t points = 0;
    for (std::uint32_t id = 0; id < set.infos().size(); ++id) {
        if (set.reader().summary(id).count == 0) {
            continue; // there may be many without anything
        }
        set.overview(id);
        const series::Series &all = set.series(id);
        points += all.size() + all.voidPoints().size();
        const series::View view = all.isEmpty()
            ? series::View()
            : series::viewOf(all, series::evenEdges(all.xs()[0], all.xs()[all.size() - 1], 7));
        std::size_t shown = 0;
        for (const series::Column &column : view.columns) {
            shown += column.count();
        }
        hold(shown == all.size());
        hold(series::lineOf(view).size() <= 2 * view.columns.size());
        series::smoothedView(all, view, 0.9);
        if (const auto smallest = all.smallest()) {
            hold(smallest->value <= all.largest()->value);
        }
    }
    return points;
}

void follow(const Memory &memory)
{
    series::SeriesSet set(memory.path());
    if (set.poll().error.fault != series::Fault::None) {
        return;
    }
    const std::uint64_t points = readAll(set);
    {
        series::Error error;
        const auto writer = series::Writer::open(memory.path(), error);
        hold(writer != nullptr);
        const auto id = writer->define({"one more"});
        if (!id) {
            return;
        }
        writer->append(*id, {1e300, 2, 3}); // below which nothing becomes void
        hold(writer->flush().fault == series::Fault::None);
    }
    set.poll();
    series::SeriesSet again(memory.path());
    again.poll();
    hold(readAll(again) == points + 1);
    hold(readAll(set) == points + 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size < 3) {
        return 0;
    }
    std::string_view bytes(reinterpret_cast<const char *>(data) + 2, size - 2);
    switch (data[0] % 4) {
    case 0:
        columns(bytes, data[1]);
        break;
    case 1: { // blocks whose checksums are right, each with its length and its kind
        const Memory memory;
        memory.add(series::encodeFileHeader(1 + data[1]));
        while (bytes.size() > 2) {
            const std::size_t length = std::min<std::size_t>(static_cast<std::uint8_t>(bytes[0]), bytes.size() - 2);
            std::string block;
            series::putBlock(static_cast<series::BlockKind>(static_cast<std::uint8_t>(bytes[1]) % 5),
                bytes.substr(2, length), block);
            memory.add(block);
            bytes.remove_prefix(2 + length);
        }
        follow(memory);
        break;
    }
    case 2: { // anything behind a header
        const Memory memory;
        memory.add(series::encodeFileHeader(1 + data[1]));
        memory.add(bytes);
        follow(memory);
        break;
    }
    default: { // anything at all
        const Memory memory;
        memory.add(bytes);
        series::SeriesSet set(memory.path());
        set.poll();
        readAll(set);
    }
    }
    return 0;
}
