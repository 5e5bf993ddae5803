// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/place.h"

#include <cstdint>
#include <utility>

namespace trainyard::metrics
{

// The steps that the lines of an output name, and to which of them a value belongs.
class NamedSteps
{
public:
    // A line "3: something" without values: such numbers are ranks.
    void noteRankPrefix() { m_numbersAreRanks = true; }
    // What the totals of the line say in truth; whether what was taken for progress before was none.
    bool noteTotals(Record &record);
    void takeStepsFromNames(Record &record) const;

    Place placeOf(const Record &record) const; // as the line itself says it
    Place carried() const; // as the lines before have said it
    Place ofLineAbove() const; // the step that a line has named last, for a line that goes on with it
    Place placeInBar(const Record &record, const Place &place, const Pair &pair, bool hadText) const;

    void remember(const Record &record, const Place &place, bool hasValues, std::uint64_t line);
    void noteCounted(Axis axis) { m_countsSteps[static_cast<int>(axis)] = true; } // metrics came with it

    const std::optional<double> &epoch() const { return m_epoch; }
    const std::optional<double> &epochTotal() const { return m_epochTotal; }
    bool hasLast() const { return m_last.step.has_value(); }
    bool lastIsHeader() const { return m_lastIsHeader; }
    std::uint64_t lastLine() const { return m_lastLine; }
    bool counts(Axis axis) const { return m_countsSteps[static_cast<int>(axis)]; }
    // Takes "iteration 3/100" that stood alone on its line, once its values have come.
    std::optional<double> takeHeaderShare() { return std::exchange(m_headerShare, std::nullopt); }

private:
    void noteAmidEpoch(const Record &record, const Place &place);
    void noteCountsOn(const Record &record, const Place &place);
    void rememberKerasBar(const Record &record, bool hasValues, std::uint64_t line);

    std::optional<double> m_batchAt, m_batchTotal; // of the last line with both
    bool m_totalsAreBatches = false;
    bool m_numbersAreRanks = false;
    std::optional<double> m_epoch, m_epochTotal;
    bool m_epochIsClosed = false; // its values were given; what follows is about something else
    struct KerasBar {
        double at = 0;
        std::optional<double> total;
        std::uint64_t line = 0;
    };
    std::optional<KerasBar> m_kerasBar; // while its last state has not come
    std::optional<double> m_singleTotal; // of a bar that is full in the only state on its line
    std::optional<double> m_brokenTotal; // of a bar that a callback has cut off by its line: it is drawn once more
    Place m_last; // the last step that a line has named
    bool m_lastIsHeader = false; // and nothing else
    std::optional<double> m_headerShare;
    std::uint64_t m_lastLine = 0;
    bool m_isAmidEpoch = false; // the last line counted a total that goes on
    std::optional<double> m_countAt, m_countGap;
    Place m_counted; // the last iteration that was named beside its epoch, without a total
    bool m_countsOn = false; // such iterations go on from epoch to epoch
    bool m_countsSteps[16] = {}; // axes that metrics came with
};

} // namespace trainyard::metrics
