// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// "accuracy: 98%; precision: 94%; recall: 95%", and below it "LOC: precision: 92%; recall: 93%": a label before names
// of the line above makes a row of one class of many.
class ClassRows
{
public:
    bool take(const Record &record, std::string_view line); // whether it is such a row

private:
    bool isLabelledAgain(const Record &record, std::string_view line);

    std::string m_label; // "cat" of "cat | precision: 0.9 | recall: 0.8"
    std::vector<std::string> m_labelled; // the names behind it
    std::vector<std::string> m_namesOfAll; // of the last line with several values, while rows of classes follow it
};

} // namespace trainyard::metrics
