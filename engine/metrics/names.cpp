// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/names.h"

#include "engine/metrics/foreignwords.h"
#include "engine/metrics/namememo.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/vocabulary.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

std::string withoutDigits(std::string word)
{
    while (word.size() > 1 && isDigit(word.back())) {
        word.pop_back();
    }
    return word;
}

bool isSpeed(std::string_view name, const std::vector<std::string> &words)
{
    for (const std::string_view part :
        {"/s"sv, "/sec"sv, "/second"sv, "_per_sec"sv, "per_second"sv, "per sec"sv, "PerSec"sv}) {
        const std::size_t i = name.find(part);
        if (i != std::string_view::npos && i > 0) {
            const std::size_t end = i + part.size();
            if (part[0] != '/' || !isLetter(at(name, end))) {
                return true;
            }
        }
    }
    for (const std::string &word : words) {
        for (const std::string_view known :
            {"sps"sv, "fps"sv, "ips"sv, "tps"sv, "wps"sv, "ups"sv, "throughput"sv, "speed"sv, "qps"sv, "imgs"sv}) {
            if (word == known) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::vector<std::string> wordsOf(std::string_view name)
{
    if (hasAccents(name)) {
        return wordsOf(withoutAccents(name));
    }
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (!word.empty()) {
            words.push_back(withoutDigits(std::move(word)));
        }
        word.clear();
    };
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (const ForeignWord *foreign = beginsForeign(c) ? foreignWordAt(name, i) : nullptr) {
            end();
            words.emplace_back(foreign->meaning);
            i += foreign->word.size() - 1;
        } else if (isUpper(c)) {
            // "trainLoss" and "KLDiv" have a border, "PSNR" and "mAP" have none.
            const bool afterLower = i > 1 && isLower(name[i - 1]) && isLetter(name[i - 2]);
            const bool beforeLower
                = i > 0 && isUpper(name[i - 1]) && isLower(at(name, i + 1)) && isLower(at(name, i + 2));
            const bool ofIoU = c == 'U' && i > 1 && name[i - 1] == 'o' && name[i - 2] == 'I';
            if ((afterLower && !ofIoU) || beforeLower) {
                end();
            }
            word += lowered(c);
        } else if (isLower(c) || (isDigit(c) && !word.empty())) {
            if (isLower(c) && !word.empty() && isDigit(word.back())) {
                end(); // "ap50small"
            }
            word += c;
        } else {
            end();
        }
    }
    end();
    return words;
}

bool isLearningRate(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    return std::any_of(words.begin(), words.end(), [](const std::string &w) { return w == "lr" || w == "learning"; });
}

void forEachKnownWord(const std::function<void(std::string_view)> &visit)
{
    for (const WordSet *set : {&metricWords, &partWords}) {
        for (const std::string_view word : *set) {
            visit(word);
        }
    }
    forEachStepWord([&visit](std::string_view step) {
        for (const std::string &word : wordsOf(step)) {
            visit(word);
        }
    });
    // Other settings matter only beside a step, which has a word of its own. These tell a list of settings.
    for (const std::string_view word : {"eta"sv, "remaining"sv, "left"sv, "norm"sv, "f"sv, "r"sv, "p"sv, "l"sv,
             "result"sv, "lr"sv, "learning"sv, "weight"sv, "momentum"sv, "decay"sv, "dropout"sv, "warmup"sv, "gamma"sv,
             "seed"sv, "bit"sv, "bits"sv, "nats"sv, "gen"sv, "poque"sv, "poca"sv,
             "rdida"sv}) { // what is left of words behind their first letter with an accent
        visit(word);
    }
}

namespace
{

// "L.r." is "Lr".
std::string withoutPoints(std::string_view name)
{
    std::string letters;
    for (std::size_t i = 0; i < name.size(); i += 2) {
        if (!isLetter(name[i]) || at(name, i + 1) != '.') {
            return {};
        }
        letters += name[i];
    }
    return letters;
}

NameKind judged(std::string_view name)
{
    if (constexpr std::string_view squared = "\xC2\xB2"; name.ends_with(squared)) { // "R" with a small 2
        std::string digits(name.substr(0, name.size() - squared.size()));
        digits += '2';
        return judged(digits);
    }
    if (name.size() >= 4 && name.size() <= 8 && name[1] == '.') {
        if (const std::string letters = withoutPoints(name); !letters.empty()) {
            return judged(letters);
        }
    }
    // "accuracy(model, x, 0.5)": what it is called with says nothing.
    if (const std::size_t open = name.find('('); name.ends_with(')') && open != std::string_view::npos && open > 0
        && isWord(name[open - 1]) && endsAsMetric(name.substr(0, open))) {
        return judged(name.substr(0, open));
    }
    const std::vector<std::string> words = wordsOf(name);
    bool metric = false, strong = false, sure = false, setting = false, time = false, never = false, count = false,
         left = false, rate = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (isMetricWord(word)) {
            metric = true;
            sure = sure || !faintWords.contains(word);
        }
        strong = strong || strongWords.contains(word);
        setting = setting || settingWords.contains(word);
        const bool isOut = word == "time" && i + 1 < words.size() && words[i + 1] == "out"; // how often time ran out
        time
            = time || (timeWords.contains(word) && !isOut) || (word.size() > 6 && word.ends_with("time")); // "steptime"
        const bool isSize = word == "gb" || word == "gib" || word == "mb" || word == "mib";
        never = never || (neverWords.contains(word) && !(isSize && isMetricWord(words.back()))); // "gb_loss"
        count = count || countWords.contains(word);
        left = left || word == "eta" || word == "remaining" || (word == "left" && words.size() <= 3);
        if (word == "rate" && i > 0 && rateWords.contains(words[i - 1])) {
            metric = sure = rate = true; // an error rate is measured, a learning rate is set
        }
        if ((word == "bit" || word == "bits" || word == "nats") && i + 1 < words.size()
            && (words[i + 1] == "dim" || words[i + 1] == "char" || words[i + 1] == "byte" || words[i + 1] == "per")) {
            metric = sure = strong = true; // bits/dim
        }
        if ((word == "length" || word == "len") && i > 0
            && (words[i - 1] == "episode" || words[i - 1] == "ep" || words[i - 1] == "eps")) {
            metric = strong = true; // of episodes; that of a text is a setting
        }
        if (word.starts_with("coef") && i > 0
            && (words[i - 1] == "dice" || words[i - 1] == "jaccard" || words[i - 1] == "correlation"
                || words[i - 1] == "overlap")) {
            metric = sure = strong = rate = true; // "Dice coefficient"; "loss_coef" is set
        }
        if ((word == "ret" && i > 0 && words[i - 1] == "ep") || (word == "rank" && i > 0 && words[i - 1] == "mean")) {
            metric = strong = true; // "AverageEpRet", "mean rank"
        }
        if ((word == "norm" && i > 0) || (word == "score" && i > 0 && words[i - 1] == "f")) {
            metric = sure = true; // grad_norm, params norm, f-score
            strong = strong || i + 1 == words.size(); // total_grad_norm is not a count
        }
        if ((word == "f" || word == "r" || word == "l") && name.size() <= 24) {
            // F1, R2, L1, L2: the digit was dropped.
            for (std::size_t at = 0; at + 1 < name.size(); ++at) {
                const bool alone = (at == 0 || (!isWord(name[at - 1]) && name[at - 1] != ':') || name[at - 1] == '_')
                    && (at + 2 >= name.size() || !isWord(name[at + 2]) || name[at + 2] == '_');
                if (alone && lowered(name[at]) == word[0] && (name[at + 1] == '1' || name[at + 1] == '2')) {
                    metric = true;
                    sure = sure || words.size() > 1 || word == "f";
                }
            }
        }
    }
    // "Prec@1", "mAP@0.5": nothing but a metric is taken at something.
    if (const std::size_t mark = name.find('@');
        metric && mark != std::string_view::npos && isDigit(at(name, mark + 1))) {
        sure = true;
    }
    // "Hits@10": how often the right one is among the first ten; "P@1", "R@5"
    if (const std::size_t mark = name.find('@'); mark != std::string_view::npos && isDigit(at(name, mark + 1))
        && std::any_of(words.begin(), words.end(),
            [](const std::string &w) { return w == "hits" || w == "hit" || w == "p" || w == "r" || w == "f"; })) {
        metric = sure = strong = true;
    }
    // "Top-1", "top5": how often the right one is among the first
    if (words.size() == 1 && words.front() == "top" && name.find(' ') == std::string_view::npos && hasDigit(name)) {
        return NameKind::Metric;
    }
    // "top_p=0.9": what a model that writes draws from
    if (words.size() == 2 && words.front() == "top" && words.back() == "p" && !hasDigit(name)) {
        return NameKind::Setting;
    }
    // "Rank-1": how often the right one is the first
    if (words.size() == 1 && words.front() == "rank" && name.size() > 5 && (name[4] == '-' || name[4] == '@')) {
        return name[4] == '@' ? NameKind::Metric : NameKind::Faint;
    }
    if (words.size() == 1 && words.front() == "fb" && name.ends_with('1')) { // F with beta = 1
        return NameKind::Faint;
    }
    // "BestBd", "Best Integer": what bounds a search moves on
    if (words.size() == 2 && words.front() == "best"
        && (words.back() == "bd" || words.back() == "bound" || words.back() == "sol" || words.back() == "integer")) {
        return NameKind::Faint;
    }
    // "learn: 0.84", "Val: 0.66": the name of the measure is left out because it is obvious.
    if (words.size() == 1 && partWords.contains(words.front())) {
        return NameKind::Faint;
    }
    if (left) {
        return NameKind::TimeLeft;
    }
    if (isSpeed(name, words) && !metric) {
        return NameKind::Speed;
    }
    // The cost of a batch is its time.
    const bool ofWork = words.size() > 1 && words.back() == "cost"
        && std::any_of(words.begin(), words.end(), [](const std::string &w) {
               return w == "batch" || w == "data" || w == "reader" || w == "step" || w == "iter" || w == "epoch";
           });
    // How long something lasts may be what is learned: "duration_loss".
    if (time && strong && words.size() > 1 && (words.front() == "loss" || words.back() == "loss")) {
        time = std::any_of(words.begin(), words.end(),
            [](const std::string &w) { return w != "duration" && w != "dur" && timeWords.contains(w); });
    }
    // "dt_data", "iter_dt": how long a part of a step takes; "dt" alone is also the step of a simulation.
    time = time || (!metric && words.size() > 1 && (words.front() == "dt" || words.back() == "dt"));
    time = time || name.starts_with("s/") || name.starts_with("ms/") || name.ends_with("(t)");
    if (time || never || ofWork) {
        return NameKind::Other;
    }
    if (rate && setting) {
        setting = false;
    }
    // "reg_loss" and "policy_loss" are losses, "loss_weight" and "target_accuracy" are not.
    if (setting && metric && isMetricWord(words.back())) {
        // "loss_weights/kl": what the first part of a name says holds for everything below it.
        const std::size_t folder = name.rfind('/');
        const std::vector<std::string> above = wordsOf(name.substr(0, folder == std::string_view::npos ? 0 : folder));
        const bool ofSettings = std::any_of(above.begin(), above.end(),
            [](const std::string &w) { return w.starts_with("weight") || w.starts_with("coef"); });
        // The largest reward of some episodes is measured.
        const bool ofEpisodes = words.back().starts_with("rew") || words.back().starts_with("ret");
        setting = ofSettings || std::any_of(words.begin(), words.end(), [&](const std::string &w) {
            return aimWords.contains(w) && !(ofEpisodes && (w == "min" || w == "max"));
        });
    }
    strong = strong || (metric && isMetricWord(words.back()));
    if (metric && !setting && (strong || !count)) {
        return sure ? NameKind::Metric : NameKind::Faint;
    }
    if (setting && !(count && !metric)) {
        return NameKind::Setting;
    }
    // "Metrics/peak_height": whatever it counts, the program calls it a metric.
    return count && words.front() != "metrics" ? NameKind::Other : NameKind::Unknown;
}

} // namespace

NameKind kindOf(std::string_view name)
{
    static thread_local constinit NameMemo<NameKind> known;
    return known.of(name, judged);
}

namespace
{

bool isMetricAtEnd(std::string_view whole)
{
    const std::string_view text = withoutQuotedPart(whole);
    std::string_view last = lastWordOf(text);
    if (last.size() < text.size()) {
        // "Grad Norm": a norm has no name of its own. "objective function": its values are what is measured.
        const std::string_view before = trimmed(text.substr(0, text.size() - last.size()));
        const std::string_view first = lastWordOf(before);
        if (lowered(last) == "norm" || (last == "function" && lowered(first) == "objective")) {
            last = text.substr(before.size() - first.size());
        }
    }
    constexpr std::size_t foreignSize = 3; // of a character of such a word
    const bool endsAsForeign = last.size() >= foreignSize && beginsForeign(last[last.size() - foreignSize]);
    if (last.empty() || !(isWord(last.back()) || endsAsForeign) || last.size() > longestName || last == "top") {
        return false;
    }
    const NameKind kind = kindOf(last);
    if (kind != NameKind::Metric && kind != NameKind::Faint) {
        return false;
    }
    const std::vector<std::string> words = wordsOf(last);
    return !words.empty()
        && (isMetricWord(words.back()) || words.back().size() == 1 || last.find('@') != std::string_view::npos
            || words.back() == "norm" || metricWords.contains(words.front()));
}

} // namespace

std::string_view withoutQuotedPart(std::string_view text)
{
    constexpr std::size_t shortest = 4;
    const std::size_t open
        = text.size() < shortest || text.back() != '\'' ? std::string_view::npos : text.rfind('\'', text.size() - 2);
    if (open == std::string_view::npos || open + 2 >= text.size()) {
        return text;
    }
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    if (!std::all_of(inside.begin(), inside.end(), [](char c) { return isWord(c) || c == '-'; })) {
        return text; // a file
    }
    for (const std::string_view joint : {" for "sv, " of "sv}) {
        if (text.substr(0, open).ends_with(joint)) {
            return text.substr(0, open - joint.size());
        }
    }
    return text;
}

bool endsAsMetric(std::string_view text)
{
    static thread_local constinit NameMemo<bool> known;
    return known.of(trimmed(text), isMetricAtEnd);
}

std::string evaluationIn(std::string_view text)
{
    const std::vector<std::string> words = wordsOf(text);
    const auto found = std::find_if(
        words.begin(), words.end(), [](const std::string &word) { return evaluationWords.contains(word); });
    return found == words.end() ? std::string() : *found;
}

bool isOfEvaluation(std::string_view name)
{
    static thread_local constinit NameMemo<bool> known;
    return known.of(name, [](std::string_view asked) { return !evaluationIn(asked).empty(); });
}

bool isPartName(std::string_view name)
{
    static thread_local constinit NameMemo<bool> known;
    return name.size() >= 3 && name.size() <= 12 && isLetter(name.front())
        && known.of(name, [](std::string_view asked) {
               const std::string word = lowered(asked);
               return partWords.contains(word) && word != "avg";
           });
}

} // namespace trainyard::metrics
