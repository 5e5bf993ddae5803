// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "model/template/unresolved.h"

#include <QStringList>

// Refines the cause of a failure when more is known than its output says.
namespace trainyard
{

// The names of the secrets that commands contain, each once.
QStringList secretsInCommands(const QStringList &commands);

// Explains a syntax error in the script that a task runs from memory because the values of secrets are in it, and an
// error of the shell or of a program about a word that is masked, which is then a part of a value: a value with
// characters that a shell reads as its own is the likely reason. The explanation contains the names and nothing of the
// values. `takenApart`: the secrets that a shell takes apart at their position in the commands; others are masked as a
// whole.
FailureFacts blamingSecrets(FailureFacts facts, const QStringList &secrets, const QStringList &takenApart);

// Explains an error of the shell by a reference that remains in the commands because it refers to nothing: bash takes
// <% $parameters.x %> for redirections and a variable. The explanation then names the reference.
FailureFacts blamingReferences(FailureFacts facts, const QList<UnresolvedReference> &references);

// The variables that the task did not get, as its runtime log names them.
QStringList leftOutVariables(const QByteArray &runtimeLog);
// Explains an error that names one of these variables: a KeyError, a variable of the shell that is not set, words of
// the program.
FailureFacts blamingLeftOut(FailureFacts facts, const QStringList &variables);

// Names the commands that may have caused a failure without a message, or the program that the task is.
FailureFacts suspecting(FailureFacts facts, const QStringList &silent, const QString &onlyProgram = {});

// Explains an error of git in a copy of the work folder, which has no .git, and a file that is missing there although
// `work`, the folder that was copied, has it: it is one of those that are not copied. Waits for the disk.
FailureFacts blamingCopy(FailureFacts facts, bool worksInCopy, const QString &work);

} // namespace trainyard
