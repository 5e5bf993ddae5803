// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <functional>
#include <optional>
#include <string_view>

// What counts the steps of a training, by its name.
namespace trainyard::metrics
{

// A name that counts steps, alone ("epoch", "Iter") or behind words that may stand there ("Train Epoch", "global
// step").
struct StepName {
    Axis axis = Axis::None;
    bool isGlobal = false; // counts over all epochs
    bool isPlural = false; // "steps: 100" may be a setting
    bool isShort = false; // "ep" is an epoch or an episode
};
std::optional<StepName> stepName(std::string_view name);

// "validation loss at iteration": the name before, and what is counted.
struct NamedStep {
    std::string_view name;
    StepName step;
};
// "Log records from the iteration" before the number of a heading
std::optional<StepName> stepOfHeading(std::string_view text);
std::optional<NamedStep> stepBehindName(std::string_view text);

// Every word that counts steps, as it is written: "global_step".
void forEachStepWord(const std::function<void(std::string_view word)> &visit);

} // namespace trainyard::metrics
