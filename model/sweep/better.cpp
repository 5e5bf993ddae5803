// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/sweep/better.h"

#include "model/sweep/lowerwords.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

// A property of a run and not of its model.
constexpr std::array costWords{"time"_L1, "times"_L1, "duration"_L1, "elapsed"_L1, "runtime"_L1, "seconds"_L1, "sec"_L1,
    "secs"_L1, "ms"_L1, "memory"_L1, "mem"_L1, "energy"_L1, "norm"_L1, "gnorm"_L1};
constexpr std::array higherWords{"acc"_L1, "accuracy"_L1, "accuracies"_L1, "top"_L1, "fscore"_L1, "rsquared"_L1,
    "bleu"_L1, "sacrebleu"_L1, "rouge"_L1, "rougel"_L1, "rougelsum"_L1, "meteor"_L1, "cider"_L1, "chrf"_L1, "auc"_L1,
    "auroc"_L1, "auprc"_L1, "aupr"_L1, "rocauc"_L1, "prauc"_L1, "map"_L1, "ap"_L1, "ar"_L1, "mar"_L1, "miou"_L1,
    "iou"_L1, "giou"_L1, "dice"_L1, "dsc"_L1, "jaccard"_L1, "precision"_L1, "prec"_L1, "recall"_L1, "tpr"_L1, "tnr"_L1,
    "sensitivity"_L1, "specificity"_L1, "reward"_L1, "rewards"_L1, "rew"_L1, "return"_L1, "returns"_L1, "score"_L1,
    "scores"_L1, "psnr"_L1, "ssim"_L1, "msssim"_L1, "snr"_L1, "sdr"_L1, "sisnr"_L1, "stoi"_L1, "pesq"_L1, "mos"_L1,
    "success"_L1, "win"_L1, "wins"_L1, "em"_L1, "mrr"_L1, "ndcg"_L1, "hit"_L1, "hits"_L1, "correct"_L1, "mcc"_L1,
    "kappa"_L1, "pearson"_L1, "spearman"_L1, "kendall"_L1, "silhouette"_L1, "nmi"_L1, "ari"_L1, "fitness"_L1,
    "throughput"_L1, "elo"_L1, "likelihood"_L1, "elbo"_L1};
constexpr std::array unseenWords{
    "val"_L1, "valid"_L1, "validation"_L1, "eval"_L1, "evaluation"_L1, "test"_L1, "dev"_L1};
// For these, names written as one word count as well: "valloss", "testacc".
constexpr std::array lowerEnds{"loss"_L1, "error"_L1, "perplexity"_L1};
constexpr std::array higherEnds{"acc"_L1, "accuracy"_L1, "reward"_L1, "score"_L1, "precision"_L1, "recall"_L1, "iou"_L1,
    "dice"_L1, "auc"_L1, "bleu"_L1, "ndcg"_L1, "psnr"_L1, "ssim"_L1};
constexpr std::array negations{"neg"_L1, "negative"_L1};

// "valTop1/acc@5" has the words val, top, acc: digits behind a word only count it. A name that mixes cases is a word as
// a whole as well ("mIoU", "nDCG"). F1 and R2 are names of their own.
QStringList wordsOfName(const QString &metric)
{
    static const QRegularExpression hump(u"([a-z0-9])([A-Z])"_s), f1(u"(?<![a-z])f[12](?![0-9])"_s),
        r2(u"(?<![a-z])r(?:2|\\^2|[-_ ]?squared)(?![0-9a-z])"_s), other(u"[^a-z]+"_s);
    const auto split = [](QString text) {
        text = text.toLower();
        return text.replace(f1, u"fscore"_s).replace(r2, u"rsquared"_s).split(other, Qt::SkipEmptyParts);
    };
    QString apart = metric;
    QStringList words = split(apart.replace(hump, u"\\1 \\2"_s));
    if (apart != metric) {
        words += split(metric);
    }
    return words;
}

template <typename Words> bool hasOneOf(const QStringList &words, const Words &known)
{
    return std::any_of(words.cbegin(), words.cend(),
        [&known](const QString &word) { return std::find(known.begin(), known.end(), word) != known.end(); });
}

template <typename Ends> bool endsWithOneOf(const QStringList &words, const Ends &ends)
{
    return std::any_of(words.cbegin(), words.cend(), [&ends](const QString &word) {
        return std::any_of(ends.begin(), ends.end(), [&word](QLatin1StringView end) { return word.endsWith(end); });
    });
}

enum class Sense { Loss, Quality, Cost, Unknown };

Sense senseOf(const QStringList &words)
{
    const bool isQuality = hasOneOf(words, higherWords) || endsWithOneOf(words, higherEnds);
    const bool isLower = std::any_of(
        words.cbegin(), words.cend(), [](const QString &word) { return lowerWord(word.toStdString()) != nullptr; });
    if (isLower || endsWithOneOf(words, lowerEnds) || (words.contains("likelihood"_L1) && hasOneOf(words, negations))) {
        return Sense::Loss;
    }
    if (isQuality) {
        return Sense::Quality;
    }
    return hasOneOf(words, costWords) ? Sense::Cost : Sense::Unknown;
}

// "samples_per_second", "tokens/s".
bool isSpeed(const QString &metric)
{
    static const QRegularExpression perTime(
        u"(?:per[-_ ]?|/)(?:s|secs?|seconds?|min|minutes?|h|hours?)\\z"_s, QRegularExpression::CaseInsensitiveOption);
    return perTime.match(metric).hasMatch();
}

} // namespace

Better betterByName(const QString &metric)
{
    const Sense sense = senseOf(wordsOfName(metric));
    const bool isLower = sense == Sense::Loss || (sense == Sense::Cost && !isSpeed(metric));
    return isLower ? Better::Lower : Better::Higher;
}

int tellingRank(const QString &metric)
{
    const QStringList words = wordsOfName(metric);
    const bool isUnseen = hasOneOf(words, unseenWords)
        || std::any_of(words.cbegin(), words.cend(), [](const QString &word) { return word.startsWith("val"_L1); });
    switch (senseOf(words)) {
    case Sense::Quality:
        return isUnseen ? 0 : 2;
    case Sense::Loss:
        return isUnseen ? 1 : 3;
    case Sense::Cost:
    case Sense::Unknown:
        break;
    }
    return 4;
}

} // namespace trainyard
