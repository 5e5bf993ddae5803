// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <memory>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// Reads the metrics that a training program prints, whatever program it is: no pattern belongs to one program, but a
// name with a value counts when the name, the step on the line or its neighbours say that it is a measure. What is
// doubtful is left out. The stream may be cut anywhere, and its memory does not grow with it, except for one entry for
// each series.
class OutputReader
{
public:
    OutputReader();
    ~OutputReader();
    OutputReader(OutputReader &&) noexcept;
    OutputReader &operator=(OutputReader &&) noexcept;

    void feed(std::string_view bytes);
    void finish(); // the output has ended: its last line may have no line feed

    std::vector<Point> takePoints(); // since the last call, in the order of the output
    Progress progress() const; // as the output shows it, of what it counts innermost
    Progress runProgress() const; // of the whole run

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace trainyard::metrics
