// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/foreignid.h"
#include "engine/api/values.h"
#include "engine/metricfiles/runs.h"
#include "model/base/result.h"

#include <QList>
#include <QString>

#include <functional>
#include <map>
#include <string>

namespace trainyard
{

// A run that another program has recorded: files in a folder, or a part of a database. Trainyard never changes it.
struct FoundForeign {
    QString path; // that a client named
    QString name; // of the run in it
    metricfiles::FoundRun files; // none: it is in the database
    QString database, id; // of the run in the database
};

struct ForeignNote { // a sentence by its code (widgets/text)
    QString code;
    QJsonObject args;
};

// The runs in a file, a folder or a database. Waits for the disk.
struct FoundForeigns {
    QList<FoundForeign> runs;
    QList<ForeignNote> notes; // what was not looked at
};
Result<FoundForeigns> findForeign(const QString &path);

// Whether a file is a metric of a run although its name does not say so: MLflow's mlruns/EXPERIMENT/RUN/metrics/loss.
// Reads the beginning of such a file only.
bool isUnnamedMetric(const QString &path);

// A run in the form that the lists and pages of jobs use: a job that has ended, with one task whose folder has the
// metrics in the form in which agents write them (docs/task-folder.md). Its uuid begins with foreignPrefix.
struct ForeignRun {
    JobSummary summary;
    TaskInfo task;
    std::map<std::string, std::string> facts;
    QList<ForeignNote> notes;
    QString job = {}; // of ours, in whose folder its files are (jobIn()); empty: none
    friend bool operator==(const ForeignRun &one, const ForeignRun &other)
    {
        return one.summary == other.summary && one.task == other.task && one.facts == other.facts;
    }
};
// Always the same for a run of this name at this path.
QString foreignUuid(const FoundForeign &found);

// The sizes and times that show whether the files have changed since.
QByteArray stampOf(const FoundForeign &found);

// Reads the run into its folder below `cache`, and says what it is. Waits for the disk, and takes as long as the files
// are large; `isCancelled` ends it early, then without a result worth keeping.
Result<ForeignRun> importForeign(
    const FoundForeign &found, const QString &cache, const std::function<bool()> &isCancelled);

} // namespace trainyard
