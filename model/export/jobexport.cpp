// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobexport.h"

#include "model/export/jobscript.h"

#include <QJsonArray>

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

struct TargetRow {
    ExportTarget target;
    QLatin1String word, suffix;
    Result<Exported> (*write)(const JobSpec &, const exporting::JobScript &, const ExportOptions &);
};

const TargetRow targetRows[] = {
    {ExportTarget::Bash, "bash"_L1, ".sh"_L1, exporting::bashExport},
    {ExportTarget::Sbatch, "sbatch"_L1, ".sbatch"_L1, exporting::sbatchExport},
    {ExportTarget::Compose, "compose"_L1, ".compose.yaml"_L1, exporting::composeExport},
    {ExportTarget::JobSet, "jobset"_L1, ".jobset.yaml"_L1, exporting::jobSetExport},
    {ExportTarget::SkyPilot, "skypilot"_L1, ".sky.yaml"_L1, exporting::skyPilotExport},
    {ExportTarget::Dstack, "dstack"_L1, ".dstack.yml"_L1, exporting::dstackExport},
};

} // namespace

QStringList exportTargetWords()
{
    QStringList words;
    for (const TargetRow &row : targetRows) {
        words.append(row.word);
    }
    return words;
}

std::optional<ExportTarget> exportTargetOf(const QString &word)
{
    for (const TargetRow &row : targetRows) {
        if (row.word == word) {
            return row.target;
        }
    }
    // As the targets of jobs are called.
    return word == "kubernetes"_L1 || word == "k8s"_L1 ? std::optional(ExportTarget::JobSet)
        : word == "slurm"_L1                           ? std::optional(ExportTarget::Sbatch)
                                                       : std::nullopt;
}

QString exportSuffix(ExportTarget target)
{
    for (const TargetRow &row : targetRows) {
        if (row.target == target) {
            return row.suffix;
        }
    }
    return {};
}

QString exportFileName(const JobSpec &job, ExportTarget target)
{
    return QString::fromLatin1(exporting::plainName(job)) + exportSuffix(target);
}

Result<Exported> exportJob(const JobSpec &job, ExportTarget target, const ExportOptions &options)
{
    // The scripts keep all tasks in arrays; far more of them than any of these systems would start are a mistake.
    constexpr qint64 mostTasks = 10000;
    if (const qint64 tasks = exporting::taskCount(job); tasks > mostTasks) {
        return fail(u"export.many-tasks"_s, {{u"most"_s, mostTasks}, {u"tasks"_s, tasks}});
    }
    const exporting::Starter starter = target == ExportTarget::Bash ? exporting::Starter::Machine
        : target == ExportTarget::Sbatch                            ? exporting::Starter::Slurm
                                                                    : exporting::Starter::Other;
    const Result<exporting::JobScript> script = exporting::jobScript(job, starter);
    if (!script) {
        return tl::unexpected<Error>(script.error());
    }
    for (const TargetRow &row : targetRows) {
        if (row.target == target) {
            return row.write(job, *script, options);
        }
    }
    return fail(u"export.no-target"_s);
}

QList<Diagnostic> exportFindings(const Error &error, const YamlDocument &document)
{
    QStringList roles;
    if (error.code == "export.no-image"_L1) {
        roles.append(error.args.value("role"_L1).toString());
    } else if (error.code == "export.no-images"_L1) {
        const QJsonArray names = error.args.value("roles"_L1).toArray();
        for (const QJsonValue &name : names) {
            roles.append(name.toString());
        }
    }
    QList<Diagnostic> findings;
    for (const QString &role : std::as_const(roles)) {
        const YamlPath path = YamlPath{u"taskRoles"_s}.child(role);
        if (const std::optional<ByteRange> key = document.keyRange(path)) {
            findings.append({u"export.no-image"_s, Severity::Error, *key, path, {{u"role"_s, role}}, {}, false});
        }
    }
    return findings;
}

} // namespace trainyard
