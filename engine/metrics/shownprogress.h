// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/barstates.h"
#include "engine/metrics/epochcount.h"
#include "engine/metrics/namedsteps.h"
#include "engine/metrics/runprogress.h"

namespace trainyard::metrics
{

// How far the output says it is, by its counts, bars and epochs.
class ShownProgress
{
public:
    explicit ShownProgress(const NamedSteps &steps) : m_steps(steps) { }

    void begin() { m_before = m_progress; } // with the next record
    void forget() { m_progress = {}; } // what was taken for it was none
    void show(double fraction) { m_progress.fraction = fraction; }
    void note(const Record &record, const Place &own, bool hasValues, const BarStates &bars);
    // Once the steps of the record are known; `hasSeries` says whether the output has any metric so far.
    void noteRun(const Record &record, bool hasValues, bool hasSeries);

    const Progress &shown() const { return m_progress; } // of what is counted innermost
    const Progress &ofRun() const { return m_run.progress(); } // of the whole

private:
    struct Counts {
        const StepMark *epoch = nullptr, *inner = nullptr; // each with its total
    };
    struct Count {
        double at = 0, total = 0;
        double by = 0; // from the one before
        std::optional<double> secondsLeft;
        bool outlastsBars = false; // it went on after a bar had ended
    };
    Counts countsOf(const Record &record, bool hasValues) const;
    std::optional<double> doneByEpochs(const Record &record, const Place &own, bool hasValues);
    void noteCount(double at, double total);
    bool countGoesOn() const;

    const NamedSteps &m_steps;
    Progress m_progress, m_before;
    RunProgress m_run;
    EpochCount m_epochCount;
    std::optional<Count> m_count; // "step 3/100", of lines with values that are not bars
    bool m_barHasEnded = false; // since the last such line
};

} // namespace trainyard::metrics
