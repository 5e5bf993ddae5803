// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/names.h"

#include "engine/metrics/words.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestName = 100; // of a metric

using WordSet = std::unordered_set<std::string_view>;

const WordSet metricWords{"loss", "losses", "acc", "accuracy", "accuracies", "recall", "fscore", "auc", "auroc",
    "auprc", "aupr", "prauc", "rocauc", "ap", "map", "mar", "iou", "miou", "giou", "ciou", "dice", "jaccard", "psnr",
    "ssim", "lpips", "fid", "kid", "fvd", "bleu", "sacrebleu", "rouge", "rougel", "rougelsum", "meteor", "cider",
    "chrf", "wer", "cer", "ppl", "perplexity", "bpb", "bpc", "bpd", "nll", "xent", "bce", "mse", "rmse", "mae", "mape",
    "rmsle", "smape", "logloss", "reward", "rewards", "return", "returns", "elbo", "kl", "kld", "mcc", "kappa",
    "pearson", "spearman", "ndcg", "mrr", "eer", "mpjpe", "epe", "rmsd", "ade", "fde", "chamfer", "inertia",
    "crossentropy", "entropy", "likelihood", "regret", "silhouette", "nmi", "ari", "gnorm", "rew", "dsc", "hausdorff",
    "sdr", "sisnr", "stoi", "pesq", "top", "prec", "precision", "fitness", "msssim", "prd", "error", "err", "score",
    "scores", "cost", "objective", "obj", "merror", "energy", "residual", "mlogloss", "smoothl", "residuals",
    "divergence", "hr", "objf"};
// Words that also stand for other things: they need a value with a point, or a step.
const WordSet faintWords{"error", "err", "score", "scores", "cost", "objective", "obj", "energy", "precision", "map",
    "return", "returns", "top", "prec", "ap", "ari", "hr", "residual", "residuals", "mar", "ade", "kid"};
// Words that make a setting of what else would be a metric.
const WordSet settingWords{"lr", "rate", "weight", "weights", "coef", "coeff", "coefficient", "threshold", "thresholds",
    "thresh", "thr", "target", "min", "max", "factor", "smoothing", "lambda", "alpha", "beta", "gamma", "eps",
    "epsilon", "limit", "margin", "interval", "freq", "frequency", "warmup", "type", "func", "fn", "name", "penalty",
    "ratio", "momentum", "decay", "wd", "dropout", "temperature", "tau", "clip", "clipping", "initial", "init", "tol",
    "tolerance", "bound", "cap", "reg", "regularization", "initializer", "default", "every", "bias", "discount", "mult",
    "multiplier", "minimum", "maximum", "label", "labels", "start", "power", "window", "policy", "prob", "cutoff"};
const WordSet aimWords{"target", "min", "max", "minimum", "maximum", "threshold", "initial", "default", "smoothing"};
const WordSet timeWords{"time", "times", "timer", "elapsed", "duration", "runtime", "dur", "sec", "secs", "second",
    "seconds", "ms", "msec", "minutes", "hours", "wall", "walltime", "elapsedtime", "latency", "timestamp", "date",
    "eta", "clock", "uptime", "timing", "hrs"};
const WordSet neverWords{"mem", "memory", "gpumem", "cpumem", "maxmem", "vram", "rss", "ram", "best", "bestloss",
    "highest", "lowest", "skipped", "flos", "flop", "flops", "tflops", "gflops", "mfu", "hfu", "version", "seed",
    "port", "pid", "better", "patience", "counter", "reserved", "allocated", "memallocated", "maxmemallocated", "scale",
    "scaler", "params", "parameters", "exit", "errno", "improved", "increased", "decreased", "maintenance", "previous",
    "kimg", "lod", "gb", "gib", "mb", "mib"};
// Words of counts and of things that are no measures; a loss or an accuracy of them is one.
const WordSet countWords{"num", "number", "count", "counts", "total", "size", "bytes", "id", "ids", "rank", "samples",
    "examples", "tokens", "images", "epochs", "steps", "iterations", "workers", "threads", "gpu", "gpus", "cpu", "cpus",
    "device", "devices", "world", "bsz", "wpb", "updates", "shape", "dim", "layers", "hidden", "line", "code", "status",
    "instances", "points", "support", "class", "category", "util", "usage", "fan", "percent", "episodes", "timesteps",
    "nnzs", "data", "progress", "batches", "iters", "width", "height", "dims", "interacts", "interactions", "capacity",
    "targets"};
const WordSet rateWords{"error", "err", "success", "win", "solve", "pass", "failure", "collision", "recognition"};
const WordSet partWords{"learn", "test", "train", "valid", "val", "validation", "eval", "avg", "dev", "training",
    "testing", "evaluation", "validating", "evaluating", "vali"};
const WordSet strongWords{"loss", "losses", "acc", "accuracy", "auc", "reward", "rewards", "perplexity", "ppl", "mse",
    "mae", "rmse", "dice", "iou", "rew"};
const WordSet stepLeads{"train", "training", "current", "global", "completed", "total", "starting", "start", "the",
    "val", "valid", "validation", "test", "testing", "eval", "evaluation", "at", "after", "end", "of", "in", "for",
    "finished", "running", "begin", "beginning", "now", "finish", "trainer", "on", "and", "optimizer", "opt", "inner",
    "outer", "my", "num", "learning", "summary", "results", "result", "evaluating", "done", "validate", "validating",
    "validated", "evaluate", "evaluated", "checkpoint", "saved", "metrics", "logging", "cv", "going", "into",
    "entering"};
const WordSet evaluationWords{"val", "valid", "validation", "test", "eval", "evaluation", "dev", "validating",
    "evaluating", "testing", "validate", "evaluate", "vali", "cv"};

struct StepWord {
    std::string_view word;
    StepName step;
};
constexpr std::array<StepWord, 50> stepWords{{
    {"epoch", {Axis::Epoch, false, false, false}},
    {"epoch_num", {Axis::Epoch, false, false, false}},
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
    {"it", {Axis::Iteration, false, false, false}},
    {"iteration", {Axis::Iteration, false, false, false}},
    {"iterations", {Axis::Iteration, false, true, false}},
    {"training_iteration", {Axis::Iteration, false, false, false}},
    {"global_iter", {Axis::Iteration, true, false, false}},
    {"num_iter", {Axis::Iteration, false, false, false}},
    {"batch", {Axis::Batch, false, false, false}},
    {"batch_id", {Axis::Batch, false, false, false}},
    {"batch_idx", {Axis::Batch, false, false, false}},
    {"batch_index", {Axis::Batch, false, false, false}},
    {"minibatch", {Axis::Batch, false, false, false}},
    {"mini-batch", {Axis::Batch, false, false, false}},
    {"batches", {Axis::Batch, false, true, false}},
    {"episode", {Axis::Episode, false, false, false}},
    {"episodes", {Axis::Episode, false, true, false}},
    {"update", {Axis::Update, false, false, false}},
    {"up", {Axis::Update, false, false, false}},
    {"num_updates", {Axis::Update, true, false, false}},
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

std::string withoutDigits(std::string word)
{
    while (word.size() > 1 && isDigit(word.back())) {
        word.pop_back();
    }
    return word;
}

// "closs" and "advloss" are losses.
bool isMetricWord(std::string_view word)
{
    return metricWords.contains(word) || (word.size() > 4 && word.ends_with("loss"));
}

// Longer than a name may be, it is no longer read: asking for every word of a long line must stay quick.
constexpr std::string_view lastWordOf(std::string_view text)
{
    std::size_t i = text.size();
    while (i > 0 && !isBlank(text[i - 1]) && text.size() - i <= longestName) {
        --i;
    }
    return text.substr(i);
}

bool isSpeed(std::string_view name, const std::vector<std::string> &words)
{
    for (const std::string_view part : {"/s", "/sec", "/second", "_per_sec", "per_second", "per sec", "PerSec"}) {
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
            {"sps", "fps", "ips", "tps", "wps", "ups", "throughput", "speed", "qps", "imgs"}) {
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
        if (isUpper(c)) {
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

void forEachKnownWord(const std::function<void(std::string_view)> &visit)
{
    for (const WordSet *set : {&metricWords, &partWords}) {
        for (const std::string_view word : *set) {
            visit(word);
        }
    }
    for (const StepWord &entry : stepWords) {
        for (const std::string &word : wordsOf(entry.word)) {
            visit(word);
        }
    }
    // Other settings matter only beside a step, which has a word of its own. These tell a list of settings.
    for (const std::string_view word : {"eta", "remaining", "left", "norm", "f", "r", "l", "result", "lr", "learning",
             "weight", "momentum", "decay", "dropout", "warmup", "gamma", "seed", "bit", "bits", "nats", "gen"}) {
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
        time = time || timeWords.contains(word) || (word.size() > 6 && word.ends_with("time")); // "steptime"
        never = never || neverWords.contains(word);
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
        if ((word == "norm" && i > 0) || (word == "score" && i > 0 && words[i - 1] == "f")) {
            metric = sure = true; // grad_norm, params norm, f-score
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
    // "Hits@10": how often the right one is among the first ten
    if (const std::size_t mark = name.find('@'); mark != std::string_view::npos && isDigit(at(name, mark + 1))
        && std::any_of(words.begin(), words.end(), [](const std::string &w) { return w == "hits" || w == "hit"; })) {
        metric = sure = strong = true;
    }
    // "Rank-1": how often the right one is the first
    if (words.size() == 1 && words.front() == "rank" && name.size() > 5 && (name[4] == '-' || name[4] == '@')) {
        return NameKind::Faint;
    }
    if (words.size() == 1 && words.front() == "fb" && name.ends_with('1')) { // F with beta = 1
        return NameKind::Faint;
    }
    // "BestBd", "Best Integer": what bounds a search moves on
    if (words.size() == 2 && words.front() == "best"
        && (words.back() == "bd" || words.back() == "bound" || words.back() == "sol" || words.back() == "integer")) {
        return NameKind::Faint;
    }
    // "learn: 0.84", "Val: 0.66": what was measured goes without saying.
    if (words.size() == 1 && partWords.contains(words.front())) {
        return NameKind::Faint;
    }
    if (left) {
        return NameKind::TimeLeft;
    }
    if (isSpeed(name, words) && !metric) {
        return NameKind::Speed;
    }
    // What a batch costs is time.
    const bool ofWork = words.size() > 1 && words.back() == "cost"
        && std::any_of(words.begin(), words.end(), [](const std::string &w) {
               return w == "batch" || w == "data" || w == "reader" || w == "step" || w == "iter" || w == "epoch";
           });
    // How long something lasts may be what is learned: "duration_loss".
    if (time && strong && words.size() > 1 && (words.front() == "loss" || words.back() == "loss")) {
        time = std::any_of(
            words.begin(), words.end(), [](const std::string &w) { return w != "duration" && timeWords.contains(w); });
    }
    time = time || name.starts_with("s/") || name.starts_with("ms/") || name.ends_with("(t)");
    if (time || never || ofWork) {
        return NameKind::Other;
    }
    if (rate && setting) {
        setting = false;
    }
    // "reg_loss" and "policy_loss" are losses, "loss_weight" and "target_accuracy" are not.
    if (setting && metric && isMetricWord(words.back())) {
        // "loss_weights/kl": what a folder of a name says holds for all in it.
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
    return count ? NameKind::Other : NameKind::Unknown;
}

} // namespace

NameKind kindOf(std::string_view name)
{
    // A program prints the same names again and again.
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    thread_local std::unordered_map<std::string, NameKind, Hash, std::equal_to<>> known;
    if (const auto found = known.find(name); found != known.end()) {
        return found->second;
    }
    const NameKind kind = judged(name);
    if (name.size() <= 100) {
        if (known.size() >= 2000) {
            known.clear();
        }
        known.emplace(name, kind);
    }
    return kind;
}

bool endsAsMetric(std::string_view text)
{
    text = trimmed(text);
    std::string_view last = lastWordOf(text);
    if (last.size() < text.size() && lowered(last) == "norm") {
        const std::string_view before = trimmed(text.substr(0, text.size() - last.size()));
        last = text.substr(before.size() - lastWordOf(before).size()); // "Grad Norm": a norm has no name of its own
    }
    if (last.empty() || last.size() > longestName || !isWord(last.back()) || last == "top") {
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

std::string evaluationIn(std::string_view text)
{
    const std::vector<std::string> words = wordsOf(text);
    const auto found = std::find_if(
        words.begin(), words.end(), [](const std::string &word) { return evaluationWords.contains(word); });
    return found == words.end() ? std::string() : *found;
}

bool isOfEvaluation(std::string_view name) { return !evaluationIn(name).empty(); }

bool isPartName(std::string_view name)
{
    return name.size() >= 3 && name.size() <= 12 && partWords.contains(lowered(name)) && lowered(name) != "avg";
}

namespace
{

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

} // namespace

std::optional<StepName> stepName(std::string_view text)
{
    text = trimmed(text);
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
    const std::string lower = lowered(name);
    const bool hasPoint = text.ends_with('.'); // "Ep. 1 : Up. 500"
    std::string_view rest = lower;
    // "epoch(train)", "Epoch (val)"
    if (rest.back() == ')') {
        const std::size_t open = rest.find('(');
        if (open == std::string_view::npos || open == 0) {
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
        step = stepWord(last);
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

std::optional<NamedStep> stepBehindName(std::string_view text)
{
    for (const std::string_view preposition : {" at ", " after ", " in ", " on ", " for ", " @ ", " of ", " @"}) {
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

bool canBeName(std::string_view name, bool isMetric)
{
    if (name.empty() || name.size() > (isMetric ? longestName : 48)) {
        return false;
    }
    int words = 1, letters = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        words += isBlank(c) && !isBlank(at(name, i + 1)) ? 1 : 0;
        letters += isLetter(c) || static_cast<unsigned char>(c) >= 0x80 ? 1 : 0;
        if (c == '\\' || c == '<' || c == '>' || c == '{' || c == '}' || c == '`' || c == '$' || c == '"' || c == '='
            || c == '!' || c == '?') {
            return false;
        }
    }
    if (letters == 0 || name.front() == '/' || name.front() == '.' || name.front() == '-' || name.front() == '+'
        || name.find("..") != std::string_view::npos || name.find("://") != std::string_view::npos
        || name.find("//") != std::string_view::npos || name.find("::") != std::string_view::npos) {
        return false;
    }
    // Files: "model.py:146", "train.h5"; a point before a letter and no blank.
    for (const std::string_view ending :
        {".py", ".cpp", ".cc", ".h5", ".json", ".yaml", ".pt", ".pth", ".cu", ".so", ".c"}) {
        if (name.back() == ending.back() && name.ends_with(ending)) {
            return false;
        }
    }
    return words <= (isMetric ? 10 : 4);
}

} // namespace trainyard::metrics
