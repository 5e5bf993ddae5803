// SPDX-License-Identifier: GPL-3.0-or-later
// The store of series with ten million points: made, viewed, smoothed, written and opened. The peer of a view is a walk
// over all points of the same arrays in the same run; medians count. Times are those of the processor, of which one
// thread does all, so that other work on the machine changes them little.
#include "engine/series/rewriting.h"
#include "engine/series/seriesset.h"
#include "engine/series/smoothing.h"
#include "engine/series/writer.h"
#include "tests/bench/figure.h"
#include "tests/helpers/processortime.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace trainyard;

namespace
{

constexpr std::size_t pixels = 1200;
constexpr std::int64_t startOfRun = 1700000000000;
std::mt19937_64 noiseSource(1);

double noise() { return std::uniform_real_distribution<double>(-1, 1)(noiseSource); }

double milliseconds(const std::function<void()> &work)
{
    const double start = processortime::processMs();
    work();
    return processortime::processMs() - start;
}

double medianMilliseconds(int rounds, const std::function<void()> &work)
{
    std::vector<double> all;
    for (int i = 0; i < rounds; ++i) {
        all.push_back(milliseconds(work));
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

struct Arrays {
    std::vector<double> xs;
    std::vector<std::int64_t> times;
    std::vector<double> values;
};

Arrays arraysOf(std::size_t count, const std::function<double(std::size_t)> &value, bool isTime = false)
{
    Arrays all;
    std::int64_t time = startOfRun;
    for (std::size_t i = 0; i < count; ++i) {
        time = isTime ? startOfRun + std::int64_t(i) * 1000 + std::int64_t(noiseSource() % 5)
                      : time + 90 + std::int64_t(noiseSource() % 20);
        all.xs.push_back(isTime ? double(time) : double(i));
        all.times.push_back(time);
        all.values.push_back(value(i));
    }
    return all;
}

double noisyLoss(std::size_t i) { return double(float(0.5 + 3 / (1 + double(i) / 1e4) + 0.1 * noise())); }

series::Series built(const Arrays &from)
{
    series::Series all;
    all.reserve(from.xs.size());
    constexpr std::size_t piece = series::mostRows; // as blocks of a file come
    for (std::size_t at = 0; at < from.xs.size(); at += piece) {
        const std::size_t count = std::min(piece, from.xs.size() - at);
        all.append({from.xs.data() + at, count}, {from.times.data() + at, count}, {from.values.data() + at, count});
    }
    return all;
}

// What a program without a pyramid does.
double walk(const Arrays &from, double low, double high, std::vector<series::Extent> &columns)
{
    columns.assign(pixels, {});
    const double scale = double(pixels) / (high - low);
    for (std::size_t i = 0; i < from.xs.size(); ++i) {
        if (from.xs[i] >= low && from.xs[i] <= high) {
            columns[std::min(pixels - 1, std::size_t((from.xs[i] - low) * scale))].add(from.values[i]);
        }
    }
    return columns[0].min;
}

bool views(std::size_t count)
{
    std::printf("\n== %zu points in memory, %zu columns of pixels ==\n", count, pixels);
    const Arrays from = arraysOf(count, noisyLoss);
    series::Series all;
    const double whole = medianMilliseconds(7, [&] { all = built(from); });
    series::Series single;
    const double one = milliseconds([&] {
        for (std::size_t i = 0; i < count; ++i) {
            single.append({from.xs[i], from.times[i], from.values[i]});
        }
    });
    std::printf("appended one by one: %.0f ms, %.1f million points/s\n", one, double(count) / one / 1000);
    series::ValueColumn values;
    const double pyramid = medianMilliseconds(7, [&] {
        values = {};
        values.reserve(count);
        values.append(from.values);
    });
    bool good = figure("the pyramid is built", pyramid, "ms", 100.0 * double(count) / 1e7);
    good = figure("memory of a point", double(all.memory()) / double(count), "bytes", 18) && good;
    std::printf("all columns and the pyramid are built: %.1f ms\n", whole);
    double slowest = 0, wholeWalk = 0;
    for (const double share : {1.0, 0.01, 0.0001}) {
        const double middle = double(count) * 0.37, half = double(count) * share / 2;
        const double low = share == 1 ? 0 : middle - half, high = share == 1 ? double(count - 1) : middle + half;
        std::size_t shown = 0;
        const double view = medianMilliseconds(51, [&] {
            const series::View seen = series::viewOf(all, series::evenEdges(low, high, pixels));
            shown = series::lineOf(seen).size();
        });
        std::vector<series::Extent> columns;
        double least = 0;
        const double naive = medianMilliseconds(3, [&] { least += walk(from, low, high, columns); });
        std::printf("view of %6.2f %%: %7.3f ms for %4zu points drawn; a walk over all %6.1f ms, %.0f times%s\n",
            share * 100, view, shown, naive, naive / view, std::isnan(least) ? " " : "");
        slowest = std::max(slowest, view);
        wholeWalk = share == 1 ? naive : wholeWalk;
    }
    good = figure("all columns and the pyramid, times a walk", whole / wholeWalk, "", 5) && good;
    good = figure("the slowest view", slowest, "ms", 5) && good;
    for (const double weight : {0.6, 0.9, 0.99, 0.999}) {
        const series::View seen = series::viewOf(all, series::evenEdges(0, double(count), pixels));
        double sum = 0;
        const double smooth
            = medianMilliseconds(7, [&] { sum += series::smoothedView(all, seen, weight).back().value; });
        const double naive = medianMilliseconds(3, [&] {
            double state = 0;
            for (const double value : from.values) {
                state = weight * state + (1 - weight) * value;
            }
            sum += state;
        });
        std::printf("smoothed with %.3f: %.2f ms; a walk over all %.1f ms%s\n", weight, smooth, naive,
            std::isnan(sum) ? " " : "");
    }
    const double best = medianMilliseconds(51, [&] { (void)all.smallest(); });
    const double mean = medianMilliseconds(7, [&] { (void)all.mean(0, double(count)); });
    std::printf("smallest: %.4f ms; mean of all: %.1f ms\n", best, mean);
    return good;
}

bool file(const std::string &folder, std::size_t count)
{
    std::printf("\n== a file of %zu points ==\n", count);
    const std::string path = folder + "/series";
    const Arrays from = arraysOf(count, noisyLoss);
    series::Error error;
    auto writer = series::Writer::open(path, error);
    if (!writer) {
        std::puts("cannot write there");
        return false;
    }
    const auto id = *writer->define({"loss"});
    const double written = milliseconds([&] {
        for (std::size_t i = 0; i < count; ++i) {
            writer->append(id, {from.xs[i], from.times[i], from.values[i]});
        }
        writer->flush();
    });
    const double bytes = double(writer->cursor().offset);
    std::printf(
        "written in %.0f ms, %.1f million points/s, %.1f MB\n", written, double(count) / written / 1000, bytes / 1e6);
    const double opened = medianMilliseconds(5, [&] {
        series::SeriesSet set(path);
        set.poll();
        (void)set.overview(0);
    });
    const double loaded = medianMilliseconds(3, [&] {
        series::SeriesSet set(path);
        set.poll();
        (void)set.series(0);
    });
    std::printf("opened and decoded, with its pyramid: %.0f ms\n", loaded);
    return figure("opened, count and extremes known", opened, "ms", 200);
}

bool sizes(const std::string &folder, std::size_t count)
{
    std::printf("\n== bytes of a point, x and time included; %zu points of each ==\n", count);
    double level = 60;
    const struct {
        const char *name;
        std::function<double(std::size_t)> value;
        bool isTime;
    } kinds[] = {
        {"constant", [](std::size_t) { return 0.1; }, false},
        {"smooth loss, float", [](std::size_t i) { return double(float(0.5 + 3 / (1 + double(i) / 1e4))); }, false},
        {"noisy loss, float", noisyLoss, false},
        {"noisy loss, as printed with 4 digits", [](std::size_t i) { return std::round(noisyLoss(i) * 1e4) / 1e4; },
            false},
        {"noisy loss, double", [](std::size_t) { return 0.5 + 0.1 * noise(); }, false},
        {"counter of steps", [](std::size_t i) { return double(i) * 16; }, false},
        {"GPU, per cent", [](std::size_t) { return 90 + std::floor(5 * noise()); }, true},
        {"temperature", [&level](std::size_t) { return level = std::clamp(level + std::round(noise()), 50.0, 80.0); },
            true},
        {"power, 0.01 W", [](std::size_t) { return std::round(30000 + 5000 * noise()) / 100; }, true},
    };
    double most = 0;
    for (const auto &kind : kinds) {
        double size[2] = {};
        double took = 0;
        const Arrays from = arraysOf(count, kind.value, kind.isTime);
        for (const std::size_t perFlush : {count, std::size_t(1)}) {
            const std::string path = folder + "/" + kind.name + (perFlush == 1 ? "1" : "");
            series::Error error;
            auto writer = series::Writer::open(path, error);
            const auto id = *writer->define({kind.name});
            const double now = milliseconds([&] {
                for (std::size_t i = 0; i < count; ++i) {
                    writer->append(id, {from.xs[i], from.times[i], from.values[i]});
                    if (perFlush == 1) {
                        writer->flush();
                    }
                }
                writer->flush();
            });
            size[perFlush == 1] = double(writer->cursor().offset) / double(count);
            took = perFlush == 1 ? took : now;
        }
        std::printf("%-38s %6.2f bytes (a flush for each point: %5.2f), %5.1f million points/s\n", kind.name, size[0],
            size[1], double(count) / took / 1000);
        most = std::max(most, size[0]);
    }
    bool good = figure("the largest", most, "bytes", 12);
    const std::size_t inRows = count / 10 * 10;
    // A step of a training program: ten metrics with one x and one time, flushed at once.
    series::Error error;
    auto writer = series::Writer::open(folder + "/rows", error);
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < 10; ++i) {
        ids.push_back(*writer->define({"metric/" + std::to_string(i)}));
    }
    const double took = milliseconds([&] {
        for (std::size_t i = 0; i < inRows / 10; ++i) {
            for (const std::uint32_t id : ids) {
                writer->append(id, {double(i), startOfRun + std::int64_t(i) * 500, noisyLoss(i)});
            }
            writer->flush();
        }
    });
    const double perPoint = double(writer->cursor().offset) / double(inRows);
    std::printf("ten metrics of a step, flushed after each: %.2f bytes, %.2f million points/s\n", perPoint,
        double(count) / took / 1000);
    good = figure("a point of ten that are flushed together", perPoint, "bytes", 12) && good;
    const double rewritten = milliseconds([&] { series::rewrite(writer); });
    std::printf("written anew in %.0f ms: %.2f bytes\n", rewritten, double(writer->cursor().offset) / double(inRows));
    return good;
}

// The values that a task reports in a file for a week, as its agent writes them: with how much of the file was taken.
bool week(const std::string &folder)
{
    constexpr std::int64_t weekMs = 7 * 86400000ll;
    struct Kind {
        const char *name;
        std::int64_t everyMs;
        int perFlush; // an agent looks every five seconds
        double most; // bytes of a value after it was rewritten
    };
    bool good = true;
    for (const Kind &kind : {Kind{"a value a minute", 60000, 1, 8}, Kind{"a value a second", 1000, 5, 6}}) {
        series::Error error;
        auto writer = series::Writer::open(folder + "/week", error);
        series::Info taken{"taken 0", series::Axis::Time, series::StepBack::Mixed}, hash = taken;
        hash.name = "hash 0";
        taken.onlyLast = hash.onlyLast = true;
        std::size_t count = 0;
        std::int64_t copied = 0;
        std::uint64_t appended = 0, before = 0;
        for (std::int64_t at = 0; at < weekMs; at += kind.everyMs * kind.perFlush) {
            const std::int64_t now = startOfRun + at + std::int64_t(noiseSource() % 50);
            for (int i = 0; i < kind.perFlush; ++i, ++count) {
                writer->append(*writer->define({"0 loss"}), {double(count), now, noisyLoss(count)});
            }
            writer->append(*writer->define(taken), {double(now), now, double(count)});
            writer->append(*writer->define(hash), {double(now), now, double(noiseSource() >> 16)});
            writer->flush();
            appended += writer->cursor().offset - before;
            if (writer->isWorthRewriting()) {
                series::rewrite(writer);
                copied += std::int64_t(writer->cursor().offset);
            }
            before = writer->cursor().offset;
        }
        const auto perValue = [count](double bytes) { return bytes / double(count); };
        std::printf("%s for a week: %.1f bytes as appended, %.1f with rewriting; copied anew: %.1f\n", kind.name,
            perValue(double(appended)), perValue(double(before)), perValue(double(copied)));
        series::rewrite(writer);
        good = figure(kind.name, perValue(double(writer->cursor().offset)), "bytes", kind.most) && good;
        writer.reset();
        std::filesystem::remove(folder + "/week");
    }
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    std::size_t count = 10000000;
    if (argc == 3 && std::strcmp(argv[1], "--points") == 0) {
        count = std::size_t(std::max(10000LL, std::atoll(argv[2])));
    } else if (argc > 1) {
        std::puts("Usage: bench_series [--points N]\nExit status 1 when a bound is missed.");
        return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    std::string folder = "/var/tmp/tybXXXXXX";
    if (!::mkdtemp(folder.data())) {
        std::puts("cannot write to /var/tmp");
        return 2;
    }
    double load[3] = {};
    ::getloadavg(load, 3);
    std::printf("load: %.2f %.2f %.2f\n", load[0], load[1], load[2]);
    bool good = views(count);
    good = file(folder, count) && good;
    good = sizes(folder, std::min<std::size_t>(count, 200000)) && good;
    good = week(folder) && good;
    std::filesystem::remove_all(folder);
    return good ? 0 : 1;
}
