// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/barstates.h"
#include "engine/metrics/heldsettings.h"
#include "engine/metrics/judgement.h"
#include "engine/metrics/keptseries.h"
#include "engine/metrics/namedsteps.h"
#include "engine/metrics/shownprogress.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// Decides what of a record is a metric and to which step it belongs, by what the lines before have said.
class Collector
{
public:
    Collector() = default;
    Collector(const Collector &) = delete;
    Collector &operator=(const Collector &) = delete;

    void take(Record &&record, std::uint64_t line, std::string_view barText = {});
    // A line "3: something" without values: such numbers are ranks.
    void noteRankPrefix() { m_steps.noteRankPrefix(); }

    void finish(); // nothing follows

    bool hasValues() const { return !m_series.isEmpty(); }
    bool isBelowStep(std::uint64_t line) const
    {
        return m_steps.hasLast() && line <= m_steps.lastLine() + linesBelowStep;
    }
    bool knowsEpoch() const { return m_steps.epoch().has_value(); }

    std::vector<Point> takePoints() { return m_series.takePoints(); }
    const Progress &progress() const { return m_progress.shown(); } // as the output shows it
    const Progress &runProgress() const { return m_progress.ofRun(); } // of the whole

private:
    Surroundings around() const
    {
        return {m_line, m_steps.lastLine(), m_steps.lastIsHeader(), m_settings, m_metricLine};
    }
    bool isMetric(const Record &record, const Pair &pair, const Place &place, bool hasMetric) const;
    bool keepOfBar(const Record &record, const Place &own, bool hasMetric, std::uint64_t line);
    bool keepOfLine(const Record &record, const Place &place, bool hasMetric, std::uint64_t line);
    void keepHeld(const BarStates::Held &held);
    bool waitsAsSettings(const Record &record, const Place &own, std::uint64_t line);
    void noteSettings(const Record &record, bool hasValues);
    void leaveOutRetold(Record &record);
    static void leaveOutUncounted(Record &record);

    KeptSeries m_series;
    NamedSteps m_steps;
    BarStates m_bars;
    HeldSettings m_held;
    ShownProgress m_progress{m_steps};
    std::set<std::string> m_retold; // series of the table that is printed, which were there before it
    std::uint64_t m_line = 0;
    int m_settings = 0; // lines with settings, one after the other
    std::uint64_t m_metricLine = 0; // as Surroundings has it
};

} // namespace trainyard::metrics
