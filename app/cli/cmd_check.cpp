// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/lineindex.h"
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace trainyard::cli
{

namespace
{

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

QString severityWord(Severity severity)
{
    return severity == Severity::Error  ? QStringLiteral("error")
        : severity == Severity::Warning ? QStringLiteral("warning")
                                        : QStringLiteral("note");
}

// Planning a fix parses the text again, so that a large text with hundreds of findings must not have them all planned.
constexpr qsizetype fixBytes = qsizetype(2) << 20;

// Fixes that cannot be made are left out, and those for which there is no time: the next check shows them.
QJsonArray fixesJson(const Diagnostic &diagnostic, const YamlDocument &document, qsizetype &budget)
{
    QJsonArray fixes;
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

// The line with the place underlined. Long lines are shown around the place; tabs and controls as blanks, so that the
// caret stands right. The value of a secret is not repeated on the screen.
void printSource(const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines)
{
    const bool secret = diagnostic.path.size() > 0 && std::holds_alternative<QString>(diagnostic.path.at(0))
        && std::get<QString>(diagnostic.path.at(0)) == QLatin1String("secrets");
    const LineColumn at = lines.at(diagnostic.at.begin);
    const qsizetype begin = lines.lineStart(at.line);
    qsizetype end = bytes.indexOf('\n', begin);
    end = end < 0 ? bytes.size() : end;
    if (secret || begin >= end) {
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
    outLine(QStringLiteral("  ") + line);
    outLine(QStringLiteral("  ") + QString(column, QLatin1Char(' '))
        + paint(Colour::Green, QLatin1Char('^') + QString(length - 1, QLatin1Char('~'))));
}

void printDiagnostic(const QString &name, const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines)
{
    const LineColumn at = lines.at(diagnostic.at.begin);
    const Colour colour = diagnostic.severity == Severity::Error ? Colour::Red
        : diagnostic.severity == Severity::Warning               ? Colour::Yellow
                                                                 : Colour::Blue;
    const QString place = QStringLiteral("%1:%2:%3: ").arg(name).arg(at.line).arg(at.column);
    const QString severity = paint(colour, severityText(diagnostic.severity));
    const QString code = paint(Colour::Dim, QStringLiteral(" [%1]").arg(diagnostic.code));
    outLine(paint(Colour::Bold, place) + severity + QStringLiteral(": ") + diagnosticText(diagnostic) + code);
    printSource(diagnostic, bytes, lines);
    for (const Fix &fix : diagnostic.fixes) {
        outLine(tr("  fix: %1").arg(fixTitle(fix)));
    }
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
    return {QStringLiteral("check"), tr("Say what is wrong with a job, and how to mend it"),
        tr("check [--strict] [--json] [-q] [--catalog DIR] FILE\n\n"
           "Reads FILE ('-': standard input) and lists everything that is wrong with it or worth knowing.\n\n"
           "  --strict     give the verdict of an OpenPAI server\n"
           "  --json       write one JSON object\n"
           "  -q, --quiet  errors only\n"
           "  --catalog DIR\n"
           "               where marketplace://data/x is (DIR/data/x.yaml); otherwise the setting catalogue.folder\n\n"
           "Exit status: 0 the job can run; 1 it has errors; 2 the file cannot be read."),
        check};
}

} // namespace trainyard::cli
