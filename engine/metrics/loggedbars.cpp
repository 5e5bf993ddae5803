// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/loggedbars.h"

#include "engine/metrics/barcount.h"
#include "engine/metrics/numbers.h"
#include "engine/metrics/textline.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

// Behind "12.5": how many ones it is in thousands, "1.2kit", and the unit.
std::optional<double> countWithUnit(std::string_view text)
{
    std::size_t end = 0;
    while (isDigit(at(text, end)) || at(text, end) == '.') {
        ++end;
    }
    const std::optional<Number> number = wholeNumber(text.substr(0, end));
    if (!number) {
        return {};
    }
    switch (at(text, end)) {
    case 'k':
        return number->value * 1e3;
    case 'M':
        return number->value * 1e6;
    default:
        return number->value;
    }
}

// A bar for logs: "Progress on:train 10.0it/10.0kit rate:1.2it/s remaining:2:30:00 elapsed:00:08 postfix:loss=3.4"
std::optional<Bar> loggedBar(std::string_view line)
{
    constexpr std::string_view beginning = "Progress on:", rate = " rate:", left = " remaining:", behind = " postfix:";
    const std::size_t end = line.find(rate);
    if (!line.starts_with(beginning) || end == std::string_view::npos) {
        return {};
    }
    const std::string_view before = line.substr(beginning.size(), end - beginning.size());
    const std::size_t blank = before.rfind(' ');
    const std::string_view counts = blank == std::string_view::npos ? before : before.substr(blank + 1);
    const std::size_t slash = counts.find('/');
    const std::optional<double> done = countWithUnit(counts.substr(0, slash));
    if (!done) {
        return {};
    }
    Bar bar;
    bar.before = trimmed(before.substr(0, before.size() - counts.size()));
    bar.at = *done;
    bar.total = slash == std::string_view::npos ? std::nullopt : countWithUnit(counts.substr(slash + 1));
    const std::string_view values = line.substr(end);
    if (const std::size_t time = values.find(left); time != std::string_view::npos) {
        bar.secondsLeft = durationAt(values, time + left.size());
    }
    if (const std::size_t found = values.find(behind); found != std::string_view::npos) {
        bar.behind = values.substr(found + behind.size());
    }
    return bar;
}

// "Epoch 1/5 : |###---| 45.00% [45/100 00:03<00:04 2.3]", "12.50% [1000/8000 00:01<00:09 Sampling]"
std::optional<Bar> shareBeforeCounts(std::string_view line)
{
    for (std::size_t sign = line.find("% ["); sign != std::string_view::npos; sign = line.find("% [", sign + 1)) {
        std::size_t digits = sign;
        while (digits > 0 && (isDigit(line[digits - 1]) || line[digits - 1] == '.')) {
            --digits;
        }
        const std::optional<Number> share = wholeNumber(line.substr(digits, sign - digits));
        const std::optional<BarCount> count = countAt(line, sign + 3);
        if (!share || !count || !count->total || at(line, count->end) != ' ') {
            continue;
        }
        std::size_t end = 0;
        if (!durationAt(line, count->end + 1, &end) || at(line, end) != '<') {
            continue;
        }
        Bar bar;
        bar.before = trimmed(line.substr(0, std::min(digits, line.find('|'))));
        bar.at = count->at;
        bar.total = count->total;
        bar.fraction = share->value / 100;
        bar.countsBytes = count->isBytes;
        bar.secondsLeft = durationAt(line, end + 1);
        return bar;
    }
    return {};
}

bool isDrawing(std::string_view text)
{
    constexpr std::size_t shortest = 8;
    return text.size() >= shortest && text.find_first_not_of("=>-#. ") == std::string_view::npos
        && text.find_first_of("=>-#") != std::string_view::npos;
}

bool tellsMetric(std::string_view text)
{
    Record record;
    readText(text, record);
    return std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        return pair.kind == NameKind::Metric || (pair.kind == NameKind::Faint && !pair.isWhole);
    });
}

// "Processing |#####     | (45/100) Data: 0.012s | Loss: 0.5"
std::optional<Bar> drawnBetweenBars(std::string_view line)
{
    const std::size_t open = line.find('|'), close = line.find('|', std::min(open, line.size() - 1) + 1);
    if (open == std::string_view::npos || close == std::string_view::npos
        || !isDrawing(line.substr(open + 1, close - open - 1))) {
        return {};
    }
    std::size_t begin = skipBlanks(line, close + 1);
    begin += at(line, begin) == '(' ? 1 : 0;
    const std::optional<BarCount> count = isDigit(at(line, begin)) ? countAt(line, begin) : std::nullopt;
    if (!count || !count->total || count->isBytes || isLetter(at(line, count->end))) {
        return {};
    }
    Bar bar;
    bar.before = trimmed(line.substr(0, open));
    bar.at = count->at;
    bar.total = count->total;
    bar.behind = line.substr(count->end + (at(line, count->end) == ')' ? 1 : 0));
    if (const std::size_t left = bar.behind.find("ETA: "); left != std::string_view::npos) {
        bar.secondsLeft = durationAt(bar.behind, left + 5);
    }
    return tellsMetric(bar.behind) ? std::optional(bar) : std::nullopt;
}

// "[===>.....] 45/100 Loss: 0.5" and "[===>.....]  Loss: 0.5 | Acc: 0.7 45/100"; only with a metric, because files are
// counted in the same way.
std::optional<Bar> drawnInBrackets(std::string_view line)
{
    if (std::optional<Bar> bar = drawnBetweenBars(line)) {
        return bar;
    }
    const std::size_t open = line.find('['), close = line.find(']', std::min(open, line.size()));
    if (open == std::string_view::npos || close == std::string_view::npos
        || !isDrawing(line.substr(open + 1, close - open - 1))) {
        return {};
    }
    while (!line.empty() && isBlank(line.back())) {
        line.remove_suffix(1);
    }
    const std::size_t next = skipBlanks(line, close + 1), last = line.rfind(' ') + 1;
    std::optional<BarCount> count = isDigit(at(line, next)) ? countAt(line, next) : std::nullopt;
    Bar bar;
    if (count) {
        bar.behind = line.substr(count->end);
    } else if (last > close && isDigit(at(line, last))) {
        count = countAt(line, last);
        bar.behind = line.substr(close + 1, last - close - 1);
    }
    if (!count || !count->total || count->isBytes || isLetter(at(line, count->end)) || !tellsMetric(bar.behind)) {
        return {};
    }
    bar.before = trimmed(line.substr(0, open));
    bar.at = count->at;
    bar.total = count->total;
    return bar;
}

} // namespace

std::optional<Bar> barOfLog(std::string_view line)
{
    std::optional<Bar> bar = loggedBar(line);
    bar = bar ? bar : shareBeforeCounts(line);
    return bar ? bar : drawnInBrackets(line);
}

} // namespace trainyard::metrics
