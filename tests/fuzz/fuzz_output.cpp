// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the output of a training program: no crash, and what is read in pieces is what is read at once.
#include "engine/metrics/outputreader.h"
#include "tests/fuzz/textfuzz.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace metrics = trainyard::metrics;

namespace
{

constexpr std::string_view words[] = {"\n", "\r", " ", "  ", "\t", ": ", ":", "=", ", ", ",", "|", "│", "-", " - ", "/",
    "[", "]", "(", ")", "{", "}", "'", "\"", "%", "0.5", "1e-3", "12", "3/10", "100", "nan", "inf", "-1.25", "0",
    "loss", "train_loss", "val_loss", "acc", "accuracy", "Epoch", "epoch", "step", "iter", "batch", "lr", "eta", "INFO",
    "WARNING", "[rank0]:", "[1,0]<stdout>:", "(pid=12)", "2024-05-01 10:00:00,123", "10:00:00",
    "I0224 00:32:03.396482   655 a.cpp:280] ", "Nov 23 21:22:01 host python[12]:", "root:", "trainer-1", "rank 0",
    "epoch 1/3:  50%|█████     | 5/10 [00:01<00:02, 3.1it/s, loss=0.5]", "━━━━━━",
    "10/10 ━━━━━━ 1s 5ms/step - loss: 0.5", "\x1b[1m", "\x1b[A", "\x1b[2K", "\b", "┏━┳━┓", "┃ loss ┃", "└─┴─┘",
    "+---+---+", "=====", "-----", "Results", "class", "all", "map", "tensor(0.25)", "None", "True", "it/s", "s/it",
    "ms", "GB", "train", "valid", "eval", "best", "\xff", "\xe2\x94", "."};

struct Given {
    std::string name;
    std::uint64_t step = 0, value = 0, line = 0;
    friend bool operator==(const Given &, const Given &) = default;
};

std::vector<Given> given(metrics::OutputReader &reader)
{
    std::vector<Given> all;
    for (const metrics::Point &point : reader.takePoints()) {
        all.push_back({point.name, std::bit_cast<std::uint64_t>(point.step.value_or(-1)),
            std::bit_cast<std::uint64_t>(point.value), point.line});
    }
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string text = trainyard::fuzz::textOf(data, size, words);
    metrics::OutputReader whole, pieces;
    whole.feed(text);
    whole.finish();
    const std::size_t length = size == 0 ? 1 : 1 + data[size / 2] % 17;
    for (std::size_t at = 0; at < text.size(); at += length) {
        pieces.feed(std::string_view(text).substr(at, length));
    }
    pieces.finish();
    if (given(whole) != given(pieces) || whole.progress() != pieces.progress()) {
        std::abort();
    }
    return 0;
}
