// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/result.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <functional>
#include <optional>

namespace trainyard
{

// Writes a job for other systems (docs/exporting.md). Each text is complete in itself and runs without Trainyard.
enum class ExportTarget { Bash, Sbatch, Compose, JobSet, SkyPilot, Dstack };

// The names of the targets, as the command line has them: "bash", "sbatch", ... Those of clusters are understood as
// well: "slurm", "kubernetes", "k8s".
QStringList exportTargetWords();
std::optional<ExportTarget> exportTargetOf(const QString &word);
// The end of a file's name for it: ".sh", ".sbatch", ".yaml".
QString exportSuffix(ExportTarget target);

// A point that the other system cannot do, or does differently: a code and its arguments, as everywhere.
struct ExportNote {
    QString code;
    QJsonObject args = {};
    friend bool operator==(const ExportNote &, const ExportNote &) = default;
};

struct ExportOptions {
    bool apptainer = false; // bash and sbatch: tasks run in the images of their roles
    // The sentence of a note, for the comments of the text. Without it they have the code and its arguments.
    std::function<QString(const ExportNote &)> sentence = {};
};

struct Exported {
    QByteArray text; // UTF-8, ends with a line feed; the same for the same job
    QList<ExportNote> notes;
    QStringList secrets; // environment variables that give the values of the job's secrets
    QString head = {}; // the comments at the beginning without the notes: how it is run; FILE is replaced by its name
};

// The job must be one that may run. Values of secrets are never written: the text asks for them when it runs. Errors
// are those of composeRole(), and "export.no-image" {role} or "export.no-images" {roles}, "export.many-tasks"
// {most, tasks}.
Result<Exported> exportJob(const JobSpec &job, ExportTarget target, const ExportOptions &options = {});

// The name of the file for it in a folder: "train.sh". Letters, digits, '-', '_' and '.' only.
QString exportFileName(const JobSpec &job, ExportTarget target);
// A text in Markdown that goes beside this file: what the comments at the beginning of the export say.
QByteArray exportReadme(const Exported &exported, const QString &file, const ExportOptions &options = {});

// The findings in the text of the job for such an error, at the positions that have to be changed: "export.no-image"
// {role} for each task role without an image. Empty if the error has no position.
QList<Diagnostic> exportFindings(const Error &error, const YamlDocument &document);

} // namespace trainyard
