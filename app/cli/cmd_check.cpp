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
#include <optional>
#include <utility>

namespace trainyard::cli
{

namespace
{

struct CheckValues {
    QStringList words;
    bool strict = false, json = false, quiet = false, fix = false;
    QString catalog;
};
const CommandLine<CheckValues> &checkLine();

// The name of a file above what is said of it, where it is one of several; once, and only if something is said.
class FileHeading
{
public:
    FileHeading(const QString &file, bool isFirst, bool isWanted) : m_file(file), m_isFirst(isFirst), m_isDue(isWanted)
    {
    }
    void say()
    {
        if (!std::exchange(m_isDue, false)) {
            return;
        }
        if (!m_isFirst) {
            outLine({});
        }
        outLine(paint(Colour::Bold, inputName(m_file) + u':'));
    }
    bool isDue() const { return m_isDue; }

private:
    QString m_file;
    bool m_isFirst, m_isDue;
};

// Checks a job of version 1: with --strict it reports what its own servers said, else why it does not run and what it
// would be converted to.
int checkOldJob(
    const QString &file, const QByteArray &bytes, const CheckValues &values, FileHeading &heading, QJsonObject &told)
{
    const bool strict = values.strict, quiet = values.quiet;
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
    if (values.json) {
        QJsonArray list;
        for (const Diagnostic &diagnostic : diagnostics) {
            list.append(diagnosticJson(diagnostic, lines));
        }
        told = QJsonObject{{QStringLiteral("file"), file}, {QStringLiteral("valid"), valid},
            {QStringLiteral("strict"), strict}, {QStringLiteral("protocol"), 1},
            {QStringLiteral("acceptedBy"), QJsonArray::fromStringList(verdict.acceptedBy)},
            {QStringLiteral("diagnostics"), list}};
        return valid ? exitOk : exitNo;
    }
    if (!quiet || !valid) {
        heading.say();
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

// What the hosts of a running engine have. No engine is started for that.
std::optional<HostLimits> limitsOfEngine()
{
    Session session;
    if (!session.connectToRunning()) {
        return std::nullopt;
    }
    const Result<QJsonObject> settings = session.call<api::GetSettings>({});
    if (!settings) {
        return std::nullopt;
    }
    HostLimits limits = hostLimits(session.client().hosts(), memoryReserveOf(*settings));
    limits.storages = storageNames(*settings);
    const Result<QList<ClusterInfo>> targets = session.call<api::ListTargets>({});
    limits.hasOtherTargets = targets
        && std::any_of(targets->cbegin(), targets->cend(), [](const ClusterInfo &each) { return each.isNamed; });
    return limits;
}

// What the files of one call share; each is found out when the first of them needs it.
struct CheckSurroundings {
    CatalogueLookup catalogue;
    std::optional<std::optional<HostLimits>> limits = {};
};

// The findings that depend on the hosts, such as missing resources, as in the window.
void addHostFindings(ParseOutcome &outcome, CheckSurroundings &around)
{
    if (!outcome.spec) {
        return;
    }
    if (!around.limits) {
        around.limits = limitsOfEngine();
    }
    if (!*around.limits) {
        return;
    }
    outcome.diagnostics += checkCapacity(outcome.document, *outcome.spec, **around.limits);
    std::stable_sort(outcome.diagnostics.begin(), outcome.diagnostics.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
}

// Puts the fixes that can be made without asking into the file: those in `made`. Returns 0, or the exit status after
// saying why not.
int fixFile(const QString &file, const CheckValues &values, const CatalogueLookup &catalogue, QByteArray &bytes,
    QList<MadeFix> &made)
{
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
    return exitOk;
}

void sayMade(const QString &file, const QList<MadeFix> &made)
{
    for (const MadeFix &each : made) {
        outLine(tr("%1:%2: changed: %3").arg(file, QString::number(each.line), each.title));
    }
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

// Says what is found in the file or, for JSON, puts it into `told`; what keeps it from being checked is said on stderr
// only. Returns the exit status.
int checkFile(
    const QString &file, const CheckValues &values, CheckSurroundings &around, FileHeading &heading, QJsonObject &told)
{
    const bool strict = values.strict;
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
        return checkOldJob(file, *bytes, values, heading, told);
    }
    QList<MadeFix> made;
    if (const int status = values.fix ? fixFile(file, values, around.catalogue, *bytes, made) : int(exitOk);
        status != exitOk) {
        return status;
    }
    ParseOutcome outcome = parseJob(*bytes, strict ? CheckMode::Strict : CheckMode::Friendly, around.catalogue);
    addFindingsBelow(outcome, strict ? CheckMode::Strict : CheckMode::Friendly, around.catalogue);
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
        addHostFindings(outcome, around);
    }
    const LineIndex lines(*bytes);
    const bool valid = outcome.canRun();
    if (values.json) {
        QJsonArray diagnostics;
        qsizetype budget = fixBytes;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            diagnostics.append(diagnosticJson(diagnostic, lines, fixesJson(diagnostic, outcome.document, budget)));
        }
        told = QJsonObject{{QStringLiteral("file"), file}, {QStringLiteral("valid"), valid},
            {QStringLiteral("strict"), strict}, {QStringLiteral("diagnostics"), diagnostics}};
        if (values.fix) {
            told.insert(QStringLiteral("changed"), madeJson(made));
        }
        return valid ? exitOk : exitNo;
    }
    if (!values.quiet || !valid || !made.isEmpty()) {
        heading.say();
    }
    sayMade(file, made);
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

int check(const CheckValues &values)
{
    const QStringList &files = values.words;
    if (values.fix && files.contains(QStringLiteral("-"))) {
        return checkLine().wrongUsage(tr("Standard input cannot be edited in place."));
    }
    if (files.count(QStringLiteral("-")) > 1) {
        return checkLine().wrongUsage(tr("Standard input can be given only once."));
    }
    const bool areSeveral = files.size() > 1;
    CheckSurroundings around{folderCatalogue(catalogueFolder(values.catalog))};
    int worst = exitOk;
    bool isFirst = true; // of which something is said
    QJsonArray all;
    for (const QString &file : files) {
        forgetFailure();
        FileHeading heading(file, isFirst, areSeveral && !values.json);
        QJsonObject told;
        const int status = checkFile(file, values, around, heading, told);
        worst = std::max(worst, status);
        isFirst = isFirst && heading.isDue();
        if (areSeveral && values.json && told.isEmpty()) {
            told = QJsonObject{{QStringLiteral("file"), file}, {QStringLiteral("error"), saidFailure(status)}};
        }
        all.append(told);
    }
    if (values.json && areSeveral) {
        outJson(QJsonDocument(all));
    } else if (values.json && !all.at(0).toObject().isEmpty()) {
        outJson(QJsonDocument(all.at(0).toObject()));
    }
    return worst;
}

const CommandLine<CheckValues> &checkLine()
{
    static const CommandLine<CheckValues> line
        = CommandLine<CheckValues>(QStringLiteral("check"), tr("Check a job for errors"))
              .runs(check, {QStringLiteral("FILE..."), 1, anyNumber, Word::File, tr("Give a FILE to check.")})
              .text(
                  tr("Reads each FILE ('-' is standard input) and lists all errors, warnings and notes, with possible "
                     "fixes. It also has the bash of this computer read the commands, without executing them. While "
                     "an engine runs, it also warns of what none of its hosts has; no engine is started "
                     "for that. Of several files, the findings of each are below its name, and the exit status is "
                     "the greatest one."))
              .option(QStringLiteral("--strict"), &CheckValues::strict,
                  tr("give the verdict of an OpenPAI server; for a job of version 1 that of a server of version 1"))
              .option(QStringLiteral("--json"), &CheckValues::json,
                  tr("print a JSON object; of several files an array of such objects, with error (code, message) "
                     "instead of diagnostics where a file cannot be checked"))
              .option(QStringLiteral("--fix"), &CheckValues::fix,
                  tr("change each FILE first: make the first fix of each finding that only corrects the spelling, such "
                     "as a misspelt name, tabs or missing quotes, and say which. Fixes that remove or add something "
                     "are not made; without any fix the file is not touched"))
              .option(QStringLiteral("-q, --quiet"), &CheckValues::quiet, tr("list errors only"))
              .option(catalogOption().spelled, &CheckValues::catalog, catalogOption().text)
              .completes(Word::File)
              .exits({{exitOk, tr("every job can run")}, {exitNo, tr("a job has errors")},
                  {exitUnusable, tr("a file cannot be read or written, or wrong usage")}});
    return line;
}

} // namespace

Command checkCommand() { return checkLine().command(); }

} // namespace trainyard::cli
