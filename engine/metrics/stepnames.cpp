// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/stepnames.h"

#include "engine/metrics/foreignwords.h"
#include "engine/metrics/namememo.h"
#include "engine/metrics/names.h"
#include "engine/metrics/vocabulary.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

const WordSet stepLeads{"train", "training", "current", "global", "completed", "total", "starting", "start", "the",
    "val", "valid", "validation", "test", "testing", "eval", "evaluation", "at", "after", "end", "of", "in", "for",
    "finished", "running", "begin", "beginning", "now", "finish", "trainer", "on", "and", "optimizer", "opt", "inner",
    "outer", "my", "num", "learning", "summary", "results", "result", "evaluating", "done", "validate", "validating",
    "validated", "evaluate", "evaluated", "checkpoint", "saved", "metrics", "logging", "cv", "going", "into",
    "entering", "built", "learner", "actor", "agent", "env", "environment"};

struct StepWord {
    std::string_view word;
    StepName step;
};
constexpr std::array<StepWord, 70> stepWords{{
    {"epoch", {Axis::Epoch, false, false, false}},
    {"epch", {Axis::Epoch, false, false, false}},
    {"epoch_num", {Axis::Epoch, false, false, false}},
    {"epoche", {Axis::Epoch, false, false, false}}, // German, as the next one
    {"schritt", {Axis::Step, false, false, false}},
    // French, Spanish, Portuguese and Italian, without their accents
    {"epoque", {Axis::Epoch, false, false, false}},
    {"epoca", {Axis::Epoch, false, false, false}},
    {"etape", {Axis::Step, false, false, false}},
    {"paso", {Axis::Step, false, false, false}},
    {"passo", {Axis::Step, false, false, false}},
    {"iteracion", {Axis::Iteration, false, false, false}},
    {"iteracao", {Axis::Iteration, false, false, false}},
    {"iterazione", {Axis::Iteration, false, false, false}},
    {"ep", {Axis::Epoch, false, false, true}},
    {"step", {Axis::Step, false, false, false}},
    {"steps", {Axis::Step, false, true, false}},
    {"stp", {Axis::Step, false, false, false}},
    {"_step", {Axis::Step, true, false, false}},
    {"global_step", {Axis::Step, true, false, false}},
    {"globalstep", {Axis::Step, true, false, false}},
    {"current_steps", {Axis::Step, true, false, false}},
    {"global_steps", {Axis::Step, true, false, false}},
    {"train_step", {Axis::Step, false, false, false}},
    {"trainer/global_step", {Axis::Step, true, false, false}},
    {"total_steps", {Axis::Step, true, true, false}},
    {"env_step", {Axis::Step, true, false, false}},
    {"env_steps", {Axis::Step, true, true, false}},
    {"timestep", {Axis::Step, true, false, false}},
    {"timesteps", {Axis::Step, true, true, false}},
    {"total_timesteps", {Axis::Step, true, true, false}},
    {"timesteps_total", {Axis::Step, true, false, false}},
    {"num_timesteps", {Axis::Step, true, false, false}},
    {"total_num_steps", {Axis::Step, true, false, false}},
    {"iter", {Axis::Iteration, false, false, false}},
    {"iters", {Axis::Iteration, false, true, false}},
    {"itrs", {Axis::Iteration, false, true, false}},
    {"itr", {Axis::Iteration, false, false, false}},
    {"itn", {Axis::Iteration, false, false, false}},
    {"it", {Axis::Iteration, false, false, false}},
    {"iteration", {Axis::Iteration, false, false, false}},
    {"iterate", {Axis::Iteration, false, false, false}},
    {"iterations", {Axis::Iteration, false, true, false}},
    {"training_iteration", {Axis::Iteration, false, false, false}},
    {"global_iter", {Axis::Iteration, true, false, false}},
    {"num_iter", {Axis::Iteration, false, false, false}},
    {"niter", {Axis::Iteration, false, true, false}},
    {"batch", {Axis::Batch, false, false, false}},
    {"batch_id", {Axis::Batch, false, false, false}},
    {"batch_idx", {Axis::Batch, false, false, false}},
    {"batch_index", {Axis::Batch, false, false, false}},
    {"minibatch", {Axis::Batch, false, false, false}},
    {"minibatches", {Axis::Batch, false, true, false}},
    {"mini-batch", {Axis::Batch, false, false, false}},
    {"mini-batches", {Axis::Batch, false, true, false}},
    {"batches", {Axis::Batch, false, true, false}},
    {"episode", {Axis::Episode, false, false, false}},
    {"episodes", {Axis::Episode, false, true, false}},
    {"game", {Axis::Episode, false, false, false}},
    {"tree", {Axis::Iteration, false, false, false}},
    {"update", {Axis::Update, false, false, false}},
    {"up", {Axis::Update, false, false, false}},
    {"upd", {Axis::Update, false, false, false}},
    {"num_updates", {Axis::Update, true, false, false}},
    {"nupdates", {Axis::Update, false, false, false}},
    {"updates", {Axis::Update, false, true, false}},
    {"round", {Axis::Round, false, false, false}},
    {"trial", {Axis::Step, false, false, false}},
    {"tick", {Axis::Tick, false, false, false}},
    {"generation", {Axis::Round, false, false, false}},
    {"cycle", {Axis::Iteration, false, false, false}},
}};

std::optional<StepName> stepWord(std::string_view word)
{
    if (word.empty() || word.size() > 20) {
        return {};
    }
    for (const StepWord &entry : stepWords) {
        if (entry.word.front() == word.front() && entry.word == word) {
            return entry.step;
        }
    }
    return {};
}

// "best result of epoch 3", "weights for epoch 3", "number of epoch": not where the output is
bool isOtherStep(std::string_view text)
{
    const std::vector<std::string> words = wordsOf(text);
    return std::any_of(words.begin(), words.end(), [](const std::string &word) {
        return neverWords.contains(word) || countWords.contains(word) || settingWords.contains(word)
            || word.starts_with("load") || word.starts_with("resum") || word.starts_with("restor")
            || word.starts_with("sav") || word.starts_with("writ");
    });
}

// "time)", "ms)" of "Iter (ms)": how long one of them takes
bool isOfTime(std::string_view inParentheses)
{
    return timeWords.contains(trimmed(inParentheses.substr(0, inParentheses.size() - 1)));
}

// As rfind(), which compares the whole word at each place: nearly all of these are told apart by its second character.
std::size_t lastPlaceOf(std::string_view text, std::string_view word)
{
    for (std::size_t i = text.size() < word.size() ? 0 : text.size() - word.size() + 1; i-- > 0;) {
        if (text[i + 1] == word[1] && text.substr(i, word.size()) == word) {
            return i;
        }
    }
    return std::string_view::npos;
}

std::optional<StepName> stepNamed(std::string_view text)
{
    if (hasAccents(text)) {
        return stepNamed(withoutAccents(text));
    }
    std::string_view name = text;
    while (
        !name.empty() && (name.front() == '"' || name.front() == '\'' || name.front() == '#' || name.front() == '*')) {
        name.remove_prefix(1);
    }
    while (!name.empty()
        && (name.back() == '"' || name.back() == '\'' || name.back() == '#' || name.back() == '-'
            || name.back() == '.')) {
        name.remove_suffix(1);
    }
    name = trimmed(name);
    if (name.empty() || name.size() > 60) {
        return {};
    }
    // "GlobalStep", "globalSteps"
    if (const std::vector<std::string> words = wordsOf(name); words.size() == 2
        && name.size() == words.front().size() + words.back().size() && isUpper(name[words.front().size()])) {
        return stepNamed(words.front() + ' ' + words.back());
    }
    const std::string lower = lowered(name);
    const bool hasPoint = text.ends_with('.'); // "Ep. 1 : Up. 500"
    std::string_view rest = lower;
    // "epoch(train)", "Epoch (val)"
    if (rest.back() == ')') {
        const std::size_t open = rest.find('(');
        if (open == std::string_view::npos || open == 0 || isOfTime(rest.substr(open + 1))) {
            return {};
        }
        rest = trimmed(rest.substr(0, open));
    }
    std::string_view last = lastWordOf(rest);
    std::optional<StepName> step = stepWord(last);
    if (!step
        && (last == "id" || last == "idx" || last == "no" || last == "no." || last == "number" || last == "index"
            || last == "num")
        && last.size() < rest.size()) {
        rest = trimmed(rest.substr(0, rest.size() - last.size()));
        last = lastWordOf(rest);
        step = last == "frame" ? StepName{Axis::Step, true, false, false}
                               : stepWord(last); // "frame: 3" may be of a film
    }
    // "Epoch-Num", "iter_no": as with a blank
    if (const std::size_t joint = last.find_last_of("-_"); !step && joint != std::string_view::npos && joint > 0) {
        const std::string_view behind = last.substr(joint + 1);
        if (behind == "num" || behind == "no" || behind == "number" || behind == "id" || behind == "idx"
            || behind == "index") {
            step = stepWord(last.substr(0, joint));
        }
    }
    // "Steps executed": how many so far. Those that were "taken" may be those of an episode.
    if (!step && (last == "executed" || last == "completed" || last == "done") && last.size() < rest.size()) {
        const std::string_view counted = trimmed(rest.substr(0, rest.size() - last.size()));
        step = stepWord(lastWordOf(counted));
        if (!step || !step->isPlural) {
            return {};
        }
        rest = counted;
        last = lastWordOf(rest);
    }
    // "valid_num_updates": where the whole program is, told of a part of the data
    if (const std::size_t part = last.find('_');
        !step && part != std::string_view::npos && isPartName(last.substr(0, part))) {
        step = stepWord(last.substr(part + 1));
        step = step && step->isGlobal && !step->isPlural ? step : std::nullopt;
    }
    // "inner_iter": which of several counts it is
    if (const std::size_t joint = last.rfind('_'); !step && joint != std::string_view::npos
        && (last.substr(0, joint) == "inner" || last.substr(0, joint) == "outer" || last.substr(0, joint) == "cur"
            || last.substr(0, joint) == "curr" || last.substr(0, joint) == "current")) {
        step = stepWord(last.substr(joint + 1));
    }
    if (!step || (last == "up" && !hasPoint)) {
        return {};
    }
    std::string_view before = trimmed(rest.substr(0, rest.size() - last.size()));
    bool isTold = false; // "the time of epoch 3"
    while (!before.empty()) {
        const std::string_view word = lastWordOf(before);
        if (!stepLeads.contains(word)) {
            if (step->isPlural || !isTold || isOtherStep(before) || endsAsMetric(before)) { // "loss for epoch 3: 0.4"
                return {};
            }
            break;
        }
        isTold = word == "of" || word == "for";
        if (word == "num" || (word == "total" && step->isPlural)) {
            return {}; // a setting
        }
        step->isGlobal = step->isGlobal || word == "global" || word == "total";
        before = trimmed(before.substr(0, before.size() - word.size()));
    }
    return step;
}

} // namespace

std::optional<StepName> stepName(std::string_view text)
{
    static thread_local constinit NameMemo<std::optional<StepName>> known;
    return known.of(trimmed(text), stepNamed);
}

std::optional<StepName> stepOfHeading(std::string_view text)
{
    const std::string words = lowered(trimmed(text));
    const std::string_view last = lastWordOf(words);
    const std::string_view before = trimmed(std::string_view(words).substr(0, words.size() - last.size()));
    const std::optional<StepName> step = stepWord(last);
    return step && !step->isPlural && !step->isShort && !isOtherStep(before) && !endsAsMetric(before)
            && !hasDigit(before)
        ? step
        : std::nullopt;
}

std::optional<NamedStep> stepBehindName(std::string_view text)
{
    for (const std::string_view preposition :
        {" at "sv, " after "sv, " in "sv, " on "sv, " for "sv, " @ "sv, " of "sv, " @"sv}) {
        const std::size_t i = lastPlaceOf(text, preposition);
        if (i == std::string_view::npos || i == 0) {
            continue;
        }
        const std::optional<StepName> step = stepName(text.substr(i + preposition.size()));
        const std::string_view name = trimmed(text.substr(0, i));
        const std::size_t aside = name.ends_with(')') ? name.rfind(" (") : std::string_view::npos;
        if (step && endsAsMetric(name.substr(0, aside))) {
            return NamedStep{name, *step};
        }
    }
    return {};
}

void forEachStepWord(const std::function<void(std::string_view word)> &visit)
{
    for (const StepWord &entry : stepWords) {
        visit(entry.word);
    }
}

} // namespace trainyard::metrics
