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
    bool isNameKnown = false; // the parameter or secret exists, but not the part that the reference names
    // The token right after it, unless that is a word: "newline", ">", "|". bash reads "%>" as a redirection, which
    // needs a word, and names this token in its syntax error.
    QStringList before = {};

    bool isParameter() const { return scope == QLatin1String("$parameters"); }
    bool isSecret() const { return scope == QLatin1String("$secrets"); }
    // Whether there is no such parameter or secret at all.
    bool isMissingName() const { return (isParameter() || isSecret()) && !name.isEmpty() && !isNameKnown; }
    friend bool operator==(const UnresolvedReference &, const UnresolvedReference &) = default;
};

// The unresolved references in the commands of a role and in those of its active deployment, each key once, in their
// order. Only tags that begin with a scope of the job language count: others may belong to the user's text. A secret
// whose value is not in the job has one when the job runs. Pure; for any thread.
QList<UnresolvedReference> unresolvedReferences(const JobSpec &job, const TaskRole &role);
// The references of all roles, each key once.
QList<UnresolvedReference> unresolvedReferences(const JobSpec &job);

} // namespace trainyard
