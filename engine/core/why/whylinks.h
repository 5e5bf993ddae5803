// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// Whether what is missing is what a preparation that failed before should have brought: an installer of the module, or
// something that names the file.
bool isLinkedPreparation(const QList<WhyLine> &lines, const WhySign &preparation, const WhySign &missing);
// Whether a program that failed with these words ends with another status than the run: the run went on after it.
bool endsOtherwise(QByteArrayView words, const WhySign &sign, std::optional<int> status);
// Whether words only say that what came right before is given up.
bool isGivingUp(QByteArrayView words);

// Whether a line is of one of the small tools that scripts are made of: "mkdir: cannot create directory ...".
bool isOfSmallTool(QByteArrayView words);
// Whether a script may go on after what a small tool says: a folder is there that it makes, or a file is not that it
// removes.
bool isHarmlessTool(QByteArrayView words);
// Whether a line is of git, ssh, curl or a shell, which a program may call without ending with it.
bool isOfCalledTool(QByteArrayView words);
// Whether a launcher says that a task ended with a status of its own, and not by a signal.
bool reportsOwnExit(QByteArrayView words);
// Whether a report of a launcher or a build tells that several processes of one program ran, and not only one that it
// had started.
bool reportsSeveral(const QList<WhyLine> &lines, const WhySign &report);
// A scheduler that ends a step because one of its tasks has ended by itself kills the others: these reports say nothing
// about the cause.
void discountKilledTasks(const QList<WhyLine> &lines, QList<WhySign> &signs);

} // namespace trainyard::core
