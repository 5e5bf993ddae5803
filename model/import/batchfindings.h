// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

namespace trainyard::batch
{

// The findings about a batch script; the codes are in batchimport.h.
struct Findings {
    QList<Diagnostic> all;
    void say(const char *code, Severity severity, const ByteRange &at, const QJsonObject &args = {})
    {
        Diagnostic d;
        d.code = QString::fromLatin1(code);
        d.severity = severity;
        d.at = at;
        d.args = args;
        all.append(d);
    }
};

} // namespace trainyard::batch
