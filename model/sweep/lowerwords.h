// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

// The words, in lower case, in names of metrics that are better the lower they are. Standard library only, so that
// engine/health has the same list. Pure; for any thread.
namespace trainyard
{

struct LowerWord {
    std::string_view word;
    // Whether training lowers the metric step by step, so that a rise is a sign of trouble.
    bool isTrained = false;
};

inline constexpr std::array lowerWords = std::to_array<LowerWord>({{"loss", true}, {"losses", true}, {"logloss", true},
    {"nll", true}, {"nlll", true}, {"xent", true}, {"cost", true}, {"perplexity", true}, {"ppl", true}, {"bpc", true},
    {"bpb", true}, {"mse", true}, {"rmse", true}, {"mae", true}, {"wer", true}, {"cer", true}, {"costs"}, {"err"},
    {"error"}, {"errors"}, {"msle"}, {"rmsle"}, {"mape"}, {"smape"}, {"mase"}, {"wape"}, {"ter"}, {"eer"}, {"der"},
    {"fid"}, {"kid"}, {"fvd"}, {"fad"}, {"bpd"}, {"kl"}, {"kld"}, {"jsd"}, {"mmd"}, {"bce"}, {"ce"}, {"crossentropy"},
    {"lpips"}, {"latency"}, {"regret"}, {"ece"}, {"brier"}, {"distance"}, {"hausdorff"}, {"chamfer"}, {"epe"},
    {"mpjpe"}, {"ade"}, {"fde"}, {"rmsd"}, {"mcd"}, {"residual"}, {"residuals"}, {"divergence"}, {"fpr"}, {"fnr"},
    {"far"}, {"frr"}, {"hamming"}, {"miss"}, {"misses"}, {"failures"}, {"collision"}, {"collisions"}, {"violation"},
    {"violations"}, {"false"}, {"penalty"}});

constexpr const LowerWord *lowerWord(std::string_view word) // nullptr: it is not one of them
{
    const auto *found = std::find_if(
        lowerWords.begin(), lowerWords.end(), [word](const LowerWord &each) { return each.word == word; });
    return found == lowerWords.end() ? nullptr : found;
}

} // namespace trainyard
