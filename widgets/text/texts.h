// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/diagnostic.h"
#include "model/base/result.h"

namespace trainyard
{

// The texts that users read: whole sentences without codes, which say what to do where something can be done.
QString diagnosticText(const Diagnostic &diagnostic);
// The same at its own position, where the role and the field are visible: shorter, if it has a short form (CODE.short),
// so that the fixes have room beside it. The whole sentence is available there as well.
QString diagnosticBrief(const Diagnostic &diagnostic);
QString fixTitle(const Fix &fix);
QString severityText(Severity severity); // error, warning, note
QString errorText(const Error &error);
// The engine's offer when a job asks for more than there is: "Ask for 2 GPUs". Empty if it has none.
QString refusalFixText(const Error &refusal);
// Why a job waits, or why it or a task failed; empty for an empty code.
QString reasonText(const QString &code, const QJsonObject &args = {});
// The same of a job, with the task that a sentence about one task leaves out: "worker/3: ...". Lists of jobs say this.
QString jobReasonText(const JobSummary &job);
// The same where the cause of the failure follows in full: a retry does not say it as well.
QString reasonTextAboveCause(const JobSummary &job);
// Which step of the preparation failed, or which one after the commands; empty where the commands did.
QString failedStepText(const QString &code, const QJsonObject &args);
// Whether the sentence of a job that failed is about one task alone and does not name it: what that task's output
// shows.
bool isOneFailure(const QString &code, const QJsonObject &args);
// The problems of an online host that can be used: a sentence for each GPU on which nothing can run.
QStringList hostNotes(const HostInfo &host);
QString stateText(State state); // Waiting, Running, ...

} // namespace trainyard
