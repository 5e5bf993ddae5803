// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// What a text means, according to the table of causes.
struct CauseMatch {
    const FailureCause *cause = nullptr;
    const FailureCause::Line *line = nullptr;
    QJsonObject args;
};

// The named groups of the line's pattern; nothing where the text does not match it.
std::optional<QJsonObject> argumentsOf(const FailureCause::Line &line, const QString &text);
// What Python says when it ends: the type, its message and the lines that continue it.
std::optional<CauseMatch> causeOfError(const FailureCauses &causes, const WhyError &error);
bool isReportOf(const FailureCauses &causes, const WhyError &error);

WhySign signOfCause(const CauseMatch &match);
// An error that a program ended with, in another language than Python.
WhySign signOfError(const FailureCauses &causes, const WhyError &error);

// Arguments are shown to the user, so they are shortened, and the first argument of a name is kept.
inline constexpr qsizetype longestArgument = 300;
void insertText(QJsonObject &args, const QString &name, const QString &value);

} // namespace trainyard::core
