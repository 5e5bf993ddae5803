// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "engine/client/wholefile.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QSaveFile>

namespace trainyard::cli
{

namespace
{

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
    if (!isLegacyJob(*bytes) && parseJob(*bytes).spec) {
        errorLine(tr("%1 is a job of version 2 already; there is nothing to convert.").arg(inputName(file)));
        return exitRefused;
    }
    const QString target = parser.value(QStringLiteral("output"));
    const bool toFile = !target.isEmpty() && target != QLatin1String("-");
    if (toFile && QFileInfo::exists(target) && !parser.isSet(QStringLiteral("force"))) {
        errorLine(tr("%1 already exists. Use --force to replace it, or choose another name.").arg(target));
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
                plainErrorLine(diagnosticLine(inputName(file), diagnostic, lines));
            }
        }
        if (!toFile) {
            outFile(result.yaml);
        }
    }
    return result.yaml.isEmpty() ? exitUnusable : good ? exitOk : exitNo;
}

} // namespace

Command convertCommand()
{
    return {QStringLiteral("convert"), tr("Convert a job of version 1 (JSON) to version 2"),
        tr("convert [-o OUT] [--force] [--json] [-q] FILE\n\n"
           "Reads the job of version 1 in FILE ('-' is standard input; comments and trailing commas are allowed) and\n"
           "writes the same job in version 2, as YAML. Changes, and what version 2 cannot express, are listed on\n"
           "standard error.\n\n"
           "  -o, --output OUT  write to OUT, which must not exist yet, instead of standard output\n"
           "  -f, --force       replace OUT\n"
           "  --json            print a JSON object with the report, and with the YAML unless -o is given\n"
           "  -q, --quiet       list errors only\n\n"
           "Exit status: 0 the new job can run; 1 it has errors that you must fix; 2 the file cannot be read;\n"
           "4 OUT exists already, or FILE is a job of version 2."),
        convert};
}

} // namespace trainyard::cli
