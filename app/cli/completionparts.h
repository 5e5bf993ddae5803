// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <QString>
#include <QStringList>

// The data that the completion scripts of all shells read from the table of commands.
namespace trainyard::cli
{

QString quotedForShell(const QString &text);
QList<Option> optionsOf(const Command &command);
QString shownOptions(const QList<Option> &options, bool onlyValued = false);
// The words that can follow the command: its forms, or the known values of its operand.
QStringList firstWords(const Command &command);
// Those of 'help', which explains a command.
QStringList commandNames();
Word operandOf(const Command &command);
bool takesManyJobs(const Command &command);
// The beginning of what an option means, short enough for a list.
QString brief(const QString &text);
// The words of this kind that the command itself lists.
QString listedKind(Word word);
// The same of what the job in a file has.
QString kindOfFile(Word word);
// Which of the jobs.
QString jobsKind(Word word, const QString &kind);
// Whether a task may follow the job.
bool takesTasks(const Command &command);
// The kind of the words after the first, if they are listed.
QString furtherKind(const Command &command);

} // namespace trainyard::cli
