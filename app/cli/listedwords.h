// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard::cli
{

// The words that a shell may complete, as far as they are known now: of kind "jobs" (names, numbers, and their groups
// and tags), "labels" (the last two alone), "active-…" and "ended-…" of both (those of such jobs), "job" (one of them),
// "groups" and "tags" (their names alone), "filters" (of ps), "hosts", "ssh-hosts" (without this computer), "targets",
// "templates", "tasks:JOB" (its roles and tasks), "parameters:FILE" (those of the job in it, each as "NAME=") or
// "secrets:FILE". No engine is started for that and nothing is said: without one, what needs it is empty. Words that a
// shell would not take as they are are left out.
QStringList listedWords(const QString &kind);

// The number of each job, of kind "numbers", "active-numbers" or "ended-numbers", and behind `between` its name and
// state, for shells that show what a word means. As above, no engine is started for it.
QStringList explainedJobs(const QString &kind, QChar between);
// The keys of settings that users do not name themselves, and with them the variables and fields of the job language by
// the names that 'explain' takes. Sorted, each once, and plain for every shell.
QStringList settingWords();
QStringList explainedWords();

// The names that 'templates show' takes (cmd_templates.cpp).
QStringList templateWords();

} // namespace trainyard::cli
