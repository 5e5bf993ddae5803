// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QRegularExpression>
#include <QString>

#include <optional>

namespace trainyard
{

// One completion code of the exit specification, with the field names that OpenPAI's API shows (appExitSpec).
struct ExitSpecEntry {
    int code = 0;
    QString phrase; // ContainerCudaOOMKilled
    QString issuer, causer, type, stage;
    QString behavior; // TRANSIENT_NORMAL, TRANSIENT_CONFLICT, PERMANENT, UNKNOWN, SUCCEEDED
    QString reaction; // ALWAYS_RETRY, ALWAYS_BACKOFF_RETRY, NEVER_RETRY, RETRY_TO_MAX
    QString reason, repair;
    QJsonObject toJson() const;
};

// A rule that gives a completion code for a raw exit and the log. All its conditions must hold. docs/execution.md, "Why
// it failed", says which rule counts when several hold.
struct ExitRule {
    int code = 0;
    QList<int> exits; // raw exits; empty: any other than 0
    QByteArray hint; // text that a log line must hold; empty: the log is not looked at
    QRegularExpression pattern; // which that line must match; empty pattern: the hint is enough
    bool wins = false; // whatever else is said: no program goes on after it
    bool own = false; // of the user's file
};

// A finding in the end of the output, whatever the code is: a cause in words, and what to do about it.
struct ExitFinding {
    QString name;
    QByteArray hint; // text that a line must hold
    QRegularExpression pattern; // which that line must match; {1} in the words is its first group
    QString reason, solution;
    bool follows = false; // mostly from the end of another process: an error of the program itself goes before it
    bool own = false; // of the user's file
};

// resources/exit-rules.json: codes and rules as data that a user may edit.
class ExitRules
{
public:
    // Errors: "exitrules.json" {message}, "exitrules.invalid" {what, entry}, "exitrules.pattern" {message, entry},
    // "exitrules.twice" {code}; of a user's own table also "exitrules.unknown" {what}, "exitrules.reserved" {code,
    // entry}, "exitrules.no-entry" {code, entry}.
    static Result<ExitRules> parse(const QByteArray &json);
    static const ExitRules &bundled();
    // These rules with a user's own before them: entries change or add codes field by field, rules and findings are
    // tried first, and a finding replaces the one of its name. With "onlyOwnRules": true no other rule is left.
    Result<ExitRules> withOwn(const QByteArray &json) const;

    const QList<ExitSpecEntry> &entries() const { return m_entries; }
    const QList<ExitRule> &rules() const { return m_rules; }
    const QList<ExitFinding> &findings() const { return m_findings; }
    const ExitSpecEntry *find(int code) const;
    // The entry of a code; a code without one gets the text of the fallback with its own number.
    ExitSpecEntry entryFor(int code) const;

private:
    QList<ExitSpecEntry> m_entries;
    QHash<int, int> m_byCode;
    QList<ExitRule> m_rules;
    QList<ExitFinding> m_findings;
};

} // namespace trainyard
