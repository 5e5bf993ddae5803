// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobinput.h"

#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/names.h"
#include "app/cli/words.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/lineindex.h"
#include "model/template/render.h"
#include "widgets/text/texts.h"

namespace trainyard::cli
{

void sayErrors(const QString &file, const QByteArray &bytes, const QList<Diagnostic> &findings)
{
    const LineIndex lines(bytes);
    for (const Diagnostic &diagnostic : findings) {
        if (diagnostic.severity == Severity::Error) {
            const LineColumn at = lines.at(diagnostic.at.begin);
            errorLine(QStringLiteral("%1:%2:%3: %4")
                          .arg(inputName(file))
                          .arg(at.line)
                          .arg(at.column)
                          .arg(diagnosticText(diagnostic)));
        }
    }
}

std::variant<JobInput, ExitStatus> readJobInput(const QString &command, const JobInputWords &words)
{
    QMap<QString, QString> overrides;
    for (const QString &pair : words.parameters) {
        const qsizetype equals = pair.indexOf(QLatin1Char('='));
        if (equals <= 0) {
            usageError(command, tr("'%1' is not NAME=VALUE.").arg(pair));
            return exitUnusable;
        }
        overrides.insert(pair.left(equals), pair.mid(equals + 1));
    }
    Result<QByteArray> bytes = readInput(words.file);
    if (!bytes) {
        failureLine(bytes.error());
        sayIfJobWord(words.file);
        return exitUnusable;
    }
    if (refuseOldJob(*bytes, words.file) || refuseProgram(*bytes, words.file)) {
        return exitNo;
    }
    const QByteArray written = *bytes;
    const CatalogueLookup catalogue
        = words.asServer ? CatalogueLookup() : folderCatalogue(catalogueFolder(words.catalog));
    if (!words.asServer) {
        const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
        if (!whole) {
            failureLine(whole.error());
            return exitNo;
        }
        bytes = *whole;
    }
    if (refuseUnknownNames(command, *bytes, overrides.keys(), {}) != exitOk
        || refuseOtherTypes(*bytes, overrides) != exitOk) {
        return exitUnusable;
    }
    const ParseOutcome outcome = parseJob(*bytes, words.asServer ? CheckMode::Strict : CheckMode::Friendly);
    sayErrors(words.file, *bytes, outcome.diagnostics);
    if (!outcome.canRun()) {
        return exitNo;
    }
    if (words.saysWarnings) {
        sayWarnings(checkedFile(words.file, written, catalogue, overrides.keys()));
    }
    JobInput input{*bytes, *outcome.spec};
    input.job.parameters = withOverrides(input.job.parameters, overrides);
    return input;
}

} // namespace trainyard::cli
