// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/losses.h"

#include "model/sweep/lowerwords.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace trainyard::health
{
namespace
{

// They rise and fall by design, are set by a person, or are the best value so far.
constexpr std::array<std::string_view, 36> otherWords{"policy", "value", "actor", "critic", "entropy", "kl", "kld",
    "reward", "advantage", "pg", "vf", "pi", "q", "qf", "td", "gen", "generator", "disc", "discriminator", "adv",
    "adversarial", "d", "g", "gan", "fake", "real", "wgan", "best", "min", "minimum", "lowest", "scale", "weight",
    "alpha", "temperature", "delta"};

// "train/ValLoss_2" is train, val, loss, 2.
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words;
    bool begins = true;
    char before = ' ';
    for (const char letter : name) {
        const auto byte = static_cast<unsigned char>(letter);
        if (!std::isalnum(byte)) {
            begins = true;
        } else {
            const bool isHump = std::isupper(byte) && std::islower(static_cast<unsigned char>(before));
            if (begins || isHump) {
                words.emplace_back();
            }
            words.back().push_back(static_cast<char>(std::tolower(byte)));
            begins = false;
        }
        before = letter;
    }
    return words;
}

} // namespace

bool isLoss(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    const bool isTrained = std::any_of(words.begin(), words.end(), [](const std::string &word) {
        const LowerWord *lower = lowerWord(word);
        return lower && lower->isTrained;
    });
    return isTrained
        && std::find_first_of(words.begin(), words.end(), otherWords.begin(), otherWords.end()) == words.end();
}

} // namespace trainyard::health
