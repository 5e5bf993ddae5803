// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/epochcount.h"
#include "engine/metrics/point.h"
#include "engine/metrics/record.h"
#include "engine/metrics/runprogress.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::metrics
{

// Decides what of a record is a metric and to which step it belongs; keeps the step that the lines before have named,
// and the progress that the output reports. Large because each of its rules asks for the step that the others have
// found.
class Collector
{
public:
    void take(Record &&record, std::uint64_t line, std::string_view barText = {});
    // A line "3: something" without values: such numbers are ranks.
    void noteRankPrefix() { m_numbersAreRanks = true; }

    void finish(); // nothing follows

    bool hasValues() const { return !m_series.empty(); }
    bool knowsEpoch() const { return m_epoch.has_value(); }

    std::vector<Point> takePoints();
    const Progress &progress() const { return m_progress; } // as the output shows it
    const Progress &runProgress() const { return m_run.progress(); } // of the whole

private:
    struct Place {
        Axis axis = Axis::None;
        std::optional<double> step, epoch;
        bool isOwn = false; // named on the same line
        bool isBare = false; // by a number alone
        friend bool operator==(const Place &, const Place &) = default;
    };
    struct Series {
        std::string context;
        Axis axis = Axis::None;
        std::optional<double> step, epoch;
        double value = 0;
        int withoutStep = 0; // points before any step was named
        bool countsInEpochs = false; // its steps start over in each epoch
    };
    struct BarState {
        double at = -1;
        std::optional<double> total;
        std::string text;
        std::optional<double> fraction, secondsLeft; // as it said last
        bool hadText = false; // before its last state
        Record held; // its last state, which said what the ones before had said
        Place heldAt;
        std::uint64_t heldLine = 0;
        int moves = 0; // of its count since it said something new
    };

    struct Count {
        double at = 0, total = 0;
        double by = 0; // from the one before
        std::optional<double> secondsLeft;
        bool outlastsBars = false; // it went on after a bar had ended
    };

    Place placeOf(const Record &record) const;
    Place carried() const;
    void noteInside(const Record &record, Place &own);
    Place placeInBar(const Record &record, const Place &place, const Pair &pair) const;
    bool isMetric(const Record &record, const Pair &pair, const Place &place, bool hasMetric) const;
    bool isAloneBelowHeader(const Record &record, const Place &place) const;
    bool isRateBelowHeader(const Record &record, const Place &place) const;
    bool keep(const Pair &pair, const Place &place, const Record &record, std::uint64_t line);
    bool isRedrawn(const Record &record, std::string_view barText);
    void hold(const Record &record, const Place &place, std::uint64_t line);
    void closeBar(BarState &bar);
    void remember(const Record &record, const Place &place, bool hasValues);
    void takeStepsFromNames(Record &record) const;
    void noteTotals(Record &record);
    struct Counts {
        const StepMark *epoch = nullptr, *inner = nullptr; // each with its total
    };
    Counts countsOf(const Record &record, bool hasValues) const;
    void noteProgress(const Record &record, const Place &own, bool hasValues);
    void noteRun(const Record &record, const Progress &before, bool hasValues);
    std::optional<double> doneByEpochs(const Record &record, const Place &own, bool hasValues);
    void noteCount(double at, double total);
    bool countGoesOn() const;
    void noteSettings(const Record &record, bool hasValues);
    bool waitsAsSettings(const Record &record, const Place &own, std::uint64_t line);

    std::vector<Point> m_points;
    std::unordered_map<std::string, Series> m_series;
    Progress m_progress;
    RunProgress m_run;
    std::optional<double> m_batchAt, m_batchTotal; // of the last line with both
    EpochCount m_epochCount;
    std::optional<Count> m_count; // "step 3/100", of lines with values that are not bars
    bool m_barHasEnded = false; // since the last such line
    bool m_totalsAreBatches = false;
    bool m_numbersAreRanks = false;

    std::optional<double> m_epoch, m_epochTotal;
    bool m_epochIsClosed = false; // its values were given; what follows is about something else
    Place m_last; // the last step that a line has named
    bool m_lastIsHeader = false; // and nothing else
    std::optional<double> m_headerShare; // of "iteration 3/100" alone on its line, until its values come
    std::uint64_t m_lastLine = 0, m_line = 0;
    int m_settings = 0; // lines with settings, one after the other
    // A dictionary of settings beside a step. It counts once another one of the same names has a later step.
    struct SettingsHeld {
        Record record;
        Place at;
        std::uint64_t line = 0;
        bool isSeries = false;
    };
    std::unordered_map<std::string, SettingsHeld> m_settingsHeld; // by their names
    bool m_countsSteps[16] = {}; // axes that metrics came with
    std::vector<BarState> m_bars; // by their lengths; the last one first
};

} // namespace trainyard::metrics
