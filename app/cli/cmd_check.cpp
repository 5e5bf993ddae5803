// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/belowmisspelt.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/outputfile.h"
#include "app/cli/safefixes.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/words.h"
#include "engine/api/calls.h"
#include "engine/api/hostlimits.h"
#include "engine/client/cataloguefolder.h"
#include "engine/client/datafindings.h"
#include "engine/client/shellfindings.h"
#include "model/base/lineindex.h"
#include "model/protocol/capacity.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

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

// The findings that depend on the hosts of a running engine, such as missing resources, as in the window. No engine is
// started for that.
void addHostFindings(ParseOutcome &outcome)
{
    if (!outcome.spec) {
        return;
    }
    Session session;
    if (!session.connectToRunning()) {
        return;
    }
    const Result<QJsonObject> settings = session.call<api::GetSettings>({});
    if (!settings) {
        return;
    }
    HostLimits limits = hostLimits(session.client().hosts(), memoryReserveOf(*settings));
    limits.storages = storageNames(*settings);
    const Result<QList<ClusterInfo>> targets = session.call<api::ListTargets>({});
    limits.hasOtherTargets = targets
        && std::any_of(targets->cbegin(), targets->cend(), [](const ClusterInfo &each) { return each.isNamed; });
    outcome.diagnostics += checkCapacity(outcome.document, *outcome.spec, limits);
    std::stable_sort(outcome.diagnostics.begin(), outcome.diagnostics.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
}

struct CheckValues {
    QStringList words;
    bool strict = false, json = false, quiet = false, fix = false;
    QString catalog;
};
const CommandLine<CheckValues> &checkLine();

// Puts the fixes that can be made without asking into the file, and says which. Returns 0, or the exit status after
// saying why not.
int fixFile(const CheckValues &values, const CatalogueLookup &catalogue, QByteArray &bytes, QList<MadeFix> &made)
{
    const QString &file = values.words.constFirst();
    const FixedText fixed = withSafeFixes(bytes, values.strict ? CheckMode::Strict : CheckMode::Friendly, catalogue);
    if (fixed.made.isEmpty()) {
        return exitOk;
    }
    if (refuseProtected(file)) {
        return exitUnusable;
    }
    if (!writeInPlace(file, bytes, fixed.bytes)) {
        return exitUnusable;
    }
    bytes = fixed.bytes;
    made = fixed.made;
    for (const MadeFix &each : values.json ? QList<MadeFix>() : made) {
        outLine(tr("%1:%2: changed: %3").arg(file, QString::number(each.line), each.title));
    }
    return exitOk;
}

QJsonArray madeJson(const QList<MadeFix> &made)
{
    QJsonArray list;
    for (const MadeFix &each : made) {
        list.append(QJsonObject{{QStringLiteral("line"), each.line}, {QStringLiteral("code"), each.code},
            {QStringLiteral("title"), each.title}});
    }
    return list;
}

int check(const CheckValues &values)
{
    const QString &file = values.words.constFirst();
    const bool strict = values.strict;
    if (values.fix && file == u'-') {
        return checkLine().wrongUsage(tr("Standard input cannot be edited in place."));
    }
    if (values.fix && QFileInfo::exists(file) && !QFileInfo(file).isFile()) {
        errorLine(tr("%1 is not a regular file, and cannot be corrected in place.").arg(file));
        return exitUnusable;
    }
    Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        failureLine(bytes.error());
        sayIfJobWord(file);
        return exitUnusable;
    }
    if (!values.json && refuseProgram(*bytes, file)) {
        return exitNo;
    }
    if (isLegacyJob(*bytes) && values.fix) {
        errorLine(tr("%1 is a job of version 1, which is not corrected. 'trainyardctl convert' makes a job of it.")
                      .arg(file));
        return exitUnusable;
    }
    if (isLegacyJob(*bytes)) {
        return checkOldJob(file, *bytes, strict, values.json, values.quiet);
    }
    const CatalogueLookup catalogue = folderCatalogue(catalogueFolder(values.catalog));
    QList<MadeFix> made;
    if (const int status = values.fix ? fixFile(values, catalogue, *bytes, made) : int(exitOk); status != exitOk) {
        return status;
    }
    ParseOutcome outcome = parseJob(*bytes, strict ? CheckMode::Strict : CheckMode::Friendly, catalogue);
    addFindingsBelow(outcome, strict ? CheckMode::Strict : CheckMode::Friendly, catalogue);
    if (!strict) {
        const QString document = file == u'-' ? QString() : file;
        addDataFindings(outcome, document);
        addWorkFinding(outcome, document);
        const QString beside = document.isEmpty() ? QString() : QFileInfo(document).absolutePath();
        const std::optional<QString> work = outcome.spec ? workFolderOf(*outcome.spec, beside) : std::nullopt;
        if (work && !work->isEmpty()) { // it is not known where a text without a file will be saved
            addScriptFindings(outcome, *work);
        }
        addShellFindings(outcome);
        addHostFindings(outcome);
    }
    const LineIndex lines(*bytes);
    const bool valid = outcome.canRun();
    if (values.json) {
        QJsonArray diagnostics;
        qsizetype budget = fixBytes;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            diagnostics.append(diagnosticJson(diagnostic, lines, fixesJson(diagnostic, outcome.document, budget)));
        }
        QJsonObject object{{QStringLiteral("file"), file}, {QStringLiteral("valid"), valid},
            {QStringLiteral("strict"), strict}, {QStringLiteral("diagnostics"), diagnostics}};
        if (values.fix) {
            object.insert(QStringLiteral("changed"), madeJson(made));
        }
        outJson(QJsonDocument(object));
        return valid ? exitOk : exitNo;
    }
    int errors = 0;
    int warnings = 0;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        errors += diagnostic.severity == Severity::Error;
        warnings += diagnostic.severity == Severity::Warning;
    }
    printFindings(inputName(file), outcome, values.quiet ? Severity::Error : Severity::Note, Stream::Out);
    if (!valid) {
        outLine(strict
                ? tr("An OpenPAI server would refuse this job. Errors: %1, warnings: %2.").arg(errors).arg(warnings)
                : tr("This job cannot run. Errors: %1, warnings: %2.").arg(errors).arg(warnings));
        return exitNo;
    }
    if (!values.quiet) {
        outLine(strict ? tr("An OpenPAI server would accept this job. Warnings: %1.").arg(warnings)
                       : tr("This job has no errors. Warnings: %1.").arg(warnings));
    }
    return exitOk;
}

const CommandLine<CheckValues> &checkLine()
{
    static const CommandLine<CheckValues> line
        = CommandLine<CheckValues>(QStringLiteral("check"), tr("Check a job for errors"))
              .runs(check, {QStringLiteral("FILE"), 1, 1, Word::File, tr("Give one FILE to check.")})
              .text(tr("Reads FILE ('-' is standard input) and lists all errors, warnings and notes, with possible "
                       "fixes. It also has the bash of this computer read the commands, without executing them. While "
                       "an engine runs, it also warns of what none of its hosts has; no engine is started "
                       "for that."))
              .option(QStringLiteral("--strict"), &CheckValues::strict,
                  tr("give the verdict of an OpenPAI server; for a job of version 1 that of a server of version 1"))
              .option(QStringLiteral("--json"), &CheckValues::json, tr("print a JSON object"))
              .option(QStringLiteral("--fix"), &CheckValues::fix,
                  tr("change FILE first: make the first fix of each finding that only corrects the spelling, such as a "
                     "misspelt name, tabs or missing quotes, and say which. Fixes that remove or add something are not "
                     "made; without any fix the file is not touched"))
              .option(QStringLiteral("-q, --quiet"), &CheckValues::quiet, tr("list errors only"))
              .option(catalogOption().spelled, &CheckValues::catalog, catalogOption().text)
              .completes(Word::File)
              .exits({{exitOk, tr("the job can run")}, {exitNo, tr("it has errors")},
                  {exitUnusable, tr("the file cannot be read or written, or wrong usage")}});
    return line;
}

} // namespace

Command checkCommand() { return checkLine().command(); }

} // namespace trainyard::cli
