// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/bars.h"

#include "engine/metrics/barcount.h"
#include "engine/metrics/loggedbars.h"
#include "engine/metrics/numbers.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <string>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

constexpr std::string_view heavy = "\xE2\x94\x81"; // ━
constexpr std::string_view heavyEnd = "\xE2\x95\xB8"; // ╸
constexpr std::string_view heavyStart = "\xE2\x95\xBA"; // ╺
constexpr std::string_view light = "\xE2\x94\x80"; // ─

// "12%|###   | 12/28 [00:24<00:33,  2.1s/it, loss=0.4]"
std::optional<Bar> tqdmBar(std::string_view line)
{
    std::size_t from = 0;
    for (;;) {
        const std::size_t percent = line.find('%', from);
        if (percent == std::string_view::npos) {
            break;
        }
        from = percent + 1;
        const bool drawn = at(line, from) == '|';
        const std::size_t close
            = drawn ? line.find('|', from + 1) : percent; // without a bar: "100% 28/28 [00:05<00:00"
        if (close == std::string_view::npos || (!drawn && at(line, from) != ' ')) {
            continue;
        }
        const std::optional<BarCount> count = countAt(line, skipBlanks(line, close + 1));
        if (!drawn && (!count || line.substr(count->end, 2) != " [")) {
            continue;
        }
        std::size_t digits = percent;
        while (digits > 0 && (isDigit(line[digits - 1]) || line[digits - 1] == '.')) {
            --digits;
        }
        const std::optional<Number> value = wholeNumber(line.substr(digits, percent - digits));
        if (!count || !value) {
            continue;
        }
        Bar bar;
        bar.before = trimmed(line.substr(0, digits));
        bar.at = count->at;
        bar.total = count->total;
        bar.fraction = value->value / 100;
        bar.countsBytes = count->isBytes;
        std::size_t i = skipBlanks(line, count->end);
        // "12.0/28.0 steps [": a unit
        while (isLetter(at(line, i)) && i < count->end + 16) {
            ++i;
        }
        i = skipBlanks(line, i);
        if (at(line, i) == '[') {
            // The last bracket closes it; without one, the state was cut off.
            std::size_t end = line.rfind(']');
            if (end == std::string_view::npos || end < i) {
                end = line.size();
            }
            std::string_view inside = line.substr(i + 1, end - i - 1);
            const std::size_t left = inside.find('<');
            std::size_t comma = inside.find(',');
            if (left != std::string_view::npos
                && (comma == std::string_view::npos || left < comma || inside.find("day") < comma)) {
                bar.secondsLeft = durationAt(inside, left + 1);
                comma = inside.find(',', left);
                if (inside.substr(left).starts_with("<") && comma != std::string_view::npos
                    && trimmed(inside.substr(left + 1, comma - left - 1)).ends_with("day")) {
                    comma = inside.find(',', comma + 1);
                }
            }
            // What follows the time and the rate.
            const std::size_t second
                = comma == std::string_view::npos ? std::string_view::npos : inside.find(',', comma + 1);
            const std::string_view rate = comma == std::string_view::npos
                ? std::string_view()
                : trimmed(inside.substr(comma + 1, second == std::string_view::npos ? second : second - comma - 1));
            bar.countsBytes = bar.countsBytes || rate.ends_with("B/s");
            if (comma != std::string_view::npos && rate.find('=') != std::string_view::npos) {
                bar.behind = inside.substr(comma + 1);
            } else if (second != std::string_view::npos) {
                bar.behind = inside.substr(second + 1);
            }
            if (end + 1 < line.size()) {
                bar.rest = trimmed(line.substr(end + 1));
            }
        }
        return bar;
    }
    return {};
}

constexpr bool isHeavy(std::string_view text)
{
    return text.starts_with(heavy) || text.starts_with(heavyEnd) || text.starts_with(heavyStart)
        || text.starts_with(light);
}

std::size_t pastHeavy(std::string_view text, std::size_t i)
{
    while (i < text.size() && (isHeavy(text.substr(i)) || isBlank(text[i]))) {
        i += isBlank(text[i]) ? 1U : 3U;
    }
    return i;
}

// "640: 100% ━━━━━━ 409/409 1.5it/s 4:25<0:10"
std::optional<Bar> percentBar(std::string_view line)
{
    const std::size_t bar = std::min(line.find(heavy), line.find(heavyStart));
    if (bar == std::string_view::npos) {
        return {};
    }
    std::size_t percent = bar;
    while (percent > 0 && isBlank(line[percent - 1])) {
        --percent;
    }
    if (percent == 0 || line[percent - 1] != '%') {
        return {};
    }
    --percent;
    std::size_t digits = percent;
    while (digits > 0 && isDigit(line[digits - 1])) {
        --digits;
    }
    const std::optional<Number> value = wholeNumber(line.substr(digits, percent - digits));
    const std::optional<BarCount> count = countAt(line, pastHeavy(line, bar));
    if (!value || !count) {
        return {};
    }
    Bar found;
    found.before = trimmed(line.substr(0, digits));
    found.at = count->at;
    found.total = count->total;
    found.fraction = value->value / 100;
    found.countsBytes = count->isBytes;
    const std::size_t left = line.find('<', count->end);
    if (left != std::string_view::npos) {
        found.secondsLeft = durationAt(line, left + 1);
    }
    return found;
}

// "Training ━━━━ 25% 0:00:30": of a work that trains
std::optional<Bar> shareBar(std::string_view line, std::size_t drawn)
{
    const std::size_t begin = pastHeavy(line, drawn);
    std::size_t end = begin;
    while (isDigit(at(line, end)) || at(line, end) == '.') {
        ++end;
    }
    const std::optional<Number> share = wholeNumber(line.substr(begin, end - begin));
    const std::string before = lowered(trimmed(line.substr(0, drawn)));
    const bool trains = before.find("train") != std::string::npos || before.find("epoch") != std::string::npos
        || before.find("step") != std::string::npos || before.find("iter") != std::string::npos;
    if (!share || at(line, end) != '%' || share->value > 100 || !trains) {
        return {};
    }
    Bar bar;
    bar.before = trimmed(line.substr(0, drawn));
    bar.at = share->value;
    bar.total = 100;
    bar.fraction = share->value / 100;
    bar.secondsLeft = durationAt(line, end + 1);
    return bar;
}

// "Epoch 0/9 ━━━━ 28/28 0:00:10 • 0:00:00 2.8it/s v_num: 0 loss: 0.4"
std::optional<Bar> richBar(std::string_view line)
{
    const std::size_t drawn = std::min(line.find(heavy), line.find(heavyStart));
    if (drawn == std::string_view::npos || drawn == 0) {
        return {};
    }
    const std::optional<BarCount> count = countAt(line, pastHeavy(line, drawn));
    if (!count) {
        return shareBar(line, drawn);
    }
    Bar bar;
    bar.before = trimmed(line.substr(0, drawn));
    bar.at = count->at;
    bar.total = count->total;
    bar.countsBytes = count->isBytes || at(line, count->end + 2) == 'B';
    const std::string_view behind = line.substr(count->end);
    constexpr std::string_view point = "\xE2\x80\xA2"; // between the time taken and the time left
    if (const std::size_t left = behind.find(point); left != std::string_view::npos) {
        bar.secondsLeft = durationAt(behind, left + point.size());
    }
    const std::size_t rate = behind.find("it/s");
    if (rate != std::string_view::npos) {
        bar.behind = behind.substr(rate + 4);
    }
    return bar;
}

// " 12/28 [===>....] - ETA: 5s - loss: 0.4", "28/28 ━━━━ 20s 13ms/step - loss: 0.4", "28/28 - 20s - loss: 0.4"
std::optional<Bar> kerasBar(std::string_view line)
{
    std::size_t begin = skipBlanks(line, 0);
    if (line.substr(begin).starts_with("step ")) { // Paddle
        begin = skipBlanks(line, begin + 5);
    }
    if (!isDigit(at(line, begin))) {
        return {};
    }
    const std::optional<BarCount> count = countAt(line, begin);
    if (!count || count->isBytes) {
        return {};
    }
    std::size_t i = skipBlanks(line, count->end);
    Bar bar;
    bar.isOfKeras = true;
    bar.at = count->at;
    bar.total = count->total;
    if (at(line, i) == '[') {
        const std::size_t close = line.find(']', i);
        if (close == std::string_view::npos
            || line.substr(i + 1, close - i - 1).find_first_not_of("=>.-#") != std::string_view::npos) {
            return {};
        }
        i = close + 1;
    } else if (isHeavy(line.substr(i))) {
        i = pastHeavy(line, i);
    } else if (at(line, i) == '-' && isBlank(at(line, i + 1))) {
        // Without a bar it needs its time: "28/28 - 20s - loss: 0.4".
        const std::size_t time = skipBlanks(line, i + 1);
        std::size_t end = 0;
        if (!line.substr(time).starts_with("ETA") && !durationAt(line, time, &end)) {
            return {};
        }
    } else {
        return {};
    }
    std::string_view behind = line.substr(i);
    // The time left or taken, up to the first " - ". An ETA further behind is left of an older state.
    const std::size_t dash = behind.find(" - ");
    const std::size_t first = behind.find_first_not_of(" -");
    if (first != std::string_view::npos && behind.substr(first).starts_with("ETA:")) {
        bar.saysTimeLeft = true;
        bar.secondsLeft = durationAt(behind, first + 4);
    }
    if (first != std::string_view::npos && isDigit(behind[first])) {
        const std::size_t next = behind.find(" - ", first);
        if (!bar.saysTimeLeft && count->total && count->at < *count->total) {
            bar.secondsLeft = durationAt(behind, first); // Keras 3 shows the time left without a name
        }
        behind = next == std::string_view::npos ? std::string_view() : behind.substr(next);
    } else if (dash == std::string_view::npos && !bar.saysTimeLeft) {
        behind = {};
    }
    bar.behind = behind.substr(0, behind.find("    ")); // what follows is left of an older state
    // "loss: 0.5[3] lr 0.1 ...": a line of the program, which does not begin one of its own
    for (std::size_t open = bar.behind.find('['); open != std::string_view::npos;
         open = bar.behind.find('[', open + 1)) {
        if (open > 0 && isDigit(bar.behind[open - 1]) && isDigit(at(bar.behind, open + 1))) {
            bar.rest = bar.behind.substr(open);
            bar.behind = bar.behind.substr(0, open);
            break;
        }
    }
    return bar;
}

// "123it [00:05, 24.1it/s, loss=0.3]"
std::optional<Bar> endlessBar(std::string_view line)
{
    const std::size_t unit = line.find("it [");
    if (unit == std::string_view::npos || unit == 0) {
        return {};
    }
    std::size_t digits = unit;
    while (digits > 0 && isDigit(line[digits - 1])) {
        --digits;
    }
    const std::optional<Number> value = wholeNumber(line.substr(digits, unit - digits));
    if (!value || !isDigit(at(line, unit + 4))) {
        return {};
    }
    Bar bar;
    bar.before = trimmed(line.substr(0, digits));
    bar.at = value->value;
    const std::size_t rate = line.find(',', unit);
    const std::size_t postfix = rate == std::string_view::npos ? rate : line.find(',', rate + 1);
    if (postfix != std::string_view::npos) {
        const std::size_t end = std::min(line.rfind(']'), line.size());
        bar.behind = line.substr(postfix + 1, end > postfix ? end - postfix - 1 : 0);
    }
    return bar;
}

} // namespace

std::optional<Bar> findBar(std::string_view line)
{
    if (std::optional<Bar> bar = tqdmBar(line)) {
        return bar;
    }
    if (std::optional<Bar> bar = percentBar(line)) {
        return bar;
    }
    if (std::optional<Bar> bar = kerasBar(line)) {
        return bar;
    }
    if (std::optional<Bar> bar = richBar(line)) {
        return bar;
    }
    if (std::optional<Bar> bar = barOfLog(line)) {
        return bar;
    }
    return endlessBar(line);
}

bool isSideWork(std::string_view description)
{
    const std::string text = lowered(description);
    for (const std::string_view word : {"download"sv, "loading"sv, "tokeniz"sv, "map"sv, "filter"sv, "fetching"sv,
             "saving"sv, "resolving"sv, "generating"sv, "sanity"sv, "capturing"sv, "extract"sv, "unpack"sv, "upload"sv,
             "caching"sv, "scanning"sv, "reading"sv, "writing"sv, "shards"sv, "files"sv, "compil"sv, "convert"sv,
             "flatten"sv, "packing"sv, "pulling"sv, "building"sv, "collecting"sv, "preprocess"sv, "warmup"sv,
             "warming"sv, "indexing"sv, "importing"sv, "decoding"sv, "creating"sv}) {
        if (text.find(word) != std::string::npos) {
            return true;
        }
    }
    return false;
}

} // namespace trainyard::metrics
