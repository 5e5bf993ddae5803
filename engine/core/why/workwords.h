// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

#include <QString>

namespace trainyard::core
{

// Whether a line has the form of a report of work: progress, measures, tables and what is only told.
bool reportsWork(const QString &text);
// Whether a line is one state of what a program draws again and again, such as a bar of progress.
bool isDrawnAgain(QByteArrayView words);
// Whether a sentence holds a measure against what it should be: "accuracy 0.4 is below the required 0.8".
bool judgesMeasure(const QString &text);
// Whether a line says that what had failed works again: "reconnected to the store", "attempt 3 succeeded".
bool tellsRecovery(QByteArrayView words);
// Whether a line between two places announces that the run begins again: "Restarting (attempt 2)", "requeued".
bool isRestartedBetween(const QList<WhyLine> &lines, qsizetype from, qsizetype to);
// Whether a line is of a logger, below the level of warnings.
bool isMereInformation(QByteArrayView words);
// Whether the lines from one to another, without it, tell that the work went on: it begins again, or its steps and
// measures follow each other. What a program draws again while it ends, such as a bar, tells nothing. One line of
// standard output may come behind an error of the same program, so that it takes two.
inline constexpr int stepsOfWork = 2;
bool goesOnBetween(const QList<WhyLine> &lines, qsizetype from, qsizetype to, int enough = stepsOfWork);

} // namespace trainyard::core
