// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/barcount.h"

#include "engine/metrics/numbers.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

std::optional<BarCount> countAt(std::string_view text, std::size_t begin)
{
    const auto one = [&](std::size_t &i, double &value, bool &bytes) {
        std::size_t end = i;
        while (isDigit(at(text, end)) || (at(text, end) == '.' && isDigit(at(text, end + 1)))) {
            ++end;
        }
        const std::optional<Number> parsed = wholeNumber(text.substr(i, end - i));
        if (!parsed || end == i) {
            return false;
        }
        value = parsed->value;
        double scale = 1;
        switch (at(text, end)) {
        case 'k':
        case 'K':
            scale = 1e3;
            break;
        case 'M':
            scale = 1e6;
            break;
        case 'G':
            scale = 1e9;
            break;
        default:
            break;
        }
        if (scale > 1) {
            ++end;
            bytes = scale >= 1e6 || at(text, end) == 'B' || at(text, end) == 'i';
            while (at(text, end) == 'i' || at(text, end) == 'B') {
                ++end;
            }
        } else if (at(text, end) == 'B') {
            bytes = true;
            ++end;
        }
        value *= scale;
        i = end;
        return true;
    };
    BarCount count;
    std::size_t i = begin;
    bool bytes = false;
    if (!one(i, count.at, bytes)) {
        return {};
    }
    if (at(text, i) != '/') {
        return {};
    }
    ++i;
    if (text.substr(i).starts_with("Unknown")) {
        count.end = i + 7;
        return count;
    }
    if (at(text, i) == '?') {
        count.end = i + 1;
        return count;
    }
    double total = 0;
    if (!one(i, total, bytes) || isWord(at(text, i))) {
        return {};
    }
    count.total = total;
    count.isBytes = bytes;
    count.end = i;
    return count;
}

} // namespace trainyard::metrics
