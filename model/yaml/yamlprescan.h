// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QByteArray>
#include <QList>

namespace trainyard
{

// One pass over the bytes before the parser sees them: finds what the parser would take silently or choke on. False: do
// not parse. Internal to model/yaml.
bool yamlPrescan(const QByteArray &bytes, QList<Diagnostic> &diagnostics);

Diagnostic yamlDiagnostic(const char *code, ByteRange at, const QJsonObject &args = {}, bool strict = true,
    Severity severity = Severity::Error);

} // namespace trainyard
