// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard::cli
{

// Makes the manual from the table of commands and the reference of the job language, so that it is always up to date.
QByteArray manualPage(const QString &name); // "trainyardctl.1", "trainyard.1", "trainyard-job.5"; empty for others
QByteArray referenceMarkdown(); // docs/job-reference.md

} // namespace trainyard::cli
