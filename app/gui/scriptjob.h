// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace trainyard
{

// Whether a file is a program to run and no job: a Python or a shell script by its name.
bool isScript(const QString &path);
// The names of files that become a job when they are opened, for a dialog: those of such programs, and those that batch
// scripts have.
QStringList scriptPatterns();
// A job that runs this script in its folder.
QByteArray scriptJob(const QString &path, const QList<HostInfo> &hosts);
// The same job asking for no more GPUs and CPUs than the largest host has; as it is when no host is known.
QByteArray fittedJob(const QByteArray &yaml, const QList<HostInfo> &hosts);

} // namespace trainyard
