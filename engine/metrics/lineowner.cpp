// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/lineowner.h"

#include "engine/metrics/namememo.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <iterator>

namespace trainyard::metrics
{

bool beginsWithStep(std::string_view text)
{
    constexpr std::size_t leastLetters = 4; // "it 5" and "ep 5" are too short to be sure
    std::size_t end = 0;
    while (isLetter(at(text, end))) {
        ++end;
    }
    if (end < leastLetters || !stepName(text.substr(0, end))) {
        return false;
    }
    std::size_t i = skipBlanks(text, end);
    while (at(text, i) == ':' || at(text, i) == '=' || at(text, i) == '[' || at(text, i) == '#') {
        i = skipBlanks(text, i + 1);
    }
    return isDigit(at(text, i));
}

std::size_t ownerAt(std::string_view text)
{
    constexpr std::string_view owners[] = {"rank", "worker", "gpu", "cuda", "device", "node", "host", "process", "proc",
        "replica", "shard", "client", "agent", "actor", "fold", "split", "seed", "run", "trial", "model", "net"};
    const std::size_t letters = lettersEnd(text, 0);
    static thread_local constinit NameMemo<bool> known;
    const bool isOwner = known.of(text.substr(0, letters), [&owners](std::string_view asked) {
        const std::string word = lowered(asked);
        return std::find(std::begin(owners), std::end(owners), word) != std::end(owners);
    });
    if (!isOwner) {
        return 0;
    }
    const auto endOfWord = [text](std::size_t i) {
        while (isWord(at(text, i)) || at(text, i) == '.' || at(text, i) == '-') {
            ++i;
        }
        return i;
    };
    std::size_t end = endOfWord(letters);
    if (end == letters) { // the number or name is a word of its own
        const std::size_t next = skipBlanks(text, end + (at(text, end) == '=' || at(text, end) == '#' ? 1 : 0));
        end = endOfWord(next);
        if (end == next || next == letters) {
            return 0;
        }
    } else if (!isDigit(text[end - 1])) {
        return 0;
    }
    if (at(text, end) == ',' || at(text, end) == ':') {
        ++end;
    }
    return isBlank(at(text, end)) && beginsWithStep(text.substr(skipBlanks(text, end))) ? end : 0;
}

} // namespace trainyard::metrics
