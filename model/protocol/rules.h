// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"
#include "model/protocol/findings.h"
#include "model/protocol/jobspec.h"

#include <QMap>

namespace trainyard
{

// Checks the parts of a job against each other: names that lead nowhere, limits that cannot take effect, steps that a
// cluster would skip. Adds to the findings. With an empty `catalogue` no item of marketplace:// exists.
void checkJob(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings);

// Checks <% %>: tags that are not closed, references to nothing, parameters that are not used, plain values that other
// readers take for something else.
void checkTemplates(const JobSpec &job, Findings &findings);

// Reports what does not run on a cluster, or runs differently there.
void checkPortability(const JobSpec &job, Findings &findings);

// Checks the user's shell commands.
void checkCommands(const JobSpec &job, Findings &findings);
// How a shell reads the values of secrets that are given in addition to the text, by their names.
QList<Diagnostic> findingsOfGivenSecrets(
    const YamlDocument &document, const JobSpec &job, const QMap<QString, QString> &values);
// The names of the secrets whose values a shell takes apart at their positions in these commands, each once: outside of
// quotes, or with characters that mean something inside of them. A command with a here-document has none; in one that
// passes its words to another shell ("bash -c"), quotes do not count.
QStringList secretsTakenApart(const QStringList &commands, const Value &secrets);

} // namespace trainyard
