// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/lineindex.h"
#include "model/yaml/yamldocument.h"

#include <QJsonArray>

namespace trainyard::cli
{

// Shows the findings about a text to programs and to users.
QJsonObject diagnosticJson(const Diagnostic &diagnostic, const LineIndex &lines, const QJsonArray &fixes = {});
// Fixes that cannot be made are left out, and so are those that would take too long; the next check shows them.
// Planning a fix parses the text again, so not all fixes of a large text with hundreds of findings can be planned.
inline constexpr qsizetype fixBytes = qsizetype(2) << 20;
QJsonArray fixesJson(const Diagnostic &diagnostic, const YamlDocument &document, qsizetype &budget);
QString diagnosticLine(const QString &name, const Diagnostic &diagnostic, const LineIndex &lines);
// Writes the line, its location in the source and the titles of the fixes to stdout.
void printDiagnostic(
    const QString &name, const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines);

QString convertedName(const QString &file); // "job.json" becomes "job.pai.yaml"
// Whether the bytes are a job of version 1; then it says on stderr how to convert it.
bool refuseOldJob(const QByteArray &bytes, const QString &file);

} // namespace trainyard::cli
