// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"

#include "model/protocol/reader.h"
#include "model/protocol/rules.h"

namespace trainyard
{

bool ParseOutcome::canRun() const
{
    return spec && std::none_of(diagnostics.cbegin(), diagnostics.cend(), [](const Diagnostic &each) {
        return each.severity == Severity::Error;
    });
}

bool ParseOutcome::strictlyValid() const
{
    return spec
        && std::none_of(diagnostics.cbegin(), diagnostics.cend(), [](const Diagnostic &each) { return each.strict; });
}

ParseOutcome parseJob(const QByteArray &bytes, CheckMode mode)
{
    ParseOutcome outcome;
    outcome.document = YamlDocument::parse(bytes);
    outcome.diagnostics = outcome.document.diagnostics();
    const bool complete = outcome.document.isComplete();
    Findings findings(outcome.document);
    JobReader reader(findings);
    outcome.spec = reader.read();
    if (reader.tooComplex()) {
        findings = Findings(outcome.document);
        findings.add(QStringLiteral("job.too-complex"), Severity::Error, Server::Accepts, {});
    } else if (outcome.spec && complete) {
        checkJob(*outcome.spec, findings);
        checkTemplates(*outcome.spec, findings);
    }
    // Where reading stopped at an error, what seems to be missing may stand behind it.
    if (complete) {
        outcome.diagnostics += findings.take();
    }
    if (mode == CheckMode::Strict) {
        for (Diagnostic &diagnostic : outcome.diagnostics) {
            if (diagnostic.strict) {
                diagnostic.severity = Severity::Error;
            } else if (complete && diagnostic.severity == Severity::Error) {
                diagnostic.severity = Severity::Warning;
            }
        }
    }
    std::stable_sort(
        outcome.diagnostics.begin(), outcome.diagnostics.end(), [](const Diagnostic &a, const Diagnostic &b) {
            return a.at.begin != b.at.begin ? a.at.begin < b.at.begin : a.severity < b.severity;
        });
    return outcome;
}

} // namespace trainyard
