// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobinput.h"
#include "app/cli/outputfile.h"
#include "app/cli/sharedoptions.h"
#include "engine/client/exportfolder.h"
#include "model/export/jobexport.h"
#include "widgets/text/exporttexts.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QJsonArray>

namespace trainyard::cli
{

namespace
{

struct ExportValues {
    QStringList words, parameters;
    std::optional<QString> target;
    QString output, catalog;
    bool apptainer = false, force = false, json = false, quiet = false;
};
const CommandLine<ExportValues> &exportLine();

QString openPai() { return QStringLiteral("openpai"); }

// The accepted names are more than the listed ones: they include those of clusters.
Reads<QString> targetWord()
{
    const QStringList words = exportTargetWords();
    return {oneOf(words).takes, [](const QString &word) {
                return exportTargetOf(word) || word == openPai() ? std::optional(word) : std::nullopt;
            }};
}

QJsonObject exportJson(const Exported &exported)
{
    QJsonArray notes;
    for (const ExportNote &note : exported.notes) {
        notes.append(QJsonObject{{QStringLiteral("code"), note.code}, {QStringLiteral("args"), note.args},
            {QStringLiteral("message"), exportNoteText(note)}});
    }
    return {
        {QStringLiteral("notes"), notes}, {QStringLiteral("secrets"), QJsonArray::fromStringList(exported.secrets)}};
}

bool isFolder(const QString &output)
{
    return isOutputFile(output) && (output.endsWith(u'/') || QFileInfo(output).isDir());
}

// Nowhere is standard output.
ExportPlace placeIn(const QString &output, const JobSpec &job, ExportTarget target)
{
    return isFolder(output) ? exportPlaceIn(output, job, target)
                            : ExportPlace{isOutputFile(output) ? output : QString()};
}

int exportFile(const ExportValues &values)
{
    if (!values.target) {
        return exportLine().wrongUsage(
            tr("Use %1 to name the other system: %2.")
                .arg(exportLine().name(&ExportValues::target), exportTargetWords().join(QStringLiteral(", "))));
    }
    if (*values.target == openPai()) {
        return exportLine().wrongUsage(
            tr("A job for OpenPAI is not exported: %1 is the job itself, in the job protocol of OpenPAI. 'trainyardctl "
               "targets add openpai:NAME ADDRESS' adds a cluster, and 'trainyardctl run --on openpai:NAME %1' submits "
               "the job there.")
                .arg(inputName(values.words.constFirst())));
    }
    const QString force = exportLine().name(&ExportValues::force);
    if (!isFolder(values.output) && refuseExisting(values.output, values.force, force)) {
        return exitRefused;
    }
    JobInputWords words{values.words.constFirst(), values.parameters, values.catalog};
    words.saysWarnings = !values.quiet;
    const auto input = readJobInput(exportCommand().name, words);
    if (const ExitStatus *status = std::get_if<ExitStatus>(&input)) {
        return *status;
    }
    ExportOptions options;
    options.apptainer = values.apptainer;
    options.sentence = exportNoteText;
    const JobInput &job = std::get<JobInput>(input);
    const Result<Exported> exported = exportJob(job.job, *exportTargetOf(*values.target), options);
    if (!exported) {
        const QList<Diagnostic> findings = exportFindings(exported.error(), YamlDocument::parse(job.bytes));
        if (findings.isEmpty()) {
            failureLine(exported.error());
        }
        sayErrors(values.words.constFirst(), job.bytes, findings);
        return exitNo;
    }
    const ExportPlace place = placeIn(values.output, job.job, *exportTargetOf(*values.target));
    const bool toFile = !place.file.isEmpty();
    if (!place.readme.isEmpty()
        && (refuseExisting(place.file, values.force, force) || refuseExisting(place.readme, values.force, force))) {
        return exitRefused;
    }
    if (const Result<void> written = toFile ? writeExport(place, *exported, options) : Result<void>(); !written) {
        errorLine(errorText(written.error()));
        return exitUnusable;
    }
    if (values.json) {
        QJsonObject json = exportJson(*exported);
        json.insert(toFile ? QStringLiteral("output") : QStringLiteral("text"),
            toFile ? place.file : QString::fromUtf8(exported->text));
        if (!place.readme.isEmpty()) {
            json.insert(QStringLiteral("readme"), place.readme);
        }
        outJson(QJsonDocument(json));
        return exitOk;
    }
    if (!values.quiet) {
        for (const ExportNote &note : exported->notes) {
            plainErrorLine(exportNoteText(note));
        }
    }
    if (!toFile) {
        outFile(exported->text);
    }
    return exitOk;
}

const CommandLine<ExportValues> &exportLine()
{
    static const CommandLine<ExportValues> line
        = CommandLine<ExportValues>(QStringLiteral("export"), tr("Write a job for another system"))
              .runs(exportFile, {QStringLiteral("FILE"), 1, 1, Word::File, tr("Give one FILE to export.")})
              .text(tr("Writes the job in FILE ('-' is standard input) as a text that another system runs without "
                       "Trainyard: a bash script for one machine, a batch script for Slurm, and descriptions for "
                       "Docker Compose, Kubernetes (JobSet), SkyPilot and dstack. What the other system cannot do is "
                       "listed on standard error and in the comments of the text; warnings about the job, such as of a "
                       "parameter that does not exist, come first.\n\nSecrets are never written; the comments say how "
                       "to give their values when the job runs."))
              .option(QStringLiteral("--to TARGET"), &ExportValues::target,
                  tr("the system (required): %1; slurm means sbatch, and kubernetes or k8s means jobset")
                      .arg(exportTargetWords().join(QStringLiteral(", "))),
                  targetWord())
              .values(exportTargetWords())
              .option(QStringLiteral("-o, --output OUT"), &ExportValues::output,
                  tr("write to OUT, which must not exist yet, instead of standard output; if it is a folder or ends "
                     "with /, write a file named after the job and a README.md there"))
              .completes(Word::File)
              .option(QStringLiteral("-f, --force"), &ExportValues::force,
                  tr("replace OUT, or the two files in the folder OUT"))
              .option(QStringLiteral("--param NAME=VALUE"), &ExportValues::parameters,
                  tr("use this value for a parameter; may be repeated"))
              .completes(Word::Parameter)
              .option(QStringLiteral("--apptainer"), &ExportValues::apptainer,
                  tr("bash and sbatch: run tasks in the images of their roles, with apptainer"))
              .option(catalogOption().spelled, &ExportValues::catalog, catalogOption().text)
              .completes(Word::File)
              .option(QStringLiteral("--json"), &ExportValues::json,
                  tr("print a JSON object with the notes, and with the text unless it is written to OUT"))
              .option(QStringLiteral("-q, --quiet"), &ExportValues::quiet,
                  tr("do not list what is left out, nor warnings about the job"))
              .examples({QStringLiteral("trainyardctl export job.pai.yaml --to sbatch -o job.sbatch"),
                  QStringLiteral("trainyardctl export job.pai.yaml --to bash -o job/"),
                  QStringLiteral("trainyardctl export job.pai.yaml --to bash --param epochs=3 > job.sh")})
              .exits({{exitOk, tr("ok")}, {exitNo, tr("the job has errors, or cannot be exported")},
                  {exitUnusable, tr("the file cannot be read or written, or wrong usage")},
                  {exitRefused, tr("OUT, or a file in the folder OUT, exists already")}});
    return line;
}

} // namespace

Command exportCommand() { return exportLine().command(); }

} // namespace trainyard::cli
