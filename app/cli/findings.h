// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/lineindex.h"
#include "model/yaml/yamldocument.h"

#include <QJsonArray>

namespace trainyard::cli
{

// What is wrong with a text, for programs and for people.
QJsonObject diagnosticJson(const Diagnostic &diagnostic, const LineIndex &lines, const QJsonArray &fixes = {});
// Fixes that cannot be made are left out, and those for which there is no time: the next check shows them. Planning a
// fix parses the text again, so that a large text with hundreds of findings must not have them all planned.
inline constexpr qsizetype fixBytes = qsizetype(2) << 20;
QJsonArray fixesJson(const Diagnostic &diagnostic, const YamlDocument &document, qsizetype &budget);
QString diagnosticLine(const QString &name, const Diagnostic &diagnostic, const LineIndex &lines);
// To stdout: the line, the place in the source, and the titles of the fixes.
void printDiagnostic(
    const QString &name, const Diagnostic &diagnostic, const QByteArray &bytes, const LineIndex &lines);

QString convertedName(const QString &file); // "job.json" becomes "job.pai.yaml"
// True when the bytes are a job of version 1, after saying on stderr how it is converted.
bool refuseOldJob(const QByteArray &bytes, const QString &file);

} // namespace trainyard::cli
