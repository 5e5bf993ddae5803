// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"

namespace trainyard
{

// What a fact is called: "lr", "taskRoles.worker.instances", "Hosts".
QString factTitle(const CompareFact &fact);

// The value of a run as one line, cut where it is long; a dash for one that has none.
QString factValue(const QString &value);

// "model resnet20, epochs 90, seed 7": parameters that are the same in all runs, at most `most` of them; `rest` gets
// how many more there are.
QString sameWords(const QList<CompareFact> &same, qsizetype most, qsizetype *rest = nullptr);

} // namespace trainyard
