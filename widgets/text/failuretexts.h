// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>
#include <QJsonObject>
#include <QString>

namespace trainyard
{

// Why a job failed, and what that means.
struct FailureText {
    // What is to be put right, so far as it is known: the user's code; the job, as with the path of a file; or neither,
    // as with a disk that is full.
    enum class Fault { Code, Job, Around };
    QString cause; // a few words: "worker/1: Out of memory"
    QString explanation; // lines: the status and what it means; where in the code; whether it was tried again
    QString advice = {}; // what to do, where that is known and not said above
    bool mayGoWell = true; // a retry may help; otherwise a change is necessary
    bool isTransient = false; // a retry is likely to help
    Fault fault = Fault::Code;
    bool missesScript = false; // a file of the job was not where its commands ran
    QString file = {}; // the innermost place in the user's own code; empty: none is known
    int line = 0;
};
// `shown` is the attempt that is looked at, and `newest` the one that ended the job; either may be missing. The labels
// of hosts are by the id of the host. The part from the output is left out if its lines are shown beside the text.
// `attempts` includes one that did not begin; 0: as many as the newest one says.
enum class OutputQuote { Said, SeenBeside };
FailureText failureText(const JobSummary &job, const AttemptInfo *shown, const AttemptInfo *newest,
    const QHash<QString, QString> &hostLabels, OutputQuote quote = OutputQuote::Said, int attempts = 0);

// Whether the sentence of a reason (reasonText()) names the status of the command, which is then not to be said again.
bool saysStatus(const QString &reason, const QJsonObject &args);

} // namespace trainyard
