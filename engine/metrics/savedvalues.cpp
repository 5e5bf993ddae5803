// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/savedvalues.h"

#include "engine/metrics/words.h"

#include <algorithm>
#include <array>
#include <span>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

constexpr std::array saved{"saved"sv, "saving"sv};
// What these tell of was printed in an earlier run, or long before.
constexpr std::array otherTimes{"loaded"sv, "loading"sv, "restored"sv, "restoring"sv, "resumed"sv, "resuming"sv,
    "removed"sv, "removing"sv, "deleted"sv, "deleting"sv};

constexpr std::array skipped{"skipping"sv, "skipped"sv, "ignoring"sv, "ignored"sv, "discarding"sv, "discarded"sv,
    "rejecting"sv, "rejected"sv, "dropping"sv, "dropped"sv, "excluding"sv, "excluded"sv};

// "saved (" in front of the first value, with nothing between them that begins another sentence
bool isInParenthesesOf(std::span<const std::string_view> verbs, std::string_view text, const Pair &first)
{
    const std::size_t name = text.find(first.name);
    const std::string before = lowered(text.substr(0, name == std::string_view::npos ? 0 : name));
    for (std::size_t i = 0; i < before.size(); i = lettersEnd(before, i) + 1) {
        const std::string_view word = std::string_view(before).substr(i, lettersEnd(before, i) - i);
        if (std::find(verbs.begin(), verbs.end(), word) == verbs.end()) {
            continue;
        }
        std::string_view behind = std::string_view(before).substr(i);
        if (constexpr std::string_view shout = "! ("; behind.substr(word.size()).starts_with(shout)) {
            behind.remove_prefix(word.size() + 1); // "Best model saved! (loss: 0.5)"
        }
        return behind.find('(') != std::string_view::npos && behind.find_first_of("!;|)") == std::string_view::npos
            && behind.find(". ") == std::string_view::npos;
    }
    return false;
}

// "Skipping batch 12 with loss 3.2": what was not used belongs to no curve; "skipped: 0.25" is a name with its value.
bool tellsOfSkipped(std::string_view text, std::string_view verb)
{
    const std::string_view behind = text.substr(std::min(text.size(), skipBlanks(text, verb.size())));
    return std::find(skipped.begin(), skipped.end(), verb) != skipped.end() && isLetter(at(behind, 0));
}

} // namespace

void leaveOutSaved(std::string_view text, Record &record)
{
    if (record.pairs.empty()) {
        return;
    }
    if (const std::string verb = lowered(text.substr(0, text.find(' '))); verb == "saved" || verb == "saving") {
        std::erase_if(record.pairs, [](const Pair &pair) { return !pair.isJoined; });
    } else if (tellsOfSkipped(text, verb)) {
        record.pairs.clear();
        record.steps.clear();
    } else if ((record.steps.empty() && isInParenthesesOf(saved, text, record.pairs.front()))
        || isInParenthesesOf(otherTimes, text, record.pairs.front())) {
        record.pairs.clear();
    }
}

} // namespace trainyard::metrics
