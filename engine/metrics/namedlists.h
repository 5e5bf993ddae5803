// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/numbers.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

struct NamedNumber {
    std::string_view name;
    Number number;
    std::string_view part = {}; // of the data, as a name in front says that has no number
};

// The values of a line that has several names and then as many numbers: "train_loss, val_loss 0.5 0.4",
// "loss, accuracy: [0.5, 0.9]", "val, step, loss ==> 3, 0.5"; empty for any other line.
std::vector<NamedNumber> namedListOf(std::string_view line);

// "accuracy on validation data": whether a line is nothing but the name of a metric, whose value may stand below it.
bool isNameAlone(std::string_view line);

} // namespace trainyard::metrics
