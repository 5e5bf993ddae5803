// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics in outputs of a hundred thousand lines of each common kind: the time of the processor for a line, beside
// that of a walk that reads every number in the same text and nothing else. Medians count.
#include "engine/metrics/outputreader.h"
#include "tests/bench/figure.h"
#include "tests/helpers/processortime.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

using namespace trainyard;

namespace
{

struct Kind {
    const char *name;
    std::function<std::string(int)> line; // of a number
    double mostMicroseconds;
    bool hasPoints = true;
};

std::string fraction(int i, int digits = 4)
{
    std::string text = std::to_string(1000000 + (i * 7919LL) % 1000000);
    return "0." + text.substr(1, static_cast<std::size_t>(digits));
}

std::vector<Kind> kinds()
{
    const auto n = [](auto number) { return std::to_string(number); };
    return {
        {"names and values",
            [n](int i) {
                return "step " + n(i) + " loss: " + fraction(i) + " acc: " + fraction(i + 1) + " lr: 0.0001\n";
            },
            2.4},
        {"with a logger in front",
            [n](int i) {
                return "2024-05-01 10:" + n(10 + i / 60 % 50) + ':' + n(10 + i % 50)
                    + ",123 INFO train.py:123 - epoch 3 step " + n(i) + "/200000 loss=" + fraction(i) + " lr=1e-4\n";
            },
            2.4},
        {"dictionaries",
            [n](int i) {
                return "{'loss': " + fraction(i) + ", 'grad_norm': 1." + n(i % 90 + 10)
                    + ", 'learning_rate': 4.9e-05, 'epoch': " + n(i / 1000) + '.' + n(i % 1000 + 1000).substr(1)
                    + "}\n";
            },
            2.4},
        {"states of a bar",
            [n](int i) {
                return "\r " + n(i / 1000) + "%|\342\226\210\342\226\210\342\226\214   | " + n(i)
                    + "/100000 [00:12<00:15, 36.11it/s, loss=" + fraction(i) + "]";
            },
            3.5},
        {"rows of a table",
            [n](int i) {
                return (i == 0 ? "epoch,train_loss,val_loss,lr\n" : std::string()) + n(i) + ',' + fraction(i) + ','
                    + fraction(i + 3) + ",0.001\n";
            },
            2.4},
        {"steps of an epoch",
            [n](int i) {
                return "Train Epoch: " + n(i / 1000) + " [" + n(i % 1000 * 64) + "/64000 (" + n(i % 1000 / 10)
                    + "%)]\tLoss: " + fraction(i, 6) + '\n';
            },
            2.4},
        {"numbers that are no metrics",
            [n](int i) { return "Copied shard-" + n(i) + ".tar (35 MB) of 120 to /data/cache/" + n(i % 10) + '\n'; },
            2.4, false},
        {"words", [](int) { return std::string("Loading the checkpoint shards of the model from the disk\n"); }, 0.5,
            false},
    };
}

double sumOfNumbers(std::string_view text)
{
    double sum = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] < '0' || text[i] > '9') {
            ++i;
            continue;
        }
        double value = 0;
        const char *end = std::from_chars(text.data() + i, text.data() + text.size(), value).ptr;
        sum += value;
        i = static_cast<std::size_t>(end - text.data());
    }
    return sum;
}

double medianMs(const std::function<void()> &work)
{
    std::vector<double> all;
    for (int round = 0; round < 5; ++round) {
        const double begin = processortime::processMs();
        work();
        all.push_back(processortime::processMs() - begin);
    }
    return processortime::median(all);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1) {
        std::puts("Usage: bench_output\nExit status 1 when a bound is missed.");
        return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    double load[3] = {};
    ::getloadavg(load, 3);
    std::printf("load: %.2f %.2f %.2f\n", load[0], load[1], load[2]);
    constexpr int lines = 100000;
    bool good = true;
    for (const Kind &kind : kinds()) {
        std::string text;
        for (int i = 0; i < lines; ++i) {
            text += kind.line(i);
        }
        std::size_t points = 0;
        const double ours = medianMs([&] {
            metrics::OutputReader reader;
            points = 0;
            constexpr std::size_t piece = 64 << 10; // as they come
            for (std::size_t at = 0; at < text.size(); at += piece) {
                reader.feed(std::string_view(text).substr(at, piece));
                points += reader.takePoints().size();
            }
            reader.finish();
            points += reader.takePoints().size();
        });
        double sum = 0;
        const double walk = medianMs([&] { sum += sumOfNumbers(text); });
        if ((points >= lines) != kind.hasPoints) {
            std::printf("%s: %zu points were found\n", kind.name, points);
            good = false;
        }
        std::printf("%-28s %5.1f MB, %6zu points; a walk over its numbers %5.2f us a line%s\n", kind.name,
            double(text.size()) / 1e6, points, walk * 1000 / lines, sum < 0 ? " " : "");
        good = figure(kind.name, ours * 1000 / lines, "us a line", kind.mostMicroseconds) && good;
    }
    return good ? 0 : 1;
}
