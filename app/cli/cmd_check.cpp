// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/lineindex.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QJsonArray>

namespace trainyard::cli
{

namespace
{

// Checks a job of version 1: with --strict it reports what its own servers said, else why it does not run and what it
// would be converted to.
int checkOldJob(const QString &file, const QByteArray &bytes, bool strict, bool json, bool quiet)
{
    const LegacyVerdict verdict = checkLegacyJob(bytes);
    QList<Diagnostic> diagnostics = verdict.syntax;
    if (strict && !verdict.isValid()) {
        diagnostics += verdict.refusals;
    } else if (!strict) {
        Diagnostic old;
        old.code = QStringLiteral("job.old-json");
        const qsizetype name = bytes.indexOf("jobName");
        old.at = {std::max<qsizetype>(name, 0), std::max<qsizetype>(name, 0) + (name < 0 ? 0 : 7)};
        diagnostics = QList<Diagnostic>{old} + importLegacyJob(bytes).report;
    }
    const bool valid = strict && verdict.isValid();
    const LineIndex lines(bytes);
    if (json) {
        QJsonArray list;
        for (const Diagnostic &diagnostic : diagnostics) {
            list.append(diagnosticJson(diagnostic, lines));
        }
        outJson(QJsonDocument(QJsonObject{{QStringLiteral("file"), file}, {QStringLiteral("valid"), valid},
            {QStringLiteral("strict"), strict}, {QStringLiteral("protocol"), 1},
            {QStringLiteral("acceptedBy"), QJsonArray::fromStringList(verdict.acceptedBy)},
            {QStringLiteral("diagnostics"), list}}));
        return valid ? exitOk : exitNo;
    }
    for (const Diagnostic &diagnostic : std::as_const(diagnostics)) {
        if (!quiet || diagnostic.severity == Severity::Error) {
            printDiagnostic(inputName(file), diagnostic, bytes, lines);
        }
    }
    if (!strict) {
        outLine(tr("This job is of version 1 and cannot run as it is. Convert it: trainyardctl convert %1 -o %2")
                    .arg(file, convertedName(file)));
    } else if (!valid) {
        outLine(tr("No OpenPAI server of version 1 would accept this job."));
    } else if (!quiet) {
        outLine(tr("OpenPAI servers of version 1 would accept this job: %1.")
                    .arg(verdict.acceptedBy.join(QStringLiteral(", "))));
    }
    return valid ? exitOk : exitNo;
}

int check(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOption({QStringLiteral("json"), QString()});
    parser.addOption({QStringLiteral("strict"), QString()});
    parser.addOption({QStringLiteral("catalog"), QString(), QStringLiteral("DIR")});
    parser.addOption({{QStringLiteral("q"), QStringLiteral("quiet")}, QString()});
    const QString command = QStringLiteral("check");
    if (!parse(parser, command, arguments)) {
        return exitUnusable;
    }
    if (parser.positionalArguments().size() != 1) {
        return usageError(command, tr("Give one FILE to check."));
    }
    const QString file = parser.positionalArguments().first();
    const bool strict = parser.isSet(QStringLiteral("strict"));
    const Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        errorLine(errorText(bytes.error()));
        return exitUnusable;
    }
    if (isLegacyJob(*bytes)) {
        return checkOldJob(
            file, *bytes, strict, parser.isSet(QStringLiteral("json")), parser.isSet(QStringLiteral("quiet")));
    }
    const ParseOutcome outcome = parseJob(*bytes, strict ? CheckMode::Strict : CheckMode::Friendly,
        folderCatalogue(catalogueFolder(parser.value(QStringLiteral("catalog")))));
    const LineIndex lines(*bytes);
    const bool valid = outcome.canRun();
    if (parser.isSet(QStringLiteral("json"))) {
        QJsonArray diagnostics;
        qsizetype budget = fixBytes;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            diagnostics.append(diagnosticJson(diagnostic, lines, fixesJson(diagnostic, outcome.document, budget)));
        }
        outJson(QJsonDocument(QJsonObject{{QStringLiteral("file"), file}, {QStringLiteral("valid"), valid},
            {QStringLiteral("strict"), strict}, {QStringLiteral("diagnostics"), diagnostics}}));
        return valid ? exitOk : exitNo;
    }
    int errors = 0;
    int warnings = 0;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        errors += diagnostic.severity == Severity::Error;
        warnings += diagnostic.severity == Severity::Warning;
        if (diagnostic.severity == Severity::Error || !parser.isSet(QStringLiteral("quiet"))) {
            printDiagnostic(inputName(file), diagnostic, *bytes, lines);
        }
    }
    if (!valid) {
        outLine(strict
                ? tr("An OpenPAI server would refuse this job. Errors: %1, warnings: %2.").arg(errors).arg(warnings)
                : tr("This job cannot run. Errors: %1, warnings: %2.").arg(errors).arg(warnings));
        return exitNo;
    }
    if (!parser.isSet(QStringLiteral("quiet"))) {
        outLine(strict ? tr("An OpenPAI server would accept this job. Warnings: %1.").arg(warnings)
                       : tr("This job can run. Warnings: %1.").arg(warnings));
    }
    return exitOk;
}

} // namespace

Command checkCommand()
{
    return {QStringLiteral("check"), tr("Check a job for errors"),
        tr("check [--strict] [--json] [-q] [--catalog DIR] FILE\n\n"
           "Reads FILE ('-' is standard input) and lists all errors, warnings and notes, with possible fixes.\n\n"
           "  --strict     give the verdict of an OpenPAI server; for a job of version 1 that of a server of version "
           "1\n"
           "  --json       print a JSON object\n"
           "  -q, --quiet  list errors only\n"
           "  --catalog DIR\n"
           "               where marketplace://data/x is found (DIR/data/x.yaml); by default the setting "
           "catalogue.folder\n\n"
           "Exit status: 0 the job can run; 1 it has errors; 2 the file cannot be read, or wrong usage."),
        check};
}

} // namespace trainyard::cli
