// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "model/base/result.h"
#include "model/runtime/jobchanges.h"
#include "widgets/text/whytexts.h"

#include <QJsonArray>
#include <QJsonObject>

#include <optional>

// The answer to the question why something failed.
namespace trainyard::cli::why
{

// How the answer is given.
struct Manner {
    bool json = false;
    QJsonArray *several = nullptr; // takes the objects of several jobs, which are printed together
    std::optional<QJsonArray> health = {}; // of the job as it is now, in the form of 'show --json'
    std::optional<QJsonObject> waits = {}; // what the job waits for now
    QString task = {}; // that is explained, of a job: ROLE/INDEX
    bool saysTask = false; // the job has others, and the user has not named this one
};

// Finds the cause at the end of an output; the path may be "-".
Result<FailureFacts> factsOfLog(const QString &path, std::optional<int> status);
void say(
    const FailureFacts &facts, const FailureWords &words, const Manner &manner, const QList<JobChange> &changes = {});

} // namespace trainyard::cli::why
