// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard::cli
{

// The words that a shell may complete, as far as they are known now: of kind "jobs" (names, numbers, and their groups
// and tags), "job" (one of them), "filters" (of ps), "targets", "templates", or "tasks:JOB" (its roles and tasks). No
// engine is started for that and nothing is said: without one, what needs it is empty. Words that a shell would not
// take as they are are left out.
QStringList listedWords(const QString &kind);

// The names that 'templates show' takes (cmd_templates.cpp).
QStringList templateWords();

} // namespace trainyard::cli
