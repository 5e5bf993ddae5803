// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/barrecord.h"

#include "engine/metrics/words.h"

namespace trainyard::metrics
{

void noteBar(const Bar &bar, Record &record)
{
    const bool isDone = !bar.total || bar.at >= *bar.total;
    record.barAt = bar.at;
    record.barTotal = bar.total;
    record.barFraction = bar.fraction;
    if (bar.secondsLeft) {
        record.secondsLeft = bar.secondsLeft;
    }
    record.isBarOfKeras = bar.isOfKeras;
    record.isBarDone = bar.isOfKeras && bar.total && isDone && !bar.saysTimeLeft;
    // "[1/10] Loss: 0.5:  25%|##  | 25/100": the bar counts the batches of what is counted in front of it.
    if (!bar.isOfKeras && record.steps.size() == 1 && !record.pairs.empty() && bar.total) {
        StepMark &only = record.steps.front();
        if (only.isBare && only.total && only.name.axis == Axis::Step && bar.before.starts_with('[')) {
            only.name.axis = Axis::Epoch;
        }
    }
    // "Steps: 10%|# | 10/100": the description says what is counted.
    if (!bar.isOfKeras && record.steps.empty()) {
        std::string_view description = trimmed(bar.before);
        while (!description.empty() && description.back() == ':') {
            description.remove_suffix(1);
        }
        if (const std::optional<StepName> step = stepName(description)) {
            const bool epochs = step->axis == Axis::Epoch;
            record.isBarOfEpochs = epochs;
            record.steps.push_back({*step, bar.at, epochs ? bar.total : std::nullopt, false, false});
        }
        if (lowered(description) == "epochs") {
            record.isBarOfEpochs = true;
            record.steps.push_back({{Axis::Epoch, false, false, false}, bar.at, bar.total, false, false});
        }
    }
}

} // namespace trainyard::metrics
