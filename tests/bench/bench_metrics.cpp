// SPDX-License-Identifier: GPL-3.0-or-later
// A file of TensorBoard events with a million scalars, of 50 MB: the time until all are read, beside `strings` and
// beside a loop in Python that reads only the frames of the records, in the same run. Then one of 20 GB of images,
// which is sparse and costs only its scalars, and one with 12,000 tags.
#include "engine/metricfiles/checksum.h"
#include "engine/metricfiles/filereader.h"
#include "tests/bench/benchengine.h"

#include <QCoreApplication>

#include <sys/resource.h>
#include <sys/wait.h>

#include <bit>
#include <cstring>
#include <string>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

void appendLittle(std::string &to, quint64 value, int size)
{
    for (int i = 0; i < size; ++i) {
        to += char(value >> (8 * i));
    }
}

void appendVarint(std::string &to, quint64 value)
{
    for (; value >= 0x80; value >>= 7) {
        to += char(value | 0x80);
    }
    to += char(value);
}

void appendRecord(std::string &to, const std::string &event)
{
    std::string length;
    appendLittle(length, event.size(), 8);
    to += length;
    appendLittle(to, metricfiles::maskedCrc(metricfiles::crc32c(length)), 4);
    to += event;
    appendLittle(to, metricfiles::maskedCrc(metricfiles::crc32c(event)), 4);
}

// Ten curves, one value of each at every step.
std::string someEvents(int number)
{
    std::string file, event, value, summary;
    file.reserve(std::size_t(number) * 56);
    for (int i = 0; i < number; ++i) {
        const std::string tag = "train/l_" + std::to_string(i % 10);
        value = '\x0a' + std::string(1, char(tag.size())) + tag + '\x15';
        appendLittle(value, std::bit_cast<quint32>(float(1.0 / (i + 1))), 4);
        summary = '\x0a' + std::string(1, char(value.size())) + value;
        event = '\x09';
        appendLittle(event, std::bit_cast<quint64>(1.7e9 + i * 0.01), 8);
        event += '\x10';
        appendVarint(event, quint64(i / 10));
        event += '\x2a' + std::string(1, char(summary.size())) + summary;
        appendRecord(file, event);
    }
    return file;
}

// Images of 100 MB each, of which nothing is on the disk, and a scalar behind each.
bool writeImages(const QString &path, int images, qint64 imageSize)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return false;
    }
    qint64 at = 0;
    const auto put = [&](const std::string &bytes) {
        file.seek(at);
        file.write(bytes.data(), qint64(bytes.size()));
        at += qint64(bytes.size());
    };
    for (int i = 0; i < images; ++i) {
        std::string payload = "\x0a\x03img\x22"; // Value: its tag, and an Image
        appendVarint(payload, quint64(imageSize));
        std::string summary = "\x0a";
        appendVarint(summary, payload.size() + quint64(imageSize));
        summary += payload;
        std::string head(1, '\x09');
        appendLittle(head, std::bit_cast<quint64>(1.7e9 + i), 8);
        head += "\x10";
        appendVarint(head, quint64(i));
        head += '\x2a';
        appendVarint(head, summary.size() + quint64(imageSize));
        head += summary;
        std::string length;
        appendLittle(length, head.size() + quint64(imageSize), 8);
        put(length);
        std::string checksum;
        appendLittle(checksum, metricfiles::maskedCrc(metricfiles::crc32c(length)), 4);
        put(checksum);
        put(head);
        at += imageSize;
        put(std::string(4, '\0')); // the checksum of so much is not looked at
        put(someEvents(1));
    }
    return file.error() == QFileDevice::NoError;
}

// One value of each tag.
std::string manyTags(int tags)
{
    std::string file;
    for (int i = 0; i < tags; ++i) {
        const std::string tag = "layer/" + std::to_string(i) + "/norm";
        std::string value = '\x0a' + std::string(1, char(tag.size())) + tag + '\x15';
        appendLittle(value, std::bit_cast<quint32>(float(i)), 4);
        const std::string summary = '\x0a' + std::string(1, char(value.size())) + value;
        std::string event(1, '\x09');
        appendLittle(event, std::bit_cast<quint64>(1.7e9), 8);
        event += std::string("\x10\x01\x2a", 3) + std::string(1, char(summary.size())) + summary;
        appendRecord(file, event);
    }
    return file;
}

class CountingSink : public metricfiles::Sink
{
public:
    void addSeries(std::uint32_t /*series*/, std::string_view /*name*/, metricfiles::SeriesKind /*kind*/) override
    {
        ++series;
    }
    void addPoint(const metricfiles::Point &point) override
    {
        ++points;
        sum += point.value;
    }
    void voidFrom(double /*step*/) override { }
    void setFact(std::string_view /*name*/, std::string_view /*value*/) override { }
    void startOver() override { }
    qint64 series = 0, points = 0;
    double sum = 0;
};

double processorMsOf(int who)
{
    rusage usage = {};
    ::getrusage(who, &usage);
    const auto ms = [](const timeval &time) { return double(time.tv_sec) * 1e3 + double(time.tv_usec) / 1e3; };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}

// Time on a processor of a command; negative where it is not installed.
double commandMs(const QString &program, const QStringList &words, QByteArray *said = nullptr)
{
    const double before = processorMsOf(RUSAGE_CHILDREN);
    QProcess process;
    process.start(program, words);
    if (!process.waitForStarted()) {
        return -1;
    }
    process.waitForFinished(-1);
    if (process.exitCode() != 0) {
        return -1;
    }
    if (said) {
        *said = process.readAllStandardOutput();
    }
    return processorMsOf(RUSAGE_CHILDREN) - before;
}

constexpr auto pythonLoop = R"(
import struct, sys
n = 0
with open(sys.argv[1], 'rb') as f:
    head = struct.Struct('<QI')
    while True:
        b = f.read(12)
        if len(b) < 12: break
        f.read(head.unpack(b)[0] + 4)
        n += 1
print(n)
)"_L1;

double residentMib() { return BenchEngine::memory(QCoreApplication::applicationPid(), "VmRSS"); }

} // namespace

int main(int argc, char **argv)
{
    const BenchEngine folders(u"/var/tmp"_s);
    QCoreApplication application(argc, argv);
    if (argc > 1) {
        std::puts("Usage: bench_metrics\nExit status 1 when a bound is missed.");
        return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    constexpr int number = 1000000;
    QString path;
    qint64 size = 0;
    {
        const std::string bytes = someEvents(number);
        size = qint64(bytes.size());
        path = folders.write(u"events.out.tfevents.1"_s, QByteArray::fromRawData(bytes.data(), size));
    }
    std::printf("== %d scalars, %.1f MB ==\n", number, double(size) / 1e6);
    BenchEngine::load();
    const double memory = residentMib();
    double grown = 0;
    std::vector<double> times;
    for (int round = 0; round < 7; ++round) {
        const double before = processorMsOf(RUSAGE_SELF);
        metricfiles::Note problem;
        const auto reader = metricfiles::FileReader::open(QFile::encodeName(path).toStdString(), {}, problem);
        CountingSink sink;
        while (reader && reader->read(sink).state == metricfiles::State::More) { }
        grown = std::max(grown, residentMib() - memory);
        times.push_back(processorMsOf(RUSAGE_SELF) - before);
        if (sink.points != number || sink.series != 10) {
            qFatal("%lld points of %lld series were read", static_cast<long long>(sink.points),
                static_cast<long long>(sink.series));
        }
    }
    const double ours = BenchEngine::median(times);
    const double strings = commandMs(u"sh"_s, {u"-c"_s, u"strings \"$0\" | wc -l"_s, path});
    QByteArray counted;
    const double python = commandMs(u"python3"_s, {u"-c"_s, pythonLoop, path}, &counted);
    if (python >= 0 && counted.trimmed().toInt() != number) {
        qFatal("Python counts %s", counted.constData());
    }
    std::printf("read, on a processor:  %8.0f ms (%.0f MB/s)\n", ours, double(size) / 1e3 / ours);
    if (strings > 0) {
        std::printf("strings | wc -l:       %8.0f ms, %.1f times ours\n", strings, strings / ours);
    } else {
        std::puts("strings is not installed");
    }
    if (python > 0) {
        std::printf("Python, frames only:   %8.0f ms, %.1f times ours\n", python, python / ours);
    } else {
        std::puts("python3 is not installed");
    }
    bool good = figure("a million scalars", ours, "ms", 300);
    good = figure("memory beside the names", grown, "MiB", 8) && good;

    constexpr int images = 200, tags = 12000;
    constexpr qint64 imageSize = 100'000'000;
    const auto readOnce = [&](const QString &file, CountingSink &sink, quint64 &bytes) {
        const double before = processorMsOf(RUSAGE_SELF);
        metricfiles::Note problem;
        const auto reader = metricfiles::FileReader::open(QFile::encodeName(file).toStdString(), {}, problem);
        while (reader && reader->read(sink).state == metricfiles::State::More) { }
        bytes = reader ? reader->bytesRead() : 0;
        return processorMsOf(RUSAGE_SELF) - before;
    };
    const QString large = QFileInfo(path).path() + u"/events.out.tfevents.2"_s;
    CountingSink ofImages, ofTags;
    quint64 bytes = 0;
    if (!writeImages(large, images, imageSize)) {
        std::puts("the disk takes no file of 20 GB with holes");
    } else {
        const double ms = readOnce(large, ofImages, bytes);
        if (ofImages.points != images) {
            qFatal("%lld of %d scalars between images were read", static_cast<long long>(ofImages.points), images);
        }
        good = figure("20 GB of images", ms, "ms", 500) && good;
        good = figure("bytes read of them", double(bytes) / 1048576, "MiB", 64) && good;
    }
    QFile::remove(large);
    const std::string some = manyTags(tags);
    const QString many
        = folders.write(u"events.out.tfevents.3"_s, QByteArray::fromRawData(some.data(), qsizetype(some.size())));
    const double ms = readOnce(many, ofTags, bytes);
    if (ofTags.series != tags) {
        qFatal("%lld of %d tags were read", static_cast<long long>(ofTags.series), tags);
    }
    good = figure("12,000 tags", ms, "ms", 100) && good;
    return good ? 0 : 1;
}
