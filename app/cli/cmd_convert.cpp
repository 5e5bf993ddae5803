// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "engine/client/wholefile.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QSaveFile>

#include <cstdio>

namespace trainyard::cli
{

namespace
{

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

bool writeFile(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    const std::optional<QString> why = file.open(QIODevice::WriteOnly) ? writeWhole(file, bytes) : file.errorString();
    if (!why) {
        return true;
    }
    errorLine(errorText(
        Error{QStringLiteral("file.unwritable"), {{QStringLiteral("file"), path}, {QStringLiteral("reason"), *why}}}));
    return false;
}

int convert(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOption({{QStringLiteral("o"), QStringLiteral("output")}, QString(), QStringLiteral("file")});
    parser.addOption({{QStringLiteral("f"), QStringLiteral("force")}, QString()});
    parser.addOption({QStringLiteral("json"), QString()});
    parser.addOption({{QStringLiteral("q"), QStringLiteral("quiet")}, QString()});
    const QString command = QStringLiteral("convert");
    if (!parse(parser, command, arguments)) {
        return exitUnusable;
    }
    if (parser.positionalArguments().size() != 1) {
        return usageError(command, tr("Give one FILE to convert."));
    }
    const QString file = parser.positionalArguments().first();
    const Result<QByteArray> bytes = readInput(file);
    if (!bytes) {
        errorLine(errorText(bytes.error()));
        return exitUnusable;
    }
    const QString target = parser.value(QStringLiteral("output"));
    const bool toFile = !target.isEmpty() && target != QLatin1String("-");
    if (toFile && QFileInfo::exists(target) && !parser.isSet(QStringLiteral("force"))) {
        errorLine(tr("%1 is there already. Use --force to replace it, or another name.").arg(target));
        return exitRefused;
    }
    const LegacyImport result = importLegacyJob(*bytes);
    const bool good = !result.yaml.isEmpty() && parseJob(result.yaml).canRun();
    const LineIndex lines(*bytes);
    if (toFile && !result.yaml.isEmpty() && !writeFile(target, result.yaml)) {
        return exitUnusable;
    }
    if (parser.isSet(QStringLiteral("json"))) {
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
        const bool quiet = parser.isSet(QStringLiteral("quiet"));
        for (const Diagnostic &diagnostic : result.report) {
            if (diagnostic.severity == Severity::Error || !quiet) {
                const QByteArray line = diagnosticLine(inputName(file), diagnostic, lines).toUtf8() + '\n';
                std::fwrite(line.constData(), 1, size_t(line.size()), stderr);
            }
        }
        if (!toFile) {
            out(result.yaml);
        }
    }
    return result.yaml.isEmpty() ? exitUnusable : good ? exitOk : exitNo;
}

} // namespace

Command convertCommand()
{
    return {QStringLiteral("convert"), tr("Make a job of version 2 of one of version 1 (JSON)"),
        tr("convert [-o OUT] [--force] [--json] [-q] FILE\n\n"
           "Reads the job of version 1 in FILE ('-': standard input), comments and trailing commas\n"
           "included, and writes the same job in version 2, as YAML. What had to change and what\n"
           "version 2 cannot say is listed on standard error.\n\n"
           "  -o, --output OUT  write to OUT, which must not be there yet; else to standard output\n"
           "  -f, --force       replace OUT\n"
           "  --json            write one JSON object with the report, and the YAML unless -o is given\n"
           "  -q, --quiet       list errors only\n\n"
           "Exit status: 0 the new job can run; 1 it has errors to mend; 2 the file cannot be read;\n"
           "4 OUT is there already."),
        convert};
}

} // namespace trainyard::cli
