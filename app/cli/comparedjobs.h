// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "engine/api/compare/comparefacts.h"

namespace trainyard::cli
{

// The jobs that the words mean, which may be groups, and all of the group, each once, in this order; with their texts
// and what was captured of their surroundings. Returns 0, or the exit status after reporting what is wrong.
int comparedRuns(Session &session, const QStringList &words, const QString &group, QList<CompareRun> &runs);

} // namespace trainyard::cli
