// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/tracebacks.h"
#include "model/runtime/exitrules.h"

#include <QByteArrayView>

#include <optional>

namespace trainyard::core
{

// A finding of the rules that the output shows, in the words of the rule.
struct OutputFinding {
    QString name, reason, solution;
    QByteArray line; // that shows it
};

// What ended the user's program, as far as its output shows it. Code and text come from the same error.
struct OutputCause {
    const ExitRule *rule = nullptr;
    QByteArray line; // that made the rule
    std::optional<OutputFinding> finding;
    std::optional<PythonError> python;
};

// Finds the cause in an output. Among equal errors the last one counts, and those that the program survived do not
// count (docs/execution.md, "Why it failed").
OutputCause causeOf(const ExitRules &rules, int status, QByteArrayView output);
// The same as an OpenPAI server finds it: the first rule in the order of the file counts, wherever its line is.
// `status` is the raw exit.
OutputCause causeInFileOrder(const ExitRules &rules, int status, QByteArrayView output);

// The line that makes the rule apply, or an empty one where it asks for none.
std::optional<QByteArray> matchRule(const ExitRule &rule, int status, QByteArrayView output);

} // namespace trainyard::core
