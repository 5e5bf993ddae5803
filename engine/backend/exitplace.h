// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "model/template/scriptlines.h"

namespace trainyard
{

// Adds to an error of the shell which command of the job it is about, as the arguments `at` (the path of
// the command) and `atLine` (the line in it, from 0), if the message and the commands leave no doubt. If the word that
// the message names is the whole value of a reference, `reference` names it; if the word is the program only because a
// reference before it is empty, `emptyReference` does.
FailureFacts placedInCommands(FailureFacts facts, const QList<ScriptLine> &lines);

} // namespace trainyard
