// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "model/base/lineindex.h"
#include "model/protocol/jobdocument.h"

#include <QJsonArray>
#include <QMap>

namespace trainyard::cli
{

// The text there may be the value of a secret, so it is repeated neither on the screen nor in a report.
bool isSecretValue(const YamlPath &path);
// Shows the findings about a text to programs and to users.
QJsonObject diagnosticJson(const Diagnostic &diagnostic, const LineIndex &lines, const QJsonArray &fixes = {});
// Fixes that cannot be made are left out, and so are those that would take too long; the next check shows them.
// Planning a fix parses the text again, so not all fixes of a large text with hundreds of findings can be planned.
inline constexpr qsizetype fixBytes = qsizetype(2) << 20;
QJsonArray fixesJson(const Diagnostic &diagnostic, const YamlDocument &document, qsizetype &budget);
QString diagnosticLine(
    const QString &name, const Diagnostic &diagnostic, const LineIndex &lines, Stream stream = Stream::Out);
// Writes the line, its location in the source and the titles of the fixes. `bytes`: with secrets hidden.
void printDiagnostic(const QString &name, const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines,
    Stream stream = Stream::Out);
// All findings of at least this weight.
void printFindings(const QString &name, const ParseOutcome &outcome, Severity least, Stream stream);

// The findings of 'check' in the file of a job that is being submitted.
struct CheckedFile {
    QString file; // as it was given
    ParseOutcome outcome;

    bool hasErrors() const;
};
// Parameters and a name that are given beside the file settle what is said about those of the file.
CheckedFile checkedFile(const QString &file, const QByteArray &bytes, const CatalogueLookup &catalogue,
    const QStringList &parameters = {}, const QString &name = {});
// Before a submission: what the job may run into here, on stderr; what only a cluster refuses is not said. The secrets
// that are given with the job are not what the text says of them, and a shell may change their values. What stops a job
// on an OpenPAI cluster only, and is a note elsewhere, is a warning when that is the `target`; what such a cluster
// alone skips is said only then. Tasks without a gang have the variables of an array on Slurm. Errors are for
// sayRefusedText().
void sayWarnings(
    const CheckedFile &checked, const QMap<QString, QString> &givenSecrets = {}, const QString &target = {});
// The same of values alone that are given later.
void sayOfGivenSecrets(const CheckedFile &checked, const QMap<QString, QString> &given);
// After the refusal "job.invalid": what is wrong, on stderr. An engine of another version may find other errors.
void sayRefusedText(const CheckedFile &checked, const Error &error);

QString convertedName(const QString &file); // "job.json" becomes "job.pai.yaml"
// Whether the bytes are a job of version 1; then it says on stderr how to convert it.
bool refuseOldJob(const QByteArray &bytes, const QString &file);
// Whether they are a script or a program, of which YAML would understand something odd; then it says how to run it.
bool refuseProgram(const QByteArray &bytes, const QString &file);

} // namespace trainyard::cli
