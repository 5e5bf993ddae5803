// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/comparemetrics.h"

#include "engine/api/compare/comparefacts.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr std::array lowerWords{"loss"_L1, "losses"_L1, "err"_L1, "error"_L1, "errors"_L1, "perplexity"_L1, "ppl"_L1,
    "mse"_L1, "rmse"_L1, "mae"_L1, "mape"_L1, "wer"_L1, "cer"_L1, "fid"_L1, "nll"_L1, "bpc"_L1, "bpb"_L1, "kl"_L1,
    "kld"_L1, "bce"_L1, "ce"_L1, "lpips"_L1, "latency"_L1, "regret"_L1, "ece"_L1};
constexpr std::array higherWords{"acc"_L1, "accuracy"_L1, "top"_L1, "fscore"_L1, "bleu"_L1, "sacrebleu"_L1, "rouge"_L1,
    "rougel"_L1, "meteor"_L1, "auc"_L1, "auroc"_L1, "auprc"_L1, "map"_L1, "ap"_L1, "ar"_L1, "miou"_L1, "iou"_L1,
    "dice"_L1, "precision"_L1, "recall"_L1, "reward"_L1, "rewards"_L1, "return"_L1, "returns"_L1, "score"_L1, "psnr"_L1,
    "ssim"_L1, "success"_L1, "win"_L1, "em"_L1, "mrr"_L1, "ndcg"_L1, "hit"_L1, "hits"_L1, "correct"_L1, "mcc"_L1,
    "kappa"_L1, "pearson"_L1, "spearman"_L1, "throughput"_L1, "elo"_L1};
constexpr std::array unseenWords{
    "val"_L1, "valid"_L1, "validation"_L1, "eval"_L1, "evaluation"_L1, "test"_L1, "dev"_L1};
// These words say it also as a part of a longer one: "valloss", "testacc".
constexpr std::array lowerEnds{"loss"_L1, "error"_L1, "perplexity"_L1};
constexpr std::array higherEnds{"acc"_L1, "accuracy"_L1, "reward"_L1, "score"_L1, "precision"_L1, "recall"_L1};

// "valTop1/acc@5" has the words val, top, acc; digits behind a word only count it. F1 is a name of its own.
QStringList wordsOf(const QString &metric)
{
    static const QRegularExpression hump(u"([a-z0-9])([A-Z])"_s), f1(u"(?<![a-z])f[12](?![0-9])"_s),
        other(u"[^a-z]+"_s);
    QString text = metric;
    text = text.replace(hump, u"\\1 \\2"_s).toLower();
    return text.replace(f1, u"fscore"_s).split(other, Qt::SkipEmptyParts);
}

template <typename Words, typename Ends> bool saysOneOf(const QStringList &words, const Words &known, const Ends &ends)
{
    return std::any_of(words.cbegin(), words.cend(), [&](const QString &word) {
        return std::find(known.begin(), known.end(), word) != known.end()
            || std::any_of(ends.begin(), ends.end(), [&](QLatin1StringView end) { return word.endsWith(end); });
    });
}

// Smaller tells more.
int rankOf(const QString &metric)
{
    const QStringList words = wordsOf(metric);
    const bool isUnseen = std::any_of(words.cbegin(), words.cend(), [](const QString &word) {
        return std::find(unseenWords.begin(), unseenWords.end(), word) != unseenWords.end()
            || word.startsWith("val"_L1);
    });
    if (saysOneOf(words, lowerWords, lowerEnds)) {
        return isUnseen ? 1 : 3;
    }
    return saysOneOf(words, higherWords, higherEnds) ? (isUnseen ? 0 : 2) : 4;
}

} // namespace

Better betterByName(const QString &metric)
{
    const QStringList words = wordsOf(metric);
    return !saysOneOf(words, lowerWords, lowerEnds) && saysOneOf(words, higherWords, higherEnds) ? Better::Higher
                                                                                                 : Better::Lower;
}

CompareValue compareValue(const JobSummary &job, const QString &metric, Better better)
{
    const QJsonObject one = job.results.value(metric).toObject();
    const auto number = [&one](const QString &key) {
        const QJsonValue value = one.value(key);
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    const bool isLower = better == Better::Lower;
    const bool isBroken = one.value("broken"_L1).toBool();
    return {isBroken ? std::nan("") : number(u"last"_s), number(u"step"_s), number(isLower ? u"least"_s : u"most"_s),
        number(isLower ? u"leastAt"_s : u"mostAt"_s), isBroken};
}

bool hasValue(const JobSummary &job, const QString &metric)
{
    const CompareValue value = compareValue(job, metric, Better::Lower);
    return value.last || value.best;
}

bool hasOneValue(const QList<JobSummary> &jobs, const QString &metric)
{
    const auto hasMore = [&metric](const JobSummary &job) {
        const QJsonObject one = job.results.value(metric).toObject();
        const auto differ = [&one](QLatin1StringView a, QLatin1StringView b) { return one.value(a) != one.value(b); };
        return differ("least"_L1, "most"_L1) || differ("leastAt"_L1, "mostAt"_L1) || differ("leastAt"_L1, "step"_L1);
    };
    return std::none_of(jobs.cbegin(), jobs.cend(), hasMore);
}

QStringList compareMetrics(const QList<JobSummary> &jobs)
{
    QStringList names;
    QHash<QString, int> counts;
    for (const JobSummary &job : jobs) {
        for (auto it = job.results.begin(); it != job.results.end(); ++it) {
            if (hasValue(job, it.key()) && ++counts[it.key()] == 1) {
                names.append(it.key());
            }
        }
    }
    QHash<QString, int> ranks;
    for (const QString &name : std::as_const(names)) {
        ranks.insert(name, rankOf(name));
    }
    const int most = names.isEmpty() ? 0 : *std::max_element(counts.cbegin(), counts.cend());
    const auto key = [&](const QString &name) {
        const int count = counts.value(name);
        return std::tuple(2 * count > most ? 0 : 1, ranks.value(name), -count);
    };
    std::stable_sort(
        names.begin(), names.end(), [&key](const QString &a, const QString &b) { return key(a) < key(b); });
    return names;
}

bool repeatsParameter(const QList<JobSummary> &jobs, const QString &metric)
{
    bool hasAny = false;
    for (const JobSummary &job : jobs) {
        const CompareValue value = compareValue(job, metric, Better::Lower);
        if (!hasValue(job, metric)) {
            continue;
        }
        bool isNumber = false;
        const double set = compareText(job.parameters.value(metric)).toDouble(&isNumber);
        // The log may have written fewer digits than a computer has.
        constexpr double rounding = 1e-6;
        if (!isNumber || !value.last || !(std::abs(*value.last - set) <= rounding * std::abs(set))) {
            return false;
        }
        hasAny = true;
    }
    return hasAny;
}

bool ranksBehind(const JobSummary &job) { return job.state == State::Failed || job.state == State::Stopped; }

bool ranksBehind(const QList<JobSummary> &jobs, const QString &metric)
{
    bool isAnyBehind = false;
    for (const JobSummary &job : jobs) {
        if (hasValue(job, metric) && !ranksBehind(job)) {
            return false;
        }
        isAnyBehind = isAnyBehind || ranksBehind(job);
    }
    return isAnyBehind;
}

QList<qsizetype> compareRanking(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    QList<qsizetype> order(values.size());
    for (qsizetype i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    const auto classOf = [&](qsizetype place) {
        const std::optional<double> &value = values.at(place);
        return !value || std::isnan(*value) ? 2 : behind.value(place) ? 1 : 0;
    };
    std::stable_sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) {
        const int first = classOf(a), second = classOf(b);
        if (first != second || first == 2) {
            return first < second;
        }
        return better == Better::Lower ? *values.at(a) < *values.at(b) : *values.at(a) > *values.at(b);
    });
    return order;
}

QList<qsizetype> compareBest(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    QList<qsizetype> best = compareRanking(values, better, behind);
    if (best.isEmpty()) {
        return best;
    }
    const std::optional<double> first = values.at(best.constFirst());
    const bool isBehind = behind.value(best.constFirst());
    best.removeIf([&](qsizetype place) { // also where all are NaN
        return !first || values.at(place) != first || behind.value(place) != isBehind;
    });
    return best;
}

qsizetype betterBehind(const QList<std::optional<double>> &values, Better better, const QList<bool> &behind)
{
    const QList<qsizetype> best = compareBest(values, better, behind);
    const QList<qsizetype> byValue = compareRanking(values, better);
    if (best.isEmpty() || !behind.value(byValue.constFirst())) {
        return -1;
    }
    return values.at(byValue.constFirst()) == values.at(best.constFirst()) ? -1 : byValue.constFirst();
}

} // namespace trainyard
