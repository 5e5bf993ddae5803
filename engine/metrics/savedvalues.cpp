// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/savedvalues.h"

#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

// "saved (" in front of the first value, with nothing between them that begins another sentence
bool isInParenthesesOfSaved(std::string_view text, const Pair &first)
{
    const std::size_t name = text.find(first.name);
    if (name == std::string_view::npos) {
        return false;
    }
    const std::string before = lowered(text.substr(0, name));
    const std::size_t word = before.rfind(" sav");
    const std::string_view saving = std::string_view(before).substr(std::min(word, before.size()));
    return (saving.starts_with(" saved ") || saving.starts_with(" saving "))
        && saving.find('(') != std::string_view::npos && saving.find_first_of("!;|)") == std::string_view::npos
        && saving.find(". ") == std::string_view::npos;
}

} // namespace

void leaveOutSaved(std::string_view text, Record &record)
{
    if (record.pairs.empty()) {
        return;
    }
    if (const std::string verb = lowered(text.substr(0, text.find(' '))); verb == "saved" || verb == "saving") {
        std::erase_if(record.pairs, [](const Pair &pair) { return !pair.isJoined; });
    } else if (record.steps.empty() && isInParenthesesOfSaved(text, record.pairs.front())) {
        record.pairs.clear();
    }
}

} // namespace trainyard::metrics
