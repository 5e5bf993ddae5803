// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strictjob.h"

#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/secrets.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "model/protocol/jobdocument.h"
#include "model/template/pluginsteps.h"
#include "model/yaml/yamledit.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

int makeStrict(const QString &file, const CatalogueLookup &catalogue, QByteArray &yaml)
{
    const ParseOutcome outcome = parseJob(yaml, CheckMode::Strict, catalogue);
    if (!outcome.canRun()) {
        const LineIndex lines(yaml);
        QJsonArray errors;
        for (const Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.severity == Severity::Error) {
                errors.append(diagnosticJson(diagnostic, lines));
            }
        }
        sayDiagnostics(inputName(file), errors);
        errorLine(tr("An OpenPAI server would refuse this job, so %1 does not run it. Errors: %2.")
                      .arg(strictOption().shown())
                      .arg(errors.size()));
        return exitRefused;
    }
    if (isStrict(*outcome.spec)) {
        return exitOk;
    }
    const YamlPath place{u"extras"_s, u"trainyard"_s, u"strict"_s};
    const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), edit::SetValue{place, "true"});
    if (!edits) {
        return report(edits.error());
    }
    yaml = applyEdits(yaml, *edits);
    return exitOk;
}

} // namespace trainyard::cli
