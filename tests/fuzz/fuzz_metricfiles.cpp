// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a file of metrics of any format, also while it grows: no crash, series are numbered before their points,
// and what is read in pieces is what is read at once. Then as the book of a try's files of metrics.
#include "engine/contract/metricbook.h"
#include "engine/metricfiles/checksum.h"
#include "engine/metricfiles/filereader.h"
#include "engine/metricfiles/format.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace files = trainyard::metricfiles;

namespace
{

struct Given {
    std::string series;
    double x = 0;
    std::uint64_t value = 0; // its bits: NaN is not equal to itself
    friend bool operator==(const Given &, const Given &) = default;
};

class CheckingSink : public files::Sink
{
public:
    void addSeries(std::uint32_t series, std::string_view name, files::SeriesKind /*kind*/) override
    {
        if (series != m_names.size()) {
            std::abort();
        }
        m_names.emplace_back(name);
    }
    void addPoint(const files::Point &point) override
    {
        if (point.series >= m_names.size()) {
            std::abort();
        }
        points.push_back(
            {m_names[point.series], point.x == point.x ? point.x : 0, std::bit_cast<std::uint64_t>(point.value)});
    }
    void voidFrom(double /*step*/) override { }
    void setFact(std::string_view /*name*/, std::string_view /*value*/) override { }
    void startOver() override
    {
        m_names.clear();
        points.clear();
    }
    std::vector<Given> points;

private:
    std::vector<std::string> m_names;
};

class MemoryFile
{
public:
    MemoryFile() : m_descriptor(::memfd_create("fuzz", MFD_CLOEXEC)) { }
    ~MemoryFile() { ::close(m_descriptor); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    void append(std::string_view bytes)
    {
        if (::write(m_descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
            std::abort();
        }
    }
    std::unique_ptr<files::FileReader> reader(files::Format format) const
    {
        files::Note problem;
        return files::FileReader::fromDescriptor(::dup(m_descriptor), "mlruns/0/a/metrics/loss", format, problem);
    }

private:
    int m_descriptor;
};

std::string littleEndian(std::uint64_t value, int size)
{
    std::string bytes;
    for (int i = 0; i < size; ++i) {
        bytes += static_cast<char>(value >> (8 * i));
    }
    return bytes;
}

// A record with the right checksums: a fuzzer does not find those.
std::string framed(std::string_view bytes, files::Format format)
{
    if (format == files::Format::EventFile) {
        const std::string length = littleEndian(bytes.size(), 8);
        return length + littleEndian(files::maskedCrc(files::crc32c(length)), 4) + std::string(bytes)
            + littleEndian(files::maskedCrc(files::crc32c(bytes)), 4);
    }
    if (format == files::Format::WandbFile) {
        const std::string chunk = '\1' + std::string(bytes.substr(0, 30000));
        return std::string(":W&B\xE1\xBE\0", 7) + littleEndian(files::crc32(chunk), 4)
            + littleEndian(chunk.size() - 1, 2) + chunk;
    }
    return std::string(bytes);
}

void readToEnd(files::FileReader &reader, CheckingSink &sink, std::size_t budget)
{
    std::uint64_t before = 0;
    for (;;) {
        const files::Report report = reader.read(sink, budget);
        if (report.position < before || report.position > report.size) {
            std::abort();
        }
        before = report.position;
        if (report.state != files::State::More) {
            return;
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size < 2) {
        return 0;
    }
    // The first bytes say which format it is and where the file is cut while it grows.
    const auto format = static_cast<files::Format>(1 + (data[0] & 0x7F) % 7);
    std::string bytes(reinterpret_cast<const char *>(data) + 2, size - 2);
    if (data[0] & 0x80) {
        bytes = framed(bytes, format);
    }
    const std::size_t cut = bytes.size() * data[1] / 256;

    MemoryFile whole;
    whole.append(bytes);
    CheckingSink atOnce;
    readToEnd(*whole.reader(format), atOnce, 4U << 20);

    MemoryFile growing;
    CheckingSink inPieces;
    const std::unique_ptr<files::FileReader> reader = growing.reader(format);
    growing.append(std::string_view(bytes).substr(0, cut));
    readToEnd(*reader, inPieces, 1);
    growing.append(std::string_view(bytes).substr(cut));
    readToEnd(*reader, inPieces, 1);
    // JSON that is broken now may have been whole before it grew.
    const bool isJson = format == files::Format::TrainerState || format == files::Format::JsonLines
        || format == files::Format::SacredMetrics || format == files::Format::JsonResults;
    if (!isJson && atOnce.points != inPieces.points) {
        std::abort();
    }
    const trainyard::contract::MetricBook book = trainyard::contract::MetricBook::parse(bytes);
    for (const trainyard::contract::MetricBook::File &file : book.files) {
        if (file.run < 0 || (!book.runs.empty() && static_cast<std::size_t>(file.run) >= book.runs.size())) {
            std::abort();
        }
    }
    trainyard::contract::parseMetricSeries(bytes);
    files::recognize("a/metrics/b", bytes);
    files::recognizeFound("a/metrics/b.csv", bytes);
    files::recognizeFound("a/metrics/b.json", bytes);
    return 0;
}
