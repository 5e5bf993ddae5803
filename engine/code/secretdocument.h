// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard
{

// Whether the file is a job with the values of secrets in it, or a file with such values for an exported script
// (JOB.secrets). They reach no disk of a host: not only the job that runs is in a work folder. Reads files that are
// called .yaml, .yml or .secrets, 1 MiB at most. For any thread; waits for the disk.
bool isSecretDocument(const QByteArray &path);

} // namespace trainyard
