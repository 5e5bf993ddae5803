// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/format.h"

#include <QString>

// What among the files that a user opens is of our own jobs, and not of another program.
namespace trainyard
{

// The id of a job in a path, as engines make them; the innermost one. Empty: there is none. Pure.
QString jobIn(const QString &path);

// Whether it is a table that Trainyard saved: it repeats values of its own runs, mostly of several in one file. Waits
// for the disk.
bool isSavedTable(const QString &path, metricfiles::Format format);

} // namespace trainyard
