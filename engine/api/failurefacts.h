// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/template/unresolved.h"
#include "model/yaml/yamlpath.h"

#include <QJsonObject>
#include <QString>

#include <optional>

namespace trainyard
{

// Why a run failed, as far as its output and its status show it. widgets/text/whytexts.h has the words.
struct FailureFacts {
    QString cause; // a name of resources/failure-causes.json, or one of the few that only the engine gives
    QString certainty; // certain, likely, unknown
    qint64 line = 0; // of the output, from 1; 0: the output is empty
    QString text; // that line
    bool onlyLast = false; // the line is only what was printed last: nothing in the output shows the cause
    QString file, function; // the innermost place in the user's own code; empty: none is known
    int fileLine = 0;
    std::optional<bool> transient; // whether the same job may succeed when it runs again; nothing: it depends
    bool follows = false; // it only reports that another process ended or did not answer: the cause is with that one
    QString task; // the task whose output this is, as ROLE/INDEX, if it is not the one that is explained
    QJsonObject args; // taken from the line: sizes, names, hosts

    QJsonObject toJson() const;
    static FailureFacts fromJson(const QJsonObject &json);
    bool isEmpty() const { return cause.isEmpty(); }
    bool showsLine() const { return line > 0 && !onlyLast; }
};

// The certain consequence of a reference in the commands that refers to nothing, as a cause with its arguments.
FailureFacts unresolvedFacts(const UnresolvedReference &reference);

// An argument: the process surely ended with this exception, but no cause describes it.
inline constexpr QLatin1StringView unnamedKey{"unnamed"};

// The member of a reason's arguments ("exit.*") that holds these facts.
inline constexpr QLatin1StringView failureKey{"failure"};
FailureFacts failureFacts(const QJsonObject &reasonArgs); // empty ones where it has none

// The place in the text of the job that a failure is about, as the facts' arguments `at` and `atLine` name it.
struct JobPlace {
    YamlPath path; // of a command; empty: none is known
    int line = 0; // in it, from 0
    friend bool operator==(const JobPlace &, const JobPlace &) = default;
};
JobPlace jobPlace(const FailureFacts &facts);

} // namespace trainyard
