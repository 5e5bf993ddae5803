// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

// What several runs have in common and in what they differ. Pure: the caller gives the runs, their texts and what was
// recorded about their environment, as far as it has them.
namespace trainyard
{

struct CompareRun {
    JobSummary job;
    QByteArray yaml = {}; // as it ran, secrets masked; empty: not known
    QJsonObject environment = {}; // captured at its start (docs/task-folder.md); empty: not known
};

// One thing that runs can have, with the value of each run.
struct CompareFact {
    enum class Kind {
        Parameter, // the name is that of the parameter
        Configuration, // of the text; the name is the path, "taskRoles.worker.instances"
        Run, // the name is a code: name, hosts, target, gpus, tasks, retries (widgets/text)
        Environment // captured at the start; the name is the path in the record, commit in git
    };
    Kind kind = Kind::Parameter;
    QString name;
    QStringList values; // in the order of the runs; a null text: the run has none, or it is not known
    bool isSeed() const; // a parameter that only chooses among random numbers
    friend bool operator==(const CompareFact &, const CompareFact &) = default;
};

// Parameters come first, then the configuration, the run, the environment; each in the order in which they appear.
struct CompareTable {
    QList<CompareFact> same; // in all runs that are known to have it or not
    QList<CompareFact> different;
    QList<CompareFact> of(CompareFact::Kind kind, bool isSame) const;
};

// Whether it is known what the run has of it, if only that it has none. What is not known does not count as a
// difference.
bool isKnownOf(const CompareFact &fact, const CompareRun &run);
// The first run of which it is known; -1: of none. What is the same in all is not known of a run that waits.
qsizetype firstKnownOf(const CompareFact &fact, const QList<CompareRun> &runs);
// Texts that are not known take no part: a run without one does not differ from any other in its configuration. Lists
// in texts and records go by the `name` of their entries where these have one, else by their position.
CompareTable compareRuns(const QList<CompareRun> &runs);
// Whether both give a comparison the same facts about a run: what changes while it runs, such as its results, is not a
// fact.
bool hasSameFacts(const JobSummary &one, const JobSummary &other);

// "0.1", "1e-5", "true": a parameter as people write it.
QString compareText(const QJsonValue &value);

} // namespace trainyard
