// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QByteArray>
#include <QList>

namespace trainyard
{

// Checks the bytes in one pass before the parser reads them, and reports what the parser would accept silently or fail
// on. Returns false when the text must not be parsed. Internal to model/yaml.
bool yamlPrescan(const QByteArray &bytes, QList<Diagnostic> &diagnostics);

Diagnostic yamlDiagnostic(const char *code, ByteRange at, const QJsonObject &args = {}, bool strict = true,
    Severity severity = Severity::Error);

} // namespace trainyard
