// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/findings.h"

namespace trainyard
{

// Reports that YAML readers do not agree about a plain scalar, with a fix that quotes it. `name` is the field or
// parameter. The value of a secret stays out of the finding.
void sayReaderDifference(
    Findings &findings, const YamlNode &scalar, const YamlPath &path, const QString &name, bool secret = false);

// The same for every value below a node.
void sayReaderDifferencesBelow(
    Findings &findings, const YamlNode *node, const YamlPath &path, const QString &name, bool secret);

// For a field that holds text: reports only a value that another reader reads as true, a number or a date.
void sayTextDifference(Findings &findings, const YamlNode &scalar, const YamlPath &path, const QString &field);

// For a whole number: 012 is 10 for some and 12 for others.
void sayIntegerDifference(
    Findings &findings, const YamlNode &scalar, const YamlPath &path, const QString &field, qint64 read);

} // namespace trainyard
