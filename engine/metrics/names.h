// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What the words of outputs mean. Names are judged by the words in them, so "eval_F1-score" needs no entry.
namespace trainyard::metrics
{

enum class NameKind {
    Metric, // says by itself that it is one: loss, accuracy, reward
    Faint, // a metric if its value is one: "error: 2" and "score: 3" may be anything
    Setting, // a metric only beside a step: lr, weight_decay, loss_weight
    Speed, // images/sec
    Unknown, // D_A, kimg
    TimeLeft,
    Other // times, sizes, counts, the best so far: never a series
};
NameKind kindOf(std::string_view name);

bool isLearningRate(std::string_view name); // the setting that programs tell beside their losses: lr, base_lr

// Every word by which kindOf() and stepName() know a name that can matter.
void forEachKnownWord(const std::function<void(std::string_view)> &visit);

// "val_loss" -> val, loss; "trainLossL1" -> train, loss, l; digits at the end are dropped.
std::vector<std::string> wordsOf(std::string_view name);

// Whether the last word is one of a metric: "total loss", not "loss of". "objective for 'output'" ends as "objective".
bool endsAsMetric(std::string_view text);
// Without "for 'output'" at the end, which says of which part of a model a value is; the text itself without one.
std::string_view withoutQuotedPart(std::string_view text);

// Validation and evaluation: their values belong to an epoch even inside a bar of batches.
bool isOfEvaluation(std::string_view name);
std::string evaluationIn(std::string_view text); // the word that says so; empty without one

// A part of the data: "train", "Val", "test".
bool isPartName(std::string_view name);

// Whether a text is a name at all: not a path, an address or a sentence.
bool canBeName(std::string_view name, bool isMetric);

} // namespace trainyard::metrics
