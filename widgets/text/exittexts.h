// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace trainyard
{

class ExitRules;

// The rules whose words the functions below use where they differ from the bundled ones, which are used before. For the
// thread of the programs' texts.
void setExitRules(const ExitRules &rules);

// The meaning of a completion code for users.
struct ExitText {
    QString phrase; // a few words: "Out of memory"
    QString reason; // a sentence
    QString advice; // what to do; empty when there is nothing to do
    QString retry; // whether and when it is retried automatically
    bool countsRetries = false; // tried again only while retries are left
    bool neverRetried = false; // the same would happen
};
ExitText exitText(int code);

inline constexpr int exitStoppedByUser = -210; // a job
inline constexpr int exitEndedWithJob = -220; // a task that had to end with its job

// For a reason of the engine by which a task did not begin: what could not be brought to its host. Empty for others.
QString supplyPhrase(const QString &reason);

// Only the phrase, for where there is little room; empty when it would only say that it failed.
QString exitPhrase(int code);

// Why a job failed, in a few words, when its own reason says more than its code: another job that it waited for.
QString failurePhrase(int code, const QString &why, const QJsonObject &args);

// Why a job failed, where there is little room: "Out of memory", or its exit code; empty when it did not fail or has no
// code.
QString failureBrief(const JobSummary &job);
// The same in a word or two, of at most so many letters where the words are our own: "OOM", "Exit 7".
inline constexpr int longestShort = 14;
QString failureShort(const JobSummary &job);

// The codes of failures whose phrase, or whose shorter one, has this text in it.
QList<int> failuresNamed(const QString &text);

// The number that users look for: the status of the command where the code says less. `status` is what the process
// returned, `reason` and `args` say why it ended.
int shownExit(int code, std::optional<int> status, const QString &reason, const QJsonObject &args);
int shownExit(const JobSummary &job);

// Whether the program's own status is worth showing beside a code: a code above zero is what became of the status when
// the output was read.
bool isOtherStatus(int code, std::optional<int> status);

// How to name an end where there is little room, in tables and lists of the window and of the command line: "Exit
// status 3" when the code says only that it failed and the program's own status says more, "Exit status 1 (Import
// error)" when the code says how that was understood, else "Job ended". `status` is what the process returned. Our own
// codes are not in it where there are words for them.
QString exitWords(int code, std::optional<int> status);
QString exitBrief(int code, std::optional<int> status); // shorter: without what a status means

// The number as users read it, with a real minus sign.
QString exitNumber(int code);

// All in one line: "Out of memory (-1200): The task used more memory than ... Ask for more memory, ..."
QString exitCodeText(int code);

} // namespace trainyard
