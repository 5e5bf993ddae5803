// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/formermetrics.h"
#include "engine/api/values.h"
#include "model/protocol/jobdocument.h"
#include "model/sweep/sweepjobs.h"
#include "model/sweep/worserule.h"

namespace trainyard
{

// A sweep as it is being written: plain values.
struct SweepDraft {
    struct Row { // of each parameter of the document
        QString name;
        Value known; // its value there
        QString text; // its values
        bool isSwept = false;
    };
    QByteArray yaml; // of the document
    JobDemand demand; // of one job
    bool sharesFolder = false; // its jobs would overwrite each other's files
    QList<Row> rows;
    SweepKind kind = SweepKind::Grid;
    int count = 10; // of Random
    quint64 seed = 1;
    int limit = 0; // jobs at a time; 0: any number
    int room = 0; // for how many at a time the hosts have GPUs, cores and memory; 0: not known
    int placed = 0; // for how many GPUs and memory, without which none starts; 0: not known, or nothing holds them back
    QString stopWorse; // empty: none is stopped
    FormerMetrics former; // what former runs of the document have reported; empty: not known
    QString group; // empty: the engine's client finds a name
};
// A draft for a document that can be run; no parameter is swept yet.
SweepDraft sweepDraft(const ParseOutcome &job);

// A draft for a document whose sweep was written before: what the user wrote then, into what is offered now. `before`
// is what was offered then: what the user has not changed since is offered afresh.
SweepDraft resumedDraft(SweepDraft offered, const SweepDraft &before, const SweepDraft &written);

// The meaning of a draft.
struct SweepPreview {
    QList<std::optional<Error>> ofRows; // what is wrong with the values of each row
    QList<qsizetype> counts; // of the values of each row; 0: not swept, wrong, or without a count
    QList<std::optional<SweepAxis::Bounds>> drawn; // between which those of each row are drawn: they have no count
    QList<bool> rounded; // whether those of each row are moved to whole numbers
    std::optional<Error> ofRule, ofGroup, ofPlan; // what is wrong with these
    QStringList parameters; // that are swept
    QList<SweepPoint> points; // of each job
    bool canRun() const { return !points.isEmpty() && !ofRule && !ofGroup; }
};
SweepPreview previewOf(const SweepDraft &draft);

// The effect of a rule that stops worse jobs.
struct RuleEffect {
    std::optional<WorseRule> rule; // nothing: there is none, or it is wrong
    bool isUnknown = false; // former runs have reported metrics, and none of this name
    QString meant; // of an unknown one: that which is spelled nearly so
    int rareRuns = 0; // more than 0: only so many of all former runs with metrics have it, likely with other settings
    int allRuns = 0;
    bool isIdle = false; // there are too few jobs for it
};
RuleEffect effectOfRule(const SweepDraft &draft, qsizetype jobs);

// How many run at the same time at most: by their limit, and by what the hosts have.
qint64 jobsAtOnce(const SweepDraft &draft, qsizetype jobs);

} // namespace trainyard
