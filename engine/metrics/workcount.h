// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// The progress of a program that prints only counts: "Processed 100/1000 files". One such line may mean anything; the
// same words with a higher count show the progress.
class WorkCount
{
public:
    void take(std::string_view line);
    std::optional<double> fraction() const { return m_fraction; }

private:
    std::string m_before; // the words before the count
    double m_at = 0, m_total = 0;
    std::optional<double> m_fraction;
};

} // namespace trainyard::metrics
