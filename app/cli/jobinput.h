// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "model/protocol/jobdocument.h"

#include <variant>

namespace trainyard::cli
{

// The options of a command without an engine about the job that it reads.
struct JobInputWords {
    QString file; // "-": standard input
    QStringList parameters; // NAME=VALUE
    QString catalog;
    bool asServer = false; // an OpenPAI server's verdict, which knows no catalogue
    bool saysWarnings = false; // on stderr, as before a submission
};

struct JobInput {
    QByteArray bytes; // with what comes from the catalogue
    JobSpec job; // with the values of `parameters`
};

// The errors among findings about the text of a file, on stderr: each with its line and column.
void sayErrors(const QString &file, const QByteArray &bytes, const QList<Diagnostic> &findings);

// Reads and checks the file of a job for rendering or exporting it. A job that cannot run is said on stderr; the status
// is then what the command ends with.
std::variant<JobInput, ExitStatus> readJobInput(const QString &command, const JobInputWords &words);

} // namespace trainyard::cli
