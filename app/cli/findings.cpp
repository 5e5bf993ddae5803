// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/findings.h"

#include "app/cli/secrets.h"
#include "engine/api/clusters.h"
#include "engine/client/slurmoptions.h"
#include "model/base/exportmark.h"
#include "model/base/shellquote.h"
#include "model/import/batchimport.h"
#include "model/protocol/jobname.h"
#include "model/protocol/legacy.h"
#include "model/protocol/rules.h"
#include "model/protocol/shownsecrets.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/columns.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace trainyard::cli
{

namespace
{

bool hasOf(const ParseOutcome &outcome, Severity severity)
{
    return std::any_of(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [severity](const Diagnostic &diagnostic) { return diagnostic.severity == severity; });
}

QString severityWord(Severity severity)
{
    return severity == Severity::Error  ? QStringLiteral("error")
        : severity == Severity::Warning ? QStringLiteral("warning")
                                        : QStringLiteral("note");
}

// The line with the place underlined. Long lines are shown around the place; tabs and controls as blanks, so that the
// caret stands right.
void printSource(const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines, Stream stream)
{
    const LineColumn at = lines.at(diagnostic.at.begin);
    const qsizetype begin = lines.lineStart(at.line);
    qsizetype end = bytes.indexOf('\n', begin);
    end = end < 0 ? bytes.size() : end;
    if (isSecretValue(diagnostic.path) || begin >= end) {
        return;
    }
    QString line = QString::fromUtf8(bytes.mid(begin, end - begin));
    for (QChar &c : line) {
        if (c.category() == QChar::Other_Control) {
            c = QLatin1Char(' ');
        }
    }
    const QString before = QString::fromUtf8(bytes.mid(begin, diagnostic.at.begin - begin));
    const qsizetype markEnd = std::clamp(diagnostic.at.end, diagnostic.at.begin, end);
    qsizetype length = QString::fromUtf8(bytes.mid(diagnostic.at.begin, markEnd - diagnostic.at.begin)).size();
    qsizetype column = before.size();
    const qsizetype width = std::max(40, terminalWidth() - 4);
    if (line.size() > width) {
        const qsizetype from = std::clamp<qsizetype>(column - width / 3, 0, line.size() - width);
        line = line.mid(from, width);
        column -= from;
    }
    length = std::clamp<qsizetype>(length, 1, std::max<qsizetype>(1, line.size() - column));
    lineTo(stream, QStringLiteral("  ") + line);
    // Wide characters take two columns of a terminal.
    const int indent = columnsOf(QStringView(line).first(column));
    const int marked
        = std::max(1, columnsOf(QStringView(line).sliced(column).first(std::min(length, line.size() - column))));
    lineTo(stream,
        QStringLiteral("  ") + QString(indent, QLatin1Char(' '))
            + paint(Colour::Green, QLatin1Char('^') + QString(marked - 1, QLatin1Char('~')), stream));
}

} // namespace

bool isSecretValue(const YamlPath &path)
{
    const QStringList words = path.toPointer().split(QLatin1Char('/'));
    return words.value(1) == QLatin1String("secrets")
        || (words.value(3) == QLatin1String("auth") && words.value(4) == QLatin1String("password"));
}

QJsonArray fixesJson(const Diagnostic &diagnostic, const YamlDocument &document, qsizetype &budget)
{
    QJsonArray fixes;
    if (isSecretValue(diagnostic.path)) {
        return fixes;
    }
    for (const Fix &fix : diagnostic.fixes) {
        const qsizetype cost = (document.bytes().size() + 256) * (fix.ops.size() + 1);
        if (cost > budget) {
            break;
        }
        budget -= cost;
        const Result<TextEdits> planned = planFix(document, fix);
        if (!planned || planned->isEmpty()) {
            continue;
        }
        QJsonArray edits;
        for (const TextEdit &edit : *planned) {
            edits.append(QJsonObject{{QStringLiteral("begin"), edit.range.begin},
                {QStringLiteral("end"), edit.range.end}, {QStringLiteral("text"), QString::fromUtf8(edit.text)}});
        }
        fixes.append(QJsonObject{{QStringLiteral("title"), fixTitle(fix)}, {QStringLiteral("edits"), edits}});
    }
    return fixes;
}

QJsonObject diagnosticJson(const Diagnostic &diagnostic, const LineIndex &lines, const QJsonArray &fixes)
{
    const LineColumn at = lines.at(diagnostic.at.begin);
    return {{QStringLiteral("code"), diagnostic.code}, {QStringLiteral("severity"), severityWord(diagnostic.severity)},
        {QStringLiteral("message"), diagnosticText(diagnostic)}, {QStringLiteral("begin"), diagnostic.at.begin},
        {QStringLiteral("end"), diagnostic.at.end}, {QStringLiteral("line"), at.line},
        {QStringLiteral("column"), at.column}, {QStringLiteral("path"), diagnostic.path.toPointer()},
        {QStringLiteral("args"), diagnostic.args}, {QStringLiteral("fixes"), fixes}};
}

QString diagnosticLine(const QString &name, const Diagnostic &diagnostic, const LineIndex &lines, Stream stream)
{
    const LineColumn at = lines.at(diagnostic.at.begin);
    const Colour colour = diagnostic.severity == Severity::Error ? Colour::Red
        : diagnostic.severity == Severity::Warning               ? Colour::Yellow
                                                                 : Colour::Blue;
    const QString place = QStringLiteral("%1:%2:%3: ").arg(name).arg(at.line).arg(at.column);
    const QString severity = paint(colour, severityText(diagnostic.severity), stream);
    const QString code = paint(Colour::Dim, QStringLiteral(" [%1]").arg(diagnostic.code), stream);
    return paint(Colour::Bold, place, stream) + severity + QStringLiteral(": ") + diagnosticText(diagnostic) + code;
}

void printDiagnostic(
    const QString &name, const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines, Stream stream)
{
    sentenceTo(stream, diagnosticLine(name, diagnostic, lines, stream));
    printSource(diagnostic, bytes, lines, stream);
    for (const Fix &fix : diagnostic.fixes) {
        lineTo(stream, tr("  fix: %1").arg(fixTitle(fix)));
    }
}

void printFindings(const QString &name, const ParseOutcome &outcome, Severity least, Stream stream)
{
    if (outcome.diagnostics.isEmpty()) {
        return;
    }
    const QByteArray shown = withHiddenSecrets(outcome.document);
    const LineIndex lines(shown);
    // A job without containers has this one of each of its roles: it is said once.
    const auto isNoImage = [](const Diagnostic &diagnostic) {
        return diagnostic.code == QLatin1String("role.image.none") && diagnostic.severity == Severity::Note;
    };
    QStringList imageless;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        if (isNoImage(diagnostic)) {
            imageless.append(diagnostic.args.value(QLatin1String("role")).toString());
        }
    }
    bool isSaid = false;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        const bool isRepeated = isNoImage(diagnostic) && std::exchange(isSaid, true);
        if (diagnostic.severity > least || isRepeated) {
            continue;
        }
        printDiagnostic(name, diagnostic, shown, lines, stream);
        if (isNoImage(diagnostic) && imageless.size() > 1) {
            lineTo(stream, tr("  also: %1").arg(imageless.sliced(1).join(QStringLiteral(", "))));
        }
    }
}

bool CheckedFile::hasErrors() const { return hasOf(outcome, Severity::Error); }

CheckedFile checkedFile(const QString &file, const QByteArray &bytes, const CatalogueLookup &catalogue,
    const QStringList &parameters, const QString &name)
{
    CheckedFile checked{file, parseJob(bytes, CheckMode::Friendly, catalogue)};
    const bool isNamed = isJobName(name);
    checked.outcome.diagnostics.removeIf([&](const Diagnostic &diagnostic) {
        return (isNamed && isAboutJobName(diagnostic))
            || (diagnostic.code == QLatin1String("template.unknown-parameter")
                && parameters.contains(diagnostic.args.value(QStringLiteral("name")).toString()));
    });
    return checked;
}

void sayWarnings(const CheckedFile &checked, const QMap<QString, QString> &givenSecrets, const QString &target)
{
    if (checked.hasErrors()) {
        return;
    }
    const bool isForOpenPai = target.startsWith(openPaiKind + QLatin1Char(':'));
    ParseOutcome here = checked.outcome;
    const bool isForSlurm = target.startsWith(slurmKind + QLatin1Char(':'));
    // Tasks without a gang are the elements of an array there, and have its variables.
    const auto isInArray = [&here, isForSlurm](const QString &role) {
        const TaskRole *of = here.spec && isForSlurm && !here.spec->gangAllocation ? here.spec->role(role) : nullptr;
        return of && of->instances > 1;
    };
    here.diagnostics.removeIf([&](const Diagnostic &each) {
        const bool isGiven
            = (each.code == QLatin1String("secrets.short") || each.code.startsWith(QLatin1String("secrets.shell")))
            && givenSecrets.contains(each.args.value(QLatin1String("name")).toString());
        const bool isOfOthers = each.code == QLatin1String("prerequisite.no-plugin") && !isForOpenPai;
        const bool isThere = each.code == QLatin1String("role.variable-array")
            && isInArray(each.args.value(QLatin1String("role")).toString());
        return each.strict || isGiven || isOfOthers || isThere;
    });
    for (Diagnostic &each : here.diagnostics) {
        if (each.code == QLatin1String("role.name.not-portable") && isForOpenPai) {
            each.severity = Severity::Warning;
        }
    }
    if (here.spec && !givenSecrets.isEmpty()) {
        here.diagnostics += findingsOfGivenSecrets(here.document, *here.spec, givenSecrets);
        std::stable_sort(here.diagnostics.begin(), here.diagnostics.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    }
    printFindings(inputName(checked.file), here, Severity::Warning, Stream::Error);
}

void sayOfGivenSecrets(const CheckedFile &checked, const QMap<QString, QString> &given)
{
    if (!checked.outcome.spec || given.isEmpty()) {
        return;
    }
    ParseOutcome found = checked.outcome;
    found.diagnostics = findingsOfGivenSecrets(found.document, *found.spec, given);
    printFindings(inputName(checked.file), found, Severity::Warning, Stream::Error);
}

void sayRefusedText(const CheckedFile &checked, const Error &error)
{
    if (checked.hasErrors()) {
        printFindings(inputName(checked.file), checked.outcome, Severity::Warning, Stream::Error);
    } else {
        sayDiagnostics(inputName(checked.file), error.args.value(QStringLiteral("diagnostics")).toArray());
    }
    failureLine(error);
    const QString word = checked.file == QLatin1String("-") ? checked.file : shellWord(checked.file);
    errorLine(tr("Correct the text of the job; 'trainyardctl check %1' checks it without running it.").arg(word));
}

QString convertedName(const QString &file)
{
    return file == QLatin1String("-") ? QStringLiteral("job.pai.yaml")
                                      : QFileInfo(file).completeBaseName() + QStringLiteral(".pai.yaml");
}

bool refuseOldJob(const QByteArray &bytes, const QString &file)
{
    if (!isLegacyJob(bytes)) {
        return false;
    }
    errorLine(tr("%1 is a job of version 1 (JSON). Convert it first: trainyardctl convert %2 -o %3")
                  .arg(inputName(file), file, convertedName(file)));
    return true;
}

bool refuseProgram(const QByteArray &bytes, const QString &file)
{
    static const QRegularExpression program(
        QStringLiteral("\\A#!.*(?:/|\\s)(?:python|ipython|bash|sh|dash|zsh|ksh|perl|"
                       "Rscript|julia|node|ruby)[\\d.]*(?:\\s|$)"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression shell(
        QStringLiteral("\\A#!.*(?:/|\\s)(?:bash|sh|dash|zsh|ksh)(?:\\s|$)"), QRegularExpression::MultilineOption);
    static const QRegularExpression job(
        QStringLiteral("^\\s*[{,]?\\s*[\"']?(?:protocolVersion|taskRoles|jobName)[\"']?\\s*:"),
        QRegularExpression::MultilineOption);
    const QString text = QString::fromUtf8(bytes);
    const bool isPython = file.endsWith(QLatin1String(".py"), Qt::CaseInsensitive);
    const bool isOther = isPython || (bytes.startsWith("#!") && !shell.match(text).hasMatch());
    const std::optional<MarkedExport> marked = markedExport(bytes); // 'convert' would refuse it as well
    if (marked && !job.match(text).hasMatch()) {
        errorLine(tr("%1 is an export of the job %2: it has the commands for another system, and not the text of the "
                     "job. Use the file from which it was exported.")
                      .arg(inputName(file), marked->job));
        return true;
    }
    if (isBatchScript(bytes, file) || (!isOther && isShellScript(bytes) && !job.match(text).hasMatch())) {
        errorLine(tr("%1 is a shell script, and not a job. Make a job of it first: trainyardctl convert %2 -o %3")
                      .arg(inputName(file), shellWord(file), shellWord(convertedName(file))));
        return true;
    }
    if ((!isPython && !program.match(text).hasMatch()) || job.match(text).hasMatch()) {
        return false;
    }
    const QString call = (isPython ? QStringLiteral("python3 ") : QString()) + shellWord(file);
    errorLine(file == QLatin1String("-")
            ? tr("Standard input is a program, and not a job.")
            : tr(
                "%1 is a program, and not a job. Write a job that has \"%2\" in its commands. This one is a beginning: "
                "trainyardctl templates show quickstart > %3")
                  .arg(inputName(file), call, shellWord(convertedName(file))));
    return true;
}

} // namespace trainyard::cli
