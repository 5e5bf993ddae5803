// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

namespace trainyard
{

// A reference in the commands of a role that refers to nothing, so that it stays in them as text.
struct UnresolvedReference {
    QString key; // "$parameters.lrr"
    QString scope; // "$parameters"
    QString name; // "lrr"
    QString near; // the parameter or secret that has nearly this name; empty: none has
    bool isNameKnown = false; // the parameter or secret is there, but not what the reference wants of it
    // What stands right behind it, wherever that is not a word: "newline", ">", "|". bash reads "%>" as a redirection,
    // which needs a word, and names this in its syntax error.
    QStringList before = {};

    bool isParameter() const { return scope == QLatin1String("$parameters"); }
    bool isSecret() const { return scope == QLatin1String("$secrets"); }
    // Whether there is no such parameter or secret at all.
    bool isMissingName() const { return (isParameter() || isSecret()) && !name.isEmpty() && !isNameKnown; }
    friend bool operator==(const UnresolvedReference &, const UnresolvedReference &) = default;
};

// Those in the commands of a role and in what its active deployment puts around them, each key once, in their order.
// Only what begins with a scope of the job language counts: other tags may be a text of the user's own. A secret whose
// value is not in the job has one when the job runs. Pure; for any thread.
QList<UnresolvedReference> unresolvedReferences(const JobSpec &job, const TaskRole &role);
// Those of all roles, each key once.
QList<UnresolvedReference> unresolvedReferences(const JobSpec &job);

} // namespace trainyard
