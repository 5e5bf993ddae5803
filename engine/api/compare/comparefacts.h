// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

// Finds what several runs have in common and how they differ. Pure: the caller passes the runs, their texts and the
// records of their environments, as far as it has them.
namespace trainyard
{

struct CompareRun {
    JobSummary job;
    QByteArray yaml = {}; // as it ran, secrets masked; empty: not known
    QJsonObject environment = {}; // captured at its start (docs/task-folder.md); empty: not known
};

// One property of runs, with its value in each run.
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

// The first parameter that is a seed; empty: none is.
QString seedOf(const QJsonObject &parameters);
// The name of a job that is run again with this seed, so that lists of jobs tell the runs apart: "sweep-06" becomes
// "sweep-06-seed8".
QString nameWithSeed(const QString &name, const QString &parameter, qint64 seed);

// Parameters come first, then the configuration, the run, the environment; each in the order in which they appear.
struct CompareTable {
    QList<CompareFact> same; // in all runs that are known to have it or not
    QList<CompareFact> different;
    QList<CompareFact> of(CompareFact::Kind kind, bool isSame) const;
};

// Whether the value of the run is known, which includes that it has none. An unknown value does not count as a
// difference.
bool isKnownOf(const CompareFact &fact, const CompareRun &run);
// The first run whose value is known; -1: there is none. A value that is the same in all runs may be unknown for a run
// that waits.
qsizetype firstKnownOf(const CompareFact &fact, const QList<CompareRun> &runs);
// Unknown texts are not compared: a run without a text does not differ from any other in its configuration. Lists
// in texts and records go by the `name` of their entries where these have one, else by their position. So do roles of
// which all texts have as many, with no name in common: "taskRoles.0" is then the name of the first one.
CompareTable compareRuns(const QList<CompareRun> &runs);
// Whether both summaries give a comparison the same facts about a run. Values that change while it runs, such as its
// results, are not facts.
bool hasSameFacts(const JobSummary &one, const JobSummary &other);

// "0.1", "1e-5", "true": a parameter as people write it.
QString compareText(const QJsonValue &value);

} // namespace trainyard
