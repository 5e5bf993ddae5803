// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/outputfile.h"
#include "model/base/exportmark.h"
#include "model/import/batchimport.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "widgets/text/sentences.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

struct ConvertValues {
    QStringList words;
    QString output;
    bool force = false, json = false, quiet = false;
};
const CommandLine<ConvertValues> &convertLine();

// A file that Trainyard has written for others.
bool refuseExport(const QByteArray &bytes, const QString &file)
{
    const std::optional<MarkedExport> own = markedExport(bytes);
    if (own) {
        errorLine(inputName(file) + QStringLiteral(": ")
            + sentence(QStringLiteral("batch.own-export"), {{QStringLiteral("job"), own->job}}));
    }
    return own.has_value();
}

// Texts that look convertible but are not.
bool refuseCompose(const QByteArray &bytes, const QString &file)
{
    static const QRegularExpression services(
        QStringLiteral("^(?:services|\"services\")\\s*:\\s*(?:#.*)?$"), QRegularExpression::MultilineOption);
    static const QRegularExpression job(QStringLiteral("^\\s*[\"']?(?:taskRoles|jobName|protocolVersion)[\"']?\\s*:"),
        QRegularExpression::MultilineOption);
    const QString text = QString::fromUtf8(bytes);
    if (!services.match(text).hasMatch() || job.match(text).hasMatch()) {
        return false;
    }
    errorLine(
        tr("%1 is a compose file (of docker compose), which cannot be converted. Write a job in which each service "
           "that computes is a task role, with its image (dockerImage) and its command ('trainyardctl templates "
           "show quickstart' is a beginning), or convert a shell script that has 'docker run IMAGE COMMAND'.")
            .arg(inputName(file)));
    return true;
}

int convert(const ConvertValues &values)
{
    const QString &file = values.words.constFirst();
    const Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        failureLine(bytes.error());
        return exitUnusable;
    }
    const bool isBatch = isBatchScript(*bytes, file) || isShellScript(*bytes);
    if (refuseExport(*bytes, file) || (!isBatch && refuseCompose(*bytes, file))) {
        return exitRefused;
    }
    if (const ParseOutcome job = parseJob(*bytes); !isBatch && !isLegacyJob(*bytes) && job.spec) {
        if (!job.canRun()) {
            errorLine(
                tr("%1 is not a job of version 1, which has jobName and taskRoles. 'trainyardctl check' says what "
                   "is wrong with it as a job of version 2.")
                    .arg(inputName(file)));
            return exitRefused;
        }
        errorLine(tr("%1 is a job of version 2 already; there is nothing to convert.").arg(inputName(file)));
        return exitRefused;
    }
    const QString &target = values.output;
    const bool toFile = isOutputFile(target);
    if (refuseExisting(target, values.force, convertLine().name(&ConvertValues::force))) {
        return exitRefused;
    }
    const QString name = file == "-"_L1 ? QString() : QFileInfo(file).completeBaseName();
    const JobImport result = isBatch ? importBatchScript(*bytes, name) : importLegacyJob(*bytes);
    const bool good = !result.yaml.isEmpty() && parseJob(result.yaml).canRun();
    const LineIndex lines(*bytes);
    if (toFile && !result.yaml.isEmpty() && !writeOutput(target, result.yaml, file)) {
        return exitUnusable;
    }
    if (values.json) {
        QJsonArray report;
        for (const Diagnostic &diagnostic : result.report) {
            report.append(diagnosticJson(diagnostic, lines));
        }
        QJsonObject object{{QStringLiteral("file"), file}, {QStringLiteral("converted"), !result.yaml.isEmpty()},
            {QStringLiteral("valid"), good}, {QStringLiteral("report"), report}};
        if (toFile) {
            object.insert(QStringLiteral("output"), target);
        } else {
            object.insert(QStringLiteral("yaml"), QString::fromUtf8(result.yaml));
        }
        outJson(QJsonDocument(object));
    } else {
        for (const Diagnostic &diagnostic : result.report) {
            if (diagnostic.severity == Severity::Error || !values.quiet) {
                plainErrorLine(diagnosticLine(inputName(file), diagnostic, lines, Stream::Error));
            }
        }
        if (!toFile) {
            outFile(result.yaml);
        }
    }
    return result.yaml.isEmpty() ? exitUnusable : good ? exitOk : exitNo;
}

const CommandLine<ConvertValues> &convertLine()
{
    static const CommandLine<ConvertValues> line
        = CommandLine<ConvertValues>(
            QStringLiteral("convert"), tr("Convert a job of version 1 (JSON), or a batch script of Slurm"))
              .runs(convert, {QStringLiteral("FILE"), 1, 1, Word::File, tr("Give one FILE to convert.")})
              .text(
                  tr("Reads the job of version 1 in FILE ('-' is standard input; comments and trailing commas are "
                     "allowed) and writes the same job in version 2, as YAML. Changes, and what version 2 cannot "
                     "express, are listed on standard error.\n\nA batch script of Slurm (#SBATCH) becomes a job that "
                     "does the same: steps that srun starts become its tasks. What was understood differently, and "
                     "what is left out, is listed likewise. A shell script with a single 'docker run' or 'podman run' "
                     "becomes a job that runs in that image. Scripts are known by '#!', by such a line, by the "
                     "ending of their name, or by a first command such as 'torchrun train.py'."))
              .option(QStringLiteral("-o, --output OUT"), &ConvertValues::output,
                  tr("write to OUT, which must not exist yet, instead of standard output"))
              .completes(Word::File)
              .option(QStringLiteral("-f, --force"), &ConvertValues::force, tr("replace OUT"))
              .option(QStringLiteral("--json"), &ConvertValues::json,
                  tr("print a JSON object with the report, and with the YAML unless it is written to OUT"))
              .option(QStringLiteral("-q, --quiet"), &ConvertValues::quiet, tr("list errors only"))
              .exits({{exitOk, tr("the new job can run")}, {exitNo, tr("it has errors that you must fix")},
                  {exitUnusable, tr("the file cannot be read")},
                  {exitRefused, tr("OUT exists already, or FILE is a job of version 2, a compose file or an export")}});
    return line;
}

} // namespace

Command convertCommand() { return convertLine().command(); }

} // namespace trainyard::cli
